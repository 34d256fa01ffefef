"""Solid things as distance functions, and rays marched through them.

A distance function gives how far a point is from a thing's surface, negative inside. Sources: J. C. Hart, "Sphere
tracing" (The Visual Computer 12, 1996), for the marching; I. Quilez, "Distance functions" and "Soft shadows in
raymarched SDFs" (iquilezles.org), for the shapes and the penumbra.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from hardware.virtual.pinhole import Floats

Distance = Callable[[Floats], Floats]
"""From points, shape (N, 3), to distances in mm, shape (N,)."""


@dataclass(frozen=True, eq=False)
class Solid:
    """One thing to draw.

    Attributes:
        distance: its surface.
        colour: from points on it, shape (N, 3), to its own colour there: linear BGR, 0 to 1, shape (N, 3).
        centre: of a sphere round it, mm, shape (3,).
        radius: of that sphere, mm.
        gloss: 0 (matt) to 1 (varnish).
        soft: 0 (hard) to 1 (skin): how much light goes round its edges.
    """

    distance: Distance
    colour: Callable[[Floats], Floats]
    centre: Floats
    radius: float
    gloss: float = 0.3
    soft: float = 0.0


def length(vectors: Floats) -> Floats:
    """Length of each vector along the last axis."""
    return np.asarray(np.sqrt(np.einsum("...i,...i->...", vectors, vectors)), np.float32)


def rounded_box(points: Floats, half: Floats, round_mm: float) -> Floats:
    """Distance to a box about the origin with rounded edges; ``half`` are its half sizes, shape (3,)."""
    beyond = np.asarray(np.abs(points) - (half - np.float32(round_mm)), np.float32)
    outside = length(np.maximum(beyond, 0))
    most = np.maximum(np.maximum(beyond[:, 0], beyond[:, 1]), beyond[:, 2])
    return np.asarray(outside + np.minimum(most, 0) - round_mm, np.float32)


def capsule(points: Floats, ends: tuple[Floats, Floats], radii: tuple[float, float]) -> Floats:
    """Distance to a stick with round ends, thicker at one end than at the other (nearly exact for small tapers)."""
    start, end = ends
    axis = end - start
    from_start = points - start
    along = np.clip(from_start @ axis / float(axis @ axis), 0, 1)
    offset = from_start - along[:, None] * axis
    return np.asarray(length(offset) - (radii[0] + (radii[1] - radii[0]) * along), np.float32)


def turned_profile(points: Floats, height: float, radius: Callable[[Floats], Floats], slope: float) -> Floats:
    """Distance (a safe lower bound) to a thing turned on a lathe that stands on Z = 0.

    Args:
        points: shape (N, 3), the axis is X = Y = 0.
        height: of the thing, mm.
        radius: its radius at heights from 0 to ``height``.
        slope: 0 < slope <= 1, how much to shorten steps because of the profile's steepness.
    """
    across = length(points[:, :2]) - radius(np.clip(points[:, 2], 0, height))
    above = np.maximum(points[:, 2] - height, -points[:, 2])
    outside = length(np.stack([np.maximum(across, 0), np.maximum(above, 0)], -1))
    return np.asarray((outside + np.minimum(np.maximum(across, above), 0)) * slope, np.float32)


def melted(first: Floats, second: Floats, width: float) -> Floats:
    """Join two distances smoothly over ``width`` mm."""
    mix = np.clip(0.5 + 0.5 * (second - first) / width, 0, 1)
    return np.asarray(second + (first - second) * mix - width * mix * (1 - mix), np.float32)


def march(solid: Solid, origin: Floats, directions: Floats, steps: int = 40) -> Floats:
    """Follow rays until they touch a thing.

    Args:
        solid: what may be hit.
        origin: where all rays start, shape (3,).
        directions: unit vectors, shape (N, 3).
        steps: after so many a ray has missed.

    Returns:
        How far along each ray the thing is touched, mm, shape (N,); infinite where it is missed.
    """
    towards = solid.centre - origin
    along = directions @ towards
    aside_sq = float(towards @ towards) - along * along
    depth_sq = solid.radius**2 - aside_sq
    alive = np.flatnonzero(depth_sq > 0)
    reach = np.sqrt(np.maximum(depth_sq, 0))
    travelled = np.maximum(along - reach, 0).astype(np.float32)
    end = along + reach
    found = np.full(len(directions), np.inf, np.float32)
    for _ in range(steps):
        if not alive.size:
            break
        gap = solid.distance(origin + directions[alive] * travelled[alive, None])
        travelled[alive] += gap
        touched = gap < 0.04
        found[alive[touched]] = travelled[alive[touched]]
        alive = alive[~touched & (travelled[alive] < end[alive])]
    return found


def normals(distance: Distance, points: Floats, reach: float = 0.15) -> Floats:
    """Unit normals of a surface at points on it, by differences along a tetrahedron's corners."""
    total = np.zeros_like(points)
    for corner in ((1, -1, -1), (-1, -1, 1), (-1, 1, -1), (1, 1, 1)):
        step = np.array(corner, np.float32)
        total += step * distance(points + step * reach)[:, None]
    return np.asarray(total / np.maximum(length(total), 1e-9)[:, None], np.float32)


def sunlit(solid: Solid, points: Floats, towards: Floats, width: float = 0.13) -> Floats:
    """How much of a wide light each point sees past a thing: 0 (full shadow) to 1, shape (N,).

    Args:
        solid: what throws the shadow.
        points: shape (N, 3).
        towards: unit vector to the light's middle.
        width: half the light's size over its distance.
    """
    lit = np.ones(len(points), np.float32)
    to_centre = solid.centre - points
    along = to_centre @ towards
    aside = length(np.asarray(to_centre - along[:, None] * towards, np.float32))
    inside = length(to_centre) < solid.radius
    index = np.flatnonzero((aside < solid.radius + width * np.maximum(along, 0)) & ((along > 0) | inside))
    travelled = np.maximum(along[index] - solid.radius * 1.3, 0.8).astype(np.float32)
    end = along[index] + solid.radius
    least = np.ones(len(index), np.float32)
    for _ in range(18):
        gap = solid.distance(points[index] + towards * travelled[:, None])
        least = np.minimum(least, gap / (width * travelled))
        travelled = travelled + np.clip(gap, 1.2, 14)
        if (travelled > end).all():
            break
    least = np.maximum(least, -1)
    lit[index] = 0.25 * (1 + least) ** 2 * (2 - least)
    return lit
