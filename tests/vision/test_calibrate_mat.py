"""Setting up from files with the mat in place of corners."""

import cv2
import drawn_die as drawn
import numpy as np
import pytest
from mat_picture import camera, photograph, print_mat

from companion.errors import BadInput
from vision.mat import find_table

CAMERA = camera()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("mat")
    cv2.imwrite(str(folder / "mat.png"), photograph(print_mat("letter")))
    cv2.imwrite(str(folder / "bare.png"), photograph(np.full((900, 1200), 255, np.uint8)))
    cv2.imwrite(str(folder / "small.png"), drawn.draw())
    return folder


def test_the_mat_in_the_empty_picture_gives_the_corners(folder):
    assert set(find_table(CAMERA, {}, folder, "mat.png").table) == {"square_mm", "square_px"}


def test_the_mat_may_lie_in_a_picture_of_its_own(folder):
    table = {"mat": {"image": "mat.png", "paper": "letter"}}
    assert find_table(CAMERA, table, folder, "bare.png").table["square_mm"] == 160.0


@pytest.mark.parametrize(
    ("given", "message"),
    [
        pytest.param({"mat": {"paper": "a4"}}, "is for Letter; expected the one for A4", id="wrong paper"),
        pytest.param({"mat": {"paper": "a3"}}, "expected a4 or letter", id="no such paper"),
        pytest.param({"mat": {"ruler_mm": 60}}, "measures 60 mm", id="scaled beyond use"),
        pytest.param({"mat": {"image": "bare.png"}}, r"no mat lies in bare\.png", id="no mat"),
        pytest.param({"mat": {"image": "gone.png"}}, r"can't open gone\.png", id="no picture"),
        pytest.param({"mat": {"image": "small.png"}}, "is 640 x 360; expected 1280 x 720", id="another size"),
        pytest.param({"mat": {"image": 3}}, "table mat is", id="no path"),
        pytest.param({"mat": "there"}, "table mat is", id="words"),
    ],
)
def test_a_mat_that_is_not_there_or_not_the_one_is_told(folder, given, message):
    with pytest.raises(BadInput, match=message) as caught:
        find_table(CAMERA, given, folder, "mat.png")
    assert "\n" not in str(caught.value)
