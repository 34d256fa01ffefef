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


def number_of(directions: FloatArray) -> NDArray[np.int64]:
    """Give the numbers in ``NORMALS`` of directions along a straight cube's edges."""
    return np.asarray(np.argmax(directions @ NORMALS.T, axis=-1))


_ACROSS = np.array([2, *number_of(np.cross(NORMALS[1:5], NORMALS[0]))])
_UP = number_of(np.cross(NORMALS[:5], NORMALS[_ACROSS]))

FLATTEST = 0.12
"""A face seen at a flatter angle than this cosine is too narrow to tell anything."""


@dataclass(frozen=True, slots=True)
class Cube:
    """The die's shape.

    Attributes:
        size_mm: from face to face.
        round_mm: radius of the rounded edges.
        inset_mm: how far before the edge of the sharp cube the faces' own colour ends towards a face that is seen too.
        painted: whether the faces' colours go round the edges, as a sticker's don't.
    """

    size_mm: float
    round_mm: float
    inset_mm: float
    painted: bool = False


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


def scaled(cube: Cube, factor: float) -> Cube:
    """Make a cube larger by a factor."""
    return Cube(cube.size_mm * factor, cube.round_mm * factor, cube.inset_mm * factor, cube.painted)


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
    axes, faces = axes_of(stance) * stance.cube.size_mm, stance.faces
    middles = middle_of(stance)[..., None] + take(axes, faces) / 2
    return see((middles, take(axes, _ACROSS[faces]), take(axes, _UP[faces])), uv)


def axes_of(stance: Stance) -> FloatArray:
    """Give K R X for the directions in which the faces point, shape (3, N, 6)."""
    return turn_all(stance.plane.intrinsics @ stance.plane.rotation, stance.normals)


def middle_of(stance: Stance) -> FloatArray:
    """Give K (R X + t) for the cubes' middles, shape (3, N)."""
    plane = stance.plane
    return plane.intrinsics @ (plane.rotation @ _middles(stance.cube, stance.poses) + plane.shift[:, None])


def turn_all(matrix: FloatArray, vectors: FloatArray) -> FloatArray:
    """Multiply vectors, shape (3, ...), by a matrix."""
    return (matrix @ vectors.reshape(3, -1)).reshape(vectors.shape)


def take(axes: FloatArray, numbers: NDArray[np.int64]) -> FloatArray:
    """Pick directions by number from each cube's, (3, N, 6) and (N, A); shape (3, N, A)."""
    where = numbers + np.arange(0, 6 * len(numbers), 6)[:, None]
    return axes.reshape(3, -1).take(where, axis=1)


def see(parts: tuple[FloatArray, ...], by: FloatArray) -> NDArray[np.float32]:
    """Give the pixels of points K (R X + t) = parts[0] + by[:, 0] * parts[1] + ..., (2, len(by), ...)."""
    first, *others = (part.astype(np.float32)[:, None] for part in parts)
    points = first
    for other, factors in zip(others, by.T.astype(np.float32), strict=True):
        points = points + other * factors[:, None, None]
    return np.asarray(points[:2] / keep_depth(points[2]))


def keep_depth(depths: NDArray[np.floating]) -> NDArray[np.floating]:
    """Keep depths from 0, where a fit goes astray."""
    return np.asarray(np.maximum(depths, 1.0))


def _middles(cube: Cube, poses: FloatArray) -> FloatArray:
    """Give the cubes' middles in mm, shape (3, N)."""
    middles = np.full((3, len(poses)), cube.size_mm / 2)
    middles[:2] = poses[:, :2].T
    return middles
