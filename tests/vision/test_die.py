import itertools

import cv2
import drawn_die as drawn
import numpy as np
import pytest

from companion.die import mirrored
from companion.errors import BadInput
from companion.inputs import Status
from vision.calibrate import Shown, learn_die
from vision.die import read_die
from vision.setup import from_json, to_json

PLACES = [(0, 0, 10), (-45, 30, -20), (50, -20, 33), (10, -60, 0), (-20, 55, 38)]


def show(*lies, layout=drawn.STANDARD, colours=drawn.BGR):
    shown = []
    for number, (top, south) in enumerate(lies):
        lie = drawn.lie_of(top, south, layout)
        frame = drawn.draw((lie, 5, -5, 12 + 9 * number), seed=number, colours=colours)
        shown.append(Shown(frame, *drawn.describe(lie), f"shown {number}"))
    return learn_die(drawn.CAMERA, drawn.table(), drawn.draw(seed=99), shown, die={})


@pytest.fixture(scope="module")
def setup():
    learnt, warnings = show(("yellow", "red"), ("blue", "green"))
    assert warnings == []
    return from_json(to_json(learnt))


def test_the_size_is_learnt_without_being_told(setup):
    assert setup.cube.size_mm == pytest.approx(drawn.SIZE_MM, rel=0.08)


@pytest.mark.parametrize("place", PLACES, ids=str)
@pytest.mark.parametrize(
    "lie", ["yellow red", "green black", "red purple", "blue yellow", "purple green", "black blue"]
)
def test_a_level_die_is_read_right_or_not_at_all(setup, lie, place):
    true = drawn.lie_of(*lie.split())
    reading = read_die(drawn.draw((true, *place), seed=7), setup)
    assert reading is not None
    if reading.status is Status.READ:
        assert (reading.top, reading.sides) == drawn.describe(true)
        assert reading.yaw_deg == pytest.approx(place[2], abs=3)


def test_nearly_every_level_die_is_read(setup):
    lies = [drawn.lie_of(*names.split()) for names in ("yellow red", "green black", "red purple", "blue green")]
    readings = [read_die(drawn.draw((lie, *place), seed=3), setup) for lie in lies for place in PLACES]
    assert sum(one is not None and one.status is Status.READ for one in readings) >= 0.9 * len(readings)


def test_only_plain_python_leaves_the_reader(setup):
    reading = read_die(drawn.draw((drawn.lie_of("yellow", "red"), 0, 0, 10)), setup)
    assert [type(value) for value in (reading.top, reading.yaw_deg, reading.confidence)] == [str, float, float]
    assert {type(colour) for colour in reading.sides.values()} == {str}


def test_an_empty_table_reads_as_nothing(setup):
    assert read_die(drawn.draw(seed=5), setup) is None


def test_an_empty_table_in_less_light_reads_as_nothing(setup):
    assert read_die(drawn.draw(seed=5, light=0.8), setup) is None


def test_a_smaller_cube_is_no_die(setup):
    reading = read_die(drawn.draw((drawn.lie_of("yellow", "red"), 20, 10, 15, 12.0)), setup)
    assert reading is None or reading.status is Status.UNSURE


def test_two_dice_are_not_read(setup):
    two = [(drawn.lie_of("yellow", "red"), -50, 0, 10), (drawn.lie_of("green", "black"), 50, 10, -25)]
    reading = read_die(drawn.draw(*two), setup)
    assert reading.status is Status.UNSURE
    assert "two dice" in reading.reason


def test_two_dice_that_touch_are_never_taken_for_one(setup):
    for x, y in ((0, 0), (-45, 30), (30, -20), (10, 40)):
        for yaw_deg, way_deg in itertools.product((0, 20, -35), (0, 90)):
            way = np.deg2rad(yaw_deg + way_deg)
            beside = (x + 25.5 * np.sin(way), y + 25.5 * np.cos(way))
            dice = [(drawn.lie_of("yellow", "red"), x, y, yaw_deg), (drawn.lie_of("blue", "green"), *beside, yaw_deg)]
            dice.sort(key=lambda die: -die[2])  # the nearer one hides a part of the other
            reading = read_die(drawn.draw(*dice, seed=5), setup)
            assert reading is None or reading.status is Status.UNSURE, beside


def test_a_die_in_a_known_region_reads_the_same(setup):
    frame = drawn.draw((drawn.lie_of("red", "purple"), -45, 30, -20))
    x, y = drawn.project_one(-45, 30)
    near, anywhere = read_die(frame, setup, near=(x, y, 30)), read_die(frame, setup)
    assert (near.status, near.top, near.sides) == (anywhere.status, anywhere.top, anywhere.sides)
    assert near.yaw_deg == pytest.approx(anywhere.yaw_deg, abs=0.3)


def test_a_die_outside_the_known_region_is_not_seen(setup):
    frame = drawn.draw((drawn.lie_of("red", "purple"), -45, 30, -20))
    x, y = drawn.project_one(60, -60)
    assert read_die(frame, setup, near=(x, y, 30)) is None


def test_a_die_under_a_cloth_is_not_read(setup):
    frame = drawn.draw((drawn.lie_of("yellow", "red"), 0, 0, 10))
    x, y = (round(value) for value in drawn.project_one(0, 0))
    cv2.circle(frame, (x, y), 16, (90, 110, 160), -1)
    reading = read_die(frame, setup)
    assert reading is None or reading.status is Status.UNSURE


def test_a_mirrored_die_is_learnt_from_its_sides():
    layout = mirrored(drawn.STANDARD)
    learnt, _ = show(("yellow", "red"), ("green", "blue"), layout=layout)
    true = drawn.lie_of("black", "blue", layout)
    reading = read_die(drawn.draw((true, 0, 20, 15)), learnt)
    assert (reading.top, reading.sides) == drawn.describe(true)


def learn_shown(*shots):
    shown = []
    for number, (names, yaw_deg) in enumerate(shots):
        lie = drawn.lie_of(*names)
        frame = drawn.draw((lie, 5, -5, yaw_deg), seed=number)
        shown.append(Shown(frame, *drawn.describe(lie), f"shown {number}"))
    return learn_die(drawn.CAMERA, drawn.table(), drawn.draw(seed=99), shown, die={"size_mm": 25})


def test_a_picture_shown_at_nearly_45_degrees_that_cannot_be_named_is_left_out_with_a_warning():
    setup, warnings = learn_shown((("yellow", "red"), 5), (("green", "blue"), 44.8))
    assert any("shown 1: the die is turned by nearly 45 degrees" in warning for warning in warnings)
    assert "green" not in {face.colour for face in setup.shown}


def test_a_picture_shown_at_nearly_45_degrees_is_named_by_colours_that_are_known():
    setup, warnings = learn_shown((("yellow", "red"), 5), (("red", "yellow"), 44.8))
    assert not any("45 degrees" in warning for warning in warnings)
    assert "purple" in {face.colour for face in setup.shown}


def test_nothing_is_learnt_from_pictures_at_nearly_45_degrees_alone():
    with pytest.raises(BadInput, match="nearly 45 degrees only"):
        learn_shown((("yellow", "red"), 44.8))


def test_a_frame_of_another_size_is_refused(setup):
    with pytest.raises(BadInput, match="64 x 48; expected 640 x 360"):
        read_die(np.zeros((48, 64, 3), np.uint8), setup)
