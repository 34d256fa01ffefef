import json

import cv2
import drawn_die as drawn
import pytest

from companion.cli import main


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("die")
    shown = []
    cv2.imwrite(str(folder / "empty.png"), drawn.draw(seed=9))
    for number, names in enumerate((("yellow", "red"), ("blue", "green"))):
        lie = drawn.lie_of(*names)
        cv2.imwrite(str(folder / f"{number}.png"), drawn.draw((lie, 5, -5, 12), seed=number))
        top, sides = drawn.describe(lie)
        shown.append({"image": f"{number}.png", "top": top, "sides": sides})
    frames = {"camera": drawn.CAMERA, "table": drawn.table(), "die": {}, "empty": "empty.png", "shown": shown}
    (folder / "frames.json").write_text(json.dumps(frames))
    (folder / "broken.jpg").write_bytes(b"")
    assert main(["calibrate", "die", str(folder / "frames.json"), "-o", str(folder / "setup.json")]) == 0
    return folder


def read(folder, *names):
    return main(["read", "die", "--setup", str(folder / "setup.json"), *(str(folder / name) for name in names)])


def test_each_picture_gets_one_line_in_order(folder, capsys):
    assert read(folder, "0.png", "empty.png", "1.png") == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(line["status"], line["top"]) for line in lines] == [("read", "yellow"), ("none", None), ("read", "blue")]
    assert set(lines[0]) == {"image", "status", "top", "sides", "yaw_deg", "confidence", "reason"}


def test_a_broken_picture_does_not_stop_the_others(folder, capsys):
    assert read(folder, "broken.jpg", "1.png") == 2
    output = capsys.readouterr()
    assert "broken.jpg is empty" in output.err
    assert json.loads(output.out)["top"] == "blue"


def test_a_set_up_that_is_no_json_is_refused(folder, capsys):
    assert main(["read", "die", "--setup", str(folder / "0.png"), "x.png"]) == 2
    assert "is no JSON" in capsys.readouterr().err


def test_a_missing_frames_file_is_refused(folder, capsys):
    assert main(["calibrate", "die", str(folder / "no.json"), "-o", str(folder / "out.json")]) == 2
    assert "can't open" in capsys.readouterr().err


def test_the_corners_may_be_left_to_a_mat(folder, tmp_path, capsys):
    frames = json.loads((folder / "frames.json").read_text())
    (tmp_path / "frames.json").write_text(json.dumps(frames | {"table": {}, "empty": str(folder / "empty.png")}))
    assert main(["calibrate", "die", str(tmp_path / "frames.json"), "-o", str(tmp_path / "out.json")]) == 2
    assert "no mat lies in empty.png" in capsys.readouterr().err
    assert not (tmp_path / "out.json").exists()
