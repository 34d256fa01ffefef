import os
import socket
import threading
import time

import pytest

from companion.cli.service import Pulse, is_service, notify, server_answers, watchdog_s


class Manager:
    """What systemd does: listens on the socket that NOTIFY_SOCKET names."""

    def __init__(self, address):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(address)
        self.socket.settimeout(5)

    def heard(self):
        lines = self.socket.recv(4096).decode().splitlines()
        return dict(line.split("=", 1) for line in lines)


@pytest.fixture
def manager(tmp_path, monkeypatch):
    path = str(tmp_path / "notify")
    monkeypatch.setenv("NOTIFY_SOCKET", path)
    manager = Manager(path)
    yield manager
    manager.socket.close()


def test_systemd_hears_what_it_is_told(manager):
    assert is_service()
    assert notify(READY="1", STATUS="a line\nand another")
    assert manager.heard() == {"READY": "1", "STATUS": "a line and another"}


def test_an_abstract_socket_is_found(monkeypatch):
    name = f"companion-test-{os.getpid()}"
    manager = Manager(f"\0{name}")
    monkeypatch.setenv("NOTIFY_SOCKET", f"@{name}")
    assert notify(STOPPING="1")
    assert manager.heard() == {"STOPPING": "1"}
    manager.socket.close()


def test_without_systemd_nothing_is_said(monkeypatch):
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    assert not is_service()
    assert not notify(READY="1")


def test_a_systemd_that_went_away_is_no_reason_to_fail(monkeypatch, tmp_path):
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "nobody"))
    assert not notify(READY="1")


@pytest.mark.parametrize(
    ("environ", "seconds"),
    [
        pytest.param({}, None, id="no watchdog"),
        pytest.param({"WATCHDOG_USEC": "30000000"}, 30.0, id="for whoever asks"),
        pytest.param({"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": str(os.getpid())}, 30.0, id="for us"),
        pytest.param({"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "1"}, None, id="for another process"),
        pytest.param({"WATCHDOG_USEC": "soon"}, None, id="no number"),
    ],
)
def test_systemd_says_how_often_it_wants_a_sign(environ, seconds):
    assert watchdog_s(environ) == seconds


def test_the_watchdog_is_fed_while_everything_makes_progress(manager):
    pulse = Pulse({"server": lambda: True}, lambda: "no game on the table")
    assert pulse.beat()
    assert manager.heard() == {"WATCHDOG": "1", "STATUS": "no game on the table"}


def test_the_watchdog_is_not_fed_when_one_part_is_stuck(manager):
    pulse = Pulse({"server": lambda: True, "watcher": lambda: False}, lambda: "fine")
    assert not pulse.beat()
    assert manager.heard() == {"STATUS": "no progress: watcher"}


def test_a_part_that_never_answers_stops_the_pulse(manager):
    stuck = threading.Event()
    pulse = Pulse({"table": stuck.wait}, lambda: "fine", every_s=0.01)
    pulse.start()
    assert manager.heard() == {"READY": "1", "STATUS": "fine"}
    manager.socket.settimeout(0.3)
    with pytest.raises(TimeoutError):
        manager.heard()
    pulse.stop()
    assert manager.heard() == {"STOPPING": "1", "STATUS": "stopping"}
    stuck.set()


def test_a_server_that_accepts_but_never_answers_makes_no_progress(monkeypatch):
    monkeypatch.setattr("companion.cli.service.ANSWER_S", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as server:
        begun = time.monotonic()
        assert not server_answers(server.getsockname()[1])
        assert time.monotonic() - begun < 2
