"""The lines that bound a cube's seen faces, and how they move in the picture when the cube does.

A straight line of the cube is straight in the picture; it is projected once, and its points lie along it.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.cube import FLATTEST, NORMALS, Stance, axes_of, keep_depth, middle_of, number_of, see, take, turn_all
from vision.frames import FloatArray

_NEIGHBOURS = np.array([[1, 2, 3, 4], [0, 2, 5, 4], [0, 3, 5, 1], [0, 4, 5, 2], [0, 1, 5, 3]])
_ALONG = number_of(np.cross(NORMALS[:5, None], NORMALS[_NEIGHBOURS]))

LINES = 24
"""So many lines bound the three faces: four times three where their own colour ends, and the outlines beyond."""


@dataclass(frozen=True, slots=True)
class _Edges:
    """Along each of a face's four edges, three faces, run two lines: where its own colour ends, and the outline.

    Attributes:
        own: number of the face in ``NORMALS``, int, shape (N, 12).
        beyond: number of the face beyond the edge, int, shape (N, 12).
        directions: number of the edge's own direction in ``NORMALS``, int, shape (N, 12).
        parts: how far the lines lie from the cube's middle along the normal of the face, and of the one beyond, in
            mm, shape (2, N, 2, 12).
        lengths: of the lines, in mm, shape (N, 2, 1).
    """

    own: NDArray[np.int64]
    beyond: NDArray[np.int64]
    directions: NDArray[np.int64]
    parts: FloatArray
    lengths: FloatArray


@dataclass(frozen=True, slots=True)
class Contours:
    """The lines that bound the seen faces of N cubes: straight lines through base + t * run, -0.5 <= t <= 0.5.

    Attributes:
        stance: the cubes.
        edges: the cubes' edges that they follow.
        base: K (R X + t) of the middle of each line, shape (3, N, LINES): a pixel when divided by the last.
        run: the same for the line's direction, K R X, shape (3, N, LINES).
        away: the same for 1 mm towards the face beyond, shape (3, N, LINES).
        seen: whether a line is seen, bool, shape (N, LINES).
        inner: whether the face beyond it is seen too, bool, shape (N, LINES).
    """

    stance: Stance
    edges: _Edges
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
    count, flat = len(stance.poses), half - round_mm
    own = np.repeat(stance.faces, 4, axis=1)
    beyond, directions = _NEIGHBOURS[stance.faces].reshape(count, 12), _ALONG[stance.faces].reshape(count, 12)
    cubes = np.arange(count)[:, None]
    view_own, view_beyond = stance.sight[cubes, own], stance.sight[cubes, beyond]
    # Where the rounded edge turns away its normal is square to the direction to the camera.
    bulge_own, bulge_beyond = np.maximum(-view_beyond, 0.0), np.maximum(view_own, 1e-6)
    bulge = round_mm / np.hypot(bulge_own, bulge_beyond)
    hidden, insets = view_beyond < 0, insets[:, None]
    inset = np.where(hidden, np.maximum(insets, round_mm - bulge * bulge_beyond), insets)
    sunk = round_mm - np.sqrt(round_mm**2 - np.minimum(round_mm, np.maximum(0.0, round_mm - inset)) ** 2)
    parts = np.empty((2, count, 2, 12))
    parts[0, :, 0], parts[0, :, 1] = half - sunk, flat + bulge * bulge_own
    parts[1, :, 0], parts[1, :, 1] = half - inset, flat + bulge * bulge_beyond
    lengths = np.empty((count, 2, 1))
    lengths[:, 0], lengths[:, 1] = 2 * (half - insets), 2 * flat
    facing = np.repeat(stance.facing > FLATTEST, 4, axis=1)
    seen = np.concatenate((facing, facing & hidden), axis=1)
    inner = np.concatenate((facing & ~hidden, np.zeros_like(facing)), axis=1)
    edges = _Edges(own, beyond, directions, parts, lengths)
    away, base, run = _spread(axes_of(stance), edges)
    base += middle_of(stance)[..., None]
    return Contours(stance, edges, base, run, away, seen, inner)


_WITHIN = 0.14
"""How far inside a face its own colour is looked up, and how far outside the table, as a share of the size."""


def line_points(lines: Contours, along: FloatArray) -> NDArray[np.float32]:
    """Give pixels on the lines, at ``along``, shape (K,), -0.5 to 0.5 of their lengths; shape (2, K, N, LINES)."""
    return see((lines.base, lines.run), along[:, None])


def points_within(lines: Contours, along: FloatArray) -> NDArray[np.float32]:
    """Give pixels inside the faces, beside the first half of the lines, shape (2, K, N, LINES / 2)."""
    half = LINES // 2
    base = lines.base[..., :half] - lines.away[..., :half] * (_WITHIN * lines.stance.cube.size_mm)
    return see((base, lines.run[..., :half]), along[:, None])


def points_beyond(lines: Contours, along: FloatArray) -> NDArray[np.float32]:
    """Give pixels a little outside the outlines, the second half of the lines, shape (2, K, N, LINES / 2)."""
    half = LINES // 2
    base = lines.base[..., half:] + lines.away[..., half:] * (_WITHIN * lines.stance.cube.size_mm)
    return see((base, lines.run[..., half:]), along[:, None])


def line_normals(lines: Contours) -> FloatArray:
    """Give the planes through the camera and the lines, shape (3, N, LINES).

    Of each the first two are a unit vector across the line in the picture, away from the face: the line is where
    [x, y, 1] times the plane is 0, and a point K (R X + t) lies so many pixels beyond as its product with the
    plane, divided by its depth.
    """
    base, run = lines.base, lines.run
    planes = base[[1, 2, 0]] * run[[2, 0, 1]] - base[[2, 0, 1]] * run[[1, 2, 0]]
    length = np.hypot(planes[0], planes[1]) + 1e-12
    sign = np.where((planes * lines.away).sum(0) < 0, -1.0, 1.0)
    return np.asarray(planes * (sign / length))


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
    plane, half = lines.stance.plane, LINES // 2
    x, y, z = turn_all((plane.intrinsics @ plane.rotation).T, planes)  # the planes in the table's axes
    _, base, run = _spread(lines.stance.normals, lines.edges)
    fixed, grows = np.zeros((2, 7 if loose else 4, *x.shape))
    fixed[0], fixed[1] = x, y
    fixed[2], grows[2] = (x * points[1] - y * points[0] for points in (base, run))
    fixed[3, :, :half] = -(planes * lines.away).sum(0)[:, :half]
    if loose:
        size_mm = lines.stance.cube.size_mm
        fixed[4] = 0.5 * z - (planes * middle_of(lines.stance)[..., None]).sum(0) / size_mm
        base[2] += size_mm / 2
        for part, points in ((fixed, base), (grows, run)):
            part[5], part[6] = z * points[1] - y * points[2], x * points[2] - z * points[0]
    where = along[:, None, None]
    return np.asarray((fixed[:, None] + grows[:, None] * where) / keep_depth(lines.base[2] + lines.run[2] * where))


def _spread(axes: FloatArray, edges: _Edges) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Give 1 mm towards the faces beyond, the lines' middles from the cubes', and the lines, each (3, N, LINES).

    Args:
        axes: what 1 mm along each of ``NORMALS`` is, in whatever axes the answer shall have, shape (3, N, 6).
        edges: the lines.
    """
    shape = (3, len(edges.own), LINES)
    normals, away, directions = (take(axes, which)[:, :, None] for which in (edges.own, edges.beyond, edges.directions))
    base = edges.parts[0] * normals + edges.parts[1] * away
    return np.repeat(away, 2, axis=2).reshape(shape), base.reshape(shape), (edges.lengths * directions).reshape(shape)
