"""How the drawn table is lit: one wide light from the left, the sky of the room, and the table's own glow.

Colours are linear BGR, 1.0 is the brightest that the drawn sensor tells apart.
"""

from collections.abc import Sequence

import cv2
import numpy as np

from hardware.virtual.pinhole import Box, Floats, Picture, Pinhole, unit
from hardware.virtual.solids import Solid, length, march, normals, sunlit

TO_LIGHT = unit((-0.62, -0.10, 0.78))
KEY = np.array([0.80, 0.93, 1.0], np.float32)
SKY = np.array([0.40, 0.37, 0.34], np.float32)
GLOW = np.array([0.05, 0.11, 0.19], np.float32)
"""Light thrown back by the wood."""

NEAR = 1.6
"""How far a thing darkens the table round it, in its radii."""

JITTERS = ((-0.125, -0.375), (0.375, -0.125), (-0.375, 0.125), (0.125, 0.375))
"""Where four rays pass through one pixel (rotated grid)."""


def to_bytes(linear: Floats) -> Picture:
    """Turn linear colours into the camera's bytes with the usual gamma of 2.2 and a soft shoulder."""
    table_index = np.clip(linear * 2047.0, 0, 4095).astype(np.uint16)
    return np.asarray(_BYTES[table_index], np.uint8)


def _shoulder() -> Picture:
    light = np.arange(4096, dtype=np.float64) / 2047.0
    squeezed = np.where(light < 0.7, light, 0.7 + 0.3 * np.tanh((light - 0.7) / 0.3))
    return np.asarray(np.round(255 * squeezed ** (1 / 2.2)), np.uint8)


_BYTES = _shoulder()


def smooth(low: float, high: float, values: Floats) -> Floats:
    """Rise smoothly from 0 at ``low`` to 1 at ``high``."""
    share = np.clip((values - low) / (high - low), 0, 1)
    return np.asarray(share * share * (3 - 2 * share), np.float32)


def ground_share(solids: Sequence[Solid], points: Floats) -> Floats:
    """Which share of its light the table keeps at points on it, shape (N, 3), while things stand there."""
    lit = np.ones(len(points), np.float32)
    near = np.ones(len(points), np.float32)
    for solid in solids:
        lit *= sunlit(solid, points, TO_LIGHT)
        close = np.flatnonzero(length(points - solid.centre) < solid.radius * NEAR)
        reach = solid.radius * 0.6
        gap = np.maximum(solid.distance(points[close]), 0)
        near[close] *= 0.3 + 0.7 * smooth(0, reach, gap) ** 0.6
    key = KEY * TO_LIGHT[2]
    return np.asarray((key * lit[:, None] + SKY * near[:, None]) / (key + SKY), np.float32)


def shade(solid: Solid, others: Sequence[Solid], points: Floats, rays: Floats) -> Floats:
    """Light points of a thing, shape (N, 3), seen along ``rays``."""
    normal = normals(solid.distance, points)
    facing = normal @ TO_LIGHT
    lit = np.clip((facing + solid.soft * 0.35) / (1 + solid.soft * 0.35), 0, 1)
    for other in others:
        lit = lit * sunlit(other, points + normal * 0.8, TO_LIGHT)
    near_table = 0.45 + 0.55 * smooth(0, 26, points[:, 2])
    sky = (0.55 + 0.45 * normal[:, 2]) * near_table
    glow = (0.5 - 0.5 * normal[:, 2]) * (1.4 - 0.4 * near_table)
    light = KEY * lit[:, None] + SKY * 1.15 * sky[:, None] + GLOW * 1.6 * glow[:, None]
    mirrored = rays - 2 * (rays * normal).sum(-1, keepdims=True) * normal
    towards_light = np.clip(mirrored @ TO_LIGHT, 0, 1)
    grazing = np.clip(1 + (rays * normal).sum(-1), 0, 1) ** 4
    sheen = solid.gloss * (0.28 * towards_light**26 * (lit > 0.05) + 0.10 * grazing + 0.012)
    return np.asarray(solid.colour(points) * light + sheen[:, None], np.float32)


def shadowed(camera: Pinhole, solids: Sequence[Solid], background: Floats, box: Box, step: int = 2) -> Floats:
    """Lay the shadows of things on the table.

    Args:
        camera: who looks.
        solids: the things.
        background: the table's linear colours in ``box``, shape (rows, columns, 3).
        box: which part of the picture.
        step: shadows are soft: they are computed for one pixel in so many, each way.

    Returns:
        Linear colours, shape (rows, columns, 3).
    """
    left, top, right, bottom = box
    columns, rows = -(-(right - left) // step), -(-(bottom - top) // step)
    rays = camera.rays((left, top, left + columns * step, top + rows * step), step)
    ground = camera.position + rays * (-camera.position[2] / rays[..., 2:])
    share = ground_share(solids, ground.reshape(-1, 3)).reshape(rays.shape)
    full = cv2.resize(share, (columns * step, rows * step), interpolation=cv2.INTER_LINEAR)
    return np.asarray(background * full[: bottom - top, : right - left], np.float32)


def draw(camera: Pinhole, solids: Sequence[Solid], under: Floats, box: Box, jitter: tuple[float, float]) -> Floats:
    """Draw things once, one ray a pixel.

    Args:
        camera: who looks.
        solids: the things.
        under: the linear colours that are seen where no thing is, from `shadowed`.
        box: which part of the picture.
        jitter: where in the pixel the rays pass, -0.5 to 0.5.

    Returns:
        Linear colours, shape (rows, columns, 3).
    """
    rays = camera.rays(box, 1, jitter).reshape(-1, 3)
    picture = under.reshape(-1, 3).copy()
    nearest_mm = np.full(len(rays), np.inf, np.float32)
    for solid in solids:
        far = march(solid, camera.position, rays)
        seen = np.flatnonzero(far < nearest_mm)
        nearest_mm[seen] = far[seen]
        points = camera.position + rays[seen] * far[seen, None]
        picture[seen] = shade(solid, [other for other in solids if other is not solid], points, rays[seen])
    return picture.reshape(under.shape)
