"""What the table says without words, by lamp, by buzzer and in one line of the page: the same at any time.

A lasting signal follows from what is so (`lasting`); a passing one tells of what just happened, and gives way again.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from companion.game import Awaited

Rgb = tuple[float, float, float]
"""Red, green and blue, each 0 to 1."""


class Signal(StrEnum):
    """What is said."""

    READY = "ready"
    ROLLING = "rolling"
    READING = "reading"
    UNSURE = "unsure"
    YOUR_TURN = "your turn"
    NOT_YET = "not yet"
    OFFLINE = "offline"
    SAVED = "saved"


COLOURS: Mapping[Signal, Rgb] = MappingProxyType(
    {
        Signal.READY: (0.25, 0.25, 0.2),
        Signal.ROLLING: (0.0, 0.3, 1.0),
        Signal.READING: (0.0, 0.3, 1.0),
        Signal.UNSURE: (1.0, 0.45, 0.0),
        Signal.YOUR_TURN: (1.0, 1.0, 1.0),
        Signal.NOT_YET: (1.0, 0.0, 0.0),
        Signal.OFFLINE: (1.0, 0.0, 0.0),
        Signal.SAVED: (0.0, 1.0, 0.1),
    }
)
"""What colour an RGB lamp has; for `Signal.YOUR_TURN` the seat's, if it has one."""

SEAT_COLOURS: Mapping[str, Rgb] = MappingProxyType(
    {
        # Pieces have the colours of their players.
        "red": (1.0, 0.05, 0.05), "yellow": (1.0, 0.7, 0.0), "blue": (0.05, 0.15, 1.0), "green": (0.0, 0.8, 0.1),
        "white": (1.0, 1.0, 1.0), "grey": (0.3, 0.3, 0.35),
        # Sides of the table and letters have none of their own; these can be told apart on a lamp.
        "S": (1.0, 0.8, 0.4), "W": (0.0, 0.7, 1.0), "N": (0.6, 0.1, 1.0), "E": (1.0, 0.1, 0.5),
        "A": (0.5, 0.1, 1.0), "B": (0.0, 0.8, 0.7), "C": (1.0, 0.35, 0.0), "D": (0.5, 0.8, 0.0),
    }
)  # fmt: skip
"""What colour a seat's lamp has."""

_MOVING: Mapping[str, Signal] = MappingProxyType(
    {
        "rolling": Signal.ROLLING,
        "spinning": Signal.ROLLING,
        "settling": Signal.READING,
        "learning": Signal.READING,
        "again": Signal.UNSURE,
    }
)
_BLIND = frozenset({"offline", "camera lost", "dark", "not set up"})


@dataclass(frozen=True, slots=True)
class Telling:
    """A signal, and for `Signal.YOUR_TURN` whose turn it is."""

    signal: Signal
    seat: str | None = None

    @property
    def colour(self) -> Rgb:
        """Of an RGB lamp."""
        return SEAT_COLOURS.get(self.seat or "", COLOURS[self.signal])

    @property
    def hex(self) -> str:
        """The same for a page, such as ``#ff7300``."""
        return "#" + "".join(f"{round(255 * part):02x}" for part in self.colour)


@dataclass(frozen=True, slots=True)
class Passing:
    """What just happened.

    Attributes:
        tick: the table's tick that told of it; a board with a later tick doesn't tell it any more.
        signal: `Signal.SAVED` or `Signal.NOT_YET`.
    """

    tick: int
    signal: Signal


def lasting(seen: str, awaits: Collection[Awaited] | None, active: str | None, *, in_doubt: bool) -> Telling:
    """Tell what is so until something changes.

    Args:
        seen: what the camera sees, as `companion watch` prints it.
        awaits: what the game waits for; None without a game.
        active: whose turn the board says it is.
        in_doubt: whether somebody has to tap what the camera can't say.
    """
    if in_doubt:
        return Telling(Signal.UNSURE)
    if seen in _MOVING:
        return Telling(_MOVING[seen])
    if seen in _BLIND and (awaits is None or any(awaited.outcome for awaited in awaits)):
        return Telling(Signal.OFFLINE)
    if not awaits:
        return Telling(Signal.READY)
    asked = {seat for awaited in awaits for seat in awaited.seats}
    if len(asked) == 1:
        return Telling(Signal.YOUR_TURN, asked.pop())
    return Telling(Signal.YOUR_TURN, active) if active and (not asked or active in asked) else Telling(Signal.READY)
