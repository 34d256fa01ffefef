"""What the watcher tells, and how it looks for the die."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from companion.die import Move
from companion.inputs import DieReading
from vision.frames import Box, Frame
from vision.pose import Found


class State(StrEnum):
    """What the camera sees, for the lamp and the page."""

    EMPTY = "empty"
    ROLLING = "rolling"
    SETTLING = "settling"
    READ = "read"
    UNSURE = "unsure"
    HAND = "hand"
    LOST = "camera lost"


class Look(Protocol):
    """A way to look for the die in one frame."""

    def __call__(self, frame: Frame, near: Box | None, /) -> Found | None:
        """Find and read the die; look only about ``near``, where it was seen last, or anywhere when that is None."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What is told.

    Attributes:
        state: what the camera sees from now on.
        reading: the die that came to rest, read or unsure; None when only the state changed.
        move: the one paid move, as seen from the south, that leads here from the reading before; None when the
            die was thrown, or when no move or more than one fits.
        box: where the die is in the picture, to keep a crop of it; None when only the state changed or unknown.
    """

    state: State
    reading: DieReading | None = None
    move: Move | None = None
    box: Box | None = None
