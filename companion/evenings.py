"""Past evenings: the sessions of a journal as a list, and one of them told again with all that was taken back."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from companion.errors import BadInput
from companion.game import Game
from companion.journal import Entry
from companion.sessions import Session, Turn, replay
from companion.text import say


@dataclass(frozen=True, slots=True)
class Evening:
    """One session as its entries tell it, without playing it.

    Attributes:
        id: its number.
        game: the game's name, which this program may not know.
        started_at: wall-clock time of its start.
        last_at: wall-clock time of its last entry.
        seats: the seats taken.
        names: the players' names by seat.
        events: how many events count.
    """

    id: int
    game: str
    started_at: str
    last_at: str
    seats: tuple[str, ...]
    names: Mapping[str, str]
    events: int = 0


@dataclass(frozen=True, slots=True)
class Line:
    """One line of an evening's history: an event, or the mark that took one back or brought it again.

    Attributes:
        entry: the event's or the mark's entry.
        turn: the event.
        counts: whether the event counts by now.
    """

    entry: Entry
    turn: Turn
    counts: bool


_COUNTED = {"event": 1, "undo": -1, "redo": 1}


def list_evenings(entries: Iterable[Entry]) -> list[Evening]:
    """List all sessions, the newest first."""
    found: dict[int, Evening] = {}
    for entry in entries:
        if entry.kind == "start":
            body = entry.body
            found[entry.seq] = Evening(
                entry.seq, body["game"], entry.at, entry.at, tuple(body["seats"]), dict(body["names"])
            )
        elif evening := found.get(entry.session):
            events = evening.events + _COUNTED.get(entry.kind, 0)
            found[entry.session] = replace(evening, last_at=entry.at, events=events)
    return sorted(found.values(), key=lambda evening: -evening.id)


def retell(games: Mapping[str, Game], entries: Iterable[Entry]) -> tuple[Session, list[Line]]:
    """Play a session again and keep what was taken back too.

    Args:
        games: the games that can be played, by name.
        entries: all entries of one session, in order.

    Raises:
        BadInput: there is no such session, or it can't be played by this program.
    """
    rest = [entry for entry in entries if entry.kind in ("start", *_COUNTED)]
    if not rest:
        raise BadInput(say("there is no such evening: it was deleted, or it never was"))
    session = replay(games, rest[:1])
    told: list[tuple[Entry, Turn]] = []
    for entry in rest[1:]:
        taken_back = session.done[-1] if entry.kind == "undo" and session.done else None
        try:
            session.add(entry)
        except (ValueError, IndexError) as error:
            raise BadInput(f"entry {entry.seq} of session {session.id} can't be played: {error}") from error
        told.append((entry, taken_back or session.done[-1]))
    counted = {turn.entry.seq for turn in session.done}
    return session, [Line(entry, turn, turn.entry.seq in counted) for entry, turn in told]
