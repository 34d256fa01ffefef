"""The same package on Debian 12, without picamera2 and without a camera: the fast half. Run by tests/pi/run."""

import shutil

import pytest
from pi_checks import (
    PACKAGE,
    check_that_it_stops_within_two_seconds_while_phones_listen,
    check_that_the_watchdog_restarts_it_with_the_game_intact,
    ready,
    settle_in,
)
from pi_root import ROOT, Pi, wait_until


@pytest.fixture(scope="module")
def pi(pytestconfig):
    pi = Pi(pytestconfig.getoption("pi_roots") / "bookworm")
    try:
        settle_in(pi, "auto")
        pi.boot()
        yield pi
    finally:
        pi.off()


def test_the_same_package_installs_and_starts_without_a_camera(pi):
    pi.install(PACKAGE)
    assert pi.system("is-active", "companion.service") == "active"
    pi.phone().new_venecitas()
    assert "camera" in ready(pi, "camera")


READ = """
import sys; sys.path.insert(0, "/usr/lib/companion")
import cv2
from companion.die import word
from hardware.virtual.table import VirtualTable
from vision.calibrate import Shown, learn_die
from vision.die import read_die
table = VirtualTable(fps=1000)
frames = table.setup_frames()
shown = [Shown(each["image"], each["top"], each["sides"], str(n)) for n, each in enumerate(frames["shown"])]
setup, _ = learn_die(frames["camera"], frames["table"], frames["empty"], shown, die=frames["die"])
right = 0
for _ in range(3):
    table.roll()
    while table.draw(20) is not None and table.is_busy:
        pass  # only every twentieth frame is drawn: the last one counts
    right += read_die(table.draw(), setup).top == word(table.rest.lie.top)
print(cv2.__version__, right, "of 3")
"""


def test_the_reader_reads_with_the_old_opencv(pi):
    (pi.path / "srv/read.py").write_text(READ)
    said = pi.run("python3", "/srv/read.py")
    print(said)
    assert said.strip().endswith("3 of 3")


def test_the_libraries_of_debian_12_pass_the_same_tests(pi):
    shutil.copytree(ROOT / "tests", pi.path / "srv/tests", ignore=shutil.ignore_patterns("screenshots", "__pycache__"))
    tests = [f"tests/{name}.py" for name in ("vision/test_motion", "vision/test_likeness", "vision/test_plane",
             "hardware/test_formats", "hardware/test_buttons", "hardware/test_signals")]  # fmt: skip
    options = ["-q", "-p", "no:cacheprovider", "--import-mode=importlib"]
    inside = "cd /srv && PYTHONPATH=/usr/lib/companion:/srv/tests/support python3 -m pytest"
    said = pi.run("sh", "-c", " ".join([inside, *options, *tests]))
    print(said.splitlines()[-1])
    assert " passed" in said
    assert "failed" not in said


def test_phones_find_it_as_companion_local_though_it_is_called_otherwise(pi):
    pi.apt("install", "avahi-daemon", "avahi-utils")
    pi.system("restart", "avahi-daemon.service", "companion-name.service")
    assert pi.run("hostname").strip() != "companion"
    wait_until(lambda: "companion.local:" in pi.run("companion", "doctor", check=False), 40, "publishing the name")
    phone = pi.phone()
    wait_until(lambda: f"companion.local:{pi.port}" in phone.request("GET", "/host")[1], 60, "telling it on the page")
    pi.system("stop", "companion-name.service")
    wait_until(lambda: "companion.local:" not in pi.run("companion", "doctor", check=False), 40, "withdrawing the name")


def test_the_watchdog_restarts_a_hung_process_with_the_game_intact(pi):
    check_that_the_watchdog_restarts_it_with_the_game_intact(pi)


def test_it_stops_within_two_seconds_while_phones_listen(pi):
    check_that_it_stops_within_two_seconds_while_phones_listen(pi)


def test_purge_deletes_everything(pi):
    pi.apt("purge", "table-companion")
    assert not (pi.path / "var/lib/companion").exists()
    assert not (pi.path / "usr/lib/companion").exists()
