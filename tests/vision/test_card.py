import dial_drawing
import numpy as np
import pytest

from companion.errors import BadInput
from vision.card import Shift, find_sector, move_plane, place_card, read_card
from vision.plane import project


def _card(**changes):
    dial = dial_drawing.dials()[0] | changes
    return read_card({"card_mm": 100.0, "dials": [dial]})


@pytest.mark.parametrize(
    ("angle_deg", "sector", "neighbour"),
    [
        pytest.param(30.0, 0, None, id="middle of the first"),
        pytest.param(0.0, 0, 5, id="on the first line"),
        pytest.param(359.0, 5, 0, id="just before the first line"),
        pytest.param(63.0, 1, 0, id="three degrees after a line"),
        pytest.param(63.1, 1, None, id="more than three degrees after a line"),
        pytest.param(57.0, 0, 1, id="three degrees before a line"),
    ],
)
def test_sector_under_an_arrow(angle_deg, sector, neighbour):
    """Rule: venezia, line_band."""
    assert find_sector(_card().dials[0], angle_deg) == (sector, neighbour)


def test_sectors_may_begin_anywhere_and_differ_in_size():
    dial = _card(labels=["a", "b", "c"], start_deg=-30.0, sizes_deg=[60.0, 100.0, 200.0]).dials[0]
    sectors = [find_sector(dial, angle)[0] for angle in (340.0, 20.0, 40.0, 129.0, 131.0, 325.0)]
    assert sectors == [0, 0, 1, 1, 2, 2]


@pytest.mark.parametrize(
    ("values", "what"),
    [
        pytest.param({}, "card_mm is None", id="no size"),
        pytest.param({"card_mm": -3}, "above 0", id="negative size"),
        pytest.param({"card_mm": [100, "x"]}, "expected 2 numbers", id="size in words"),
        pytest.param({"card_mm": 100}, "dials is None", id="no dials"),
        pytest.param({"card_mm": 100, "dials": []}, "one dial or more", id="empty dials"),
        pytest.param({"card_mm": 100, "dials": ["left"]}, r"dials\[0\] is 'left'", id="dial in words"),
    ],
)
def test_card_that_is_none_is_refused(values, what):
    with pytest.raises(BadInput, match=what):
        read_card(values)


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        pytest.param({"name": ""}, "name", id="no name"),
        pytest.param({"center_mm": [26.5]}, "center_mm", id="half a pivot"),
        pytest.param({"center_mm": [126.5, 50.0]}, "on the card", id="pivot beside the card"),
        pytest.param({"radius_mm": 0}, "radius_mm", id="no radius"),
        pytest.param({"radius_mm": float("nan")}, "radius_mm", id="radius not a number"),
        pytest.param({"labels": ["1"]}, "two or more", id="one sector"),
        pytest.param({"labels": ["1", "2", "2"]}, "each label once", id="label twice"),
        pytest.param({"start_deg": "top"}, "start_deg", id="start in words"),
        pytest.param({"sizes_deg": [60] * 5}, "6 numbers", id="a size too few"),
        pytest.param({"sizes_deg": [50] * 6}, "360 degrees", id="sizes short of a turn"),
        pytest.param({"sizes_deg": [120, -60, 75, 75, 75, 75]}, "above 0", id="negative size"),
    ],
)
def test_dial_that_is_none_is_refused(changes, what):
    with pytest.raises(BadInput, match=what):
        _card(**changes)


def test_two_dials_of_one_name_are_refused():
    with pytest.raises(BadInput, match="each name once"):
        read_card({"card_mm": 100, "dials": [dial_drawing.dials()[0]] * 2})


def test_oblong_card_is_placed_by_its_corners():
    card = read_card({"card_mm": [120.0, 80.0], "dials": [dial_drawing.dials()[0] | {"center_mm": [30.0, 40.0]}]})
    plane = dial_drawing.plane()
    corners = project(plane, [[-60, 40, 0], [60, 40, 0], [60, -40, 0], [-60, -40, 0]])
    found = place_card(dial_drawing.SIZE_WH, dial_drawing.INTRINSICS, card, corners.tolist())
    raised = [[-30.0, 20.0, 4.0], [50.0, -10.0, 4.0]]
    np.testing.assert_allclose(project(found, raised), project(plane, raised), atol=0.05)


@pytest.mark.parametrize(
    ("corners", "what"),
    [
        pytest.param(None, "four", id="none"),
        pytest.param([[1, 2], [3, 4], [5, 6]], "four", id="three"),
        pytest.param([[0, 0], [9, "x"], [9, 9], [0, 9]], "four", id="in words"),
        pytest.param(dial_drawing.CORNERS_PX[::-1], "clockwise", id="the wrong way round"),
        pytest.param([[100, 100]] * 4, "tap them again", id="all in one place"),
    ],
)
def test_corners_that_make_no_card_are_refused(corners, what):
    with pytest.raises(BadInput, match=what):
        place_card(dial_drawing.SIZE_WH, dial_drawing.INTRINSICS, dial_drawing.card(), corners)


def test_moved_plane_turns_the_card_clockwise_then_shifts_it():
    plane = dial_drawing.plane()
    moved = move_plane(plane, Shift(90.0, 7.0, -3.0))
    # What pointed to the card's old top now points right.
    np.testing.assert_allclose(project(moved, [0.0, 10.0, 0.0]), project(plane, [17.0, -3.0, 0.0]), atol=1e-9)
