"""Learning which colours a die has and how they meet, from what a person names."""

from collections.abc import Mapping, Sequence

from companion.die import STANDARD, Lie, all_lies, mirrored, word
from companion.errors import BadInput

Named = tuple[str, Mapping[str, str]]
"""The colour on top and the colours towards some sides."""

_OPPOSITE = {"N": "S", "E": "W", "S": "N", "W": "E"}


def learn_layout(shown: Sequence[Named], given: object = None) -> Lie:
    """Learn a die's layout from the ways in which it was shown.

    The rulebook's die, or its mirror image, is taken where it fits; any other needs one picture with all four sides
    named and one with its lower face.

    Args:
        shown: tops and sides, as a person named them.
        given: ``top``, ``S`` and ``W`` of one way of lying, all six with ``N``, ``E`` and ``bottom``, or None.

    Raises:
        BadInput: the names make no die, or too few were named.
    """
    named = list(shown)
    if given is not None:
        named += _read_given(given)
    for layout in (*_known(named), *_told(named)):
        if all(_fits(layout, one) for one in named):
            return layout
    colours = sorted({top for top, _ in named} | {colour for _, sides in named for colour in sides.values()})
    raise BadInput(
        f"the colours {', '.join(colours)}, as named, make no die; expected six colours that always meet in the same "
        "way, and for a die of another make one picture with all four sides named and one with the sixth colour"
    )


def _read_given(given: object) -> list[Named]:
    if not isinstance(given, Mapping) or not all(isinstance(given.get(key), str) for key in ("top", "S", "W")):
        raise BadInput(f"die layout is {given!r}; expected the colours of top, S and W, and N, E and bottom too or not")
    if not all(isinstance(given.get(key), str) for key in ("N", "E", "bottom")):
        return [(given["top"], {"S": given["S"], "W": given["W"]})]
    return [(given["top"], {side: given[side] for side in _OPPOSITE}), (given["bottom"], {})]


def _known(named: Sequence[Named]) -> tuple[Lie, ...]:
    """The rulebook's die and its mirror image, under the names used."""
    used = {top for top, _ in named} | {colour for _, sides in named for colour in sides.values()}
    names = {colour: word(colour) for colour in STANDARD.faces}
    if "purple" in used:
        names = {colour: "purple" if name == "violet" else name for colour, name in names.items()}
    lie = Lie(*(names[c] for c in _in_order(STANDARD)))
    return lie, mirrored(lie)


def _told(named: Sequence[Named]) -> list[Lie]:
    """What a picture with all four sides named and the sixth colour from another make."""
    used = {top for top, _ in named} | {colour for _, sides in named for colour in sides.values()}
    found = []
    for top, sides in named:
        below = used - {top, *sides.values()}
        if set(sides) == set(_OPPOSITE) and len(below) == 1 and len(used) == 6:
            found.append(Lie(top, sides["S"], sides["W"], sides["N"], sides["E"], below.pop()))
    return found


def _fits(layout: Lie, one: Named) -> bool:
    top, sides = one
    return any(
        lie.top == top and all(lie.towards(side) == colour for side, colour in sides.items())
        for lie in all_lies(layout)
    )


def _in_order(lie: Lie) -> tuple[str, ...]:
    return lie.top, lie.south, lie.west, lie.north, lie.east, lie.bottom
