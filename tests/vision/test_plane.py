import drawn_die as drawn
import numpy as np
import pytest

from companion.errors import BadInput
from vision.plane import find_plane, project, read_intrinsics, to_table

K = read_intrinsics(drawn.CAMERA)


def test_the_camera_is_found_where_it_is():
    assert drawn.plane().eye_mm == pytest.approx(drawn.EYE_MM, abs=0.5)


@pytest.mark.parametrize("height_mm", [0.0, 25.0])
def test_a_point_seen_is_found_again(height_mm):
    pixel = project(drawn.plane(), [30.0, -40.0, height_mm])
    assert to_table(drawn.plane(), pixel, height_mm) == pytest.approx([30, -40], abs=1e-6)


def test_a_point_behind_the_camera_is_not_seen():
    assert np.isnan(project(drawn.plane(), drawn.EYE_MM * 2)).all()


@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param(lambda c: c | {"NW": c["NE"], "NE": c["NW"]}, id="crossed"),
        pytest.param(lambda c: {"NW": c["NE"], "NE": c["NW"], "SE": c["SW"], "SW": c["SE"]}, id="mirrored"),
        pytest.param(lambda c: {name: [10, 10] for name in c}, id="one point"),
        pytest.param(lambda c: c | {"NW": [float("nan"), 3]}, id="no number"),
        pytest.param(lambda c: {name: c[name] for name in ("NW", "NE", "SE")}, id="three corners"),
        pytest.param(lambda c: c | {"SE": [c["SE"][0] + 150, c["SE"][1] + 150]}, id="no square"),
    ],
)
def test_corners_that_make_no_table_are_refused(spoil):
    with pytest.raises(BadInput, match=r"expected|again"):
        find_plane((640, 360), K, spoil(drawn.square_px()), 200)


@pytest.mark.parametrize(
    "camera",
    [{}, {"width": 0, "height": 9}, {"width": 9, "height": 9, "K": [[1]]}, {"width": 9, "height": 9, "vfov_deg": 190}],
    ids=repr,
)
def test_an_impossible_camera_is_refused(camera):
    with pytest.raises(BadInput, match="expected"):
        read_intrinsics(camera)


def test_a_camera_without_a_lens_gets_the_usual_one():
    assert read_intrinsics({"width": 1280, "height": 720})[1, 1] == pytest.approx(963, abs=2)
