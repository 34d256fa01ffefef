"""The package under real apt and real systemd, in the order in which a table lives. Run by tests/pi/run."""

import http.client
import json
import os
import shutil
import threading
import time
from contextlib import closing

import pytest
from pi_root import ROOT, Pi, wait_until
from virtual_feed import Feeder, show, supply

from companion.games import GAMES
from companion.journal import Journal
from companion.sessions import current_id, replay
from hardware.virtual.table import Conditions, VirtualTable
from vision.calibrate import Shown, learn_die
from vision.setup import to_json

PACKAGE, NEXT_PACKAGE = (
    next((ROOT / "dist").glob(pattern)) for pattern in ("table-companion_*[0-9]_all.deb", "*+next_all.deb")
)
WATCHDOG_S = 9


def settle_in(pi, camera):
    pi.folder.mkdir(parents=True)
    (pi.folder / "settings.toml").write_text(f'port = {pi.port}\ncamera = "{camera}"\n')
    quick = pi.path / "etc/systemd/system/companion.service.d"
    quick.mkdir(parents=True)
    (quick / "quick.conf").write_text(f"[Service]\nWatchdogSec={WATCHDOG_S}\n")


@pytest.fixture(scope="module")
def virtual():
    return VirtualTable(fps=8, conditions=Conditions(noise_sd=1.0))


@pytest.fixture(scope="module")
def pi(pytestconfig, virtual):
    pi = Pi(pytestconfig.getoption("pi_roots") / "trixie")
    try:
        settle_in(pi, "picamera")
        supply(pi)
        frames = virtual.setup_frames()
        shown = [Shown(each["image"], each["top"], each["sides"], str(n)) for n, each in enumerate(frames["shown"])]
        setup, _ = learn_die(frames["camera"], frames["table"], frames["empty"], shown, die=frames["die"])
        (pi.folder / "die.json").write_text(json.dumps(to_json(setup)))
        pi.feeder = Feeder(pi, virtual)
        pi.feeder.start()
        pi.boot()
        yield pi
    finally:
        pi.feeder.stopped.set()
        pi.off()


def session(pi):
    """The game on the table, from a copy of its journal."""
    copy = pi.scratch / "copy"
    shutil.rmtree(copy, ignore_errors=True)
    copy.mkdir()
    for file in pi.folder.glob("journal.db*"):
        shutil.copy(file, copy)
    journal = Journal(copy / "journal.db")
    try:
        entries = list(journal.entries())
    finally:
        journal.close()
    number = current_id(entries)
    return replay(GAMES, (entry for entry in entries if entry.session == number and entry.kind != "open"))


def awaited(pi):
    now = session(pi)
    return {each.verb for each in now.game.awaits(now.state)}


def answers(pi, path="/healthz"):
    with closing(http.client.HTTPConnection("localhost", pi.port, timeout=5)) as connection:
        try:
            connection.request("GET", path)
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        except (OSError, http.client.HTTPException):
            return 0, ""


def ready(pi, name):
    return json.loads(answers(pi, "/readyz")[1] or "{}").get(name, "")


def test_apt_installs_enables_and_starts_it(pi):
    pi.install(PACKAGE)
    assert pi.system("is-enabled", "companion.service", "companion-shutdown.path") == "enabled\nenabled"
    assert pi.system("is-active", "companion.service", "companion-shutdown.path") == "active\nactive"


def test_the_service_told_that_it_is_ready_and_how_it_is(pi):
    assert pi.shown("Type") == "notify"
    assert pi.shown("StatusText").startswith("no game on the table")
    status = pi.run("cat", f"/proc/{pi.pid}/status").splitlines()
    uid = next(line for line in status if line.startswith("Uid")).split()[1]
    assert pi.run("id", "-nu", uid).strip() == "companion"


def test_the_log_tells_no_secret(pi):
    log = pi.run("journalctl", "-u", "companion.service", "--no-pager")
    assert "The table is open" in log
    assert pi.installation["pin"] not in log
    assert pi.installation["code"] not in log


def test_a_page_is_fetched(pi):
    assert answers(pi)[0] == 200
    status, page = pi.phone().request("GET", "/play")
    assert status == 200
    assert "<!doctype html>" in page.lower()


def test_the_picamera2_camera_watches(pi):
    wait_until(lambda: ready(pi, "camera") == "ok", 40, "the camera's first picture")


def test_a_game_is_played_with_rolls_that_the_camera_reads(pi, virtual):
    phone = pi.phone()
    phone.new_venecitas()
    rolled = []
    deadline = time.monotonic() + 240
    while len(rolled) < 2:
        assert time.monotonic() < deadline, f"{len(rolled)} rolls were read: {answers(pi, '/readyz')}"
        verbs = awaited(pi)
        if "roll" in verbs:
            seq = phone.seq
            assert virtual.roll()
            wait_until(lambda seq=seq: phone.seq > seq, 100, "reading the die")
            rolled.append(virtual.rest.lie)
        elif "start_with" in verbs:
            phone.do(f"s{time.monotonic_ns()}", seen=phone.seq, verb="start_with", data={"who": "S"})
        else:
            status, answer = phone.do(f"n{time.monotonic_ns()}", seen=phone.seq, verb="next", data={})
            assert status == 200, answer
    read = [turn for turn in session(pi).done if turn.event.verb == "roll"]
    assert [turn.entry.source for turn in read] == ["camera"] * 2
    assert [turn.event.data["top"] for turn in read] == [lie.top for lie in rolled]


def test_hardly_anything_is_written_when_nobody_plays(pi):
    def written():
        lines = pi.run("cat", f"/proc/{pi.pid}/io").splitlines()
        return int(next(line for line in lines if line.startswith("write_bytes")).split()[1])

    seconds = 60
    before = written()
    time.sleep(seconds)
    an_hour = (written() - before) * 3600 / seconds
    print(f"written in an idle hour: {an_hour / 1e6:.3f} MB")
    assert an_hour <= 1e6


def test_a_stuck_capture_does_not_kill_the_game_and_comes_back(pi, virtual):
    pid = pi.pid
    pi.feeder.on = False
    time.sleep(0.5)
    feed = pi.feed / "frame.nv12"
    feed.unlink()
    os.mkfifo(feed)  # whoever reads it hangs
    wait_until(lambda: "no picture" in ready(pi, "camera"), 40, "noticing the stuck capture")
    time.sleep(WATCHDOG_S * 1.5)
    assert pi.pid == pid
    assert answers(pi)[0] == 200
    os.close(os.open(feed, os.O_WRONLY))
    show(pi, virtual.draw())
    pi.feeder.on = True
    wait_until(lambda: ready(pi, "camera") == "ok", 90, "opening the camera again")
    assert pi.pid == pid


def test_the_watchdog_restarts_a_hung_process_with_the_game_intact(pi):
    phone, pid = pi.phone(), pi.pid
    seq, view = phone.seq, session(pi).state
    pi.system("kill", "--signal=STOP", "companion.service")
    wait_until(lambda: pi.pid not in (0, pid) and answers(pi)[0] == 200, 60, "the watchdog's restart")
    assert phone.seq == seq
    assert session(pi).state == view
    assert "watchdog" in pi.run("journalctl", "-u", "companion.service", "--no-pager").lower()


def test_it_stops_within_two_seconds_while_phones_listen(pi):
    phone = pi.phone()
    threading.Thread(target=lambda: phone.request("GET", "/live"), daemon=True).start()
    time.sleep(1)
    begun = time.monotonic()
    pi.system("stop", "companion.service")
    took = time.monotonic() - begun
    print(f"stopped in {took:.2f} s")
    assert took < 2
    assert pi.shown("Result") == "success"
    pi.system("start", "companion.service")


def test_an_upgrade_keeps_the_game_and_runs_the_new_version(pi):
    phone, pid = pi.phone(), pi.pid
    seq = phone.seq
    pi.install(NEXT_PACKAGE)
    assert pi.pid != pid
    assert pi.system("is-active", "companion.service") == "active"
    assert phone.seq == seq


def test_removal_keeps_the_data_and_stops_the_service(pi):
    seq = pi.phone().seq
    pi.apt("remove", "table-companion")
    assert answers(pi)[0] == 0
    assert not (pi.path / "usr/lib/companion").exists()
    pi.install(PACKAGE)
    assert pi.phone().seq == seq


def test_purge_deletes_everything(pi):
    pi.apt("purge", "table-companion")
    left = [path for path in ("var/lib/companion", "usr/lib/companion", "etc/avahi/services/companion.service")
            if (pi.path / path).exists()]  # fmt: skip
    assert left == []


@pytest.fixture(scope="module")
def old_pi(pytestconfig):
    pi = Pi(pytestconfig.getoption("pi_roots") / "bookworm")
    try:
        settle_in(pi, "auto")
        pi.boot()
        yield pi
    finally:
        pi.off()


def test_the_same_package_installs_and_starts_on_bookworm_without_a_camera(old_pi):
    old_pi.install(PACKAGE)
    assert old_pi.system("is-active", "companion.service") == "active"
    old_pi.phone().new_venecitas()
    assert "camera" in ready(old_pi, "camera")


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
    while True:
        frame = table.draw()
        if not table.is_busy:
            break
    right += read_die(table.draw(), setup).top == word(table.rest.lie.top)
print(cv2.__version__, right, "of 3")
"""


def test_the_reader_reads_with_the_old_opencv(old_pi):
    (old_pi.path / "root/read.py").write_text(READ)
    said = old_pi.run("python3", "/root/read.py")
    print(said)
    assert said.strip().endswith("3 of 3")
