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

PATCH_PX_PER_MM = 4.0
PATCH_REACH = 1.12
"""A patch reaches so many radii from the pivot: raised things are seen before what lies beyond the disc."""

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


def learn_bare(card: Card, index: int, shown: Sequence[Shown]) -> Pixels:
    """Learn a dial without its arrow.

    Args:
        card: the card.
        index: which of its dials.
        shown: one picture or more.

    Returns:
        The dial seen from straight above, the card's top up: BGR, float32, shape (N, N, 3), with
        ``PATCH_PX_PER_MM`` and a reach of ``PATCH_REACH`` radii from the pivot.
    """
    dial = card.dials[index]
    patches, hidden = zip(*(_see_print(card, dial, one, one.angles_deg[index]) for one in shown), strict=True)
    seen = np.where(np.stack(hidden)[..., None], np.nan, np.stack(patches))
    everywhere_hidden = np.stack(hidden).all(axis=0)
    # An all-NaN slice would warn; those pixels get the fill, which `_see_print` has already put there.
    seen[:, everywhere_hidden] = np.stack(patches)[:, everywhere_hidden]
    return np.asarray(np.nanmedian(seen, axis=0), dtype=np.float32)


def see_bare(card: Card, dial: Dial, patch: Pixels, plane: Plane, points_px: FloatArray) -> Pixels:
    """Give the bare dial's colours where a camera sees points of the picture.

    Args:
        card: the card.
        dial: one of its dials.
        patch: from `learn_bare`.
        plane: the camera's pose over the card.
        points_px: [x, y], shape (rows, columns, 2).

    Returns:
        BGR, float32, shape (rows, columns, 3).
    """
    spots = through(np.linalg.inv(plane.homography), points_px) - pivot_mm(card, dial)
    reach = PATCH_REACH * dial.radius_mm
    column, row = (spots[..., 0] + reach), (reach - spots[..., 1])
    return sample(patch, np.stack((column, row), axis=-1) * PATCH_PX_PER_MM - 0.5)


def _patch_points(card: Card, dial: Dial) -> FloatArray:
    """Give the patch's points in the plane's axes, mm, shape (N, N, 2)."""
    reach = PATCH_REACH * dial.radius_mm
    steps = (np.arange(round(2 * reach * PATCH_PX_PER_MM)) + 0.5) / PATCH_PX_PER_MM - reach
    pivot = pivot_mm(card, dial)
    return np.stack(np.meshgrid(pivot[0] + steps, pivot[1] - steps), axis=-1)


def _see_print(card: Card, dial: Dial, one: Shown, angle_deg: float) -> tuple[Pixels, NDArray[np.bool_]]:
    """See one picture's print: the patch with the fill where arrow and shadow hide it, and where that is."""
    points = _patch_points(card, dial)
    seen = sample(one.frame, through(one.plane.homography, points))
    way = points - pivot_mm(card, dial)
    radius = np.hypot(way[..., 0], way[..., 1]) / dial.radius_mm
    aside = _beside_axis(card, dial, one.plane, points, angle_deg) / dial.radius_mm
    fill = _fill(dial, seen, way, (aside > _ARROW_REACH) & (radius > 0.25))
    differs = (np.abs(seen - fill).max(axis=-1) > _MARK_LEVELS) & (aside < _SHADOW_REACH) & (radius < 1)
    # Opening drops the thin printed lines, so that they stay in the picture of the bare dial.
    thick = cv2.morphologyEx(differs.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    hidden = (cv2.dilate(thick, np.ones((5, 5), np.uint8)) > 0) | (radius < 0.2)
    return np.where(hidden[..., None], fill, seen), hidden


def _beside_axis(card: Card, dial: Dial, plane: Plane, points: FloatArray, angle_deg: float) -> FloatArray:
    """Give how far each point is from the line along which the raised arrow is seen, mm, shape (N, N)."""
    pivot, angle = pivot_mm(card, dial), np.radians(angle_deg)
    tip = dial.radius_mm * np.array([np.sin(angle), np.cos(angle)])
    seen_at = np.linalg.inv(plane.homography) @ table_homography(plane, TYPICAL_HEIGHT_MM)
    tail, head = through(seen_at, np.stack((pivot - tip, pivot + tip)))
    along = (head - tail) / np.linalg.norm(head - tail)
    way = points - tail
    return np.asarray(np.abs(way[..., 0] * along[1] - way[..., 1] * along[0]))


def _fill(dial: Dial, seen: Pixels, way: FloatArray, clear: NDArray[np.bool_]) -> Pixels:
    """Give each pixel its sector's fill colour; outside the disc what is seen."""
    into = (np.degrees(np.arctan2(way[..., 0], way[..., 1])) - dial.start_deg) % 360
    radius = np.hypot(way[..., 0], way[..., 1]) / dial.radius_mm
    ends = list(accumulate(dial.sizes_deg))[:-1]
    sector_of = np.searchsorted(ends, into, side="right")
    light = seen.sum(axis=-1)
    fill = seen.copy()
    for sector in range(len(dial.sizes_deg)):
        inside = (sector_of == sector) & (radius < 0.97)
        usable = inside & clear
        if usable.sum() < 60:
            usable = inside
        # Print and shadow are darker than the fill and glare is brighter: the upper middle is the fill.
        low, high = np.percentile(light[usable], [45, 85])
        fill[inside] = np.median(seen[usable & (light >= low) & (light <= high)], axis=0)
    return fill
