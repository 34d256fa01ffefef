"""What a dial looks like without its arrow, learnt from pictures in which an arrow lies on it.

Each sector has one fill colour; it is read where the arrow is not. Where the arrow and its shadow hide the
print, one picture gives the fill alone; another picture, with the arrow elsewhere, gives the print too.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.card import Card, Dial, pivot_mm
from vision.frames import FloatArray, Frame
from vision.plane import Plane, table_homography
from vision.polar import Pixels, sample, through

PX_PER_MM = 4.0
"""Scale of the picture of a bare card."""

TYPICAL_HEIGHT_MM = 2.2
_ARROW_REACH = 0.2
"""No arrow is wider than this share of the radius to each side of its axis."""
_SHADOW_REACH = 0.38
_MARK_LEVELS = 14
"""A pixel that differs so much from its sector's fill, of 255, is print, arrow or shadow."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A picture of the card with what it shows: the camera's pose over the card and each arrow's angle."""

    frame: Frame
    plane: Plane
    angles_deg: tuple[float, ...]


def learn_bare(card: Card, shown: Sequence[Shown]) -> Frame:
    """Learn the card without its arrows.

    Args:
        card: the card.
        shown: one picture or more.

    Returns:
        The card seen from straight above, its own top up, with `PX_PER_MM`: BGR, uint8, shape (H, W, 3).
    """
    points = _card_points(card)
    pictures = []
    for one in shown:
        seen = sample(one.frame, through(one.plane.homography, points))
        # What one picture hides may be seen in another: there it counts for nothing, see the median below.
        hidden = np.zeros(seen.shape[:2], dtype=bool)
        fill = seen.copy()
        for dial, angle_deg in zip(card.dials, one.angles_deg, strict=True):
            _mark_hidden(card, dial, seen, (fill, hidden), _beside_axis(card, dial, one.plane, points, angle_deg))
        pictures.append((np.where(hidden[..., None], fill, seen), hidden))
    colors, masks = (np.stack(parts) for parts in zip(*pictures, strict=True))
    masks &= ~masks.all(axis=0)
    bare = np.nanmedian(np.where(masks[..., None], np.nan, colors), axis=0)
    return np.asarray(np.clip(np.rint(bare), 0, 255), dtype=np.uint8)


def see_bare(card: Card, picture: Frame, plane: Plane, points_px: FloatArray) -> Pixels:
    """Give the bare card's colours where a camera sees points of the picture.

    Args:
        card: the card.
        picture: from `learn_bare`.
        plane: the camera's pose over the card.
        points_px: [x, y], shape (rows, columns, 2).

    Returns:
        BGR, float32, shape (rows, columns, 3).
    """
    return sample(picture, to_picture(card, through(np.asarray(np.linalg.inv(plane.homography)), points_px)))


def to_picture(card: Card, points_mm: FloatArray) -> FloatArray:
    """Find points of the plane, X and Y in mm, in the picture of the bare card: pixels, shape (..., 2)."""
    x, y = points_mm[..., 0] + card.size_mm[0] / 2, card.size_mm[1] / 2 - points_mm[..., 1]
    return np.stack((x, y), axis=-1) * PX_PER_MM - 0.5


def _card_points(card: Card) -> FloatArray:
    """Give the picture's pixels in the plane's axes, mm, shape (H, W, 2)."""
    width, height = card.size_mm
    across = (np.arange(round(width * PX_PER_MM)) + 0.5) / PX_PER_MM - width / 2
    down = height / 2 - (np.arange(round(height * PX_PER_MM)) + 0.5) / PX_PER_MM
    return np.stack(np.meshgrid(across, down), axis=-1)


def _mark_hidden(
    card: Card, dial: Dial, seen: Pixels, known: tuple[Pixels, NDArray[np.bool_]], aside_mm: FloatArray
) -> None:
    """Put the sectors' fill into ``known[0]`` and mark in ``known[1]`` where arrow and shadow hide the print."""
    way = _card_points(card) - pivot_mm(card, dial)
    radius, aside = np.hypot(way[..., 0], way[..., 1]) / dial.radius_mm, aside_mm / dial.radius_mm
    fill, hidden = known
    _fill(dial, seen, fill, way, (aside > _ARROW_REACH) & (radius > 0.25))
    differs = (np.abs(seen - fill).max(axis=-1) > _MARK_LEVELS) & (aside < _SHADOW_REACH) & (radius < 1)
    # Opening drops the thin printed lines, so that they stay in the picture of the bare dial.
    thick = cv2.morphologyEx(differs.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    hidden |= (cv2.dilate(thick, np.ones((5, 5), np.uint8)) > 0) | (radius < 0.2)


def _beside_axis(card: Card, dial: Dial, plane: Plane, points: FloatArray, angle_deg: float) -> FloatArray:
    """Give how far each point is from the line along which the raised arrow is seen, mm, shape (N, N)."""
    pivot, angle = pivot_mm(card, dial), np.radians(angle_deg)
    tip = dial.radius_mm * np.array([np.sin(angle), np.cos(angle)])
    seen_at = np.linalg.inv(plane.homography) @ table_homography(plane, TYPICAL_HEIGHT_MM)
    tail, head = through(seen_at, np.stack((pivot - tip, pivot + tip)))
    along = (head - tail) / np.linalg.norm(head - tail)
    way = points - tail
    return np.asarray(np.abs(way[..., 0] * along[1] - way[..., 1] * along[0]))


def _fill(dial: Dial, seen: Pixels, fill: Pixels, way: FloatArray, clear: NDArray[np.bool_]) -> None:
    """Put each sector's colour into ``fill``, as seen where it is clear of the arrow."""
    into = (np.degrees(np.arctan2(way[..., 0], way[..., 1])) - dial.start_deg) % 360
    radius = np.hypot(way[..., 0], way[..., 1]) / dial.radius_mm
    ends = list(accumulate(dial.sizes_deg))[:-1]
    sector_of = np.searchsorted(ends, into, side="right")
    light = seen.sum(axis=-1)
    for sector in range(len(dial.sizes_deg)):
        inside = (sector_of == sector) & (radius < 0.97)
        usable = inside & clear
        if usable.sum() < 60:
            usable = inside
        # Print and shadow are darker than the fill and glare is brighter: the upper middle is the fill.
        low, high = np.percentile(light[usable], [45, 85])
        fill[inside] = np.median(seen[usable & (light >= low) & (light <= high)], axis=0)
