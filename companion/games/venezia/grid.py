"""Venezia: the squares of the Piazza San Marco, and which of them lie next to one another.

A square is written as on the dials: the number of its column, then the letter of its row, such as ``10H``.
A size is (columns, rows). Adjacency has eight directions throughout (VZ-R12 to VZ-R17).
"""

import re
from collections.abc import Iterable, Mapping
from functools import cache

Size = tuple[int, int]

_STEPS = tuple((x, y) for y in (-1, 0, 1) for x in (-1, 0, 1) if (x, y) != (0, 0))
_AXES = ((1, 0), (0, 1), (1, 1), (1, -1))
_SQUARE = re.compile(r"([1-9][0-9]?)([A-Z])", re.ASCII)


def square_at(column: int, row: int) -> str:
    """Write a square; column and row count from 1."""
    return f"{column}{chr(ord('A') + row - 1)}"


def place_of(square: str) -> tuple[int, int]:
    """Read a square as (column, row), both counted from 1.

    Raises:
        ValueError: this is no square on any board.
    """
    found = _SQUARE.fullmatch(square)
    if found is None:
        raise ValueError(f"got {square!r}, but expected a column's number and a row's letter, such as '4C'")
    return int(found[1]), ord(found[2]) - ord("A") + 1


@cache
def squares(size: Size) -> tuple[str, ...]:
    """All squares, row by row."""
    columns, rows = size
    return tuple(square_at(column, row) for row in range(1, rows + 1) for column in range(1, columns + 1))


def _shifted(size: Size, square: str, x: int, y: int) -> str | None:
    column, row = place_of(square)
    column, row = column + x, row + y
    return square_at(column, row) if 1 <= column <= size[0] and 1 <= row <= size[1] else None


@cache
def neighbours(size: Size) -> Mapping[str, tuple[tuple[str, str | None], ...]]:
    """For each square its neighbours, each with the square directly behind it (None off the board)."""
    return {
        square: tuple(
            (near, _shifted(size, square, 2 * x, 2 * y))
            for x, y in _STEPS
            if (near := _shifted(size, square, x, y)) is not None
        )
        for square in squares(size)
    }


@cache
def pincers(size: Size) -> Mapping[str, tuple[tuple[str, str, bool], ...]]:
    """For each square the pairs of neighbours on opposite sides, and whether they lie on a diagonal."""
    return {
        square: tuple(
            (one, other, bool(x and y))
            for x, y in _AXES
            if (one := _shifted(size, square, -x, -y)) is not None
            and (other := _shifted(size, square, x, y)) is not None
        )
        for square in squares(size)
    }


def zone(size: Size, hunters: Iterable[str]) -> frozenset[str]:
    """The hunters' squares and all around them, clipped by the edges (VZ-R12, VZ-R15, VZ-E2)."""
    ring = neighbours(size)
    return frozenset(square for hunter in hunters for square in (hunter, *(near for near, _ in ring[hunter])))
