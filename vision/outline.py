"""Fitting level cubes to a picture: a coarse score for many poses, then a fine fit of some.

The fine fit looks for each predicted line along its normals and moves the cube by least squares: C. Harris and
C. Stennett, "RAPID - a video rate object tracker", BMVC 1990. Only x, y, the yaw and where the faces' own colour ends
are free, so whatever leans or floats doesn't fit. The end of a face's own colour is where the picture departs from the
colour inside it: the next line, of the body round a sticker or of the other face, isn't taken for it.
"""

from dataclasses import dataclass, replace
from math import pi

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.contours import LINES, contours, line_normals, line_points, line_slopes, points_beyond, points_within
from vision.cube import scaled, stand, wrap_yaw
from vision.frames import FloatArray
from vision.score import choose
from vision.view import View, look_up_changed, sample, size_px

_ROUGH_ALONG = np.linspace(-0.36, 0.36, 4)
_FINE_ALONG = np.linspace(-0.4, 0.4, 5)
_ROUGH_ROUNDS = 2
_INSET_SPREAD = 0.03
"""Deviation of the inset from the die's, from picture to picture, as a share of the size."""

_SAME = (0.08, pi / 60)
"""Fits that come so near to each other, in sizes and radians, have found the same cube."""

_HOPELESS = 0.4
"""Fits with less than this share of the best one's support are given up."""

_SIZE, _LEAN = 4, (5, 6)
"""Columns of slopes that are free only for some questions."""

_NARROW = 0.7
"""Each round looks so much nearer to the predicted lines."""

_TOGETHER = 2.9
"""So many of a line's points err together, found over many dice whose yaw is known."""

_INSET_NOISE_PX = 2.8
"""What a line's deviation in pixels counts against that spread: lines err together, so more than one alone does."""


@dataclass(frozen=True, slots=True)
class Fit:
    """One cube fitted to the picture.

    Attributes:
        pose: x, y in mm and yaw in radians, shape (3,).
        size_mm: from face to face, if it were left free.
        lean: how far it leans, in radians, if that were left free.
        yaw_error: standard deviation of the yaw, in radians, by how well the lines agree.
        support: share of the seen lines where the picture has an edge, 0 to 1.
        offset: how far the edges lie from the predicted ones, root mean square, in pixels of a die 30 pixels wide.
        inner: share of such lines between two seen faces only; a card or a hand has none there.
        blank: share of the seen lines where neither side differs from the other.
    """

    pose: FloatArray
    size_mm: float
    lean: float
    yaw_error: float
    support: float
    offset: float
    inner: float
    blank: float


def fit(view: View, poses: FloatArray, radius_px: float, *, rounds: int = 4, keep: int | None = None) -> list[Fit]:
    """Move cubes to where their lines are seen.

    Args:
        view: the piece of the picture.
        poses: x, y in mm and yaw in radians to start from, shape (N, 3).
        radius_px: how far from the predicted lines to look at first.
        rounds: how often to look and move.
        keep: give up all but so many after a first, rougher look.
    """
    poses = np.array(poses, dtype=np.float64)
    insets = np.full(len(poses), view.cube.inset_mm)
    for number in range(rounds):
        rough = keep is not None and number < _ROUGH_ROUNDS
        lines = _find_lines(view, poses, insets, max(2.5, radius_px * _NARROW**number), rough=rough)
        if keep is not None and number == _ROUGH_ROUNDS - 1:
            support = _support(view, lines, poses)
            best = choose(poses, support, keep, view.cube.size_mm, _SAME)
            best = best[support[best] >= _HOPELESS * support[best[0]]]
            poses, insets, lines = poses[best], insets[best], _choose(lines, best)
        steps = _solve(view, lines, insets)
        poses, insets = poses + steps[:, :3], np.clip(insets + steps[:, 3], 0.0, 0.3 * view.cube.size_mm)
    return _judge(view, poses, insets)


def fit_size(view: View, pose: FloatArray, radius_px: float, *, rounds: int = 6) -> Fit:
    """Move one cube, and give it the size, with which its lines are where they are seen; arguments as for ``fit``."""
    pose = np.array(pose, dtype=np.float64)
    inset = view.cube.inset_mm / view.cube.size_mm
    for number in range(rounds):
        size_mm = view.cube.size_mm
        lines = _find_lines(
            view, pose[None], np.array([inset * size_mm]), max(2.5, radius_px * _NARROW**number), loose=True
        )
        step = _solve(view, lines, np.array([inset * size_mm]), (_SIZE,))[0]
        pose, inset = pose + step[:3], min(0.3, max(0.0, inset + float(step[3]) / size_mm))
        view = replace(view, cube=scaled(view.cube, 1 + float(np.clip(step[4] / size_mm, -0.2, 0.2))))
    return replace(_judge(view, pose[None], np.array([inset * view.cube.size_mm]))[0], size_mm=view.cube.size_mm)


@dataclass(frozen=True, slots=True)
class _Lines:
    """What was found along the normals of the predicted lines, M points of each of N cubes."""

    offset: FloatArray  # (N, M) pixels along the normal
    weight: FloatArray  # (N, M) 0 to 1
    slope: FloatArray  # (N, M, 4 or 7) pixels, columns as in Contours
    peak: FloatArray  # (N, M) contrast in grey levels
    seen: NDArray[np.bool_]  # (N, M)
    inner: NDArray[np.bool_]  # (N, M) between two seen faces


def _find_lines(
    view: View, poses: FloatArray, insets: FloatArray, reach_px: float, *, rough: bool = False, loose: bool = False
) -> _Lines:
    along, step = (_ROUGH_ALONG, 1.0) if rough else (_FINE_ALONG, 0.5)
    span = round(1 / step)
    where = np.arange(-reach_px - 1, reach_px + 1.01, step, dtype=np.float32)
    lines = contours(stand(view.plane, view.cube, poses), insets)
    planes = line_normals(lines)
    slopes = line_slopes(lines, planes, along, loose=loose)
    seen, half = lines.seen, LINES // 2
    across = planes[:2, seen].astype(np.float32)[:, None, :, None] * where
    pixels = np.empty((2, len(along), across.shape[2], len(where) + 1), np.float32)
    pixels[..., 1:] = line_points(lines, along)[:, :, seen, None] + across
    pixels[..., 0] = points_within(lines, along)[:, :, seen]
    colours = sample(view, pixels)
    inside, colours = colours[:, :, :1], colours[:, :, 1:]
    contrast = _length(colours[..., 2 * span :, :] - colours[..., : -2 * span, :])
    owned = np.nonzero(seen)[1] < half
    own = _length(colours[:, owned] - inside[:, owned])
    contrast[:, owned] = np.minimum(contrast[:, owned], np.maximum(0, own[..., 2 * span :] - own[..., : -2 * span]))
    found = np.zeros((3, len(along), *seen.shape))
    found[:, :, seen] = _weigh_edges(view, contrast, where[span:-span], reach_px)
    # From here on the points of a cube are in a row, whatever their line.
    offset, weight, peak = found.transpose(0, 2, 1, 3).reshape(3, len(poses), -1)
    slopes = slopes.transpose(2, 1, 3, 0).reshape(*offset.shape, -1)
    masks = (np.repeat(mask[:, None], len(along), axis=1).reshape(offset.shape) for mask in (seen, lines.inner))
    return _Lines(offset, weight, slopes, peak, *masks)


def _weigh_edges(
    view: View, contrast: NDArray[np.float32], where: NDArray[np.float32], reach_px: float
) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
    """Tell where across the lines the edges are, how much they count, and their contrast, each of shape (K, L)."""
    pull = contrast * contrast * np.exp(-0.5 * (where / (0.6 * reach_px)) ** 2)
    sums = pull @ np.array((np.ones_like(where), where, where * where)).T
    offset, twice = (sums[..., 1:] / (sums[..., :1] + 1e-6)).transpose(2, 0, 1)
    spread = np.maximum(0.0, twice - offset * offset)
    square = pull.max(-1)
    weight = square / (square + (3 * view.grain + 6) ** 2) / (1 + spread / 1.5**2)
    return offset, weight, np.sqrt(square)


def _length(colours: NDArray[np.float32]) -> NDArray[np.float32]:
    """Give the lengths of vectors, shape (..., 3); NumPy is slow along so short an axis."""
    flat = colours.reshape(-1, 1, 3)
    lengths = np.asarray(cv2.sqrt(cv2.transform(flat * flat, np.ones((1, 3)))), dtype=np.float32)
    return lengths.reshape(colours.shape[:-1])


def _solve(view: View, lines: _Lines, insets: FloatArray, also: tuple[int, ...] = ()) -> FloatArray:
    """Find the steps that bring the lines nearest to the edges: x, y, yaw, inset and ``also`` other columns, (N, C)."""
    free = 4 + len(also)
    slope = lines.slope[..., [0, 1, 2, 3, *also]] if also else lines.slope[..., :4]
    prior = (_INSET_NOISE_PX / (_INSET_SPREAD * view.cube.size_mm)) ** 2
    damping = np.diag([1e-5, 1e-5, 1e-3, prior, *(1e-3 for _ in also)])
    pull = np.zeros((len(insets), free))
    pull[:, 3] = prior * (view.cube.inset_mm - insets)
    steps: FloatArray = np.zeros((len(insets), free))
    shown = lines.weight > 0
    hidden = np.where(shown, 0.0, np.inf)
    middle = np.arange(len(insets)), shown.sum(1) // 2
    for _ in range(3):
        rest = lines.offset - (slope @ steps[..., None])[..., 0]
        median = np.sort(np.abs(rest) + hidden, axis=1)[middle][:, None]
        scale = np.minimum(np.maximum(1.4826 * median, 0.3), 100.0)
        weight = lines.weight / (1 + (rest / (1.5 * scale)) ** 2)
        heavy = (slope * weight[..., None]).transpose(0, 2, 1)
        wanted = heavy @ lines.offset[..., None] + pull[..., None]
        steps = np.asarray(np.linalg.solve(heavy @ slope + damping, wanted)[..., 0], dtype=np.float64)
    return steps


def _judge(view: View, poses: FloatArray, insets: FloatArray) -> list[Fit]:
    sides = size_px(view.plane, view.cube, poses)
    lines = _find_lines(view, poses, insets, max(2.5, 0.09 * float(sides.mean())), loose=True)
    poses = poses + _solve(view, lines, insets)[:, :3]  # a last step, for which the lines are there already
    sizes = view.cube.size_mm + _solve(view, lines, insets, (_SIZE,))[:, 4]
    leans = np.hypot(*_solve(view, lines, insets, _LEAN)[:, 4:].T)
    errors = _yaw_errors(view, lines)
    weak, good = _weak(view, lines), _good(view, lines, sides)
    square = (lines.offset**2 * lines.weight).sum(1) / (lines.weight.sum(1) + 1e-6)
    offsets = np.sqrt(square) / np.maximum(1.0, sides / 30)
    return [
        Fit(
            np.array([poses[i, 0], poses[i, 1], wrap_yaw(float(poses[i, 2]))]),
            float(sizes[i]),
            float(leans[i]),
            float(errors[i]),
            _share(good[i], lines.seen[i]),
            float(offsets[i]),
            _share(good[i], lines.inner[i]),
            _share(weak[i], lines.seen[i]),
        )
        for i in range(len(poses))
    ]


def _yaw_errors(view: View, lines: _Lines) -> FloatArray:
    """Estimate how far off the yaws may be, in radians, (N,)."""
    slope = lines.slope[..., :4]
    prior = (_INSET_NOISE_PX / (_INSET_SPREAD * view.cube.size_mm)) ** 2
    curvature = (slope * lines.weight[..., None]).transpose(0, 2, 1) @ slope + np.diag([1e-5, 1e-5, 1e-3, prior])
    spread = (lines.offset**2 * lines.weight).sum(1) / (lines.weight.sum(1) + 1e-6)
    return np.asarray(np.sqrt(np.linalg.inv(curvature)[:, 2, 2] * spread * _TOGETHER))


def _weak(view: View, lines: _Lines) -> NDArray[np.bool_]:
    return lines.peak < 2 * view.grain + 4


def _good(view: View, lines: _Lines, sides: FloatArray) -> NDArray[np.bool_]:
    return (np.abs(lines.offset) < np.maximum(1.3, 0.04 * sides)[:, None]) & ~_weak(view, lines)


def _support(view: View, lines: _Lines, poses: FloatArray) -> FloatArray:
    """Tell at which share of the seen lines an edge lies near, (N,)."""
    good = _good(view, lines, size_px(view.plane, view.cube, poses))
    return np.asarray((good & lines.seen).sum(1) / lines.seen.sum(1))


def _choose(lines: _Lines, which: NDArray[np.int64]) -> _Lines:
    return _Lines(
        lines.offset[which],
        lines.weight[which],
        lines.slope[which],
        lines.peak[which],
        lines.seen[which],
        lines.inner[which],
    )


def _share(which: NDArray[np.bool_], among: NDArray[np.bool_]) -> float:
    return float(which[among].mean()) if among.any() else 0.0


_INSETS = np.arange(0.3, -0.061, -0.01)
_MIDDLE_ALONG = np.linspace(-0.25, 0.25, 5)


def find_insets(view: View, pose: FloatArray) -> FloatArray:
    """Measure how far before the edge the faces' own colour ends, where another face is seen beyond.

    Args:
        view: the piece of the picture.
        pose: x, y in mm and yaw in radians, shape (3,), of a cube that was fitted.

    Returns:
        As shares of the size, one for each line that shows it; empty when none does.
    """
    poses = np.repeat(pose[None], len(_INSETS), axis=0)
    lines = contours(stand(view.plane, view.cube, poses), _INSETS * view.cube.size_mm)
    colours = sample(view, line_points(lines, _MIDDLE_ALONG)[..., lines.inner[0]])
    inside = np.median(colours[:, :8], axis=1, keepdims=True)
    apart = _length(colours - inside).mean(0)
    contrast = apart.max(0)
    ends = np.argmax(apart > 0.5 * np.minimum(contrast, 60.0), axis=0)
    return np.asarray(_INSETS[ends][contrast > 4 * view.grain + 10])


def share_beyond(view: View, pose: FloatArray) -> float:
    """Tell at which share of points a little outside a cube's outline the picture changed since the table was empty.

    Only a shadow changed it there; round a cube that is too small the rest of the die did, on all sides.
    """
    lines = contours(stand(view.plane, view.cube, pose[None]), np.array([view.cube.inset_mm]))
    changed = look_up_changed(view, points_beyond(lines, _MIDDLE_ALONG))[..., lines.seen[:, LINES // 2 :]]
    return float(changed.mean()) if changed.size else 1.0
