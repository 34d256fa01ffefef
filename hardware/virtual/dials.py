"""The drawn card with two dials: its measures, and how its arrows spin.

Angles are in degrees clockwise from the card's top; places on the card in mm from its top-left corner, x right, y
down; places on the table in mm, x east, y north.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from hardware.virtual.pinhole import Floats

CARD_MM = (170.0, 100.0)
HOME = (0.0, -6.0, -5.0)
"""Where the card lies at first: its middle, and how far it is turned clockwise from north."""


@dataclass(frozen=True, slots=True)
class DrawnDial:
    """One dial: its pivot, its disc's radius, and its equal sectors' labels, the first one's middle at the top."""

    name: str
    center_mm: tuple[float, float]
    labels: str
    radius_mm: float = 37.0

    @property
    def start_deg(self) -> float:
        """Where the first sector begins."""
        return -180.0 / len(self.sectors)

    @property
    def sectors(self) -> tuple[str, ...]:
        """What is printed in the sectors, clockwise."""
        return tuple(self.labels.split())


DIALS = (
    DrawnDial("number", (44.0, 56.0), "1 2 3 4 5 6 7 8 9 10"),
    DrawnDial("letter", (126.0, 56.0), "A B C D E F G H"),
)


@dataclass(frozen=True, slots=True)
class CardLie:
    """How the card lies.

    Attributes:
        angles_deg: where its arrows point.
        x_mm: its middle, to the east.
        y_mm: its middle, to the north.
        turn_deg: how far it is turned clockwise from north.
    """

    angles_deg: tuple[float, ...]
    x_mm: float = HOME[0]
    y_mm: float = HOME[1]
    turn_deg: float = HOME[2]

    def on_table(self, points_mm: Floats) -> Floats:
        """Find where points of the card, about its middle, x right, y towards its top, shape (N, 2), lie."""
        return np.asarray(turned(points_mm, self.turn_deg) + np.array((self.x_mm, self.y_mm)), np.float32)

    def pivot(self, dial: int) -> tuple[float, float]:
        """Find where a dial's pivot is on the table."""
        x, y = self.on_table(from_middle(DIALS[dial].center_mm)[None])[0]
        return float(x), float(y)


def turned(points_mm: Floats, clockwise_deg: float) -> Floats:
    """Turn points about the origin, shape (N, 2)."""
    angle = np.radians(-clockwise_deg)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return np.asarray(points_mm @ turn.T, np.float32)


def from_middle(place_mm: tuple[float, float]) -> Floats:
    """Turn a place on the card into mm about its middle, x right, y towards its top, shape (2,)."""
    return np.array([place_mm[0] - CARD_MM[0] / 2, CARD_MM[1] / 2 - place_mm[1]], np.float32)


def flicked(start_deg: float, rest_deg: float, speed_deg_s: float, seconds: float) -> Callable[[float], float]:
    """Give where a flicked arrow points, which friction slows down evenly, so many seconds later.

    Args:
        start_deg: where it is flicked.
        rest_deg: where it comes to rest.
        speed_deg_s: about how fast it begins, below 0 for anticlockwise.
        seconds: how long it turns.
    """
    way = 1 if speed_deg_s > 0 else -1
    rest_ahead = way * (rest_deg - start_deg) % 360
    turns = max(round((abs(speed_deg_s) * seconds / 2 - rest_ahead) / 360), 1)
    whole = rest_ahead + 360 * turns

    def angle(after_s: float) -> float:
        left = 1 - min(max(after_s / seconds, 0.0), 1.0)
        return (rest_deg - way * whole * left * left) % 360

    return angle
