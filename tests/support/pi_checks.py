"""What is tried on both Debian roots, and how to ask a Pi how it is."""

import http.client
import json
import shutil
import threading
import time
from contextlib import closing

from pi_root import ROOT, wait_until

from companion.games import GAMES
from companion.journal import Journal
from companion.sessions import current_id, replay

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


def check_that_the_watchdog_restarts_it_with_the_game_intact(pi):
    phone, pid = pi.phone(), pi.pid
    seq, view = phone.seq, session(pi).state
    pi.system("kill", "--signal=STOP", "companion.service")
    wait_until(lambda: pi.pid not in (0, pid) and answers(pi)[0] == 200, 60, "the watchdog's restart")
    assert phone.seq == seq
    assert session(pi).state == view
    assert "watchdog" in pi.run("journalctl", "-u", "companion.service", "--no-pager").lower()


def check_that_it_stops_within_two_seconds_while_phones_listen(pi):
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
