"""The lesson about the card as a state machine: no camera, no thread, no clock."""

import pytest
from pupil import Pupil

from companion.errors import BadInput
from companion.inputs import DialReading, SpinnerReading, Status
from companion.teaching.card import LABELS, CardLesson, Drawn, Sectors
from companion.teaching.lesson import SHOT_FRAMES

CORNERS = [[300, 100], [900, 120], [1000, 600], [200, 580]]
POINTS = [[400, 300], [400, 200], [700, 300], [700, 200]]


class Teacher:
    """Sees what a test says: frames are words, a frame's number is where the arrows point."""

    def __init__(self):
        self.saved, self.learnt_from, self.proposed_with, self.refuse, self.read = [], [], [], None, None

    def find_corners(self, frame):
        return CORNERS if frame == "card" else None

    def place(self, frame, corners, size_mm):
        return Drawn((corners, size_mm), tuple(map(tuple, corners)))

    def dials(self, frame, place, points, sectors):
        if self.refuse:
            raise BadInput(self.refuse)
        return Drawn((place, points, tuple(sectors)), tuple(map(tuple, points)))

    def check_shot(self, frames):
        if self.refuse:
            raise BadInput(self.refuse)
        return frames[-1]

    def tips(self, card, frame, setup):
        self.proposed_with.append(setup)
        return Drawn(None, ((400.0, 250.0), (700.0, 250.0)))

    def angles(self, card, tips):
        return tuple(x % 360 for x, _ in tips)

    def learn(self, card, shown, setup):
        self.learnt_from.append([angles for _, angles in shown])
        return f"after {len(shown)}"

    def watch(self, setup, on_reading):
        self.read = on_reading
        return lambda frame: None

    def save(self, setup):
        self.saved.append(setup)


class CardPupil(Pupil):
    def __init__(self):
        super().__init__(CardLesson, Teacher())
        self.tip = 0

    def at_dials(self):
        return self.ask("start").frames("card").ask("corners", corners=CORNERS, card_mm=[170, 100]).ask("accept")

    def at_spins(self):
        return self.at_dials().ask("dials", points=POINTS).ask("accept")

    def spin(self):
        self.tip += 40
        self.shoot("card")
        return self.ask("tips", points=[[self.tip, 5], [self.tip + 7, 5]]).ask("accept").work()

    def at_check(self):
        return self.at_spins().spin().spin().spin().ask("check")

    def reads(self, status=Status.READ):
        dials = (DialReading("number", 10.0, 0, "1"), DialReading("letter", 95.0, 2, "C"))
        self.teacher.read(SpinnerReading(status, dials, None if status is Status.READ else "covered"))
        return self

    @property
    def view(self):
        return self.lesson.view(self.now)


@pytest.fixture
def pupil():
    return CardPupil()


def test_the_whole_way_ends_with_a_saved_set_up(pupil):
    pupil.at_check()
    for _ in range(3):
        pupil.reads().ask("right")
    pupil.work()
    assert (pupil.view["step"], pupil.teacher.saved, pupil.told) == ("done", ["after 3"], ["saved"])


def test_three_spins_are_wanted_before_it_can_be_checked_or_saved(pupil):
    pupil.at_spins().spin().spin()
    for verb in ("check", "save"):
        with pytest.raises(BadInput):
            pupil.ask(verb)
    assert pupil.spin().view["learnt"]


def test_what_was_learnt_from_the_spins_before_finds_the_arrows_in_the_next(pupil):
    pupil.at_spins().spin().spin().spin()
    assert pupil.teacher.proposed_with == [None, "after 1", "after 2"]
    assert pupil.teacher.learnt_from[-1] == [(40, 47), (80, 87), (120, 127)]


def test_arrows_that_were_not_spun_teach_nothing_new(pupil):
    pupil.at_spins().spin()
    pupil.tip = 0
    with pytest.raises(BadInput, match="point where they did before"):
        pupil.spin()
    assert pupil.view["shown"] == 1


def test_the_labels_are_the_rulebooks_until_others_are_typed(pupil):
    pupil.at_dials()
    assert [each.labels for each in pupil.view["sectors"].values()] == list(LABELS)
    pupil.ask("labels", number={"labels": "1, 2,3 4"}, letter={"labels": "A B C", "sizes": "90 90 180"})
    assert pupil.view["sectors"] == {
        "number": Sectors(("1", "2", "3", "4")),
        "letter": Sectors(("A", "B", "C"), (90.0, 90.0, 180.0)),
    }


def test_new_labels_are_put_on_dials_that_were_tapped_already(pupil):
    pupil.at_dials().ask("dials", points=POINTS)
    pupil.ask("labels", number={"labels": "1 2"}, letter={"labels": "A B"})
    assert [each.labels for each in pupil.lesson.card.what[2]] == [("1", "2"), ("A", "B")]


def test_the_cards_top_can_be_any_edge(pupil):
    pupil.ask("start").frames("card").ask("corners", corners=CORNERS, card_mm=[170, 100]).ask("turn")
    corners, size_mm = pupil.lesson.place.what
    assert corners == [[float(x), float(y)] for x, y in [*CORNERS[1:], CORNERS[0]]]
    assert size_mm == (170.0, 100.0)


def test_the_card_can_be_found(pupil):
    pupil.ask("start").frames("card").ask("find")
    assert pupil.view["place"] is not None
    other = CardPupil()
    with pytest.raises(BadInput, match="tap its four corners"):
        other.ask("start").frames("bare").ask("find")


def test_a_wrong_reading_sends_back_to_the_spins(pupil):
    pupil.at_check().reads().ask("wrong")
    assert (pupil.view["step"], pupil.view["shown"], pupil.view["learnt"]) == ("spins", 0, False)


def test_an_unsure_reading_does_not_count(pupil):
    pupil.at_check().reads(Status.UNSURE)
    with pytest.raises(BadInput):
        pupil.ask("right")


def test_a_refused_picture_is_told(pupil):
    pupil.at_spins()
    pupil.teacher.refuse = "something moves: take your hands away"
    pupil.ask("shoot").frames(*["card"] * SHOT_FRAMES).work()
    assert str(pupil.view["said"]) == pupil.teacher.refuse
    assert pupil.view["tips"] is None


@pytest.mark.parametrize(
    ("verb", "wish"),
    [
        ("labels", {}),
        ("labels", {"number": {"labels": "1"}, "letter": {"labels": "A B"}}),
        ("labels", {"number": {"labels": "1 1"}, "letter": {"labels": "A B"}}),
        ("labels", {"number": {"labels": "1 2"}, "letter": {"labels": "A B", "sizes": "90 90"}}),
        ("labels", {"number": {"labels": "1 2"}, "letter": {"labels": "A B", "sizes": "much little"}}),
        ("labels", {"number": {"labels": "1 2"}, "letter": {"labels": "A B", "sizes": "nan nan"}}),
        ("labels", {"number": {"labels": "x" * 13 + " 2"}, "letter": {"labels": "A B"}}),
        ("labels", {"number": {"labels": 3}, "letter": {"labels": "A B"}}),
        ("dials", {"points": POINTS[:3]}),
        ("dials", {"points": [*POINTS[:3], [1, None]]}),
        ("accept", {}),
        ("shoot", {}),
        ("surprise", {}),
    ],
    ids=str,
)
def test_what_can_not_be_is_refused_in_one_line(pupil, verb, wish):
    pupil.at_dials()
    before = pupil.view["sectors"]
    with pytest.raises(BadInput) as caught:
        pupil.ask(verb, **wish)
    assert "\n" not in str(caught.value)
    assert (pupil.view["step"], pupil.view["sectors"]) == ("dials", before)


@pytest.mark.parametrize("card_mm", [None, [10, 100], [100], ["a", 100], [float("inf"), 100]], ids=repr)
def test_a_card_of_no_size_is_refused(pupil, card_mm):
    with pytest.raises(BadInput, match="30 to 1000 mm wide and high"):
        pupil.ask("start").frames("card").ask("corners", corners=CORNERS, card_mm=card_mm)
