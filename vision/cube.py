"""A level cube with rounded edges on the table: where its faces and edges are seen.

Many places are handled at once: ``poses`` has shape (N, 3) and holds x, y in mm and the yaw in radians,
clockwise from above. Faces are numbered top, N, E, S, W as in ``FACES``; a face keeps the name of the side
it is nearest to, for -45 <= yaw < 45 degrees.
"""

from dataclasses import dataclass
from math import pi

import numpy as np
from numpy.typing import NDArray

from vision.frames import FloatArray
from vision.plane import Plane, project

FACES = ("top", "N", "E", "S", "W")
"""The faces that can be seen, in the order in which arrays hold them."""

_NORMALS = np.array([[0, 0, 1], [0, 1, 0], [1, 0, 0], [0, -1, 0], [-1, 0, 0], [0, 0, -1]], dtype=np.float64)
_TOP, _BOTTOM = 0, 5

EDGES = (
    *((_TOP, side) for side in (1, 2, 3, 4)),
    *((_BOTTOM, side) for side in (1, 2, 3, 4)),
    *((1, 2), (2, 3), (3, 4), (4, 1)),
)
"""The two faces that meet at each of the twelve edges."""


@dataclass(frozen=True, slots=True)
class Cube:
    """The die's shape.

    Attributes:
        size_mm: from face to face.
        round_mm: radius of the rounded edges.
    """

    size_mm: float
    round_mm: float


@dataclass(frozen=True, slots=True)
class EdgePoints:
    """Points along the edges of N cubes.

    Attributes:
        pixels: shape (N, 12, K, 2).
        normals: unit vectors across the edge in the picture, towards the first face of ``EDGES``, (N, 12, 2).
        seen: whether the edge is seen, bool, (N, 12).
        inner: whether both its faces are seen, bool, (N, 12).
    """

    pixels: FloatArray
    normals: FloatArray
    seen: NDArray[np.bool_]
    inner: NDArray[np.bool_]


def rotations(yaws: FloatArray) -> FloatArray:
    """Give the matrices that turn by ``yaws`` (radians, clockwise from above) about the vertical, (N, 3, 3)."""
    cos, sin, nil, one = np.cos(yaws), np.sin(yaws), np.zeros_like(yaws), np.ones_like(yaws)
    rows = (np.stack((cos, sin, nil), -1), np.stack((-sin, cos, nil), -1), np.stack((nil, nil, one), -1))
    return np.stack(rows, axis=-2)


def wrap_yaw(yaw: float) -> float:
    """Bring a yaw in radians to -pi/4 <= yaw < pi/4."""
    return (yaw + pi / 4) % (pi / 2) - pi / 4


def face_views(plane: Plane, cube: Cube, poses: FloatArray) -> FloatArray:
    """Give the cosine between each face's normal and the direction to the camera, (N, 6); above 0 when it is seen."""
    normals = np.einsum("nij,fj->nfi", rotations(poses[:, 2]), _NORMALS)
    centres = _middles(cube, poses)[:, None, :] + normals * cube.size_mm / 2
    rays = plane.eye_mm - centres
    return np.asarray((rays * normals).sum(-1) / np.linalg.norm(rays, axis=-1))


def face_points(plane: Plane, cube: Cube, poses: FloatArray, uv: FloatArray) -> FloatArray:
    """Project points of the five upper faces.

    Args:
        plane: the camera over the table.
        cube: the die's shape.
        poses: shape (N, 3).
        uv: points on a face, -0.5 to 0.5 of its side, shape (P, 2).

    Returns:
        Pixels, shape (N, 5, P, 2).
    """
    turned = rotations(poses[:, 2])
    local = np.stack([_on_face(face, uv) for face in range(5)]) * cube.size_mm
    return project(plane, np.einsum("nij,fpj->nfpi", turned, local) + _middles(cube, poses)[:, None, None, :])


def edge_points(plane: Plane, cube: Cube, poses: FloatArray, along: FloatArray) -> EdgePoints:
    """Project points along the edges, on the rounded edge where it turns away or halfway round it.

    Args:
        plane: the camera over the table.
        cube: the die's shape.
        poses: shape (N, 3).
        along: where on an edge, -0.5 to 0.5 of the straight part, shape (K,).
    """
    turned = rotations(poses[:, 2])
    views = face_views(plane, cube, poses)
    first, second = np.array(EDGES).T
    view_a, view_b = views[:, first], views[:, second]
    normal_a, normal_b = _NORMALS[first], _NORMALS[second]
    # Where one face is turned away, the outline is where the rounded edge is seen at a right angle.
    weight_a = np.where(view_b < 0, -view_b, np.where(view_a < 0, -view_b, 1.0))
    weight_b = np.where(view_b < 0, view_a, np.where(view_a < 0, view_a, 1.0))
    weight_a, weight_b = np.abs(weight_a), np.abs(weight_b)
    bulge = weight_a[..., None] * normal_a + weight_b[..., None] * normal_b
    bulge /= np.linalg.norm(bulge, axis=-1, keepdims=True) + 1e-12
    inner = cube.size_mm / 2 - cube.round_mm
    lines = np.cross(normal_a, normal_b)
    base = (normal_a + normal_b) * inner + bulge * cube.round_mm
    local = base[:, :, None, :] + lines[None, :, None, :] * (along[:, None] * 2 * inner)
    world = np.einsum("nij,nekj->neki", turned, local) + _middles(cube, poses)[:, None, None, :]
    pixels = project(plane, world)
    # A step along the face towards its middle tells which side of the edge is the first face's.
    inside = local[:, :, local.shape[2] // 2] - normal_b * cube.size_mm / 4 + normal_a * cube.size_mm / 4
    toward = project(plane, np.einsum("nij,nej->nei", turned, inside) + _middles(cube, poses)[:, None, :])
    run = pixels[:, :, -1] - pixels[:, :, 0]
    normals = np.stack((-run[..., 1], run[..., 0]), -1)
    normals /= np.linalg.norm(normals, axis=-1, keepdims=True) + 1e-12
    side = ((toward - pixels[:, :, pixels.shape[2] // 2]) * normals).sum(-1)
    normals *= np.where(side < 0, -1.0, 1.0)[..., None]
    return EdgePoints(pixels, normals, (view_a > 0) | (view_b > 0), (view_a > 0) & (view_b > 0))


def _middles(cube: Cube, poses: FloatArray) -> FloatArray:
    return np.column_stack((poses[:, :2], np.full(len(poses), cube.size_mm / 2)))


def _on_face(face: int, uv: FloatArray) -> FloatArray:
    """Give points of a face of the unit cube about its middle, (P, 3)."""
    normal = _NORMALS[face]
    across = np.array([1.0, 0, 0]) if face == _TOP else np.array([-normal[1], normal[0], 0])
    up = np.cross(normal, across)
    return np.asarray(normal / 2 + uv[:, :1] * across + uv[:, 1:] * up)
