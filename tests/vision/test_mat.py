import cv2
import numpy as np
import pytest
from mat_picture import camera, photograph, print_mat, seen_at

from companion.errors import BadInput
from companion.mat import PAPERS, marker_cells
from vision.mat import find_mat, place_mat
from vision.plane import read_intrinsics
from vision.setup import build_plane

SQUARE = [(-80, 80), (80, 80), (80, -80), (-80, -80)]


@pytest.fixture(scope="module")
def sheets():
    return {paper: print_mat(paper) for paper in PAPERS}


def square_of(place):
    return np.array([place.table["square_px"][name] for name in ("NW", "NE", "SE", "SW")])


def test_the_drawn_markers_are_those_of_the_dictionary():
    book = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    make = getattr(cv2.aruco, "generateImageMarker", None) or cv2.aruco.drawMarker
    for number in range(8):
        cells = [[cell == "." for cell in row] for row in marker_cells(number)]
        assert np.array_equal(make(book, number, 6) > 0, cells)


@pytest.mark.parametrize("paper", PAPERS)
def test_the_mat_is_found_within_a_pixel(sheets, paper):
    mat = find_mat(photograph(sheets[paper]))
    assert (mat.paper, mat.markers) == (paper, 4)
    assert np.abs(square_of(place_mat(camera(), mat)) - seen_at(SQUARE)).max() < 1.0


@pytest.mark.parametrize("turn_deg", [0, 35, 90, 180, 250])
def test_south_is_where_the_mat_says_however_it_lies(sheets, turn_deg):
    mat = find_mat(photograph(sheets["a4"], turn_deg=turn_deg, zoom=0.5))
    turn = np.radians(turn_deg)
    turned = np.array(SQUARE) @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    assert np.abs(square_of(place_mat(camera(0.5), mat)) - seen_at(turned, 0.5)).max() < 1.5


@pytest.mark.parametrize("corner", range(4))
def test_a_hand_over_one_marker_does_no_harm(sheets, corner):
    frame = photograph(sheets["a4"])
    width, height = np.array(PAPERS["a4"]) / 2 - 30
    x, y = seen_at([[(-width, height), (width, height), (width, -height), (-width, -height)][corner]])[0]
    cv2.circle(frame, (round(x), round(y)), 45, (90, 120, 170), -1)
    mat = find_mat(frame)
    assert mat.markers == 3
    assert np.abs(square_of(place_mat(camera(), mat)) - seen_at(SQUARE)).max() < 1.5


def test_one_marker_alone_is_too_few(sheets):
    frame = photograph(sheets["a4"])
    frame[:, 560:] = 90
    frame[360:] = 90
    with pytest.raises(BadInput, match="only 1 of the mat's four markers"):
        find_mat(frame)


def test_two_mats_are_one_too_many(sheets):
    frame = photograph(sheets["a4"])
    other = photograph(sheets["letter"])
    frame[:, 640:] = other[:, 640:]
    with pytest.raises(BadInput, match="two mats"):
        find_mat(frame)


def test_a_mat_in_two_pieces_is_refused(sheets):
    frame = photograph(sheets["a4"])
    frame[:, 640:] = np.roll(frame, 60, axis=0)[:, 640:]
    with pytest.raises(BadInput, match="isn't flat"):
        find_mat(frame)


def test_without_a_mat_there_is_none(sheets):
    assert find_mat(photograph(np.full_like(sheets["a4"], 255))) is None


def test_a_scaled_print_is_put_right_by_its_ruler(sheets):
    true = place_mat(camera(), find_mat(photograph(sheets["a4"])))
    mat = find_mat(photograph(sheets["a4"], scale=0.94))
    place = place_mat(camera(), mat, ruler_mm=94.0)
    assert place.table["square_mm"] == pytest.approx(0.94 * true.table["square_mm"])
    heights = [build_plane(each.camera, each.table).eye_mm[2] for each in (true, place)]
    assert heights[1] == pytest.approx(heights[0], rel=0.02)


@pytest.mark.parametrize("ruler_mm", [0, 50, 141, -100, float("nan"), "100", None, True], ids=repr)
def test_a_ruler_that_no_print_has_is_refused(sheets, ruler_mm):
    with pytest.raises(BadInput, match="at 100 % on its own paper"):
        place_mat(camera(), find_mat(photograph(sheets["a4"])), ruler_mm)


@pytest.mark.parametrize("zoom", [0.4, 0.62])
def test_an_unknown_camera_is_known_from_the_mat(sheets, zoom):
    known = camera(zoom)
    place = place_mat({"width": 1280, "height": 720}, find_mat(photograph(sheets["a4"], zoom=zoom)))
    assert read_intrinsics(place.camera)[1, 1] == pytest.approx(read_intrinsics(known)[1, 1], rel=0.06)
    assert place.misfit < 4
