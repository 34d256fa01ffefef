import numpy as np
import pytest
from mat_picture import camera, seen_at

from companion.errors import BadInput
from vision.plane import read_intrinsics
from vision.sheet import place_sheet

A4 = (297.0, 210.0)
SQUARE = np.array([(-105, 105), (105, 105), (105, -105), (-105, -105)])


def corners(size_mm=A4, turn_deg=0.0, zoom=0.62):
    width, height = np.array(size_mm) / 2
    turn = np.radians(turn_deg)
    ways = np.array([(-width, height), (width, height), (width, -height), (-width, -height)])
    return seen_at(ways @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]), zoom)


def square_of(place):
    return np.array([place.table["square_px"][name] for name in ("NW", "NE", "SE", "SW")])


@pytest.mark.parametrize("size_mm", [A4, A4[::-1], (215.9, 279.4)], ids=str)
def test_the_long_side_is_found_from_the_picture(size_mm):
    place = place_sheet(camera(), corners(size_mm).tolist(), (max(size_mm), min(size_mm)), south=2)
    half = min(size_mm) / 2
    expected = seen_at(SQUARE / 105 * half)
    assert np.abs(square_of(place) - expected).max() < 0.1


@pytest.mark.parametrize("south", range(4))
def test_any_edge_may_be_the_southern_one(south):
    place = place_sheet(camera(), corners().tolist(), A4, south)
    assert np.abs(square_of(place) - np.roll(seen_at(SQUARE), 2 - south, axis=0)).max() < 0.1


def test_an_unknown_camera_is_known_from_a_carefully_tapped_sheet():
    place = place_sheet({"width": 1280, "height": 720}, corners().tolist(), A4, 2)
    assert read_intrinsics(place.camera)[1, 1] == pytest.approx(read_intrinsics(camera())[1, 1], rel=0.1)


def test_corners_that_suit_no_such_sheet_show_a_misfit():
    good = place_sheet(camera(), (corners() + np.random.default_rng(1).normal(0, 1.5, (4, 2))).tolist(), A4, 2)
    bad = place_sheet(camera(), corners((297, 100)).tolist(), A4, 2)
    assert good.misfit < 2
    assert bad.misfit > 8


@pytest.mark.parametrize(
    ("corners_px", "size_mm", "south"),
    [
        pytest.param(None, A4, 2, id="none"),
        pytest.param([[1, 2], [3, 4], [5, 6]], A4, 2, id="three"),
        pytest.param([[0, 0], [100, 0], [float("inf"), 100], [0, 100]], A4, 2, id="infinite"),
        pytest.param([[0, 0], [0, 100], [100, 100], [100, 0]], A4, 2, id="anticlockwise"),
        pytest.param([[0, 0], [100, 100], [100, 0], [0, 100]], A4, 2, id="crossed"),
        pytest.param([[0, 0], [50, 0], [100, 0], [150, 0]], A4, 2, id="in a line"),
        pytest.param([[0, 0], [5, 0], [5, 5], [0, 5]], A4, 2, id="tiny"),
        pytest.param([[0, 0], [100, 0], [100, 100], [0, 100]], (0, 210), 2, id="no sheet"),
        pytest.param([[0, 0], [100, 0], [100, 100], [0, 100]], A4, 4, id="no such edge"),
    ],
)
def test_what_makes_no_sheet_is_refused_in_one_line(corners_px, size_mm, south):
    with pytest.raises(BadInput) as caught:
        place_sheet(camera(), corners_px, size_mm, south)
    assert "\n" not in str(caught.value)
