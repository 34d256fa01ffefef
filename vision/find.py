"""Finding where a die may lie: places of the table that changed since it was empty."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cube import Cube
from vision.frames import FloatArray, Frame
from vision.medians import medians
from vision.plane import Plane, project, to_table
from vision.view import View, largest

SHRINK = 4
"""Pictures are compared with the empty table at a quarter of their size: noise averages out, and it is quick."""

_SMALLEST_PX = 10.0
"""A die seen smaller than this can't be read."""

_STEP = 0.25
"""Places are so many die's sizes apart: the fine fit finds home from there."""

_ROOM = 1.3
"""So many sizes round a die's middle belong to the picture of it."""

Around = tuple[int, int, int, int]
"""A piece of a picture: x0, y0, x1, y1 in pixels, the last two just outside."""

_THIN = 6
"""How the light changed is told by so few pixels of the shrunk picture, each way."""

_GRAIN_ROWS = 22
"""Noise is measured in about so many rows of a picture."""

_REGIONS = 6
_DIE_PLACES = 60
"""So many regions that changed are looked at, those first in which about as many places are kept as round a die."""

_CHANGED = 0.3
"""Share of the die's middle that must have changed: a black face on a black table doesn't show."""


@dataclass(frozen=True, slots=True)
class Grid:
    """Places on the table where a die would be seen whole.

    Attributes:
        plane: the camera over the table.
        cube: the die's shape.
        places: x, y in mm, shape (N, 2).
        boxes: the die's middle in the shrunk picture: x0, y0, x1, y1, the last two just outside, int, shape (N, 4).
        centres: of the die, in the whole picture, [x, y], shape (N, 2).
        sizes: of the die's edge in pixels, shape (N,).
    """

    plane: Plane
    cube: Cube
    places: FloatArray
    boxes: NDArray[np.int64]
    centres: FloatArray
    sizes: FloatArray


@dataclass(frozen=True, slots=True)
class Change:
    """What changed since the table was empty.

    Attributes:
        mask: where, 0 or 1, uint8, in the shrunk picture.
        grain: the picture's noise in grey levels.
        cast: how unlike the light's three colours changed, 1 when all by the same factor.
    """

    mask: NDArray[np.uint8]
    grain: float
    cast: float


def lay_grid(plane: Plane, cube: Cube) -> Grid:
    """Lay a grid of places over the part of the table that the camera sees."""
    width, height = plane.size_wh
    step = _STEP * cube.size_mm
    border = np.array([(x, y) for x in np.linspace(0, width, 9) for y in np.linspace(0, height, 9)])
    reach = float(plane.intrinsics[0, 0]) * cube.size_mm / _SMALLEST_PX
    seen = to_table(plane, border, cube.size_mm / 2)
    seen = seen[np.isfinite(seen).all(1)]
    seen = np.vstack([seen, plane.eye_mm[None, :2]])
    seen = seen[np.linalg.norm(seen - plane.eye_mm[:2], axis=1) < reach]
    low, high = seen.min(0), seen.max(0)
    xs, ys = (np.arange(low[i], high[i] + step, step) for i in (0, 1))
    places = np.stack(np.meshgrid(xs, ys), -1).reshape(-1, 2)
    middles = np.column_stack((places, np.full(len(places), cube.size_mm / 2)))
    centres = project(plane, middles)
    sizes = float(plane.intrinsics[0, 0]) * cube.size_mm / np.linalg.norm(plane.eye_mm - middles, axis=1)
    half = 0.5 * sizes[:, None]
    whole = np.isfinite(centres).all(1) & (sizes >= _SMALLEST_PX)
    whole &= (centres - half > 0).all(1) & (centres + half < [width, height]).all(1)
    boxes = np.rint(np.hstack((centres - half, centres + half))[whole] / SHRINK).astype(np.int64)
    boxes = np.clip(boxes, 0, np.tile([width // SHRINK, height // SHRINK], 2))
    return Grid(plane, cube, places[whole], boxes, centres[whole], sizes[whole])


def shrink(frame: Frame) -> Frame:
    """Shrink a picture by ``SHRINK``, averaging."""
    width, height = frame.shape[1] // SHRINK, frame.shape[0] // SHRINK
    half = cv2.resize(frame, (2 * width, 2 * height), interpolation=cv2.INTER_AREA)  # twice a half is quicker
    return np.asarray(cv2.resize(half, (width, height), interpolation=cv2.INTER_AREA), dtype=np.uint8)


def find_changed(frame: Frame, empty: Frame, around: Around | None = None) -> Change:
    """Find what changed since the table was empty.

    Args:
        frame: the picture.
        empty: the shrunk empty table.
        around: where to look; nowhere else anything counts as changed. The whole picture when left out.
    """
    left, top, right, bottom = around or (0, 0, frame.shape[1], frame.shape[0])
    x0, y0, x1, y1 = left // SHRINK, top // SHRINK, -(-right // SHRINK), -(-bottom // SHRINK)
    piece, before = frame[SHRINK * y0 : SHRINK * y1, SHRINK * x0 : SHRINK * x1], empty[y0:y1, x0:x1]
    small = shrink(piece)
    coarse = _shrink_strips(frame) if around else small[::_THIN, ::_THIN]
    gain = _find_gain(_list_pixels(coarse), _list_pixels(empty[::_THIN, ::_THIN]))
    thin = np.s_[::2, ::2] if around else np.s_[::_THIN, ::_THIN]
    left_over = np.abs(_list_pixels(small[thin]) - _list_pixels(before[thin]) * gain[:, None]).max(0, keepdims=True)
    noise = 1.4826 * float(medians(left_over)[0])
    levels = np.arange(256)
    expected = np.clip((levels[:, None] + 8) * gain - 7.5, 0, 255).astype(np.uint8)
    limits = np.minimum(max(6.0, 4 * noise) + 0.05 * levels, 255).astype(np.uint8)
    apart = largest(np.asarray(cv2.absdiff(small, cv2.LUT(before, expected[None])), dtype=np.uint8))
    mask = np.zeros(empty.shape[:2], np.uint8)
    mask[y0:y1, x0:x1] = apart > cv2.LUT(largest(before), limits)
    return Change(mask, max(1.0, _measure_grain(piece)), float(gain.max() / max(float(gain.min()), 1e-3)))


def _shrink_strips(frame: Frame) -> Frame:
    """Give every ``_THIN``-th pixel, each way, of the shrunk picture, without shrinking all of it."""
    rows = frame[: len(frame) // SHRINK * SHRINK].reshape(-1, SHRINK, *frame.shape[1:])[::_THIN]
    return shrink(rows.reshape(-1, *frame.shape[1:]))[:, ::_THIN]


def _list_pixels(picture: Frame) -> NDArray[np.float32]:
    """List pixels, (3, P), a little above 0."""
    return picture.reshape(-1, 3).T.astype(np.float32) + 8


def _find_gain(now: NDArray[np.float32], before: NDArray[np.float32]) -> NDArray[np.float32]:
    """Find by how much the light changed, by colour: from the brighter half, as dark pixels tell little."""
    sums = before.sum(0, keepdims=True)
    bright = (sums >= medians(sums))[0]
    return medians(now[:, bright] / before[:, bright])


def _measure_grain(frame: Frame) -> float:
    """Measure a picture's noise in grey levels as it remains after the smoothing by ``look``."""
    rows = np.ascontiguousarray(frame[:: max(1, len(frame) // _GRAIN_ROWS), ::2])
    apart = cv2.absdiff(rows[:, 1:], rows[:, :-1])
    steps = np.cumsum(cv2.calcHist([apart.reshape(-1, 1)], [0], None, [256], [0, 256]))
    return 0.6 * 1.4826 / 2**0.5 * float(np.searchsorted(steps, steps[-1] / 2))


def _share_of_places(grid: Grid, change: Change) -> FloatArray:
    """Tell which share of the die's middle changed at the places of the grid, 0 to 1, shape (N,)."""
    total = cv2.integral(change.mask)
    x0, y0, x1, y1 = grid.boxes.T
    filled = total[y1, x1] - total[y0, x1] - total[y1, x0] + total[y0, x0]
    return np.asarray(filled / np.maximum((x1 - x0) * (y1 - y0), 1))


def places_changed(grid: Grid, change: Change) -> NDArray[np.bool_]:
    """Tell at which places of the grid enough changed for a die to lie there, shape (N,)."""
    return _share_of_places(grid, change) > _CHANGED


def split_places(grid: Grid, change: Change, kept: NDArray[np.bool_]) -> list[NDArray[np.bool_]]:
    """Split the kept places by what changed together, what is about as large as a die first.

    A hand and a die beside it are looked at one by one: so the hand doesn't use up the tries, and costs no more.

    Returns:
        For each region which places of the grid are its, bool, shape (N,); at most ``_REGIONS``.
    """
    count, labels = cv2.connectedComponents(cv2.dilate(change.mask, np.ones((3, 3), np.uint8)), ltype=cv2.CV_16U)
    if count <= 2:
        return [kept]
    x0, y0, x1, y1 = (np.clip(grid.boxes[:, i], 0, labels.shape[1 - i % 2] - 1) for i in range(4))
    found = labels[(y0 + y1) // 2, (x0 + x1) // 2]
    for corner in (labels[y0, x0], labels[y0, x1], labels[y1, x0], labels[y1, x1]):
        found = np.where(found > 0, found, corner)  # only parts of a dark die on a dark table changed
    sizes = np.bincount(found[kept], minlength=count)
    numbers = np.flatnonzero(sizes)
    numbers = numbers[np.argsort(np.abs(np.log(sizes[numbers] / _DIE_PLACES)))]
    return [kept & (found == number) for number in numbers[:_REGIONS]]


def look(frame: Frame, grid: Grid, which: NDArray[np.bool_] | NDArray[np.int64], change: Change) -> View:
    """Cut a piece round some places out of a picture, and smooth it against sensor noise.

    Args:
        frame: the picture.
        grid: places on the table.
        which: of these.
        change: as ``find_changed`` gives it.
    """
    x0, y0, x1, y1 = box_around(grid, which)
    return View(
        np.asarray(cv2.GaussianBlur(frame[y0:y1, x0:x1], (0, 0), 0.8), dtype=np.uint8),
        np.array([x0, y0], dtype=np.float32),
        grid.plane,
        grid.cube,
        change.grain,
        float(grid.sizes[which].mean()),
        change.mask,
        SHRINK,
    )


def box_around(grid: Grid, which: NDArray[np.bool_] | NDArray[np.int64]) -> Around:
    """Give the box around some places, with room for a die and its surroundings."""
    reach = _ROOM * grid.sizes[which][:, None]
    width, height = grid.plane.size_wh
    low = np.maximum(0, np.floor((grid.centres[which] - reach).min(0))).astype(int)
    high = np.minimum([width, height], np.ceil((grid.centres[which] + reach).max(0))).astype(int)
    return int(low[0]), int(low[1]), int(high[0]), int(high[1])
