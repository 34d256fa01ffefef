"""Learning which colours a die has and how they meet, from what a person names."""

from collections.abc import Mapping, Sequence
from itertools import permutations

from companion.die import STANDARD, Lie, all_lies, mirrored, word
from companion.errors import BadInput

Named = tuple[str, Mapping[str, str]]
"""The colour on top and the colours towards some sides."""


def learn_layout(shown: Sequence[Named], given: object = None) -> Lie:
    """Learn a die's layout from the ways in which it was shown.

    The rulebook's die, or its mirror image, is taken where it fits; any other must be the only one of the 30 ways to
    paint a cube in these six colours that fits: all four sides and the sixth colour will do, or three corners.

    Args:
        shown: tops and sides, as a person named them.
        given: ``top``, ``S`` and ``W`` of one way of lying, all six with ``N``, ``E`` and ``bottom``, or None.

    Raises:
        BadInput: the names make no die, or too few were named.
    """
    named = list(shown)
    if given is not None:
        named += _read_given(given)
    for layout in _known(named):
        if all(_fits(layout, one) for one in named):
            return layout
    colours = _name_colours(named)
    fits = [layout for layout in _paint(named[0][0], colours) if all(_fits(layout, one) for one in named)]
    if len(fits) == 1:
        return fits[0]
    which = f"the colours {', '.join(colours)}, as named,"
    if fits:
        raise BadInput(
            f"{which} leave {len(fits)} dice possible; expected to tell one: show it once more with other faces beside "
            "each other, or name all four sides"
        )
    raise BadInput(f"{which} make no die; expected six colours, each named once or more, that always meet alike")


def _read_given(given: object) -> list[Named]:
    if not isinstance(given, Mapping) or not all(isinstance(given.get(key), str) for key in ("top", "S", "W")):
        raise BadInput(f"die layout is {given!r}; expected the colours of top, S and W, and N, E and bottom too or not")
    if not all(isinstance(given.get(key), str) for key in ("N", "E", "bottom")):
        return [(given["top"], {"S": given["S"], "W": given["W"]})]
    return [(given["top"], {side: given[side] for side in "NESW"}), (given["bottom"], {})]


def _known(named: Sequence[Named]) -> tuple[Lie, ...]:
    """The rulebook's die and its mirror image, under the names used."""
    used = _name_colours(named)
    names = {colour: word(colour) for colour in STANDARD.faces}
    if "purple" in used:
        names = {colour: "purple" if name == "violet" else name for colour, name in names.items()}
    lie = Lie(*(names[c] for c in _in_order(STANDARD)))
    return lie, mirrored(lie)


def _name_colours(named: Sequence[Named]) -> list[str]:
    return sorted({top for top, _ in named} | {colour for _, sides in named for colour in sides.values()})


def _paint(top: str, colours: Sequence[str]) -> list[Lie]:
    """List the 30 dice with these six colours, with ``top`` up; none when there are more colours or fewer."""
    if len(colours) != 6:
        return []
    others = [colour for colour in colours if colour != top]
    # Turned about the vertical a die stays the same: one colour can always be brought to the south.
    return [Lie(top, *order) for order in permutations(others) if order[0] == min(order[:4])]


def _fits(layout: Lie, one: Named) -> bool:
    top, sides = one
    return any(
        lie.top == top and all(lie.towards(side) == colour for side, colour in sides.items())
        for lie in all_lies(layout)
    )


def _in_order(lie: Lie) -> tuple[str, ...]:
    return lie.top, lie.south, lie.west, lie.north, lie.east, lie.bottom
