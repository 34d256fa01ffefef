"""A face of the die as a picture shows it."""

from collections.abc import Iterable
from dataclasses import dataclass

BURNT = 0.6
"""A face all of whose linear values are above this mirrors so much white that its own colour is lost."""


@dataclass(frozen=True, slots=True)
class Seen:
    """One face as it was seen.

    Attributes:
        normal: where it points, world axes, unit vector.
        linear: blue, green, red, linear, 0 to 1.
        width_px: how wide it is seen, across its narrow way.
        veils: of a rim, what may be in it of the white inside and of the face beyond, linear; empty for a whole face.
        colour: the name of its colour, where it is known.
        picture: faces of the same picture have the same number.
    """

    normal: tuple[float, float, float]
    linear: tuple[float, float, float]
    width_px: float = 50.0
    veils: tuple[tuple[float, float, float], ...] = ()
    colour: str = ""
    picture: int = 0


def three(values: Iterable[float]) -> tuple[float, float, float]:
    """Make plain numbers of the three values of a vector or a colour."""
    x, y, z = values
    return float(x), float(y), float(z)


def is_burnt(face: Seen) -> bool:
    """Tell whether a face mirrors so much that its own colour is lost."""
    return min(face.linear) > BURNT
