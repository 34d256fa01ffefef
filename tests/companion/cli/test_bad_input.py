"""Bad input to `read` and `calibrate`: one line, exit status 2, and the other pictures are read all the same."""

import json
import shutil

import cv2
import dial_drawing
import drawn_die as drawn
import pytest

from companion.cli import main

THINGS = ("die", "spinner")


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """A set-up, a good picture and bad ones, for each thing."""
    found = {}
    for thing, make in (("die", make_die), ("spinner", make_spinner)):
        folder = tmp_path_factory.mktemp(thing)
        good = make(folder)
        cv2.imwrite(str(folder / "good.png"), good)
        cv2.imwrite(str(folder / "grey.png"), cv2.cvtColor(good, cv2.COLOR_BGR2GRAY))
        cv2.imwrite(str(folder / "rgba.png"), cv2.cvtColor(good, cv2.COLOR_BGR2BGRA))
        cv2.imwrite(str(folder / "small.png"), good[::2, ::2])
        whole = cv2.imencode(".jpg", good)[1].tobytes()
        (folder / "cut.jpg").write_bytes(whole[: len(whole) // 2])
        (folder / "text.jpg").write_text("not a picture at all")
        (folder / "empty.jpg").write_bytes(b"")
        arguments = ["calibrate", thing, str(folder / "frames.json"), "-o", str(folder / "setup.json")]
        assert main(arguments) == 0
        found[thing] = folder
    return found


def make_die(folder):
    shown = []
    cv2.imwrite(str(folder / "table.png"), drawn.draw(seed=9))
    for number, names in enumerate((("yellow", "red"), ("blue", "green"))):
        lie = drawn.lie_of(*names)
        cv2.imwrite(str(folder / f"{number}.png"), drawn.draw((lie, 5, -5, 12), seed=number))
        top, sides = drawn.describe(lie)
        shown.append({"image": f"{number}.png", "top": top, "sides": sides})
    frames = {"camera": drawn.CAMERA, "table": drawn.table(), "empty": "table.png", "shown": shown}
    (folder / "frames.json").write_text(json.dumps(frames | {"die": {"size_mm": drawn.SIZE_MM}}))
    return drawn.draw((drawn.STANDARD, 0, 0, 10))


def make_spinner(folder):
    cv2.imwrite(str(folder / "shown.png"), dial_drawing.draw([100.0, 215.0]))
    frames = {
        "camera": {"width": 1280, "height": 720, "K": dial_drawing.INTRINSICS.tolist()},
        "card_px": dial_drawing.CORNERS_PX, "card_mm": 100.0, "dials": dial_drawing.dials(),
        "shown": [{"image": "shown.png", "angles_deg": [100.0, 215.0]}],
    }  # fmt: skip
    (folder / "frames.json").write_text(json.dumps(frames))
    return dial_drawing.draw([20.0, 330.0])


def read(folder, thing, *names, setup="setup.json"):
    return main(["read", thing, "--setup", str(folder / setup), *(str(folder / name) for name in names)])


BAD = {
    "gone.jpg": "can't open",
    "empty.jpg": "is empty",
    "cut.jpg": "is cut short",
    "text.jpg": "is no picture",
    "grey.png": "is grey; expected three colours",
    "rgba.png": "four channels",
    "small.png": "expected",
}


@pytest.mark.parametrize("thing", THINGS)
def test_every_bad_picture_gets_one_line_and_the_others_are_read(folders, thing, capsys):
    assert read(folders[thing], thing, *BAD, "good.png") == 2
    output = capsys.readouterr()
    lines = output.err.splitlines()
    assert len(lines) == len(BAD)
    for line, (name, words) in zip(lines, BAD.items(), strict=True):
        assert name in line
        assert words in line
    answers = [json.loads(line) for line in output.out.splitlines()]
    assert [(answer["image"].rsplit("/", 1)[1], answer["status"]) for answer in answers] == [("good.png", "read")]


@pytest.mark.parametrize("thing", THINGS)
def test_a_picture_of_another_size_says_both_sizes(folders, thing, capsys):
    size = (drawn.WIDTH, drawn.HEIGHT) if thing == "die" else dial_drawing.SIZE_WH
    assert read(folders[thing], thing, "small.png") == 2
    assert f"is {size[0] // 2} x {size[1] // 2}; expected {size[0]} x {size[1]}" in capsys.readouterr().err


@pytest.mark.parametrize("thing", THINGS)
@pytest.mark.parametrize(
    ("change", "words"),
    [
        pytest.param(lambda data: data | {"version": 99}, "version 99", id="another version"),
        pytest.param(lambda data: [], "expected an object", id="no object"),
        pytest.param(lambda data: {}, "expected", id="nothing in it"),
        pytest.param(lambda data: data | {"camera": {"width": 640}}, "", id="half a camera"),
    ],
)
def test_a_set_up_that_can_not_be_used_is_refused_in_one_line(folders, thing, change, words, tmp_path, capsys):
    data = json.loads((folders[thing] / "setup.json").read_text())
    (tmp_path / "setup.json").write_text(json.dumps(change(data)))
    shutil.copy(folders[thing] / "good.png", tmp_path)
    assert read(tmp_path, thing, "good.png") == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert len(output.err.splitlines()) == 1
    assert words in output.err


def test_the_dies_and_the_cards_set_ups_are_not_taken_for_each_other(folders, capsys):
    for thing, other in (THINGS, THINGS[::-1]):
        assert main(["read", thing, "--setup", str(folders[other] / "setup.json"), "x.png"]) == 2
        assert len(capsys.readouterr().err.splitlines()) == 1


CROOKED = {
    "crossed": {"NW": [100, 100], "NE": [300, 300], "SE": [300, 100], "SW": [100, 300]},
    "in a line": {"NW": [100, 100], "NE": [200, 100], "SE": [300, 100], "SW": [400, 100]},
    "in one point": {"NW": [100, 100], "NE": [100, 100], "SE": [100, 100], "SW": [100, 100]},
    "one missing": {"NW": [100, 100], "NE": [300, 100], "SE": [300, 300]},
    "not numbers": {"NW": ["a", 1], "NE": [300, 100], "SE": [300, 300], "SW": [100, 300]},
    "no perspective has them": {"NW": [10, 10], "NE": [630, 12], "SE": [40, 350], "SW": [12, 340]},
}


@pytest.mark.parametrize("square_px", CROOKED.values(), ids=CROOKED)
@pytest.mark.parametrize("where", ["set-up", "frames"])
def test_corners_that_make_no_table_are_refused_in_one_line(folders, where, square_px, tmp_path, capsys):
    name = "setup.json" if where == "set-up" else "frames.json"
    data = json.loads((folders["die"] / name).read_text())
    (tmp_path / name).write_text(json.dumps(data | {"table": {"square_mm": 200, "square_px": square_px}}))
    if where == "set-up":
        status = main(["read", "die", "--setup", str(tmp_path / name), str(folders["die"] / "good.png")])
    else:
        status = main(["calibrate", "die", str(tmp_path / name), "-o", str(tmp_path / "out.json")])
    assert status == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
    assert not (tmp_path / "out.json").exists()


@pytest.mark.parametrize("name", [name for name in BAD if name != "gone.jpg"])
def test_a_bad_picture_in_a_calibration_leaves_the_old_set_up_alone(folders, name, tmp_path, capsys):
    data = json.loads((folders["die"] / "frames.json").read_text())
    for each in folders["die"].iterdir():
        shutil.copy(each, tmp_path)
    (tmp_path / "frames.json").write_text(json.dumps(data | {"empty": name}))
    (tmp_path / "old.json").write_text("the old one")
    assert main(["calibrate", "die", str(tmp_path / "frames.json"), "-o", str(tmp_path / "old.json")]) == 2
    assert name in capsys.readouterr().err
    assert (tmp_path / "old.json").read_text() == "the old one"


def test_a_picture_as_large_as_its_header_says_is_not_decoded_into_all_memory(tmp_path, folders, capsys):
    header = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x0f\xff\xff\x00\x0f\xff\xff\x08\x02\x00\x00\x00\x00\x00\x00\x00"
    (tmp_path / "huge.png").write_bytes(header + b"\x00\x00\x00\x00IEND\xaeB`\x82")
    setup = str(folders["die"] / "setup.json")
    assert main(["read", "die", "--setup", setup, str(tmp_path / "huge.png")]) == 2
    assert "huge.png is no picture" in capsys.readouterr().err
