import json

import cv2
import dial_drawing
import numpy as np
import pytest

from companion.errors import BadInput
from vision.spinner import read_spinner
from vision.spinner_file import calibrate_spinner, load_spinner, save_spinner

ANGLES = [100.0, 215.0]


def _frames(folder, **changes):
    cv2.imwrite(str(folder / "shown.png"), dial_drawing.draw(ANGLES))
    values = {
        "camera": {"width": 1280, "height": 720, "K": dial_drawing.INTRINSICS.tolist()},
        "card_px": dial_drawing.CORNERS_PX,
        "card_mm": 100.0,
        "dials": dial_drawing.dials(),
        "shown": [{"image": "shown.png", "angles_deg": ANGLES}],
    } | changes
    path = folder / "frames.json"
    path.write_text(json.dumps(values))
    return path


@pytest.fixture(scope="module")
def setup(tmp_path_factory):
    return calibrate_spinner(_frames(tmp_path_factory.mktemp("shown")))


def test_setup_reads_the_same_after_it_was_saved(setup, tmp_path):
    save_spinner(setup, tmp_path / "setup.json")
    frame = dial_drawing.draw((75.0, 140.0))
    loaded = read_spinner(frame, load_spinner(tmp_path / "setup.json"))
    learnt = read_spinner(frame, setup)
    assert [dial.label for dial in loaded.dials] == [dial.label for dial in learnt.dials] == ["2", "D"]
    assert [dial.angle_deg for dial in loaded.dials] == pytest.approx(
        [dial.angle_deg for dial in learnt.dials], abs=0.05
    )


def test_saving_leaves_no_draft(setup, tmp_path):
    save_spinner(setup, tmp_path / "setup.json")
    assert [path.name for path in tmp_path.iterdir()] == ["setup.json"]


def test_folder_that_is_missing_is_told(setup, tmp_path):
    with pytest.raises(BadInput, match=r"can't write .*setup\.json"):
        save_spinner(setup, tmp_path / "nowhere" / "setup.json")


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        pytest.param({"camera": None}, "camera is None", id="no camera"),
        pytest.param({"camera": {"width": 1280, "height": -1}}, "height is -1", id="camera without height"),
        pytest.param({"card_px": None}, "card_px is None", id="no corners"),
        pytest.param({"dials": None}, "dials is None", id="no dials"),
        pytest.param({"shown": []}, "shown is", id="nothing shown"),
        pytest.param({"shown": ["a.jpg"]}, r"shown\[0\]", id="shown in words"),
        pytest.param({"shown": [{"image": "gone.png", "angles_deg": ANGLES}]}, "can't open gone.png", id="no file"),
        pytest.param({"shown": [{"image": "shown.png", "angles_deg": ["x", 1]}]}, "degrees", id="angle in words"),
        pytest.param({"shown": [{"image": "shown.png", "angles_deg": [1.0]}]}, "2 dials", id="one angle too few"),
        pytest.param({"shown": [{"image": "shown.png"}]}, "angles_deg is None", id="no angles"),
        pytest.param(
            {"camera": {"width": 1288, "height": 720, "K": dial_drawing.INTRINSICS.tolist()}},
            "expected 1288 x 720",
            id="picture of another camera",
        ),
    ],
)
def test_frames_that_miss_something_are_refused(tmp_path, changes, what):
    with pytest.raises(BadInput, match=what):
        calibrate_spinner(_frames(tmp_path, **changes))


@pytest.mark.parametrize(
    ("text", "what"),
    [
        pytest.param("", "no JSON", id="empty"),
        pytest.param("[1, 2]", "holds a list", id="a list"),
        pytest.param('{"thing": "die"}', "calibrate the spinner again", id="a die's"),
        pytest.param('{"thing": "spinner", "version": 1}', "damaged", id="nothing in it"),
        pytest.param('{"thing": "spinner", "version": 99}', "version 99", id="a newer one"),
    ],
)
def test_setup_that_is_none_is_refused(tmp_path, text, what):
    path = tmp_path / "setup.json"
    path.write_text(text)
    with pytest.raises(BadInput, match=what):
        load_spinner(path)


@pytest.mark.parametrize("key", ["camera", "card_mm", "dials", "picture", "arrows"])
def test_setup_that_lost_a_part_is_refused(setup, tmp_path, key):
    path = tmp_path / "setup.json"
    save_spinner(setup, path)
    values = json.loads(path.read_text())
    del values[key]
    path.write_text(json.dumps(values))
    with pytest.raises(BadInput):
        load_spinner(path)


@pytest.mark.parametrize(
    ("part", "value"),
    [
        pytest.param("color_bgr", [1, 2], id="two colours"),
        pytest.param("whiten", [[0, 0, float("nan")]] * 3, id="not a number"),
        pytest.param("shape", "AAAA", id="shape no picture"),
        pytest.param("height_mm", "high", id="height in words"),
    ],
)
def test_setup_with_a_damaged_arrow_is_refused(setup, tmp_path, part, value):
    path = tmp_path / "setup.json"
    save_spinner(setup, path)
    values = json.loads(path.read_text())
    values["arrows"][0][part] = value
    path.write_text(json.dumps(values))
    with pytest.raises(BadInput, match="damaged"):
        load_spinner(path)


def test_missing_setup_is_told(tmp_path):
    with pytest.raises(BadInput, match=r"can't open .*setup\.json"):
        load_spinner(tmp_path / "setup.json")


def test_shape_survives_as_a_picture(setup, tmp_path):
    save_spinner(setup, tmp_path / "setup.json")
    loaded = load_spinner(tmp_path / "setup.json")
    for one, other in zip(setup.arrows, loaded.arrows, strict=True):
        np.testing.assert_allclose(one.shape, other.shape, atol=1 / 255)
