"""The lesson about the die as a state machine: no camera, no thread, no clock."""

import pytest
from pupil import Pupil

from companion.die import all_lies, mirrored
from companion.errors import BadInput
from companion.inputs import DieReading, Status
from companion.teaching.die import DieLesson, Learnt, Table
from companion.teaching.laying import choose_lie, rulebook_die
from companion.teaching.lesson import AWAY_S, SHOT_FRAMES, SILENCE_S, order_clockwise

DIE = rulebook_die()
CORNERS = [[300, 100], [900, 120], [1000, 600], [200, 580]]


class Teacher:
    """Sees what a test says: frames are words."""

    def __init__(self):
        self.saved, self.refuse, self.sides_seen, self.read = [], None, ("S", "W"), None
        self.empty = None

    def find_mat(self, frame, ruler_mm):
        if frame == "half a mat":
            raise BadInput("only 1 of the mat's four markers is seen")
        return Table(("mat", ruler_mm), (), (), {}, "mat") if frame == "mat" else None

    def place(self, frame, corners, size_mm, south):
        if self.refuse:
            raise BadInput(self.refuse)
        return Table((corners, size_mm, south), (), (), {}, "sheet")

    def turned(self, table):
        return Table(("turned", table.place), (), (), {}, table.by)

    def check_empty(self, frames):
        if self.refuse:
            raise BadInput(self.refuse)
        self.empty = frames[-1]
        return frames[-1]

    def sides(self, table):
        return self.sides_seen

    def learn(self, table, empty, shown, layout):
        if self.refuse:
            raise BadInput(self.refuse)
        colours = {c for _, lie in shown for c in (lie.top, *(lie.towards(side) for side in self.sides_seen))}
        return Learnt(f"after {len(shown)}", frozenset(colours), b"jpeg")

    def watch(self, setup, on_reading):
        self.read = on_reading
        return lambda frame: None

    def save(self, setup):
        self.saved.append(setup)


class DiePupil(Pupil):
    def __init__(self):
        super().__init__(DieLesson, Teacher())

    def at_table(self):
        return self.ask("start").frames("table").ask("corners", corners=CORNERS, sheet="a4")

    def at_show(self):
        return self.at_table().ask("accept").shoot("bare")

    def at_check(self):
        self.at_show()
        while not self.view["learnt"]:
            self.shoot()
        return self.ask("check")

    def reads(self, top="yellow", status=Status.READ):
        sides = {"N": "blue", "E": "black", "S": "red", "W": "violet"}
        self.teacher.read(DieReading(status, top, sides, 3.0, 0.99, None if status is Status.READ else "glare"))
        return self


@pytest.fixture
def pupil():
    return DiePupil()


def test_the_whole_way_ends_with_a_saved_set_up(pupil):
    pupil.at_check()
    for _ in range(3):
        pupil.reads().ask("right")
    pupil.work()
    assert (pupil.view["step"], pupil.teacher.saved, pupil.told) == ("done", ["after 2"], ["saved"])


def test_two_pictures_do_when_two_sides_are_seen_and_three_when_one_is(pupil):
    pupil.at_check()
    assert pupil.view["shown"] == 2
    other = DiePupil()
    other.teacher.sides_seen = ("S",)
    assert other.at_check().view["shown"] == 3


@pytest.mark.parametrize("sides", [("S", "W"), ("W",), ("E", "S"), ("N",)], ids=str)
@pytest.mark.parametrize("layout", [DIE, mirrored(DIE)], ids=["rulebook", "mirrored"])
def test_the_fewest_pictures_are_asked_for_wherever_the_camera_stands(layout, sides):
    seen, before = frozenset(), []
    while seen != layout.faces:
        lie = choose_lie(layout, sides, seen, before)
        assert lie in all_lies(layout)
        assert lie not in before
        before.append(lie)
        seen |= {lie.top, *(lie.towards(side) for side in sides)}
    assert len(before) == (2 if len(sides) == 2 else 3)


def test_the_first_way_of_lying_is_the_rulebooks(pupil):
    wanted = pupil.at_show().view["wanted"]
    assert (wanted.top, wanted.south) == ("yellow", "red")


def test_corners_may_be_tapped_in_any_order_and_south_is_the_lower_edge(pupil):
    pupil.ask("start").frames("table").ask("corners", corners=[CORNERS[i] for i in (2, 0, 3, 1)], sheet=[100, 150])
    assert pupil.lesson.table.place == ([[float(x), float(y)] for x, y in CORNERS], (100.0, 150.0), 2)


def test_taps_are_ordered_clockwise_from_the_top_left():
    assert order_clockwise([[9, 5], [3, 1], [2, 4], [8, 1]]) == [[3, 1], [8, 1], [9, 5], [2, 4]]


def test_south_can_be_turned_and_stays_so_while_a_corner_is_moved(pupil):
    pupil.at_table().ask("turn")
    assert pupil.lesson.table.place[0] == "turned"
    assert pupil.view["tapped"]["south"] == 3


def test_the_mat_is_found_by_itself(pupil):
    pupil.ask("start").frames("bare")
    assert pupil.view["table"] is None
    pupil.now += 2
    assert pupil.frames("mat").view["table"].by == "mat"


def test_half_a_mat_is_told_and_forgotten_when_it_is_whole(pupil):
    pupil.now += 2
    assert "only 1" in str(pupil.ask("start").frames("half a mat").view["said"])
    pupil.now += 2
    assert pupil.frames("mat").view["said"] is None


def test_a_mat_does_not_take_the_place_of_tapped_corners(pupil):
    pupil.at_table()
    pupil.now += 5
    assert pupil.frames("mat").view["table"].by == "sheet"


def test_the_ruler_of_a_scaled_mat_is_heeded(pupil):
    assert pupil.ask("start").frames("mat").ask("mat", ruler_mm=94).lesson.table.place == ("mat", 94.0)


def test_a_refused_picture_is_told_and_the_step_stays(pupil):
    pupil.at_show().shoot()
    pupil.teacher.refuse = "the upper face is burnt white: turn the lamp aside"
    assert str(pupil.shoot().view["said"]) == pupil.teacher.refuse
    assert (pupil.view["step"], pupil.view["shown"]) == ("show", 1)
    pupil.teacher.refuse = None
    assert pupil.shoot().view["shown"] == 2


def test_what_is_being_learnt_is_told_with_its_seconds(pupil):
    pupil.at_show().ask("shoot").frames(*["frame"] * SHOT_FRAMES)
    pupil.now += 7
    assert str(pupil.view["busy"]) == "looking for the die, and learning its colours"
    assert pupil.view["since_s"] == 7
    assert pupil.work().view["busy"] is None


def test_while_it_learns_nothing_else_can_be_asked_for_but_to_stop(pupil):
    pupil.at_show().ask("shoot").frames(*["frame"] * SHOT_FRAMES)
    with pytest.raises(BadInput, match="still being looked at"):
        pupil.ask("again")
    assert pupil.ask("stop").view["step"] == ""
    assert pupil.work().view["step"] == ""  # what comes too late changes nothing


def test_a_job_that_fails_is_told(pupil):
    pupil.at_show()
    pupil.teacher.learn = lambda *_: 1 / 0
    assert "try again" in str(pupil.shoot().view["said"])


def test_before_the_first_picture_it_waits_for_the_camera(pupil):
    version = pupil.ask("start").view["version"]
    assert str(pupil.view["busy"]) == "waiting for the camera"
    assert pupil.frames("table").view["busy"] is None
    assert pupil.view["version"] > version


def test_a_silent_camera_is_told(pupil):
    pupil.at_show().ask("shoot").frames("frame")
    pupil.now += SILENCE_S + 1
    assert "gives no picture" in str(pupil.view["said"])


def test_a_wrong_reading_sends_back_to_showing(pupil):
    pupil.at_check().reads().ask("wrong")
    assert (pupil.view["step"], pupil.view["shown"], pupil.view["learnt"]) == ("show", 0, False)
    assert "show it again" in str(pupil.view["said"])


def test_an_unsure_reading_does_not_count_and_asks_nothing(pupil):
    pupil.at_check().reads(status=Status.UNSURE)
    for verb in ("right", "wrong"):
        with pytest.raises(BadInput):
            pupil.ask(verb)
    assert pupil.view["rights"] == 0


def test_each_roll_is_answered_once(pupil):
    pupil.at_check().reads().ask("right")
    with pytest.raises(BadInput):
        pupil.ask("right")
    assert pupil.view["rights"] == 1


def test_the_old_set_up_stays_until_the_new_one_is_checked(pupil):
    pupil.at_check().reads().ask("right").reads().ask("right").ask("stop").work()
    assert pupil.teacher.saved == []


def test_the_check_can_be_skipped(pupil):
    pupil.at_check().ask("save").work()
    assert pupil.teacher.saved == ["after 2"]


def test_a_set_up_that_cannot_be_written_is_told(pupil):
    def full(setup):
        raise BadInput("can't write die.json: no space left on device")

    pupil.teacher.save = full
    assert "no space left" in str(pupil.at_check().ask("save").work().view["said"])
    assert (pupil.view["step"], pupil.told) == ("check", [])


def test_another_die_is_any_six_colours_either_way_round(pupil):
    names = {"top": "Pink", "S": "grey", "W": "teal", "N": "white", "E": "gold", "bottom": "dark  lime"}
    pupil.at_show().ask("die", which="own", names=names)
    assert pupil.view["layout"].faces == {"pink", "grey", "teal", "white", "gold", "dark lime"}
    assert pupil.view["wanted"].top == "pink"
    pupil.ask("die", which="mirrored")
    assert pupil.view["layout"] == mirrored(DIE)


@pytest.mark.parametrize(
    "wish",
    [
        {},
        {"which": "big"},
        {"which": "own"},
        {"which": "own", "names": {"top": "red"}},
        {"which": "own", "names": dict.fromkeys(("top", "S", "W", "N", "E", "bottom"), "red")},
        {"which": "own", "names": {**dict(zip("SWNE", "abcd", strict=True)), "top": "x" * 21, "bottom": "f"}},
        {"which": "own", "names": {**dict(zip("SWNE", "abcd", strict=True)), "top": "", "bottom": "f"}},
        {"which": "own", "names": {**dict(zip("SWNE", "abcd", strict=True)), "top": 3, "bottom": "f"}},
    ],
    ids=repr,
)
def test_names_that_make_no_die_are_refused_and_change_nothing(pupil, wish):
    pupil.at_show()
    with pytest.raises(BadInput):
        pupil.ask("die", **wish)
    assert pupil.view["layout"] == DIE


@pytest.mark.parametrize(
    ("verb", "wish"),
    [
        ("corners", {"corners": CORNERS[:3], "sheet": "a4"}),
        ("corners", {"corners": [[1, 2], [3, "4"], [5, 6], [7, 8]], "sheet": "a4"}),
        ("corners", {"corners": [[1, 2], [3, 1e9], [5, 6], [7, 8]], "sheet": "a4"}),
        ("corners", {"corners": CORNERS, "sheet": "a3"}),
        ("corners", {"corners": CORNERS, "sheet": [0, 5]}),
        ("corners", {"corners": CORNERS, "sheet": "a4", "south": 4}),
        ("corners", {"corners": CORNERS, "sheet": "a4", "south": True}),
        ("corners", {}),
        ("mat", {}),
        ("mat", {"ruler_mm": 40}),
        ("turn", {}),
        ("accept", {}),
        ("shoot", {}),
        ("save", {}),
        ("right", {}),
        ("surprise", {}),
    ],
    ids=str,
)
def test_what_can_not_be_is_refused_in_one_line(pupil, verb, wish):
    pupil.ask("start").frames("table")
    with pytest.raises(BadInput) as caught:
        pupil.ask(verb, **wish)
    assert "\n" not in str(caught.value)
    assert pupil.view["step"] == "table"


def test_nothing_can_be_asked_for_before_the_start(pupil):
    with pytest.raises(BadInput, match="hasn't begun"):
        pupil.ask("accept")


def test_the_game_gets_its_camera_back_when_nobody_sits_at_the_lesson(pupil):
    assert not pupil.lesson.is_on(pupil.now)
    pupil.at_show()
    assert pupil.lesson.is_on(pupil.now)
    pupil.now += AWAY_S + 1
    assert not pupil.lesson.is_on(pupil.now)
    assert pupil.view["step"] == "show"  # whoever comes back goes on
    assert pupil.lesson.is_on(pupil.now)
    pupil.ask("stop")
    assert not pupil.lesson.is_on(pupil.now)


def test_every_change_gives_the_page_a_new_version(pupil):
    versions = [pupil.view["version"]]
    for step in (pupil.at_table, lambda: pupil.ask("turn"), lambda: pupil.ask("accept"), pupil.shoot):
        step()
        versions.append(pupil.view["version"])
    assert versions == sorted(set(versions))
