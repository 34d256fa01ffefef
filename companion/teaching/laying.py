"""How a die and a sheet of paper are laid for the camera: which way shows the most, and which die it is."""

from collections.abc import Mapping, Sequence
from typing import Any

from companion.die import STANDARD, Lie, all_lies, mirrored, word
from companion.errors import BadInput
from companion.text import say

PLACES = ("top", "S", "W", "N", "E", "bottom")
"""How a person names the six colours of a die, in this order."""


def choose_lie(layout: Lie, sides: Sequence[str], seen: frozenset[str], before: Sequence[Lie]) -> Lie:
    """Choose how to lay the die so that all six colours are seen after the fewest pictures.

    Args:
        layout: the die.
        sides: the sides that the camera surely sees besides the top.
        seen: the colours that it has seen.
        before: how the die was shown already.
    """
    shows = {lie: frozenset({lie.top, *(lie.towards(side) for side in sides)}) for lie in all_lies(layout)}

    def cost(lie: Lie) -> tuple[int, int, int]:
        left = layout.faces - seen - shows[lie]
        # Of two left over, opposite faces need two more pictures, faces that meet need one.
        still = 2 - any(left <= other for other in shows.values()) if left else 0
        return before.count(lie), len(left), still

    return min(shows, key=cost)


def southern_edge(corners: Sequence[Sequence[float]]) -> int:
    """Guess which edge of a sheet is the southern one: that at the bottom of the picture."""
    return max(range(4), key=lambda edge: corners[edge][1] + corners[(edge + 1) % 4][1])


def rulebook_die() -> Lie:
    """The rulebook's die, its colours in words."""
    return Lie(*(word(colour) for colour in in_order(STANDARD)))


def in_order(layout: Lie) -> tuple[str, ...]:
    """The six colours in the order of `PLACES`."""
    return layout.top, layout.south, layout.west, layout.north, layout.east, layout.bottom


def read_die_names(wish: Mapping[str, Any]) -> Lie:
    """Read which die it is: ``which`` is ``rulebook``, ``mirrored``, or ``own`` with the six ``names`` by `PLACES`.

    Raises:
        BadInput: these are no six different colours.
    """
    match wish.get("which"):
        case "rulebook":
            return rulebook_die()
        case "mirrored":
            return mirrored(rulebook_die())
        case "own":
            names = wish.get("names")
        case other:
            raise BadInput(f"got the die {str(other)[:20]!r}, but expected rulebook, mirrored or own")
    given = [names.get(place) for place in PLACES] if isinstance(names, Mapping) else []
    words = [" ".join(name.split()).lower() for name in given if isinstance(name, str)]
    if len(words) != 6 or len(set(words)) != 6 or not all(0 < len(name) <= 20 for name in words):
        raise BadInput(say("a die has six different colours: name each in up to 20 letters"))
    return Lie(*words)
