"""Finding where a die may lie: places that changed since the table was empty, scored and fitted as cubes."""

from dataclasses import dataclass
from functools import partial
from math import pi

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cube import Cube
from vision.frames import FloatArray, Frame
from vision.outline import Fit, fit
from vision.plane import Plane, project, to_table
from vision.score import choose, score_poses
from vision.sketch import Sketch
from vision.view import View, find_edges, largest, size_px

SHRINK = 4
"""Pictures are compared with the empty table at a quarter of their size: noise averages out, and it is quick."""

_SMALLEST_PX = 10.0
"""A die seen smaller than this can't be read."""

_STEP = 0.25
"""Places are so many die's sizes apart: the fine fit finds home from there."""

Around = tuple[int, int, int, int]
"""A piece of a picture: x0, y0, x1, y1 in pixels, the last two just outside."""

_YAWS = np.arange(-3.0, 3.0) * (pi / 12)
_MANY_PLACES = 150
"""Of more places only the best by a first look are looked at in all ways: a hand changes a large part of the table."""

_MOST_PLACES, _AT_ONCE = 4000, 500
"""Of still more only every second, third and so on gets a first look: somebody leans over the table. So many at once,
to spare memory."""

_LOOKED_AT = 8
_NEARBY = np.array(
    [(0, 0, 0), (-0.12, 0, 0), (0.12, 0, 0), (0, -0.12, 0), (0, 0.12, 0), (0, 0, -pi / 36), (0, 0, pi / 36)]
)
"""Round so many of the best poses others are tried, this far off in sizes and radians: the score's peaks are sharp."""

_REGIONS = 6
_DIE_PLACES = 60
"""So many regions that changed are looked at, those first in which about as many places are kept as round a die."""

_KEPT = 5
"""So many are fitted finely."""

_CHANGED = 0.3
"""Share of the die's middle that must have changed: a black face on a black table doesn't show."""


@dataclass(frozen=True, slots=True)
class Grid:
    """Places on the table where a die would be seen whole.

    Attributes:
        places: x, y in mm, shape (N, 2).
        boxes: the die's middle in the shrunk picture: x0, y0, x1, y1, the last two just outside, int, shape (N, 4).
        centres: of the die, in the whole picture, [x, y], shape (N, 2).
        sizes: of the die's edge in pixels, shape (N,).
    """

    places: FloatArray
    boxes: NDArray[np.int64]
    centres: FloatArray
    sizes: FloatArray


@dataclass(frozen=True, slots=True)
class Candidate:
    """A cube that may lie there; ``score`` as of ``score_poses``, its fit to the outline."""

    score: float
    fit: Fit


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
    return Grid(places[whole], boxes, centres[whole], sizes[whole])


def shrink(frame: Frame) -> Frame:
    """Shrink a picture by ``SHRINK``, averaging."""
    width, height = frame.shape[1] // SHRINK, frame.shape[0] // SHRINK
    half = cv2.resize(frame, (2 * width, 2 * height), interpolation=cv2.INTER_AREA)  # twice a half is quicker
    return np.asarray(cv2.resize(half, (width, height), interpolation=cv2.INTER_AREA), dtype=np.uint8)


def find_changed(frame: Frame, empty: Frame) -> Change:
    """Find what changed since the table was empty.

    Args:
        frame: the picture.
        empty: the shrunk empty table.

    """
    small = shrink(frame)
    # Pixels of a coarse grid, (3, P), tell how the light changed, and how much noise is left.
    now, before = (picture[::6, ::6].reshape(-1, 3).T.astype(np.float32) + 8 for picture in (small, empty))
    gain = _find_gain(now, before)
    noise = 1.4826 * float(_middle_of(np.abs(now - before * gain[:, None]).max(0, keepdims=True))[0])
    levels = np.arange(256)
    expected = np.clip((levels[:, None] + 8) * gain - 7.5, 0, 255).astype(np.uint8)
    limits = np.minimum(max(6.0, 4 * noise) + 0.05 * levels, 255).astype(np.uint8)
    apart = largest(np.asarray(cv2.absdiff(small, cv2.LUT(empty, expected[None])), dtype=np.uint8))
    mask = cv2.compare(apart, cv2.LUT(largest(empty), limits), cv2.CMP_GT)
    cast = float(gain.max() / max(float(gain.min()), 1e-3))
    return Change(np.asarray(mask & 1, dtype=np.uint8), max(1.0, _measure_grain(frame)), cast)


def _find_gain(now: NDArray[np.float32], before: NDArray[np.float32]) -> NDArray[np.float32]:
    """Find by how much the light changed, by colour: from the brighter half, as dark pixels tell little."""
    sums = before.sum(0, keepdims=True)
    bright = (sums >= _middle_of(sums))[0]
    return _middle_of(now[:, bright] / before[:, bright])


def _middle_of(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """Give the medians of the rows of values, (R, P), as (R,); NumPy's own is slow on so few."""
    return np.asarray(np.sort(values, axis=1)[:, values.shape[1] // 2])


def _measure_grain(frame: Frame) -> float:
    """Measure a picture's noise in grey levels as it remains after the smoothing by ``look``."""
    rows = np.ascontiguousarray(frame[:: 8 * SHRINK, ::2])
    apart = cv2.absdiff(rows[:, 1:], rows[:, :-1])
    steps = np.cumsum(cv2.calcHist([apart.reshape(-1, 1)], [0], None, [256], [0, 256]))
    return 0.6 * 1.4826 / 2**0.5 * float(np.searchsorted(steps, steps[-1] / 2))


def share_of_places(grid: Grid, change: Change) -> FloatArray:
    """Tell which share of the die's middle changed at the places of the grid, 0 to 1, shape (N,)."""
    total = cv2.integral(change.mask)
    x0, y0, x1, y1 = grid.boxes.T
    filled = total[y1, x1] - total[y0, x1] - total[y1, x0] + total[y0, x0]
    return np.asarray(filled / np.maximum((x1 - x0) * (y1 - y0), 1))


def places_changed(grid: Grid, change: Change) -> NDArray[np.bool_]:
    """Tell at which places of the grid enough changed for a die to lie there, shape (N,)."""
    return share_of_places(grid, change) > _CHANGED


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


def look(frame: Frame, plane: Plane, cube: Cube, *, around: Around, change: Change) -> View:
    """Cut a piece out of a picture and smooth it against sensor noise.

    Args:
        frame: the picture.
        plane: the camera over the table.
        cube: the die's shape.
        around: the piece.
        change: as ``find_changed`` gives it.
    """
    x0, y0, x1, y1 = around
    patch = cv2.GaussianBlur(frame[y0:y1, x0:x1], (0, 0), 0.8)
    middle = to_table(plane, [(x0 + x1) / 2, (y0 + y1) / 2], cube.size_mm / 2)
    return View(
        np.asarray(patch, dtype=np.uint8),
        np.array([x0, y0], dtype=np.float32),
        plane,
        cube,
        change.grain,
        np.array([*middle, 0.0]),
        change.mask,
        SHRINK,
    )


def find_candidates(view: View, places: FloatArray, sketch: Sketch | None = None, *, tries: int = 6) -> list[Candidate]:
    """Find cubes near some places, x, y in mm, shape (N, 2); the most promising first.

    With a ``sketch`` of its colours a die is told from other things earlier.
    """
    edges = find_edges(view)
    score = partial(score_poses, view, edges, sketch=sketch)
    if len(places) > _MANY_PLACES:
        places = places[:: -(-len(places) // _MOST_PLACES)]
        pieces = np.array_split(places, -(-len(places) // _AT_ONCE))
        first = np.concatenate([score(_turned(some, _YAWS[::3])).reshape(len(some), -1).max(1) for some in pieces])
        places = places[np.argsort(-first)[:_MANY_PLACES]]
    poses = _turned(places, _YAWS)
    scores = score(poses)
    best = poses[np.argsort(-scores)[:_LOOKED_AT]]
    beside = (best[:, None] + _NEARBY * [view.cube.size_mm, view.cube.size_mm, 1.0]).reshape(-1, 3)
    poses, scores = np.vstack((poses, beside)), np.concatenate((scores, score(beside)))
    starts = poses[choose(poses, scores, tries, view.cube.size_mm)]
    keep = None if sketch is None else _KEPT
    fits = fit(view, starts, 0.14 * float(size_px(view.plane, view.cube, starts).mean()), keep=keep)
    again = score(np.array([one.pose for one in fits]))
    found = [Candidate(float(score), one) for score, one in zip(again, fits, strict=True)]
    return sorted(found, key=lambda one: -_promise(one))


def box_around(grid: Grid, kept: NDArray[np.bool_], size_wh: tuple[int, int]) -> Around:
    """Give the box around some places, with room for a die and its surroundings."""
    reach = 1.3 * grid.sizes[kept][:, None]
    low = np.floor((grid.centres[kept] - reach).min(0)).astype(int)
    high = np.ceil((grid.centres[kept] + reach).max(0)).astype(int)
    return max(0, int(low[0])), max(0, int(low[1])), min(size_wh[0], int(high[0])), min(size_wh[1], int(high[1]))


def _turned(places: FloatArray, yaws: FloatArray) -> FloatArray:
    """Give poses at every place with every yaw, shape (places * yaws, 3)."""
    return np.column_stack((np.repeat(places, len(yaws), axis=0), np.tile(yaws, len(places))))


def _promise(one: Candidate) -> float:
    """Say roughly how likely a die lies so, to choose which to look at closely."""
    return 0.5 * one.score + one.fit.support - 0.7 * one.fit.offset - one.fit.blank
