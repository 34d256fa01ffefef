"""A pinhole camera that looks at the table.

The table's frame: X east, Y north, Z up, in millimetres, its top at Z = 0. The picture's frame: x right, y down, in
pixels, the centre of the top-left pixel at (0, 0).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
"""Points, directions or colours: float32, shape (..., 3) where it matters."""

Picture = NDArray[np.uint8]
"""BGR, uint8, shape (height, width, 3)."""

Box = tuple[int, int, int, int]
"""Left, top, right, bottom in pixels, right and bottom excluded; it may reach beyond the picture."""


def unit(vector: tuple[float, float, float] | Floats) -> Floats:
    """Scale a vector to length 1."""
    values = np.asarray(vector, np.float32)
    return np.asarray(values / np.linalg.norm(values), np.float32)


@dataclass(frozen=True, eq=False)
class Pinhole:
    """Where the camera stands and how it sees: pixel = K (R X + t), without distortion.

    Attributes:
        size_wh: width and height of its pictures in pixels.
        k: the matrix K, float32, shape (3, 3).
        rotation: the matrix R, float32, shape (3, 3); its rows point right, down and forward.
        position: where it stands on the table's frame, mm, float32, shape (3,).
    """

    size_wh: tuple[int, int]
    k: Floats
    rotation: Floats
    position: Floats

    def project(self, points: Floats) -> Floats:
        """Find where points of the table's frame, shape (N, 3), are in the picture, shape (N, 2)."""
        seen = (np.asarray(points, np.float32) - self.position) @ self.rotation.T @ self.k.T
        return np.asarray(seen[:, :2] / seen[:, 2:], np.float32)

    def rays(self, box: Box, step: int = 1, jitter: tuple[float, float] = (0.0, 0.0)) -> Floats:
        """Give the unit directions of the rays through every ``step``-th pixel of a box, shape (rows, columns, 3)."""
        left, top, right, bottom = box
        x = (np.arange(left, right, step, dtype=np.float32) + (step - 1) / 2 + jitter[0] - self.k[0, 2]) / self.k[0, 0]
        y = (np.arange(top, bottom, step, dtype=np.float32) + (step - 1) / 2 + jitter[1] - self.k[1, 2]) / self.k[1, 1]
        grid = np.empty((len(y), len(x), 3), np.float32)
        grid[..., 0], grid[..., 1], grid[..., 2] = x[None, :], y[:, None], 1.0
        grid /= np.sqrt(1 + (x * x)[None, :] + (y * y)[:, None])[..., None]
        return np.asarray(grid @ self.rotation, np.float32)

    def table_to_picture(self) -> NDArray[np.float64]:
        """Give the homography from the table's top (mm) to the picture, shape (3, 3)."""
        k, r, at = (np.asarray(m, np.float64) for m in (self.k, self.rotation, self.position))
        plane = np.column_stack([r[:, 0], r[:, 1], -r @ at])
        return np.asarray(k @ plane / (k @ plane)[2, 2], np.float64)


def look_at_table(
    size_wh: tuple[int, int], *, elevation_deg: float, azimuth_deg: float, distance_mm: float, wide: float = 1.28
) -> Pinhole:
    """Stand a camera so that it looks at the table's origin.

    Args:
        size_wh: width and height of its pictures in pixels.
        elevation_deg: how steeply it looks down; 90 is straight from above.
        azimuth_deg: where it stands; 0 in the south, 90 in the west.
        distance_mm: from the lens to the origin.
        wide: width of the field of view over the distance (1.28 is 65 degrees, a usual camera module).
    """
    up, round_ = np.radians(elevation_deg), np.radians(azimuth_deg)
    away = unit((-np.sin(round_) * np.cos(up), -np.cos(round_) * np.cos(up), np.sin(up)))
    right = unit(np.cross(-away, (0.0, 0.0, 1.0)).astype(np.float32))
    down = np.cross(-away, right).astype(np.float32)
    width, height = size_wh
    focal = width / wide
    k = np.array([[focal, 0, (width - 1) / 2], [0, focal, (height - 1) / 2], [0, 0, 1]], np.float32)
    return Pinhole(size_wh, k, np.stack([right, down, -away]).astype(np.float32), away * np.float32(distance_mm))
