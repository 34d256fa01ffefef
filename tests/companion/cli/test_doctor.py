import json
import os
import zipfile

import pytest
from tables import Bench

from companion.cli import doctor, main
from companion.commands import NewGame
from companion.config import load_installation
from companion.game import Setup


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "settings.toml").write_text('camera = "none"\nnames = ["grandmas-pi.lan"]\n')
    return folder


def line(said, name):
    return next(line.split(maxsplit=1)[1] for line in said.splitlines() if line.startswith(name))


def test_each_line_says_ok_or_what_to_do(folder, capsys):
    main(["doctor", "--data", str(folder)])
    said = capsys.readouterr().out
    assert line(said, "folder") == "ok"
    assert line(said, "camera") == "ok", "none is wanted"
    assert "python" in line(said, "versions")
    assert ":8000" in line(said, "addresses")


def test_a_black_picture_is_told(folder):
    import cv2
    import numpy as np

    stills = folder / "stills"
    stills.mkdir()
    cv2.imwrite(str(stills / "0.png"), np.zeros((16, 16, 3), np.uint8))
    (folder / "settings.toml").write_text(f'camera = "{stills}"\n')
    assert "black" in dict(doctor.examine(folder))["camera"]


def test_what_drivers_print_while_they_are_probed_is_not_shown(capfd):
    with doctor._quiet():
        os.write(2, b"[ WARN:0] can't open camera by index")
    os.write(2, b"after")
    assert capfd.readouterr().err == "after"


def test_a_report_holds_no_names_pins_tokens_or_pictures(folder, tmp_path, capsys):
    bench = Bench(folder / "journal.db")
    bench.ask(NewGame("venecitas", Setup(("S", "N")), {"S": "Wilhelmina", "N": "Bartholomew"}))
    bench.journal.close()
    secrets = load_installation(folder)
    target = tmp_path / "report.zip"
    main(["doctor", "--data", str(folder), "--report", str(target)])
    with zipfile.ZipFile(target) as report:
        names = report.namelist()
        text = "".join(report.read(name).decode() for name in names)
    assert {"doctor.txt", "versions.json", "settings.json", "journal.json", "log.txt"} == set(names)
    for secret in ("Wilhelmina", "Bartholomew", "grandmas-pi", secrets.key, secrets.pin, secrets.code):
        assert secret not in text
    with zipfile.ZipFile(target) as report:
        assert json.loads(report.read("journal.json"))[0]["kind"] == "start"
