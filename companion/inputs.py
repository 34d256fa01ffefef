"""What the outside world reports: readings of the camera and presses of the buttons, as plain values."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

DIRECTIONS = ("N", "E", "S", "W")
"""The table's sides, clockwise seen from above."""


class Status(StrEnum):
    """How sure a reading is."""

    READ = "read"
    UNSURE = "unsure"


class Button(StrEnum):
    """The buttons at the table, real or on the page."""

    NEXT = "next"
    READ = "read"
    UNDO = "undo"


@dataclass(frozen=True, slots=True)
class DieReading:
    """What the camera believes of the die.

    Attributes:
        status: read, or unsure with a reason.
        top: name of the upper face's colour, or None.
        sides: names of the colours towards N, E, S, W once the die is turned straight by the smaller angle
            (at exactly 45 degrees clockwise), or None.
        yaw_deg: how far the die is turned clockwise from straight, -45 <= yaw < 45, or None.
        confidence: 0 to 1.
        reason: why it is unsure, in words, or None.
        alternatives: the other ways it may lie, likeliest first: (top, towards S) pairs of colour names.
    """

    status: Status
    top: str | None = None
    sides: Mapping[str, str] | None = None
    yaw_deg: float | None = None
    confidence: float = 0.0
    reason: str | None = None
    alternatives: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class DialReading:
    """Where one arrow stopped.

    Attributes:
        name: the dial's name in the set-up.
        angle_deg: clockwise from the card's own top, 0 <= angle < 360.
        sector: which sector, counted clockwise from 0.
        label: what is printed in that sector.
        near_border: the label of the neighbouring sector when the arrow is within 3 degrees of it, else None.
    """

    name: str
    angle_deg: float
    sector: int
    label: str
    near_border: str | None = None


@dataclass(frozen=True, slots=True)
class SpinnerReading:
    """What the camera believes of the dials of a card.

    Attributes:
        status: read, or unsure with a reason.
        dials: one for each dial, in the set-up's order; when unsure only those that are sure.
        reason: why it is unsure, in words, or None.
        turning: names of the dials whose arrows turn, as far as can be seen from one frame.
        unspun: names of the dials whose arrows were not spun since the last reading that counted; see `vision.spins`.
    """

    status: Status
    dials: tuple[DialReading, ...] = ()
    reason: str | None = None
    turning: tuple[str, ...] = ()
    unspun: tuple[str, ...] = ()


Reading = DieReading | SpinnerReading
