import json

import cv2
import dial_drawing
import pytest

from companion.cli import main


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("spinner")
    cv2.imwrite(str(folder / "shown.png"), dial_drawing.draw((100.0, 215.0)))
    cv2.imwrite(str(folder / "rest.png"), dial_drawing.draw((75.0, 140.0)))
    cv2.imwrite(str(folder / "spin.png"), dial_drawing.draw_spinning((75.0, 140.0)))
    frames = {
        "camera": {"width": 1280, "height": 720, "K": dial_drawing.INTRINSICS.tolist()},
        "card_px": dial_drawing.CORNERS_PX,
        "card_mm": 100.0,
        "dials": dial_drawing.dials(),
        "shown": [{"image": "shown.png", "angles_deg": [100.0, 215.0]}],
    }
    (folder / "frames.json").write_text(json.dumps(frames))
    assert main(["calibrate", "spinner", str(folder / "frames.json"), "-o", str(folder / "setup.json")]) == 0
    return folder


def test_read_prints_an_object_a_line_in_the_order_given(folder, capsys):
    images = [str(folder / name) for name in ("spin.png", "rest.png")]
    assert main(["read", "spinner", "--setup", str(folder / "setup.json"), *images]) == 0
    turning, rest = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert [turning["image"], rest["image"]] == images
    assert turning["status"] == "unsure"
    assert "number: the arrow is turning" in turning["reason"]
    assert set(rest) == {"image", "status", "dials", "reason"}
    assert rest["status"] == "read"
    assert [set(dial) for dial in rest["dials"]] == [{"name", "angle_deg", "sector", "label", "near_border"}] * 2
    assert [dial["label"] for dial in rest["dials"]] == ["2", "D"]


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        pytest.param(["calibrate", "spinner", "gone.json", "-o", "x.json"], "can't open gone.json", id="no frames"),
        pytest.param(["read", "spinner", "--setup", "gone.json", "a.jpg"], "can't open gone.json", id="no set-up"),
    ],
)
def test_bad_input_is_one_line_and_status_2(arguments, what, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(arguments) == 2
    error = capsys.readouterr().err
    assert what in error
    assert error.count("\n") == 1


def test_picture_that_is_missing_is_told(folder, capsys):
    assert main(["read", "spinner", "--setup", str(folder / "setup.json"), str(folder / "gone.png")]) == 2
    assert "can't open gone.png" in capsys.readouterr().err
