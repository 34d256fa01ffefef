"""What phones ask of the table, and what the table shows them: plain values between web and table."""

from collections.abc import Mapping
from dataclasses import dataclass

from companion.events import Event, Json
from companion.game import Awaited, Proposal, Setup
from companion.inputs import Reading
from companion.journal import Entry
from companion.sessions import Change
from companion.signals import Passing, Telling
from companion.text import Say


@dataclass(frozen=True, slots=True)
class NewGame:
    """Start another game; the one on the table can be opened again."""

    game: str
    setup: Setup
    names: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Undo:
    """Take the last event back; with none left, go back to the game before."""


@dataclass(frozen=True, slots=True)
class Redo:
    """Bring the last undone event again."""


@dataclass(frozen=True, slots=True)
class OpenSession:
    """Put an earlier session on the table, or None."""

    session: int | None


Act = Event | NewGame | Undo | Redo | OpenSession


@dataclass(frozen=True, slots=True)
class Command:
    """What a phone asks for.

    Attributes:
        id: made by the phone; the same id twice is the same command once.
        seen: the sequence number of the board on which it was decided.
        source: who asks, for the journal and for the others: ``host``, ``seat W``.
        act: what is asked.
    """

    id: str
    seen: int
    source: str
    act: Act


@dataclass(frozen=True, slots=True)
class Seen:
    """What the camera sees at the moment, for lamp and page: ``state`` as `companion watch` prints it."""

    state: str
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Board:
    """What one seat may see at one moment.

    Attributes:
        seq: number of the last entry that changed the board; a command tells it.
        tick: number of the last change of any kind.
        session: number of the session on the table, or None.
        game: the game's name, or None.
        title: the game's title for people.
        names: players' names by seat.
        seats: the seats taken.
        view: what the game shows this seat.
        awaits: what may happen next.
        told: what the last event led to.
        last: the last event's entry that counts, or None.
        can_redo: whether an event was taken back that can come again.
        change: the undo or redo after which nothing has happened yet, or None.
        proposal: the open question, or None.
        reading: what the camera read for the last event, or None.
        corrections: what else it may have been, likeliest first: a sentence and the event that says so.
        notice: a short notice for everybody, or None.
        seen: what the camera sees at the moment.
        telling: what lamp, buzzer and page say until something changes.
        passing: what they said last of what just happened, or None.
        undo_asked: whether somebody held UNDO at the table.
        askers: for each seat that another phone asks for, the seats which that phone holds.
    """

    seq: int
    tick: int
    session: int | None
    game: str | None
    title: str
    names: Mapping[str, str]
    seats: tuple[str, ...]
    view: dict[str, Json]
    awaits: tuple[Awaited, ...]
    told: tuple[Say, ...]
    last: Entry | None
    can_redo: bool
    change: Change | None
    proposal: Proposal | None
    reading: Reading | None
    corrections: tuple[tuple[Say, Event], ...]
    notice: Say | None
    seen: Seen
    telling: Telling
    passing: Passing | None
    undo_asked: bool
    askers: Mapping[str, tuple[str, ...]]
