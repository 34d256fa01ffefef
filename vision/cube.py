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
_BESIDE = NORMALS[_NEIGHBOURS]
_ALONG = np.cross(NORMALS[:5, None], _BESIDE)
_ACROSS = np.array([[1, 0, 0], *np.cross(NORMALS[1:5], NORMALS[0])], dtype=np.float64)
_UP = np.cross(NORMALS[:5], _ACROSS)

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
        turned: matrices from a straight cube to these, shape (N, 3, 3).
        faces: the three faces looked at, as numbers, int, shape (N, 3).
        facing: cosine between each one's normal and the direction to the camera, shape (N, 3).
    """

    plane: Plane
    cube: Cube
    poses: FloatArray
    turned: FloatArray
    faces: NDArray[np.int64]
    facing: FloatArray


@dataclass(frozen=True, slots=True)
class Contours:
    """Points along the lines that bound the seen faces of N cubes, K on each line.

    Attributes:
        pixels: shape (N, LINES, K, 2).
        normals: unit vectors across the line in the picture, away from the face, shape (N, LINES, K, 2).
        slopes: how far a point moves along its normal by mm of x and y, radian of yaw, mm by which the faces' own
            colour ends earlier, in pixels, shape (N, LINES, K, 4); with ``loose`` also by mm of size and radians by
            which it leans about the axes X and Y, shape (N, LINES, K, 7).
        within: shape (N, LINES / 2, K, 2), pixels inside the face beside the first half of the lines.
        seen: whether a line is seen, bool, shape (N, LINES).
        inner: whether the face beyond it is seen too, bool, shape (N, LINES).
    """

    pixels: FloatArray
    normals: FloatArray
    slopes: FloatArray
    within: FloatArray
    seen: NDArray[np.bool_]
    inner: NDArray[np.bool_]


def scaled(cube: Cube, factor: float) -> Cube:
    """Make a cube larger by a factor."""
    return Cube(cube.size_mm * factor, cube.round_mm * factor, cube.inset_mm * factor)


def rotations(yaws: FloatArray) -> FloatArray:
    """Give the matrices that turn by ``yaws`` (radians, clockwise from above) about the vertical, (N, 3, 3)."""
    cos, sin, nil, one = np.cos(yaws), np.sin(yaws), np.zeros_like(yaws), np.ones_like(yaws)
    return np.stack((cos, sin, nil, -sin, cos, nil, nil, nil, one), -1).reshape(-1, 3, 3)


def wrap_yaw(yaw: float) -> float:
    """Bring a yaw in radians to -pi/4 <= yaw < pi/4."""
    return (yaw + pi / 4) % (pi / 2) - pi / 4


def stand(plane: Plane, cube: Cube, poses: FloatArray) -> Stance:
    """Put cubes on the table at poses, shape (N, 3), and find the faces to look at."""
    turned = rotations(poses[:, 2])
    normals = NORMALS[:5] @ turned.transpose(0, 2, 1)
    rays = plane.eye_mm - _middles(cube, poses)[:, None] - normals * (cube.size_mm / 2)
    facing = (rays * normals).sum(-1) / np.linalg.norm(rays, axis=-1)
    faces = np.zeros((len(poses), 3), np.int64)
    faces[:, 1:] = np.argsort(-facing[:, 1:], axis=1)[:, :2] + 1
    return Stance(plane, cube, poses, turned, faces, np.take_along_axis(facing, faces, 1))


def face_points(stance: Stance, uv: FloatArray) -> FloatArray:
    """Project points of the three faces.

    Args:
        stance: the cubes.
        uv: points on a face, -0.5 to 0.5 of its side, shape (P, 2).

    Returns:
        Pixels, shape (N, 3, P, 2).
    """
    local = NORMALS[:5, None] / 2 + uv[:, :1] * _ACROSS[:, None] + uv[:, 1:] * _UP[:, None]
    return _see(stance, (local * stance.cube.size_mm)[stance.faces])


def contours(stance: Stance, insets: FloatArray, along: FloatArray, *, loose: bool = False) -> Contours:
    """Find where the lines that bound the faces are seen.

    A face's own colour ends ``inset`` before the edge of the sharp cube: halfway round the edge of a painted die, and
    at the border of a sticker. Where no face is seen beyond, the outline is where the rounded edge turns away, and
    a painted face's colour ends there.

    Args:
        stance: the cubes.
        insets: in mm, shape (N,).
        along: where on a line, -0.5 to 0.5 of its length, shape (K,).
        loose: also tell how the points move with the cube's size and when it leans.
    """
    count, half, round_mm = len(stance.poses), stance.cube.size_mm / 2, stance.cube.round_mm
    own = NORMALS[stance.faces][:, :, None]
    beside, tangents = _BESIDE[stance.faces], _ALONG[stance.faces]
    bulge, view = _bulge(stance, own, beside)
    turns_away = round_mm * (1 - (bulge * beside).sum(-1))
    inset = np.where(view < 0, np.maximum(insets[:, None, None], turns_away), insets[:, None, None])[..., None]
    sunk = round_mm - np.sqrt(np.maximum(0.0, round_mm**2 - np.maximum(0.0, round_mm - inset) ** 2))
    patch = own * (half - sunk) + beside * (half - inset)
    outline = (own + beside) * (half - round_mm) + bulge * round_mm
    base = np.concatenate((patch, outline), axis=1).reshape(count, LINES, 3)
    reach = np.concatenate((np.repeat(half - insets[:, None], 12, 1), np.full((count, 12), half - round_mm)), 1)
    lines = np.concatenate((tangents, tangents), 1).reshape(count, LINES, 3)
    away = np.concatenate((beside, beside), 1).reshape(count, LINES, 3)
    points = base[:, :, None] + lines[:, :, None] * (2 * along[:, None] * reach[:, :, None, None])
    facing = np.repeat(stance.facing > FLATTEST, 4, 1)
    hidden = (view < 0).reshape(count, 12)
    seen = np.concatenate((facing, facing & hidden), 1)
    inner = np.concatenate((facing & ~hidden, np.zeros_like(facing)), 1)
    within = points[:, :12] - away[:, :12, None] * (_WITHIN * stance.cube.size_mm)
    return _project(stance, points, lines, away, within, seen, inner, loose)


FLATTEST = 0.12
"""A face seen at a flatter angle than this cosine is too narrow to tell anything."""

_WITHIN = 0.14


def _bulge(stance: Stance, own: FloatArray, beside: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Tell which way the outline lies from the middle of the rounded edge, and how far the faces beside are seen."""
    rays = stance.plane.eye_mm - _middles(stance.cube, stance.poses)
    rays /= np.linalg.norm(rays, axis=1, keepdims=True)
    local = np.einsum("nij,ni->nj", stance.turned, rays)[:, None, None]
    view_own, view_beside = (own * local).sum(-1), (beside * local).sum(-1)
    weight_own = np.maximum(-view_beside, 0.0)
    weight_beside = np.maximum(np.broadcast_to(view_own, view_beside.shape), 1e-6)
    length = np.hypot(weight_own, weight_beside)
    return (weight_own / length)[..., None] * own + (weight_beside / length)[..., None] * beside, view_beside


def _project(
    stance: Stance,
    points: FloatArray,
    lines: FloatArray,
    away: FloatArray,
    within: FloatArray,
    seen: NDArray[np.bool_],
    inner: NDArray[np.bool_],
    loose: bool,
) -> Contours:
    plane, shape = stance.plane, points.shape
    matrix = (plane.intrinsics @ plane.rotation).T
    turned = np.matmul(points.reshape(len(points), -1, 3), stance.turned.transpose(0, 2, 1)).reshape(shape)
    x, y, depth = _planes(turned + _middles(stance.cube, stance.poses)[:, None, None], matrix, plane)
    x, y = x / depth, y / depth

    def moved(world: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Tell how far the points move in the picture, right and down, when they move so in the world."""
        step = world @ matrix
        return (step[..., 0] - x * step[..., 2]) / depth, (step[..., 1] - y * step[..., 2]) / depth

    turn = stance.turned.transpose(0, 2, 1)
    run_x, run_y = moved(np.matmul(lines, turn)[:, :, None])
    out_x, out_y = moved(np.matmul(away, turn)[:, :, None])
    length = np.where(out_x * run_y < out_y * run_x, -1.0, 1.0) * (np.hypot(run_x, run_y) + 1e-12)
    across, down = run_y / length, -run_x / length
    nil = np.zeros_like(x)
    worlds = [
        np.array([1.0, 0.0, 0.0]),
        np.array([0.0, 1.0, 0.0]),
        np.stack((turned[..., 1], -turned[..., 0], nil), -1),
    ]
    inset = -(out_x * across + out_y * down)
    inset[:, LINES // 2 :] = 0.0
    slopes = [step_x * across + step_y * down for step_x, step_y in map(moved, worlds)] + [inset]
    if loose:
        height = turned[..., 2] + stance.cube.size_mm / 2
        leans = (np.stack((nil, -height, turned[..., 1]), -1), np.stack((height, nil, -turned[..., 0]), -1))
        more = (turned / stance.cube.size_mm + [0.0, 0.0, 0.5], *leans)
        slopes += [step_x * across + step_y * down for step_x, step_y in map(moved, more)]
    inside = _see(stance, within)
    normals = np.stack((across, down), -1)
    return Contours(np.stack((x, y), -1), normals, np.stack(slopes, -1), inside, seen, inner)


def _see(stance: Stance, local: FloatArray) -> FloatArray:
    """Project points of straight cubes, (N, A, B, 3), to pixels, (N, A, B, 2)."""
    plane = stance.plane
    both = np.matmul(plane.intrinsics @ plane.rotation, stance.turned)
    shift = _middles(stance.cube, stance.poses) @ (plane.intrinsics @ plane.rotation).T
    shift += plane.intrinsics @ plane.shift
    flat = np.matmul(local.reshape(len(local), -1, 3), both.transpose(0, 2, 1)) + shift[:, None]
    return np.asarray((flat[..., :2] / flat[..., 2:]).reshape(*local.shape[:-1], 2))


def _planes(world: FloatArray, matrix: FloatArray, plane: Plane) -> tuple[FloatArray, FloatArray, FloatArray]:
    camera = world @ matrix + plane.intrinsics @ plane.shift
    return camera[..., 0], camera[..., 1], camera[..., 2]


def _middles(cube: Cube, poses: FloatArray) -> FloatArray:
    return np.column_stack((poses[:, :2], np.full(len(poses), cube.size_mm / 2)))
