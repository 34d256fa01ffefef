"""What was answered is there, whenever somebody pulls the plug."""

import http.client
import random
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from program import Phone, Program
from tables import Bench

from companion.commands import NewGame, Redo, Undo
from companion.die import all_lies
from companion.events import Choice, Outcome
from companion.game import Setup
from companion.games import GAMES
from companion.journal import Journal
from companion.sessions import current_id, replay

KILLS = 200
WORKERS = 4


def draw_body(rng):
    """Something a phone may say; a good part of it is refused by the rules."""
    lie = rng.choice(all_lies())
    return rng.choice(
        [
            {"verb": "next", "data": {}},
            {"verb": "next", "data": {}},
            {"verb": "roll", "outcome": True, "data": {"top": lie.top, "facing": lie.south}},
            {"verb": "roll", "outcome": True, "data": {"top": lie.top, "facing": lie.south}},
            {"act": "undo"},
            {"act": "redo"},
            {"verb": "start_with", "data": {"who": "S"}},
        ]
    )


def act_of(body):
    """The same for the mirror, a table that is never killed."""
    if "act" in body:
        return {"undo": Undo(), "redo": Redo()}[body["act"]]
    return Outcome(body["verb"], body["data"]) if body.get("outcome") else Choice(body["verb"], body["data"])


class Evening:
    """One phone at one table that is killed again and again."""

    def __init__(self, number, folder):
        self.rng = random.Random(number)
        self.program = Program(folder)
        self.program.start()
        self.phone = Phone(self.program).be_host(self.program)
        self.phone.new_venecitas()
        self.mirror = Bench(folder / "mirror.db")
        self.mirror.ask(NewGame("venecitas", Setup(("S", "N")), {}))
        self.acknowledged = {}
        self.commands = 0

    def note(self, command, body, answer):
        """A command was answered: it must hold from now on."""
        self.acknowledged[command] = answer["seq"]
        self.mirror.ask(act_of(body))

    def fire(self):
        """Send commands until nobody answers; gives the one that was under way then."""
        seen = None
        while True:
            self.commands += 1
            command, body = f"command-{self.commands}", draw_body(self.rng)
            try:
                seen = self.phone.seq if seen is None else seen
                status, answer = self.phone.do(command, seen=seen, **body)
            except (OSError, http.client.HTTPException):
                return command, body, seen
            if status == 200:
                self.note(command, body, answer)
                seen = answer["seq"]
            else:
                assert status == 409, answer

    def kill_and_start(self):
        timer = threading.Timer(self.rng.uniform(0, 0.25), self.program.process.kill)
        timer.start()
        command, body, seen = self.fire()
        timer.join()
        self.program.kill()
        self.program.start()
        if seen is not None:
            # The phone sends again what was not answered: it counts once, whether or not it had got through.
            status, answer = self.phone.do(command, seen=seen, **body)
            if status == 200:
                self.note(command, body, answer)
        self.check()

    def check(self):
        """Every acknowledged command is there once, where it was said to be, and the board is as it should be."""
        journal = Journal(self.program.folder / "journal.db")
        try:
            entries = list(journal.entries())
        finally:
            journal.close()
        kept = [(entry.command.split(":")[1], entry.seq) for entry in entries if "command-" in (entry.command or "")]
        assert kept == list(self.acknowledged.items())
        assert self.phone.seq == entries[-1].seq
        current = current_id(entries)
        session = current and replay(GAMES, (e for e in entries if e.session == current and e.kind != "open"))
        mirror = self.mirror.table.board()
        assert bool(session) == (mirror.session is not None)
        if session:
            assert session.game.view(session.state, None) == mirror.view
        else:
            self.phone.new_venecitas()
            self.mirror.ask(NewGame("venecitas", Setup(("S", "N")), {}))

    def end(self):
        self.program.end()
        self.mirror.journal.close()
        return len(self.acknowledged)


def play(number, folder):
    evening = Evening(number, folder)
    for _ in range(KILLS // WORKERS):
        evening.kill_and_start()
    return evening.end()


@pytest.mark.slow
def test_no_answered_command_is_lost_or_doubled_over_200_kills(tmp_path, capsys):
    started = time.monotonic()
    with ThreadPoolExecutor(WORKERS) as pool:
        evenings = [pool.submit(play, number, tmp_path / str(number)) for number in range(WORKERS)]
        answered = sum(each.result() for each in evenings)
    assert answered > KILLS, "too few commands were answered for this to mean anything"
    with capsys.disabled():
        print(f"\n{answered} commands answered over {KILLS} kills in {time.monotonic() - started:.0f} s")
