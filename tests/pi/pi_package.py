"""The package under real apt and real systemd, in the order in which a table lives. Run by tests/pi/run."""

import json
import os
import time

import pytest
from pi_checks import (
    NEXT_PACKAGE,
    PACKAGE,
    WATCHDOG_S,
    answers,
    awaited,
    check_that_it_stops_within_two_seconds_while_phones_listen,
    check_that_the_watchdog_restarts_it_with_the_game_intact,
    ready,
    session,
    settle_in,
)
from pi_root import PATIENCE, Pi, wait_until
from virtual_feed import Feeder, show, supply

from hardware.virtual.table import Conditions, VirtualTable
from vision.calibrate import Shown, learn_die
from vision.setup import to_json


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


def test_apt_installs_enables_and_starts_it(pi):
    pi.install(PACKAGE)
    enabled = pi.system("is-enabled", "companion.service", "companion-shutdown.path", "companion-name.service")
    assert enabled.split() == ["enabled"] * 3
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
    # The die that lies there from the start is no roll: it is seen before the game begins.
    wait_until(lambda: "signal-ready" in phone.request("GET", "/board")[1], 100, "seeing the die that lies there")
    phone.new_venecitas()
    rolled = []
    deadline = time.monotonic() + 240 * PATIENCE
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
    check_that_the_watchdog_restarts_it_with_the_game_intact(pi)


def test_it_stops_within_two_seconds_while_phones_listen(pi):
    check_that_it_stops_within_two_seconds_while_phones_listen(pi)


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
