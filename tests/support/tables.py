"""A table with a journal in a scratch folder, and short ways to talk to it."""

from companion.commands import Command, NewGame
from companion.events import Choice, Outcome
from companion.game import Setup
from companion.games import GAMES
from companion.inputs import DieReading, Status
from companion.journal import Journal
from companion.table import Table


class Bench:
    """A table to test: `say` and `chance` command it on the newest board."""

    def __init__(self, path):
        self.path = path
        self.commands = 0
        self.open()

    def open(self):
        self.journal = Journal(self.path)
        self.table = Table(GAMES, self.journal, lambda: "2026-01-01T20:00:00+01:00")

    def restart(self):
        self.journal.close()
        self.open()

    def ask(self, act, *, source="host", seen=None, command=None):
        self.commands += 1
        seen = self.table.board().seq if seen is None else seen
        return self.table.asked(Command(command or f"{id(self)}-{self.commands}", seen, source, act))

    def venecitas(self, seats="SN", first="S", **settings):
        names = {"S": "Ana", "W": "Chiara", "N": "Bruno", "E": "Dino"}
        return self.ask(NewGame("venecitas", Setup(tuple(seats), settings, {"first": first} if first else {}), names))

    def say(self, verb, seat=None, **data):
        return self.ask(Choice(verb, data, seat))

    def chance(self, verb, **data):
        return self.ask(Outcome(verb, data))

    @property
    def view(self):
        return self.table.board().view


def die(top="yellow", south="red", yaw_deg=0.0):
    """A sure reading of the standard die."""
    from companion.die import COLOUR_NAMES, find_lie

    lie = find_lie(COLOUR_NAMES[top], COLOUR_NAMES[south], "S")
    names = {colour: name for name, colour in COLOUR_NAMES.items()}
    sides = {side: names[lie.towards(side)] for side in "NESW"}
    return DieReading(Status.READ, top, sides, yaw_deg, 0.99)
