"""Sessions: one evening's game each, always a replay of its entries in the journal.

A session begins with a ``start`` entry (game, rules version, set-up, names). ``event`` entries move it
forward; ``undo`` takes the last one back, ``redo`` brings it again. ``open`` makes a session the current one;
``close`` leaves the table without one; ``seat`` says which phone holds which seats.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.errors import BadInput, Refused
from companion.events import Event, Json, event_from_json
from companion.game import Game, Setup, step
from companion.journal import Entry
from companion.text import say


@dataclass(frozen=True, slots=True)
class Turn:
    """One event that counts, with who said it and the state that came of it."""

    entry: Entry
    event: Event
    state: Any


@dataclass(frozen=True, slots=True)
class Change:
    """What somebody did to the order of events, for all to hear.

    Attributes:
        kind: ``undo`` or ``redo``; ``open`` when another session was put on the table.
        source: who did it, as in `Entry`.
        turn: the event that was taken back or brought again; None for ``open``.
    """

    kind: str
    source: str
    turn: Turn | None = None


@dataclass(slots=True)
class Session:
    """A session as replayed so far; it grows by `add`."""

    id: int
    game: Game
    setup: Setup
    names: Mapping[str, str]
    first_state: Any
    started_at: str
    done: list[Turn] = field(default_factory=list)
    undone: list[Turn] = field(default_factory=list)
    seq: int = 0
    change: Change | None = None

    @property
    def state(self) -> Any:
        """The state now."""
        return self.done[-1].state if self.done else self.first_state

    def add(self, entry: Entry, state: Any = None) -> None:
        """Take one more entry of the journal.

        Args:
            entry: the session's next one.
            state: the state its event leads to, when it was worked out already.
        """
        match entry.kind:
            case "event":
                event = event_from_json(entry.body)
                self.done.append(Turn(entry, event, step(self.game, self.state, event) if state is None else state))
                self.undone.clear()
                self.change = None
            case "undo":
                self.undone.append(self.done.pop())
                self.change = Change("undo", entry.source, self.undone[-1])
            case "redo":
                self.done.append(self.undone.pop())
                self.change = Change("redo", entry.source, self.done[-1])
        self.seq = entry.seq


def start_body(game: Game, setup: Setup, names: Mapping[str, str]) -> dict[str, Json]:
    """Write down how a session starts."""
    return {
        "game": game.NAME,
        "rules": game.RULES_VERSION,
        "seats": list(setup.seats),
        "settings": dict(setup.settings),
        "data": dict(setup.data),
        "names": dict(names),
    }


def begin(games: Mapping[str, Game], entry: Entry) -> Session:
    """Make a session of its ``start`` entry.

    Raises:
        BadInput: the game or its rules are not those of this program.
    """
    body = entry.body
    game = games.get(body["game"])
    if game is None:
        raise BadInput(f"session {entry.seq} is a game of {body['game']!r}, but only {', '.join(games)} are known")
    if body["rules"] != game.RULES_VERSION:
        raise BadInput(
            say(
                "session {session} was played by version {got} of the rules of {game}, but this program has version "
                "{have}: use the program it was played with",
                session=entry.seq,
                got=str(body["rules"]),
                game=game.TITLE,
                have=game.RULES_VERSION,
            )
        )
    setup = Setup(tuple(body["seats"]), body["settings"], body["data"])
    return Session(entry.seq, game, setup, body["names"], game.start(setup), entry.at, seq=entry.seq)


def replay(games: Mapping[str, Game], entries: Iterable[Entry]) -> Session:
    """Make a session of all its entries.

    Raises:
        BadInput: there are none, or they can't be played.
    """
    session: Session | None = None
    for entry in entries:
        if entry.kind == "start":
            session = begin(games, entry)
        elif session is None:
            if entry.kind == "close":
                continue  # all that is left of a deleted session
            raise BadInput(f"entry {entry.seq} came before the start of its session")
        else:
            try:
                session.add(entry)
            except (Refused, IndexError) as error:
                raise BadInput(f"entry {entry.seq} of session {session.id} can't be played: {error}") from error
    if session is None:
        raise BadInput("got no entries, but expected those of a session")
    return session


def current_id(entries: Iterable[Entry]) -> int | None:
    """Tell which session lies on the table after these entries."""
    current = None
    for entry in entries:
        if entry.kind in ("start", "open"):
            current = entry.session
        elif entry.kind == "close":
            current = None
    return current
