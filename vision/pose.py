"""How two looks at the die relate: the same place, the same way of lying, a paid turn."""

from dataclasses import dataclass
from math import hypot

from companion.die import Lie, Move, moves_between, turned_acw, turned_cw
from companion.inputs import DieReading
from vision.frames import Box

SAME_YAW_DEG = 6.0
"""Two readings of a die that wasn't touched differ by less: its yaw is read to 4 degrees 19 times of 20."""

SAME_PLACE = 0.05
"""The same for its place, as a share of the longer side of its box in the picture."""


@dataclass(frozen=True, slots=True)
class Found:
    """A die as one frame shows it.

    Attributes:
        reading: what it shows, or why that can't be told.
        box: its bounds in the picture, inside the picture; None when unknown.
        at_px: where its middle is, [x, y] in pixels; None when unknown.
        lie: how it lies, once turned straight; None unless it was read.
        covered: whether it can't be read since a hand is in the way.
    """

    reading: DieReading
    box: Box | None = None
    at_px: tuple[float, float] | None = None
    lie: Lie | None = None
    covered: bool = False


def is_near(one: Found, other: Found, share: float = SAME_PLACE) -> bool:
    """Tell whether two looks put the die at the same place, to a share of its size or 1.5 pixels."""
    if one.at_px is None or other.at_px is None or one.box is None:
        return False
    size = max(one.box[2] - one.box[0], one.box[3] - one.box[1])
    apart = hypot(one.at_px[0] - other.at_px[0], one.at_px[1] - other.at_px[1])
    return apart <= max(1.5, share * size)


def overlap(one: Box, other: Box) -> bool:
    """Tell whether two boxes have pixels in common."""
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def is_same_lie(one: Found, other: Found) -> bool:
    """Tell whether two looks show the same colours at the same yaw; a step over 45 degrees counts as small."""
    if one.lie is None or other.lie is None:
        return False
    lie, yaw_deg = _nearest(other, one)
    return lie == one.lie and abs(yaw_deg - _yaw(one)) <= SAME_YAW_DEG


def is_same_doubt(one: Found, other: Found) -> bool:
    """Tell whether two dice that can't be read are one and the same, for the same reason."""
    same_place = one.box is other.box is None or is_near(one, other)
    return same_place and one.reading.reason == other.reading.reason


def paid_move(before: Found, after: Found) -> Move | None:
    """Name the one paid move, seen from the south, that a hand has made; None when none or several fit.

    A hand that turns the die leaves it about where it was: within its own size.
    """
    if before.lie is None or after.lie is None or not is_near(before, after, share=1.0):
        return None
    moves = moves_between(before.lie, _nearest(after, before)[0], "S")
    return moves[0] if len(moves) == 1 else None


def _nearest(found: Found, to: Found) -> tuple[Lie, float]:
    """Give how a die lies and its yaw, counted from the straight direction that is nearest to another die's yaw.

    A die at 44 degrees that is turned 2 degrees further is read as the next quarter at -44.
    """
    assert found.lie is not None
    lie, yaw_deg = found.lie, _yaw(found)
    if yaw_deg - _yaw(to) > 45:
        return turned_cw(lie), yaw_deg - 90
    if yaw_deg - _yaw(to) < -45:
        return turned_acw(lie), yaw_deg + 90
    return lie, yaw_deg


def _yaw(found: Found) -> float:
    return found.reading.yaw_deg or 0.0
