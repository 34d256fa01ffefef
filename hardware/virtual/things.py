"""The things on the drawn table: the colour die, wooden coins, pawns and a mug."""

from collections.abc import Mapping

import numpy as np

from companion.die import Colour, Lie
from hardware.virtual.pinhole import Floats
from hardware.virtual.solids import Solid, capsule, length, melted, rounded_box, turned_profile

PAINT: Mapping[str, tuple[int, int, int]] = {
    Colour.BLACK: (38, 38, 40),
    Colour.GREEN: (36, 132, 66),
    Colour.BLUE: (36, 84, 186),
    Colour.RED: (206, 44, 40),
    Colour.YELLOW: (243, 203, 46),
    Colour.VIOLET: (124, 62, 158),
}
"""What the die is painted with: sRGB, 0 to 255."""

BARE_WOOD = (222, 184, 135)


def linear(srgb: tuple[int, int, int]) -> Floats:
    """Turn an sRGB colour, 0 to 255, into linear BGR, 0 to 1, shape (3,)."""
    return np.asarray((np.array(srgb[::-1]) / 255.0) ** 2.2, np.float32)


def plain(srgb: tuple[int, int, int], points: Floats) -> Floats:
    """Give every point the same colour."""
    return np.broadcast_to(linear(srgb), points.shape).astype(np.float32)


def make_die(lie: Lie, centre: Floats, rotation: Floats, size_mm: float) -> Solid:
    """Make the colour die.

    Args:
        lie: which colours its faces have before ``rotation``.
        centre: mm, shape (3,).
        rotation: from the die's own axes (east, north, up) to the table's, shape (3, 3).
        size_mm: its edge.
    """
    half = np.full(3, size_mm / 2, np.float32)
    round_mm = size_mm * 0.09
    order = (lie.west, lie.east, lie.south, lie.north, lie.bottom, lie.top)
    paints = np.stack([linear(PAINT[colour]) for colour in order])
    bare = linear(BARE_WOOD)

    def distance(points: Floats) -> Floats:
        return rounded_box(np.asarray((points - centre) @ rotation, np.float32), half, round_mm)

    def colour(points: Floats) -> Floats:
        own = (points - centre) @ rotation
        axis = np.abs(own).argmax(-1)
        positive = own[np.arange(len(own)), axis] > 0
        painted = paints[axis * 2 + positive]
        # A wooden die loses paint where two faces meet; brush marks go along the first other axis.
        second = np.sort(np.abs(own), -1)[:, 1]
        worn = 0.30 * np.clip((second - (size_mm / 2 - round_mm * 0.75)) / (round_mm * 0.6), 0, 1)
        across = own[np.arange(len(own)), (axis + 1) % 3]
        brushed = 1 + 0.035 * np.sin(across * 5.1 + axis) * np.sin(across * 1.7 + 2 * axis)
        return np.asarray(painted * brushed[:, None] * (1 - worn[:, None]) + bare * worn[:, None], np.float32)

    return Solid(distance, colour, centre.astype(np.float32), size_mm * 0.87, gloss=0.35)


def make_coin(x_mm: float, y_mm: float, radius_mm: float = 12.0, height_mm: float = 5.0) -> Solid:
    """Make a round wooden coin that lies on the table."""
    centre = np.array([x_mm, y_mm, height_mm / 2], np.float32)

    def distance(points: Floats) -> Floats:
        own = points - centre
        across = length(own[:, :2]) - (radius_mm - 1)
        above = np.abs(own[:, 2]) - (height_mm / 2 - 1)
        outside = length(np.stack([np.maximum(across, 0), np.maximum(above, 0)], -1))
        return np.asarray(outside + np.minimum(np.maximum(across, above), 0) - 1, np.float32)

    def colour(points: Floats) -> Floats:
        own = points - centre
        rings = 1 + 0.10 * np.sin(length(own[:, :2] + np.array([3.0, 1.5], np.float32)) * 2.6)
        rim = (length(own[:, :2]) > radius_mm - 2.2) & (own[:, 2] > height_mm / 2 - 0.8)
        return np.asarray(linear((226, 178, 110)) * (rings * np.where(rim, 0.72, 1))[:, None], np.float32)

    return Solid(distance, colour, centre, float(np.hypot(radius_mm, height_mm / 2)), gloss=0.25)


def make_pawn(x_mm: float, y_mm: float, srgb: tuple[int, int, int]) -> Solid:
    """Make a turned wooden pawn with a round head."""
    foot = np.array([x_mm, y_mm, 0], np.float32)
    neck = np.array([0, 0, 8], np.float32), np.array([0, 0, 17], np.float32)
    head = np.array([0, 0, 21], np.float32)

    def distance(points: Floats) -> Floats:
        own = points - foot
        base = turned_profile(own, 6, lambda z: np.asarray(8.2 - 0.3 * z, np.float32), 0.9)
        body = melted(base, capsule(own, neck, (6.0, 3.2)), 3.0)
        return melted(body, length(own - head) - np.float32(5.6), 1.2)

    centre = foot + np.array([0, 0, 13], np.float32)
    return Solid(distance, lambda points: plain(srgb, points), centre, 16.5, gloss=0.55)


def make_mug(x_mm: float, y_mm: float, srgb: tuple[int, int, int]) -> Solid:
    """Make a mug with coffee in it."""
    foot = np.array([x_mm, y_mm, 0], np.float32)
    coffee_mm = 66.0

    def distance(points: Floats) -> Floats:
        own = points - foot
        outer = turned_profile(own, 88, lambda z: np.asarray(36 + 3 * np.sqrt(np.clip(z, 0, 10) / 10), np.float32), 0.8)
        hole = np.maximum(length(own[:, :2]) - 35.5, coffee_mm - own[:, 2])
        ring = length(np.stack([np.hypot(own[:, 0] + 40, own[:, 2] - 45) - 23, own[:, 1]], -1)) - 5.5
        cup = np.maximum(outer, -hole)
        return np.asarray(np.minimum(cup, ring), np.float32)

    def colour(points: Floats) -> Floats:
        own = points - foot
        inside = length(own[:, :2]) < 35.3
        liquid = inside & (own[:, 2] < coffee_mm + 0.6)
        glaze = plain(srgb, points)
        glaze[inside] = linear((232, 224, 208))
        glaze[liquid] = linear((58, 32, 18))
        band = ~inside & (np.abs(own[:, 2] - 76) < 4)
        glaze[band] = linear((236, 228, 210))
        return glaze

    return Solid(distance, colour, foot + np.array([-14, 0, 44], np.float32), 76.0, gloss=1.0)
