"""The table as a plane before the camera: where a point of the table, or above it, is seen.

World axes: X east, Y north, Z up, in millimetres; the table's top is Z = 0 and its origin is the middle of
the square that was shown when setting up. Pixels are [x, y], x right, y down, the centre of the top-left
pixel is [0, 0]. A camera is a pinhole without distortion: pixel = K (R X + t).
Pose: T. Collins and A. Bartoli, "Infinitesimal Plane-based Pose Estimation", IJCV 109, 2014.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import radians, tan

import cv2
import numpy as np
from numpy.typing import ArrayLike

from companion.errors import BadInput
from vision.frames import FloatArray

CORNERS = ("NW", "NE", "SE", "SW")
"""The order of the square's corners, clockwise from above."""

DEFAULT_VFOV_DEG = 41.0
"""Vertical field of view when none is given: Raspberry Pi Camera Module 3, datasheet."""

_LONGEST_MISFIT = 0.06
"""How far a corner may lie from where the pose puts it, as a share of the square's longest side in the picture."""


@dataclass(frozen=True, slots=True)
class Plane:
    """The camera's pose over the table.

    Attributes:
        size_wh: width and height of the pictures in pixels.
        intrinsics: K, float64, shape (3, 3).
        rotation: R from table to camera, float64, shape (3, 3).
        shift: t in mm, float64, shape (3,).
    """

    size_wh: tuple[int, int]
    intrinsics: FloatArray
    rotation: FloatArray
    shift: FloatArray

    @property
    def eye_mm(self) -> FloatArray:
        """Where the camera is, in mm, shape (3,)."""
        return np.asarray(-self.rotation.T @ self.shift, dtype=np.float64)

    @property
    def homography(self) -> FloatArray:
        """From the table (X, Y in mm, homogeneous) to pixels, shape (3, 3)."""
        return table_homography(self, 0.0)


def read_intrinsics(camera: Mapping[str, object]) -> FloatArray:
    """Build K from a camera's description.

    Args:
        camera: ``width`` and ``height`` in pixels, and ``K`` (3 x 3) or ``vfov_deg``, or neither.

    Returns:
        K, float64, shape (3, 3), in pixels.

    Raises:
        BadInput: a value is missing or no camera can have it.
    """
    width, height = (_positive(camera, key) for key in ("width", "height"))
    if camera.get("K") is not None:
        try:
            matrix = np.asarray(camera["K"], dtype=np.float64)
        except (TypeError, ValueError):
            matrix = np.zeros(0)
        if matrix.shape != (3, 3) or not np.isfinite(matrix).all() or matrix[0, 0] <= 0 or matrix[1, 1] <= 0:
            raise BadInput(f"camera K is {camera['K']!r}; expected a 3 x 3 matrix with positive focal lengths")
        return matrix
    vfov_deg = DEFAULT_VFOV_DEG if camera.get("vfov_deg") is None else _positive(camera, "vfov_deg")
    if vfov_deg >= 170:
        raise BadInput(f"camera vfov_deg is {vfov_deg:g}; expected a vertical field of view below 170 degrees")
    focal = height / 2 / tan(radians(vfov_deg) / 2)
    return np.array([[focal, 0, (width - 1) / 2], [0, focal, (height - 1) / 2], [0, 0, 1]], dtype=np.float64)


def find_plane(
    size_wh: tuple[int, int], intrinsics: FloatArray, square_px: Mapping[str, ArrayLike], square_mm: float
) -> Plane:
    """Find the camera's pose from a level square on the table, seen at its four corners.

    Args:
        size_wh: width and height of the pictures in pixels.
        intrinsics: K, float64, shape (3, 3).
        square_px: the corners ``NW``, ``NE``, ``SE`` and ``SW``, each [x, y] in pixels.
        square_mm: the square's side in mm.

    Raises:
        BadInput: the corners don't make a square on a table seen from above.
    """
    pixels = _corner_pixels(square_px)
    if not np.isfinite(square_mm) or square_mm <= 0:
        raise BadInput(f"table square_mm is {square_mm!r}; expected the square's side in mm, above 0")
    edges = np.roll(pixels, -1, axis=0) - pixels
    turns = edges[:, 0] * np.roll(edges, -1, axis=0)[:, 1] - edges[:, 1] * np.roll(edges, -1, axis=0)[:, 0]
    if (turns <= 0).any() or np.linalg.norm(edges, axis=1).min() < 8:
        raise BadInput(_not_a_table(pixels, "expected NW, NE, SE, SW clockwise in the picture, some way apart"))
    half = square_mm / 2
    world = np.array([[-half, half, 0], [half, half, 0], [half, -half, 0], [-half, -half, 0]])
    _, turned, shifts, _ = cv2.solvePnPGeneric(world, pixels, intrinsics, None, flags=cv2.SOLVEPNP_IPPE)
    best: tuple[float, Plane] | None = None
    for turn, shift in zip(turned, shifts, strict=True):
        rotation = np.asarray(cv2.Rodrigues(turn)[0], dtype=np.float64)
        plane = Plane(size_wh, intrinsics, rotation, np.asarray(shift, dtype=np.float64).reshape(3))
        misfit = float(np.abs(project(plane, world) - pixels).max())
        if plane.eye_mm[2] > 0 and (best is None or misfit < best[0]):
            best = (misfit, plane)
    if best is None or best[0] > _LONGEST_MISFIT * float(np.linalg.norm(edges, axis=1).max()):
        raise BadInput(_not_a_table(pixels, "no level square is seen so through this camera"))
    return best[1]


def project(plane: Plane, points_mm: ArrayLike) -> FloatArray:
    """Project points to the picture.

    Args:
        plane: the camera over the table.
        points_mm: X, Y, Z in mm, shape (..., 3).

    Returns:
        Pixels, float64, shape (..., 2); NaN for a point behind the camera.
    """
    seen = np.asarray(points_mm, dtype=np.float64) @ plane.rotation.T + plane.shift
    depth = np.where(seen[..., 2:] > 1e-9, seen[..., 2:], np.nan)
    return np.asarray((seen @ plane.intrinsics.T)[..., :2] / depth)


def table_homography(plane: Plane, height_mm: float) -> FloatArray:
    """Give the homography from the level plane at a height above the table (X, Y in mm) to pixels, shape (3, 3)."""
    columns = np.column_stack(
        (plane.rotation[:, 0], plane.rotation[:, 1], plane.rotation[:, 2] * height_mm + plane.shift)
    )
    return np.asarray(plane.intrinsics @ columns)


def to_table(plane: Plane, pixels: ArrayLike, height_mm: float = 0.0) -> FloatArray:
    """Find which point of the table, or of the level plane at a height above it, is seen at a pixel.

    Args:
        plane: the camera over the table.
        pixels: [x, y], shape (..., 2).
        height_mm: of the level plane above the table.

    Returns:
        X, Y in mm, float64, shape (..., 2); NaN above the horizon.
    """
    points = np.asarray(pixels, dtype=np.float64)
    ones = np.ones((*points.shape[:-1], 1))
    rays = np.concatenate((points, ones), axis=-1) @ np.linalg.inv(plane.intrinsics).T @ plane.rotation
    down = np.where(rays[..., 2:] < -1e-9, rays[..., 2:], np.nan)
    eye = plane.eye_mm
    return np.asarray(eye[:2] + rays[..., :2] * ((height_mm - eye[2]) / down))


def _positive(values: Mapping[str, object], key: str) -> float:
    value = values.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float) or not np.isfinite(value) or value <= 0:
        raise BadInput(f"camera {key} is {value!r}; expected a number above 0")
    return float(value)


def _corner_pixels(square_px: Mapping[str, ArrayLike]) -> FloatArray:
    """Give the four corners in the order of ``CORNERS``, shape (4, 2)."""
    try:
        pixels = np.array([square_px[name] for name in CORNERS], dtype=np.float64)
    except (KeyError, TypeError, ValueError):
        pixels = np.zeros(0)
    if pixels.shape != (4, 2) or not np.isfinite(pixels).all():
        raise BadInput(f"table square_px is {square_px!r}; expected [x, y] for each of {', '.join(CORNERS)}")
    return pixels


def _not_a_table(pixels: FloatArray, why: str) -> str:
    corners = ", ".join(f"{name} {[round(float(v), 1) for v in p]}" for name, p in zip(CORNERS, pixels, strict=True))
    return f"the corners {corners} don't make a table: {why}; tap the four corners again"
