"""A level cube with rounded edges on the table: where its faces and edges are seen.

Many cubes are handled at once: ``poses`` has shape (N, 3) and holds x, y in mm and the yaw in radians, clockwise from
above. Faces are numbered top, N, E, S, W as in ``FACES``; a face keeps the name of the side it is nearest to, for
-45 <= yaw < 45 degrees. Of each cube three faces are looked at: the top and the two sides that face the camera most.
"""

from dataclasses import dataclass
from math import pi

import numpy as np
from numpy.typing import NDArray

from vision.frames import FloatArray
from vision.plane import Plane

FACES = ("top", "N", "E", "S", "W")
"""The faces that can be seen, in the order of their numbers."""

NORMALS = np.array([[0, 0, 1], [0, 1, 0], [1, 0, 0], [0, -1, 0], [-1, 0, 0], [0, 0, -1]], dtype=np.float64)
"""Where the faces of a straight cube point; the last is the face it lies on."""

_NEIGHBOURS = np.array([[1, 2, 3, 4], [0, 2, 5, 4], [0, 3, 5, 1], [0, 4, 5, 2], [0, 1, 5, 3]])


def _number(directions: FloatArray) -> NDArray[np.int64]:
    """Give the numbers in ``NORMALS`` of directions along a straight cube's edges."""
    return np.argmax(directions @ NORMALS.T, axis=-1)


_ALONG = _number(np.cross(NORMALS[:5, None], NORMALS[_NEIGHBOURS]))
_ACROSS = np.array([2, *_number(np.cross(NORMALS[1:5], NORMALS[0]))])
_UP = _number(np.cross(NORMALS[:5], NORMALS[_ACROSS]))

LINES = 24
"""So many lines bound the three faces: four times three where their own colour ends, and the outlines beyond."""


@dataclass(frozen=True, slots=True)
class Cube:
    """The die's shape.

    Attributes:
        size_mm: from face to face.
        round_mm: radius of the rounded edges.
        inset_mm: how far before the edge of the sharp cube the faces' own colour ends towards a face that is seen too.
    """

    size_mm: float
    round_mm: float
    inset_mm: float


@dataclass(frozen=True, slots=True)
class Stance:
    """N cubes as they stand before the camera.

    Attributes:
        plane: the camera over the table.
        cube: their shape.
        poses: shape (N, 3).
        normals: where their faces point, in the order of ``NORMALS``, shape (3, N, 6).
        sight: cosine between each of these and the direction from the cube's middle to the camera, shape (N, 6).
        faces: the three faces looked at, as numbers, int, shape (N, 3).
        facing: cosine between each one's normal and the direction from its middle to the camera, shape (N, 3).
    """

    plane: Plane
    cube: Cube
    poses: FloatArray
    normals: FloatArray
    sight: FloatArray
    faces: NDArray[np.int64]
    facing: FloatArray


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


def scaled(cube: Cube, factor: float) -> Cube:
    """Make a cube larger by a factor."""
    return Cube(cube.size_mm * factor, cube.round_mm * factor, cube.inset_mm * factor)


def rotations(yaws: FloatArray) -> FloatArray:
    """Give the matrices that turn by ``yaws`` (radians, clockwise from above) about the vertical, (N, 3, 3)."""
    turned = np.zeros((len(yaws), 3, 3))
    turned[:, 0, 0] = turned[:, 1, 1] = np.cos(yaws)
    turned[:, 0, 1] = np.sin(yaws)
    turned[:, 1, 0] = -turned[:, 0, 1]
    turned[:, 2, 2] = 1.0
    return turned


def wrap_yaw(yaw: float) -> float:
    """Bring a yaw in radians to -pi/4 <= yaw < pi/4."""
    return (yaw + pi / 4) % (pi / 2) - pi / 4


def stand(plane: Plane, cube: Cube, poses: FloatArray) -> Stance:
    """Put cubes on the table at poses, shape (N, 3), and find the faces to look at."""
    half = cube.size_mm / 2
    turned = rotations(poses[:, 2]).transpose(1, 0, 2)
    normals = np.concatenate((turned[..., ::-1], -turned), axis=2)[..., [0, 1, 2, 4, 3, 5]]
    rays = plane.eye_mm[:, None] - _middles(cube, poses)
    ahead, square = (normals * rays[..., None]).sum(0), (rays * rays).sum(0)[:, None]
    faces = np.zeros((len(poses), 3), np.int64)
    faces[:, 1:] = np.argsort(-ahead[:, 1:5], axis=1)[:, :2] + 1
    chosen = ahead[np.arange(len(poses))[:, None], faces]
    facing = (chosen - half) / np.sqrt(square - 2 * half * chosen + half**2)
    return Stance(plane, cube, poses, normals, ahead / np.sqrt(square), faces, facing)


def face_points(stance: Stance, uv: FloatArray) -> NDArray[np.float32]:
    """Project points of the three faces.

    Args:
        stance: the cubes.
        uv: points on a face, -0.5 to 0.5 of its side, shape (P, 2).

    Returns:
        Pixels, x and y, shape (2, P, N, 3).
    """
    axes, faces = _axes(stance) * stance.cube.size_mm, stance.faces
    middles = _middle(stance)[..., None] + _take(axes, faces) / 2
    return _see((middles, _take(axes, _ACROSS[faces]), _take(axes, _UP[faces])), uv)


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
    away, base, run = _spread(_axes(stance), edges)
    base += _middle(stance)[..., None]
    return Contours(stance, edges, base, run, away, seen, inner)


FLATTEST = 0.12
"""A face seen at a flatter angle than this cosine is too narrow to tell anything."""

_WITHIN = 0.14
"""How far inside a face its own colour is looked up, as a share of the size."""


def line_points(lines: Contours, along: FloatArray) -> NDArray[np.float32]:
    """Give pixels on the lines, at ``along``, shape (K,), -0.5 to 0.5 of their lengths; shape (2, K, N, LINES)."""
    return _see((lines.base, lines.run), along[:, None])


def points_within(lines: Contours, along: FloatArray) -> NDArray[np.float32]:
    """Give pixels inside the faces, beside the first half of the lines, shape (2, K, N, LINES / 2)."""
    half = LINES // 2
    base = lines.base[..., :half] - lines.away[..., :half] * (_WITHIN * lines.stance.cube.size_mm)
    return _see((base, lines.run[..., :half]), along[:, None])


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
    x, y, z = _turn((plane.intrinsics @ plane.rotation).T, planes)  # the planes in the table's axes
    _, base, run = _spread(lines.stance.normals, lines.edges)
    fixed, grows = np.zeros((2, 7 if loose else 4, *x.shape))
    fixed[0], fixed[1] = x, y
    fixed[2], grows[2] = (x * points[1] - y * points[0] for points in (base, run))
    fixed[3, :, :half] = -(planes * lines.away).sum(0)[:, :half]
    if loose:
        size_mm = lines.stance.cube.size_mm
        fixed[4] = 0.5 * z - (planes * _middle(lines.stance)[..., None]).sum(0) / size_mm
        base[2] += size_mm / 2
        for part, points in ((fixed, base), (grows, run)):
            part[5], part[6] = z * points[1] - y * points[2], x * points[2] - z * points[0]
    where = along[:, None, None]
    return np.asarray((fixed[:, None] + grows[:, None] * where) / _depth(lines.base[2] + lines.run[2] * where))


def _spread(axes: FloatArray, edges: _Edges) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Give 1 mm towards the faces beyond, the lines' middles from the cubes', and the lines, each (3, N, LINES).

    Args:
        axes: what 1 mm along each of ``NORMALS`` is, in whatever axes the answer shall have, shape (3, N, 6).
        edges: the lines.
    """
    shape = (3, len(edges.own), LINES)
    normals, away, directions = (
        _take(axes, which)[:, :, None] for which in (edges.own, edges.beyond, edges.directions)
    )
    base = edges.parts[0] * normals + edges.parts[1] * away
    return np.repeat(away, 2, axis=2).reshape(shape), base.reshape(shape), (edges.lengths * directions).reshape(shape)


def _axes(stance: Stance) -> FloatArray:
    """Give K R X for the directions in which the faces point, shape (3, N, 6)."""
    return _turn(stance.plane.intrinsics @ stance.plane.rotation, stance.normals)


def _middle(stance: Stance) -> FloatArray:
    """Give K (R X + t) for the cubes' middles, shape (3, N)."""
    plane = stance.plane
    return plane.intrinsics @ (plane.rotation @ _middles(stance.cube, stance.poses) + plane.shift[:, None])


def _turn(matrix: FloatArray, vectors: FloatArray) -> FloatArray:
    """Multiply vectors, shape (3, ...), by a matrix."""
    return (matrix @ vectors.reshape(3, -1)).reshape(vectors.shape)


def _take(axes: FloatArray, numbers: NDArray[np.int64]) -> FloatArray:
    """Pick directions by number from each cube's, (3, N, 6) and (N, A); shape (3, N, A)."""
    where = numbers + np.arange(0, 6 * len(numbers), 6)[:, None]
    return axes.reshape(3, -1).take(where, axis=1)


def _see(parts: tuple[FloatArray, ...], by: FloatArray) -> NDArray[np.float32]:
    """Give the pixels of points K (R X + t) = parts[0] + by[:, 0] * parts[1] + ..., (2, len(by), ...)."""
    first, *others = (part.astype(np.float32)[:, None] for part in parts)
    points = first
    for other, factors in zip(others, by.T.astype(np.float32), strict=True):
        points = points + other * factors[:, None, None]
    return np.asarray(points[:2] / _depth(points[2]))


def _depth(depths: NDArray[np.floating]) -> NDArray[np.floating]:
    """Keep depths from 0, where a fit goes astray."""
    return np.maximum(depths, 1.0)


def _middles(cube: Cube, poses: FloatArray) -> FloatArray:
    """Give the cubes' middles in mm, shape (3, N)."""
    middles = np.full((3, len(poses)), cube.size_mm / 2)
    middles[:2] = poses[:, :2].T
    return middles
