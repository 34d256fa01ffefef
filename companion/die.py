"""The colour die as geometry: how it can lie, and what turns one way of lying into another.

Everything is seen from above; clockwise round the table is S, W, N, E. The functions work on any six
names, so the camera's colour names and the game's `Colour` letters go the same way through them.
Rules: VC-R11 to VC-R13 and section "The die" of docs/rules/venecitas.md.
"""

from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from companion.errors import Refused

CLOCKWISE = ("S", "W", "N", "E")
"""The table's sides, clockwise from above."""


class Colour(StrEnum):
    """The six colours of the Venecitas die, by the letter that stands for each."""

    BLACK = "K"
    GREEN = "G"
    BLUE = "B"
    RED = "R"
    YELLOW = "Y"
    VIOLET = "V"


def word(colour: str) -> str:
    """Name a colour in words: ``yellow`` for ``Colour.YELLOW``; other names stay as they are."""
    return colour.name.lower() if isinstance(colour, Colour) else colour


COLOUR_NAMES = {colour.name.lower(): colour for colour in Colour} | {"purple": Colour.VIOLET}
"""The names a camera set-up uses for the game's colours ("purple" and "violet" are the same face)."""


class Move(StrEnum):
    """The four changes of the die that can be paid for (VC-R13)."""

    CW = "cw"
    ACW = "acw"
    FLIP_H = "flip_h"
    FLIP_V = "flip_v"


class Flip(StrEnum):
    """How the rulebook's "flip horizontally or vertically" is read (VC-Q4)."""

    A = "A"
    A_SWAPPED = "A_swapped"
    B1 = "B1"
    B2 = "B2"


@dataclass(frozen=True, slots=True)
class Lie:
    """One way for a die to lie: which colour is up, down and towards each side of the table."""

    top: str
    south: str
    west: str
    north: str
    east: str
    bottom: str

    def towards(self, side: str) -> str:
        """Name the colour that faces a side of the table, ``side`` in ``CLOCKWISE``."""
        return {"S": self.south, "W": self.west, "N": self.north, "E": self.east}[side]

    @property
    def faces(self) -> frozenset[str]:
        """All six colours."""
        return frozenset((self.top, self.south, self.west, self.north, self.east, self.bottom))


STANDARD = Lie(Colour.YELLOW, Colour.RED, Colour.VIOLET, Colour.BLUE, Colour.BLACK, Colour.GREEN)
"""The rulebook's first roll; it fixes what is opposite what, and the die's handedness."""


def turned_cw(lie: Lie) -> Lie:
    """Turn the die a quarter clockwise about the vertical."""
    return Lie(lie.top, lie.east, lie.south, lie.west, lie.north, lie.bottom)


def turned_acw(lie: Lie) -> Lie:
    """Turn the die a quarter anticlockwise about the vertical."""
    return Lie(lie.top, lie.west, lie.north, lie.east, lie.south, lie.bottom)


def turned_over(lie: Lie, side: str) -> Lie:
    """Turn the die half over about the axis that points at ``side``, which keeps its colour."""
    if side in "SN":
        return Lie(lie.bottom, lie.south, lie.east, lie.north, lie.west, lie.top)
    return Lie(lie.bottom, lie.north, lie.west, lie.south, lie.east, lie.top)


def rolled_away(lie: Lie) -> Lie:
    """Roll the die a quarter northwards: what faced south comes up."""
    return Lie(lie.south, lie.bottom, lie.west, lie.top, lie.east, lie.north)


@cache
def all_lies(layout: Lie = STANDARD) -> tuple[Lie, ...]:
    """List the 24 ways in which the die of this layout can lie."""
    found = [layout]
    for lie in found:  # grows while it is walked, until nothing new turns up
        found.extend(new for new in (turned_cw(lie), rolled_away(lie)) if new not in found)
    return tuple(found)


def mirrored(layout: Lie) -> Lie:
    """The same die with the other handedness."""
    return Lie(layout.top, layout.south, layout.east, layout.north, layout.west, layout.bottom)


def find_lie(top: str, facing: str, side: str, layout: Lie = STANDARD) -> Lie:
    """Find how the die lies from its top and the colour towards one side.

    Raises:
        Refused: no die of this layout can show these two so (code ``IMPOSSIBLE_FACES``).
    """
    if lie := _by_faces(layout, side).get((top, facing)):
        return lie
    raise Refused(
        "IMPOSSIBLE_FACES",
        "the die can't show {colour} on top and {other_colour} at a side: look again or enter it by hand",
        colour=word(top),
        other_colour=word(facing),
    )


@cache
def _by_faces(layout: Lie, side: str) -> dict[tuple[str, str], Lie]:
    return {(lie.top, lie.towards(side)): lie for lie in all_lies(layout)}


def clockwise_from(seat: str) -> tuple[str, str, str, str]:
    """Name the sides clockwise from ``seat``: facing it, its left, opposite, its right."""
    start = CLOCKWISE.index(seat)
    front, left, far, right = (CLOCKWISE[(start + i) % 4] for i in range(4))
    return front, left, far, right


def moved(lie: Lie, move: Move, seat: str, flip: Flip = Flip.A) -> Lie:
    """Make a paid move as the player at ``seat`` sees it (VC-R13, VC-Q4)."""
    front, left, _, _ = clockwise_from(seat)
    if move is Move.CW:
        return turned_cw(lie)
    if move is Move.ACW:
        return turned_acw(lie)
    if move is Move.FLIP_H and flip in (Flip.B1, Flip.B2):
        return turned_cw(turned_cw(lie))
    keeps_front = (move is Move.FLIP_H) == (flip is Flip.A)
    if flip in (Flip.B1, Flip.B2):
        keeps_front = flip is Flip.B2
    return turned_over(lie, front if keeps_front else left)


def moves_between(before: Lie, after: Lie, seat: str, flip: Flip = Flip.A) -> tuple[Move, ...]:
    """Name the paid moves that lead from one way of lying to another; empty when none does."""
    return tuple(move for move in Move if moved(before, move, seat, flip) == after)


def flips_between(before: Lie, after: Lie, seat: str) -> tuple[Flip, ...]:
    """Name the readings of "flip" under which a flip leads from one way of lying to another."""
    flips = (Move.FLIP_H, Move.FLIP_V)
    return tuple(flip for flip in Flip if any(moved(before, move, seat, flip) == after for move in flips))


@dataclass(frozen=True, slots=True)
class Straightening:
    """How the die is turned straight: ``turn`` is ``acw`` or ``cw``, ``tie`` when too near to 45 degrees to tell."""

    turn: Move
    angle_deg: float
    tie: bool


def straighten(left_angle_deg: float, tie_band_deg: float) -> Straightening:
    """Decide which way a die is turned straight (VC-R11).

    Args:
        left_angle_deg: from the roller's direction to the front-left face, 0 to 90.
        tie_band_deg: within so much of 45 degrees it counts as 45, which is clockwise.
    """
    tie = abs(left_angle_deg - 45) <= tie_band_deg
    if left_angle_deg < 45 and not tie:
        return Straightening(Move.ACW, left_angle_deg, tie)
    return Straightening(Move.CW, 90 - left_angle_deg, tie)
