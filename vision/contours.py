"""The lines that bound a cube's seen faces, and how they move in the picture when the cube does.

A straight line of the cube is straight in the picture; it is projected once, and its points lie along it.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.cube import FLATTEST, Stance, axes_of, keep_depth, middle_of, see
from vision.frames import FloatArray

LINES = 24
"""So many lines bound the three faces: four times three where their own colour ends, and the outlines beyond."""

# Which of the three directions, as columns, an edge's own face points to, the face beyond it, and the edge runs along.
_OWN = np.repeat(np.eye(3), 4, axis=1)
_BEYOND = np.array([[0, 0, 0, 0, 1, 0, -1, 0, 1, 0, -1, 0],
                    [1, 0, -1, 0, 0, 0, 0, 0, 0, 1, 0, -1],
                    [0, 1, 0, -1, 0, 1, 0, -1, 0, 0, 0, 0]], dtype=np.float64)  # fmt: skip
_ALONG = 1 - _OWN - np.abs(_BEYOND)
_TWICE = tuple(np.tile(each, 2) for each in (_OWN, _BEYOND, _ALONG))


@dataclass(frozen=True, slots=True)
class Contours:
    """The lines that bound the seen faces of N cubes: straight lines through base + t * run, -0.5 <= t <= 0.5.

    Along each of a face's four edges, three faces, run two lines: where its own colour ends, and the outline.

    Attributes:
        stance: the cubes.
        middles: of each line from the cube's middle, in mm along the three faces' normals, shape (N, 3, LINES).
        lengths: of the lines in mm, shape (N, 1, LINES).
        base: K (R X + t) of the middle of each line, shape (3, N, LINES): a pixel when divided by the last.
        run: the same for the line's direction, K R X, shape (3, N, LINES).
        away: the same for 1 mm towards the face beyond, shape (3, N, LINES).
        seen: whether a line is seen, bool, shape (N, LINES).
        inner: whether the face beyond it is seen too, bool, shape (N, LINES).
    """

    stance: Stance
    middles: FloatArray
    lengths: FloatArray
    base: FloatArray
    run: FloatArray
    away: FloatArray
    seen: NDArray[np.bool_]
    inner: NDArray[np.bool_]


def contours(stance: Stance, insets: FloatArray) -> Contours:
    """Find where the lines that bound the faces are seen.

    A face's own colour ends ``inset`` before the edge of the sharp cube: halfway round the edge of a painted die, and
    at the border of a sticker. Where no face is seen beyond, the outline is where the rounded edge turns away, and
    a painted face's colour ends there.

    Args:
        stance: the cubes.
        insets: in mm, shape (N,).
    """
    half, round_mm = stance.cube.size_mm / 2, stance.cube.round_mm
    count, flat, short = len(insets), half - round_mm, LINES // 2
    # Where the rounded edge turns away its normal is square to the direction to the camera.
    towards = stance.sight @ _BEYOND
    outwards, beyond = np.maximum(-towards, 0.0), np.maximum(stance.sight @ _OWN, 1e-6)
    bulge = round_mm / np.hypot(outwards, beyond)
    hidden, insets = towards < 0, insets[:, None]
    inset = np.where(hidden, np.maximum(insets, round_mm - bulge * beyond), insets)
    deep = np.minimum(round_mm, np.maximum(0.0, round_mm - inset))
    parts = np.empty((2, count, 1, LINES))
    parts[0, :, 0, :short] = half - round_mm + np.sqrt(round_mm**2 - deep * deep)
    parts[1, :, 0, :short] = half - inset
    parts[0, :, 0, short:], parts[1, :, 0, short:] = flat + bulge * outwards, flat + bulge * beyond
    lengths = np.full((count, 1, LINES), 2 * flat)
    lengths[:, 0, :short] = 2 * (half - insets)
    seen, inner = np.empty((count, LINES), np.bool_), np.zeros((count, LINES), np.bool_)
    seen[:, :short] = np.repeat(stance.facing > FLATTEST, 4, axis=1)
    seen[:, short:], inner[:, :short] = seen[:, :short] & hidden, seen[:, :short] & ~hidden
    own, far, along = _TWICE
    middles, axes = parts[0] * own + parts[1] * far, axes_of(stance)
    base, run = axes @ middles + middle_of(stance)[..., None], axes @ along * lengths
    base, run, away = (each.transpose(1, 0, 2) for each in (base, run, axes @ far))
    return Contours(stance, middles, lengths, base, run, away, seen, inner)


_WITHIN = 0.14
"""How far inside a face its own colour is looked up, and how far outside the table, as a share of the size."""


def line_points(lines: Contours, along: FloatArray) -> NDArray[np.float32]:
    """Give pixels on the lines, at ``along``, shape (K,), -0.5 to 0.5 of their lengths; shape (2, K, N, LINES)."""
    return see(lines.base, lines.run, along)


def points_within(lines: Contours, along: FloatArray) -> NDArray[np.float32]:
    """Give pixels inside the faces, beside the lines, shape (2, K, N, LINES)."""
    return see(lines.base - lines.away * (_WITHIN * lines.stance.cube.size_mm), lines.run, along)


def points_beyond(lines: Contours, along: FloatArray) -> NDArray[np.float32]:
    """Give pixels a little outside the outlines, the second half of the lines, shape (2, K, N, LINES / 2)."""
    half = LINES // 2
    base = lines.base[..., half:] + lines.away[..., half:] * (_WITHIN * lines.stance.cube.size_mm)
    return see(base, lines.run[..., half:], along)


def line_normals(lines: Contours) -> FloatArray:
    """Give the planes through the camera and the lines, shape (3, N, LINES).

    Of each the first two are a unit vector across the line in the picture, away from the face: the line is where
    [x, y, 1] times the plane is 0, and a point K (R X + t) lies so many pixels beyond as its product with the
    plane, divided by its depth.
    """
    (x, y, z), (u, v, w) = lines.base, lines.run
    planes = np.array([y * w - z * v, z * u - x * w, x * v - y * u])
    length = np.hypot(planes[0], planes[1]) + 1e-12
    return np.asarray(planes * (np.where((planes * lines.away).sum(0) < 0, -1.0, 1.0) / length))


def line_slopes(lines: Contours, planes: FloatArray, along: FloatArray, *, loose: bool = False) -> FloatArray:
    """Tell how far points on the lines move across them, in pixels.

    Args:
        lines: the lines.
        planes: as ``line_normals`` gives them.
        along: as for ``line_points``.
        loose: also tell how they move with the cube's size and when it leans.

    Returns:
        By mm of x and y, radian of yaw, and mm by which the faces' own colour ends earlier, shape (4, K, N, LINES);
        with ``loose`` also by mm of size and radians by which it leans about the axes X and Y, (7, K, N, LINES).
    """
    stance, half = lines.stance, LINES // 2
    turn = (stance.plane.intrinsics @ stance.plane.rotation).T
    x, y, z = (turn @ planes.reshape(3, -1)).reshape(planes.shape)  # the planes in the table's axes
    base = (stance.normals @ lines.middles).transpose(1, 0, 2)
    run = (stance.normals @ _TWICE[2] * lines.lengths).transpose(1, 0, 2)
    fixed, grows = np.zeros((2, 7 if loose else 4, *x.shape))
    fixed[0], fixed[1] = x, y
    fixed[2], grows[2] = (x * points[1] - y * points[0] for points in (base, run))
    fixed[3, :, :half] = -(planes * lines.away).sum(0)[:, :half]
    if loose:
        size_mm = stance.cube.size_mm
        fixed[4] = 0.5 * z - (planes * middle_of(stance).T[..., None]).sum(0) / size_mm
        base[2] += size_mm / 2
        for part, points in ((fixed, base), (grows, run)):
            part[5], part[6] = z * points[1] - y * points[2], x * points[2] - z * points[0]
    where = along[:, None, None]
    return np.asarray((fixed[:, None] + grows[:, None] * where) / keep_depth(lines.base[2] + lines.run[2] * where))
