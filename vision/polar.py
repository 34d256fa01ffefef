"""A dial in polar order: rings round the pivot times directions, so that turning the arrow is a shift.

Arrays have the shape (RINGS, DIRECTIONS): row 0 is the innermost ring, column k the direction k degrees
clockwise from the card's top.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.card import Card, Dial, pivot_mm
from vision.frames import FloatArray, Frame

DIRECTIONS = 360
RINGS = 26
INNERMOST = 0.2
"""The first ring's share of the dial's radius: nearer the pivot the arrow's hub hides what could be told."""

Pixels = NDArray[np.float32]
"""Colours or weights, float32; each user says the shape."""


def ring_radii(dial: Dial) -> FloatArray:
    """Give the rings' radii in mm, shape (RINGS,)."""
    return np.linspace(INNERMOST, 1.0, RINGS) * dial.radius_mm


def ring_points(card: Card, dial: Dial) -> FloatArray:
    """Give the grid's points in the plane's axes, mm, shape (RINGS, DIRECTIONS, 2)."""
    angles = np.radians(np.arange(DIRECTIONS))
    ways = np.stack((np.sin(angles), np.cos(angles)), axis=-1)
    return np.asarray(pivot_mm(card, dial) + ring_radii(dial)[:, None, None] * ways)


def through(homography: FloatArray, points: FloatArray) -> FloatArray:
    """Map points through a homography, shape (..., 2)."""
    mapped = cv2.perspectiveTransform(points.reshape(1, -1, 2), homography)
    return np.asarray(mapped, dtype=np.float64).reshape(points.shape)


def sample(picture: Frame | Pixels, points_px: NDArray[np.floating]) -> Pixels:
    """Take a picture's colours at points, between pixels linearly.

    Args:
        picture: shape (H, W, 3).
        points_px: [x, y], shape (rows, columns, 2); outside the picture its rim is repeated.

    Returns:
        float32, shape (rows, columns, 3).
    """
    across, down = (np.ascontiguousarray(points_px[..., k], dtype=np.float32) for k in (0, 1))
    found = cv2.remap(picture, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(found, dtype=np.float32)


def dot(one: Pixels, other: Pixels) -> Pixels:
    """Multiply colours and add their channels: shapes (R, D, 3) make (R, D)."""
    # Ten times faster than einsum, whose inner loop would run over three numbers.
    return np.asarray(cv2.transform(one * other, np.ones((1, 3), np.float32)), dtype=np.float32)


def turned(rings: Pixels, angle_deg: float) -> Pixels:
    """Turn an array counter-clockwise, so that the direction ``angle_deg`` comes to column 0."""
    low = int(np.floor(angle_deg))
    part = np.float32(angle_deg - low)
    return np.roll(rings, -low, axis=1) * (1 - part) + np.roll(rings, -low - 1, axis=1) * part


def mirrored(rings: Pixels) -> Pixels:
    """Mirror an array about column 0."""
    return np.roll(rings[:, ::-1], 1, axis=1)
