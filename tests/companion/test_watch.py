import json

import cv2
import numpy as np
import pytest

from companion.cli import main
from companion.cli.watch import event_line
from companion.die import Lie, Move
from companion.inputs import DieReading, Status
from vision.cube import Cube
from vision.find import shrink
from vision.seen import Seen, State
from vision.seen_face import Seen as SeenFace
from vision.setup import DieSetup, to_json

SIZE_WH = (640, 360)
SQUARE = {"NW": [220, 100], "NE": [420, 100], "SE": [470, 300], "SW": [170, 300]}
LAYOUT = Lie("yellow", "red", "purple", "blue", "black", "green")
READING = DieReading(Status.READ, "blue", {"N": "red", "E": "green", "S": "purple", "W": "black"}, 12.3, 0.99)


def bare_table():
    return np.full((SIZE_WH[1], SIZE_WH[0], 3), 120, np.uint8)


@pytest.fixture
def setup(tmp_path):
    faces = tuple(SeenFace((0.0, 0.0, 1.0), (0.1 * i, 0.2, 0.3), colour=c) for i, c in enumerate(sorted(LAYOUT.faces)))
    die = DieSetup(
        {"width": SIZE_WH[0], "height": SIZE_WH[1]},
        {"square_mm": 200, "square_px": SQUARE},
        Cube(20.0, 1.5, 1.0),
        LAYOUT,
        faces,
        shrink(bare_table()),
    )
    path = tmp_path / "setup.json"
    path.write_text(json.dumps(to_json(die)))
    return str(path)


@pytest.fixture
def film(tmp_path):
    folder = tmp_path / "film"
    folder.mkdir()
    for number in range(8):
        cv2.imwrite(str(folder / f"{number:03d}.png"), bare_table())
    return folder


def test_an_empty_table_is_told_once(setup, film, capsys):
    assert main(["watch", "--setup", setup, str(film)]) == 0
    assert [json.loads(line) for line in capsys.readouterr().out.splitlines()] == [
        {"frame": "005.png", "event": "state", "state": "empty"}
    ]


def test_a_folder_that_is_missing_is_one_clear_line(setup, tmp_path, capsys):
    assert main(["watch", "--setup", setup, str(tmp_path / "nowhere")]) == 2
    assert "there is no folder" in one_line(capsys)


def test_a_folder_without_pictures_is_one_clear_line(setup, tmp_path, capsys):
    assert main(["watch", "--setup", setup, str(tmp_path)]) == 2
    assert "no pictures in" in one_line(capsys)


def test_pictures_of_another_size_are_one_clear_line(setup, film, capsys):
    for path in film.iterdir():
        cv2.imwrite(str(path), bare_table()[::2, ::2])
    assert main(["watch", "--setup", setup, str(film)]) == 2
    assert "000.png is 320 x 180; expected 640 x 360" in one_line(capsys)


def test_a_set_up_that_is_none_is_one_clear_line(setup, film, tmp_path, capsys):
    (tmp_path / "other.json").write_text("{}")
    assert main(["watch", "--setup", str(tmp_path / "other.json"), str(film)]) == 2
    one_line(capsys)


def test_a_still_that_is_spoilt_passes_for_a_camera_that_failed(setup, film, capsys):
    (film / "006.png").write_bytes(b"")
    assert main(["watch", "--setup", setup, str(film)]) == 2
    told = capsys.readouterr()
    assert "006.png is empty" in told.err
    assert [json.loads(line)["state"] for line in told.out.splitlines()] == ["empty", "camera lost"]


@pytest.mark.parametrize(
    ("seen", "line"),
    [
        (Seen(State.ROLLING), {"frame": "031.jpg", "event": "state", "state": "rolling"}),
        (
            Seen(State.READ, READING),
            {"frame": "031.jpg", "event": "read", "top": "blue", "sides": dict(READING.sides), "yaw_deg": 12.3}
            | {"confidence": 0.99},
        ),
        (
            Seen(State.UNSURE, DieReading(Status.UNSURE, reason="cocked")),
            {"frame": "031.jpg", "event": "unsure", "reason": "cocked"},
        ),
    ],
    ids=["state", "read", "unsure"],
)
def test_each_event_is_a_line(seen, line):
    assert event_line("031.jpg", seen) == line


def test_a_paid_move_is_named_in_the_line():
    assert event_line("036.jpg", Seen(State.READ, READING, Move.CW))["move"] == "cw"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["r01", "r06"])
def test_a_film_of_a_throw_is_read_once_and_right(shared, tmp_path, capsys, name):
    rolls = shared / "bench" / "rolls" / "dev"
    labels = [json.loads(line) for line in (rolls / "labels.jsonl").read_text().splitlines()]
    shots = [one for one in labels if one["sequence"] == name and one["role"] in ("empty", "calib")]
    truth = next(json.loads(x) for x in (rolls / "sequences.jsonl").read_text().splitlines() if f'"{name}"' in x)
    camera, table = shots[0]["camera"], shots[0]["table"]
    frames = {
        "camera": {key: camera[key] for key in ("width", "height", "K")},
        "table": {key: table[key] for key in ("square_mm", "square_px")},
        "die": {},
        "empty": next(str(rolls / one["file"]) for one in shots if one["role"] == "empty"),
        "shown": [
            {"image": str(rolls / one["file"]), "top": one["top"], "sides": one["sides"]}
            for one in shots
            if one["role"] == "calib"
        ],
    }
    (tmp_path / "frames.json").write_text(json.dumps(frames))
    film = tmp_path / "film"
    film.mkdir()
    for still in rolls.joinpath(name).glob("[0-9]*.jpg"):
        (film / still.name).symlink_to(still)
    setup = str(tmp_path / "setup.json")
    assert main(["calibrate", "die", str(tmp_path / "frames.json"), "-o", setup]) == 0
    assert main(["watch", "--setup", setup, str(film)]) == 0
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    thrown = [e for e in events if e["event"] == "read" and int(e["frame"][:3]) >= truth["release_frame"]]
    (rest,) = truth["rests"]
    assert [(e["top"], e["sides"]) for e in thrown] == [(rest["top"], rest["sides"])]
    assert int(thrown[0]["frame"][:3]) <= rest["first_clear_frame"] + 7


def one_line(capsys):
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.count("\n") == 1
    return told.err
