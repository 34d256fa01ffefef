import socket
import threading

import pytest
from clocks import Clock

from companion.cli import local_name
from companion.cli.local_name import FRESH_S, LOOK_S, NAME, TAKEN_S, LocalName, Publisher, look_up


class Avahi(threading.Thread):
    """What avahi-daemon does on its socket: one question, one line."""

    def __init__(self, path, answer):
        super().__init__(daemon=True)
        self.asked, self.answer = [], answer
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.bind(str(path))
        self.socket.listen()
        self.start()

    def run(self):
        caller, _ = self.socket.accept()
        with caller, self.socket:
            self.asked.append(caller.recv(200).decode())
            caller.sendall(self.answer)


@pytest.mark.parametrize(
    ("answer", "address"),
    [
        pytest.param(b"+ 2 0 companion.local 192.0.2.7\n", "192.0.2.7", id="found"),
        pytest.param(b"-15 Timeout reached\n", None, id="no such name"),
        pytest.param(b"", None, id="no answer"),
        pytest.param(b"\xff\xfe\n", None, id="nonsense"),
    ],
)
def test_avahi_is_asked_for_a_names_address(tmp_path, answer, address):
    avahi = Avahi(tmp_path / "socket", answer)
    assert look_up("companion.local", tmp_path / "socket") == address
    avahi.join(5)
    assert avahi.asked == ["RESOLVE-HOSTNAME-IPV4 companion.local\n"]


def test_without_avahi_no_name_works(tmp_path):
    assert look_up("companion.local", tmp_path / "nobody") is None


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def host(monkeypatch):
    monkeypatch.setattr(socket, "gethostname", lambda: "pi-of-ana.lan")


@pytest.mark.parametrize(
    ("known", "told"),
    [
        pytest.param({NAME: "192.0.2.7"}, NAME, id="the table's name"),
        pytest.param({"pi-of-ana.local": "192.0.2.7"}, "pi-of-ana.local", id="the machine's own"),
        pytest.param({NAME: "192.0.2.99", "pi-of-ana.local": "192.0.2.7"}, "pi-of-ana.local", id="another's companion"),
        pytest.param({}, None, id="none"),
    ],
)
def test_only_a_name_that_leads_here_is_told(host, known, told):
    assert LocalName(known.get, lambda: ["192.0.2.7"]).refresh() == told


def test_asking_for_the_name_never_waits_for_avahi(clock, host):
    slow, asked = threading.Event(), []

    def look_up(name):
        asked.append(name)
        slow.wait(5)
        return "192.0.2.7"

    name = LocalName(look_up, lambda: ["192.0.2.7"], clock)
    assert name() is None
    assert name() is None
    slow.set()
    for thread in threading.enumerate():
        if thread.name == "local name":
            thread.join(5)
    assert name() == NAME
    assert asked == [NAME], "once for many questions"
    clock.sleep(FRESH_S)
    assert name() == NAME


class Child:
    def __init__(self, command):
        self.command, self.ended = command, None

    def poll(self):
        return self.ended

    def terminate(self):
        self.ended = -15

    def wait(self, timeout):
        return self.ended


class Net:
    def __init__(self):
        self.addresses, self.children = ["192.0.2.7", "127.0.0.1"], []
        self.publisher = Publisher(lambda: self.addresses, self.spawn)

    def spawn(self, command):
        self.children.append(Child(command))
        return self.children[-1]


def test_the_name_is_published_for_the_address_and_follows_it(host):
    net = Net()
    net.addresses = ["127.0.0.1"]
    assert net.publisher.look() == LOOK_S
    assert net.children == [], "no network yet"
    net.addresses = ["192.0.2.7", "127.0.0.1"]
    for _ in range(3):
        net.publisher.look()
    assert [child.command for child in net.children] == [["avahi-publish", "-a", "-R", NAME, "192.0.2.7"]]
    net.addresses = ["198.51.100.9", "127.0.0.1"]
    net.publisher.look()
    assert net.children[0].ended == -15
    assert net.children[1].command[-1] == "198.51.100.9"


def test_a_name_that_another_machine_has_is_tried_again_later_and_told_once(host, caplog):
    net = Net()
    for _ in range(3):
        net.publisher.look()
        net.children[-1].ended = 1
        assert net.publisher.look() == TAKEN_S
    assert len(net.children) == 3
    assert len(caplog.records) == 1


def test_a_machine_that_is_called_companion_has_the_name_already(monkeypatch):
    monkeypatch.setattr(local_name.socket, "gethostname", lambda: "Companion")
    net = Net()
    net.publisher.look()
    assert net.children == []


def test_what_was_published_is_withdrawn_in_the_end(host):
    net = Net()
    net.publisher._wait = lambda seconds: True
    assert net.publisher.run() == 0
    assert net.children[0].ended == -15
