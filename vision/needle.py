"""Finds the needle of a dial about which nothing was learnt, given its pivot alone.

The set-up page proposes with it where an arrow points, so that a person need only confirm. A needle is a line from
the pivot that is darker (or brighter) than what lies to both sides of it; of several, it is the one that goes furthest
without a gap. A broad tail has no such line down its middle, and print does not begin at the pivot.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.errors import BadInput
from vision.frames import FloatArray, Frame, check_frame

_DIRECTIONS = 720
_HUB, _LONGEST = 0.12, 0.95
_ASIDE = 0.045
"""How far to each side of a needle's middle the dial is bare; these three in shares of the reach."""
_LEAST_CONTRAST = 10.0
_LONGEST_GAP = 0.015
_LEAST_LENGTH = 0.25
_MOST_RIVAL = 0.85
"""Two lines in unlike directions of lengths more alike than this may be a head and a tail: nobody can say which."""


def find_needle(frame: Frame, pivot_px: tuple[float, float], reach_px: float | None = None) -> float | None:
    """Find where a needle points, seen from straight above.

    Args:
        frame: BGR, uint8, shape (H, W, 3).
        pivot_px: [x, y] of the needle's pivot.
        reach_px: how far from the pivot to look; to the nearest edge of the picture when None.

    Returns:
        Degrees clockwise from the picture's top, 0 <= angle < 360; None when no needle is seen.

    Raises:
        BadInput: the frame is no picture, or the pivot is not in it.
    """
    check_frame(frame)
    height, width = frame.shape[:2]
    x, y = pivot_px
    edge = min(x, y, width - 1 - x, height - 1 - y)
    if not edge > 10:
        raise BadInput(f"the pivot is at {x:g}, {y:g} in a picture of {width} x {height}; expected it well inside")
    reach = edge if reach_px is None else min(edge, reach_px)
    radii = np.arange(_HUB * reach, _LONGEST * reach)
    grey = cv2.GaussianBlur(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY), (0, 0), 1.0)
    contrasts = [_line_contrast(grey, (x, y), radii, _ASIDE * reach, sign) for sign in (1, -1)]
    lengths = [_run_lengths(contrast > _LEAST_CONTRAST, round(_LONGEST_GAP * reach)) for contrast in contrasts]
    contrast, length = max(zip(contrasts, lengths, strict=True), key=lambda pair: int(pair[1].max()))
    best, longest = int(length.argmax()), int(length.max())
    elsewhere = np.abs((np.arange(_DIRECTIONS) - best + 360) % 720 - 360) > 40
    if longest < _LEAST_LENGTH * reach or length[elsewhere].max() > _MOST_RIVAL * longest:
        return None
    return _center(contrast[:longest], best)


def _line_contrast(
    grey: NDArray[np.integer | np.floating], pivot: tuple[float, float], radii: FloatArray, aside: float, sign: int
) -> FloatArray:
    """Say how much darker (or brighter, for sign -1) each point is than both its sides, shape (radii, directions)."""
    angles = np.arange(_DIRECTIONS) * 2 * np.pi / _DIRECTIONS
    ways = np.stack((np.sin(angles), -np.cos(angles)), axis=-1)
    points = np.asarray(pivot) + radii[:, None, None] * ways
    across = np.stack((np.cos(angles), np.sin(angles)), axis=-1) * aside
    middle, left, right = (_take(grey, points + step * across) for step in (0, -1, 1))
    return np.asarray(np.minimum(sign * (left - middle), sign * (right - middle)))


def _take(grey: NDArray[np.integer | np.floating], points: FloatArray) -> FloatArray:
    x, y = (np.ascontiguousarray(points[..., k], dtype=np.float32) for k in (0, 1))
    return np.asarray(cv2.remap(grey, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), dtype=np.float64)


def _run_lengths(lit: NDArray[np.bool_], longest_gap: int) -> NDArray[np.int_]:
    """Count how many rings each direction's line goes on from the innermost, but for short gaps."""
    gap = np.zeros(lit.shape[1], dtype=int)
    length = np.zeros(lit.shape[1], dtype=int)
    going = np.ones(lit.shape[1], dtype=bool)
    for ring, row in enumerate(lit):
        gap = np.where(row, 0, gap + 1)
        going &= gap <= longest_gap
        length[going & row] = ring + 1
    return length


def _center(contrast: FloatArray, direction: int) -> float:
    """Give the middle of the line, weighing the directions near the best one by their contrast."""
    near = np.arange(direction - 10, direction + 11)
    weights = np.maximum(contrast[len(contrast) // 3 :, near % _DIRECTIONS], 0).sum(axis=0) ** 2
    return float((near @ weights / weights.sum()) * 360 / _DIRECTIONS % 360)
