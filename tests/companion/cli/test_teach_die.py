"""The teacher with real eyes: on drawn pictures of a die, and on the virtual table."""

import json

import drawn_die as drawn
import numpy as np
import pytest
from mat_picture import photograph, print_mat

from companion.cli.teach_die import VisionTeacher
from companion.die import Lie, mirrored
from companion.errors import BadInput
from companion.inputs import Status
from companion.teaching.laying import choose_lie
from vision.cube import Cube
from vision.die import read_die
from vision.setup import from_json

STRANGE = Lie("pink", "brown", "teal", "navy", "gold", "lime")
STRANGE_BGR = {
    "pink": (170, 120, 240),
    "brown": (25, 55, 100),
    "teal": (130, 130, 20),
    "navy": (110, 50, 30),
    "gold": (30, 150, 200),
    "lime": (60, 220, 150),
}


@pytest.fixture
def teacher(tmp_path):
    return VisionTeacher(tmp_path / "new" / "die.json")


@pytest.fixture(scope="module")
def table():
    corners = drawn.square_px(200)
    return VisionTeacher(None).place(
        drawn.draw(), [corners[name] for name in ("NW", "NE", "SE", "SW")], (200.0, 200.0), 2
    )


def shot(lie, *, at=(5, -5, 12), frames=2, **options):
    return [drawn.draw((lie, *at), seed=number, **options) for number in range(frames)]


def teach(teacher, table, layout, lies, **options):
    shown = []
    for lie in lies:
        shown.append((shot(lie, **options), lie))
        learnt = teacher.learn(table, drawn.draw(seed=9, **options), shown, layout)
    return learnt


@pytest.mark.parametrize("layout", [STRANGE, mirrored(STRANGE)], ids=["one way round", "the other"])
def test_a_die_of_any_six_colours_is_learnt_as_it_is_asked_for_and_read(teacher, table, layout):
    seen, lies = frozenset(), []
    while seen != layout.faces and len(lies) < 4:
        lies.append(choose_lie(layout, teacher.sides(table), seen, lies))
        learnt = teach(teacher, table, layout, lies, colours=STRANGE_BGR)
        seen = learnt.colours
    assert len(lies) <= 3
    readings = []
    for lie in [each for each in drawn.all_lies(layout) if each.top in ("teal", "navy")]:
        reading = read_die(drawn.draw((lie, -20, 25, -14), seed=5, colours=STRANGE_BGR), learnt.setup)
        if reading is not None and reading.status is Status.READ:
            readings.append((reading.top, dict(reading.sides)) == drawn.describe(lie))
    assert all(readings)
    assert len(readings) >= 4


def test_the_set_up_is_written_whole_and_can_be_read(teacher, table, tmp_path):
    learnt = teach(teacher, table, drawn.STANDARD, [drawn.STANDARD])
    teacher.save(learnt.setup)
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["die.json"]
    text = (tmp_path / "new" / "die.json").read_text()
    cube = learnt.setup.cube
    rounded = (round(value, 3) for value in (cube.size_mm, cube.round_mm, cube.inset_mm))
    assert from_json(json.loads(text)).cube == Cube(*rounded)
    assert max(len(line) for line in text.splitlines() if '"png"' not in line) < 120  # a person can read it


def refused(teacher, table, frames, lie=drawn.STANDARD, before=()):
    with pytest.raises(BadInput) as caught:
        teacher.learn(table, drawn.draw(seed=9), [*before, (frames, lie)], drawn.STANDARD)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_a_shot_without_the_die_is_refused(teacher, table):
    assert "isn't found" in refused(teacher, table, [drawn.draw(seed=n) for n in (1, 2)])


def test_a_burnt_top_is_refused_with_what_to_do(teacher, table):
    assert "burnt white: turn the lamp" in refused(teacher, table, shot(drawn.STANDARD, glare=1.0))


def test_a_die_in_the_dark_is_refused(teacher, table):
    frames = shot(drawn.STANDARD, light=0.12, noise=0.5)
    with pytest.raises(BadInput, match="too dark"):
        teacher.learn(table, drawn.draw(seed=9, light=0.12, noise=0.5), [(frames, drawn.STANDARD)], drawn.STANDARD)


def test_a_die_that_moves_is_refused(teacher, table):
    frames = [drawn.draw((drawn.STANDARD, 5 + 6 * n, -5, 12)) for n in range(4)]
    assert "something moves" in refused(teacher, table, frames)


def test_a_die_that_lies_across_is_refused(teacher, table):
    assert "turn it straight" in refused(teacher, table, shot(drawn.STANDARD, at=(5, -5, 40)))


def test_a_die_laid_otherwise_than_asked_is_noticed_by_the_colours_before(teacher, table):
    before = [(shot(lie), lie) for lie in (drawn.STANDARD, drawn.lie_of("blue", "green"))]
    asked, laid = drawn.lie_of("purple", "red"), drawn.lie_of("purple", "blue")
    assert "looks like purple up and blue towards S" in refused(teacher, table, shot(laid), asked, before=before)
    assert teacher.learn(table, drawn.draw(seed=9), [*before, (shot(asked), asked)], drawn.STANDARD).setup


@pytest.mark.parametrize(
    ("frames", "words"),
    [
        pytest.param([drawn.draw(light=0.08)] * 2, "too dark", id="dark"),
        pytest.param([np.full_like(drawn.draw(), 255)] * 2, "burnt white", id="burnt"),
        pytest.param([drawn.draw(), drawn.draw((drawn.STANDARD, 0, 0, 0))], "something moves", id="moving"),
    ],
)
def test_an_empty_table_that_teaches_nothing_is_refused(teacher, frames, words):
    with pytest.raises(BadInput, match=words):
        teacher.check_empty(frames)


def test_a_lamp_that_flickers_is_no_movement(teacher):
    frames = [drawn.draw(seed=n, light=light) for n, light in enumerate((1.0, 0.97, 1.02))]
    assert teacher.check_empty(frames) is frames[-1]


def test_the_grid_lies_where_the_table_is(teacher, table):
    south, north = np.array(table.letters["S"]), np.array(table.letters["N"])
    expected = [drawn.project(drawn.plane(), [0, y, 0]) for y in (-120, 120)]
    assert np.abs([south - expected[0], north - expected[1]]).max() < 1.5
    assert len(table.lines) == 10
    assert table.doubt is None


def test_a_sheet_of_another_size_is_doubted(teacher):
    square = drawn.square_px(200)
    corners = [square[name] for name in ("NW", "NE", "SE", "SW")]
    assert "choose its true size" in str(teacher.place(drawn.draw(), corners, (297.0, 100.0), 2).doubt)


def test_turning_four_times_comes_back(teacher, table):
    turned = table
    for _ in range(4):
        turned = teacher.turned(turned)
    assert turned.place.table == table.place.table
    assert teacher.turned(table).letters["S"] == table.letters["W"]


def test_the_mat_gives_the_table_and_its_corners(teacher):
    found = teacher.find_mat(photograph(print_mat("letter")), 100.0)
    assert (found.by, len(found.corners), set(found.letters)) == ("mat", 4, set("NESW"))
    assert teacher.find_mat(drawn.draw(), 100.0) is None


def test_before_the_first_picture_a_tap_is_told_to_wait(teacher):
    with pytest.raises(BadInput, match="no picture yet"):
        teacher.place(None, [[0, 0]] * 4, (297.0, 210.0), 2)
