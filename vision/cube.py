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

FLATTEST = 0.12
"""A face seen at a flatter angle than this cosine is too narrow to tell anything."""

_OUTWARDS = np.eye(3)[:, None]
_ACROSS, _UP = (np.eye(3)[:, None, which] for which in ([1, 2, 1], [2, 0, 0]))
"""Where each of the three faces points, and its sides run, in directions of the three; shape (3, 1, 3)."""


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
        faces: the three faces looked at, as numbers, int, shape (N, 3): the top, and the wider seen side first.
        normals: where these point, world axes, as columns, shape (N, 3, 3).
        sight: cosine between each of these and the direction from the cube's middle to the camera, shape (N, 3).
        facing: cosine between each one's normal and the direction from its middle to the camera, shape (N, 3).
    """

    plane: Plane
    cube: Cube
    poses: FloatArray
    faces: NDArray[np.int64]
    normals: FloatArray
    sight: FloatArray
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


_CORNERS = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (0.0, 1.0)])


def corners_of(cube: Cube, pose: FloatArray) -> FloatArray:
    """Give the corners of a sharp cube at a pose, shape (3,), in mm, shape (8, 3)."""
    turned = (_CORNERS * cube.size_mm) @ rotations(pose[None, 2])[0].T
    return np.asarray(turned + np.array([pose[0], pose[1], 0.0]))


def stand(plane: Plane, cube: Cube, poses: FloatArray) -> Stance:
    """Put cubes on the table at poses, shape (N, 3), and find the faces to look at."""
    half, count = cube.size_mm / 2, len(poses)
    sin, cos = np.sin(poses[:, 2]), np.cos(poses[:, 2])
    east, north, up = plane.eye_mm[:, None] - _middles(cube, poses)
    ahead = np.array([sin * east + cos * north, cos * east - sin * north])  # of the sides N and E
    way = np.where(ahead < 0, -1.0, 1.0)  # or of those opposite, S and W
    sides = np.zeros((2, 3, count))
    sides[0, 0], sides[0, 1] = way[0] * sin, way[0] * cos
    sides[1, 0], sides[1, 1] = way[1] * cos, way[1] * -sin
    numbers, ahead = np.array([[2], [3]]) - way, np.abs(ahead)
    swap = ahead[0] < ahead[1]
    normals = np.zeros((count, 3, 3))
    normals[:, 2, 0] = 1.0
    normals[:, :, 1:] = np.where(swap, sides[::-1], sides).T
    faces = np.zeros((count, 3), np.int64)
    faces[:, 1:] = np.where(swap, numbers[::-1], numbers).T
    rays = np.column_stack((up, np.maximum(ahead[0], ahead[1]), np.minimum(ahead[0], ahead[1])))
    square = (rays * rays).sum(1)[:, None]
    facing = (rays - half) / np.sqrt(square - 2 * half * rays + half**2)
    return Stance(plane, cube, poses, faces, normals, rays / np.sqrt(square), facing)


def face_points(stance: Stance, uv: FloatArray) -> NDArray[np.float32]:
    """Project points of the three faces.

    Args:
        stance: the cubes.
        uv: points on a face, -0.5 to 0.5 of its side, shape (P, 2).

    Returns:
        Pixels, x and y, shape (2, P, N, 3).
    """
    parts = 0.5 * _OUTWARDS + uv[None, :, :1] * _ACROSS + uv[None, :, 1:] * _UP
    axes = axes_of(stance) * stance.cube.size_mm
    points = (axes @ parts.reshape(3, -1) + middle_of(stance)[..., None]).astype(np.float32)
    x, y, depth = points.reshape(len(axes), 3, len(uv), 3).transpose(1, 2, 0, 3)
    return np.asarray(np.array((x, y)) / keep_depth(depth))


def axes_of(stance: Stance) -> FloatArray:
    """Give K R X for the directions in which the three faces point, as columns, shape (N, 3, 3)."""
    return np.asarray(stance.plane.intrinsics @ stance.plane.rotation @ stance.normals)


def middle_of(stance: Stance) -> FloatArray:
    """Give K (R X + t) for the cubes' middles, shape (N, 3)."""
    plane = stance.plane
    seen = plane.rotation @ _middles(stance.cube, stance.poses) + plane.shift[:, None]
    return np.asarray((plane.intrinsics @ seen).T)


def see(base: FloatArray, run: FloatArray, by: FloatArray) -> NDArray[np.float32]:
    """Give the pixels of points K (R X + t) = base + by * run, shapes (3, ...) and (P,); shape (2, P, ...)."""
    base, run, along = base.astype(np.float32), run.astype(np.float32), by.astype(np.float32)[:, None, None]
    depth = keep_depth(base[2] + along * run[2])
    return np.asarray((base[:2, None] + run[:2, None] * along) / depth)


def keep_depth(depths: NDArray[np.floating]) -> NDArray[np.floating]:
    """Keep depths from 0, where a fit goes astray."""
    return np.asarray(np.maximum(depths, 1.0))


def _middles(cube: Cube, poses: FloatArray) -> FloatArray:
    """Give the cubes' middles in mm, shape (3, N)."""
    middles = np.full((3, len(poses)), cube.size_mm / 2)
    middles[:2] = poses[:, :2].T
    return middles
