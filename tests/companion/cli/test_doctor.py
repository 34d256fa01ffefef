import json
import os
import threading
import zipfile
from http.server import BaseHTTPRequestHandler, HTTPServer

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


class Running(threading.Thread):
    """A companion as far as the doctor asks it: it has the port, the camera and the pins."""

    def __init__(self, folder, answers):
        super().__init__(daemon=True)
        body = json.dumps(answers).encode()

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(503)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        port = self.server.server_address[1]
        (folder / "settings.toml").write_text(f'port = {port}\ncamera = "picamera"\n')
        self.start()

    def run(self):
        self.server.serve_forever()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()
        self.join(5)


def test_what_a_running_companion_has_to_itself_is_asked_of_it(folder):
    with Running(folder, {"camera": "camera lost: pulled out", "buttons": "ok", "journal": "ok"}):
        found = dict(doctor.examine(folder))
    assert found["camera"] == "camera lost: pulled out"
    assert found["pins"] is None
    assert found["port"] is None


def test_another_program_on_the_port_is_told(folder):
    with Running(folder, ["no companion"]):
        found = dict(doctor.examine(folder))
    assert "another program has it" in found["port"]
