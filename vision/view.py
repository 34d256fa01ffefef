"""A piece of a picture in which cubes are placed: looking up colours, edges and changes at pixels."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cube import Cube
from vision.frames import FloatArray, Frame
from vision.plane import Plane


@dataclass(frozen=True, slots=True)
class View:
    """A piece of a picture that was smoothed a little, with what is needed to place a cube in it.

    Attributes:
        patch: BGR, uint8, shape (h, w, 3).
        corner: the patch's top-left pixel in the whole picture, [x, y], float32, shape (2,).
        plane: the camera over the table.
        cube: the die's shape.
        grain: the picture's noise in grey levels.
        side_px: about how many pixels an edge of the cube measures there.
        changed: where the picture changed since the table was empty, 0 or 1, shrunk by ``shrunk``.
        shrunk: how much smaller ``changed`` is.
    """

    patch: Frame
    corner: NDArray[np.float32]
    plane: Plane
    cube: Cube
    grain: float
    side_px: float
    changed: NDArray[np.uint8]
    shrunk: int


def size_px(plane: Plane, cube: Cube, poses: FloatArray) -> FloatArray:
    """Tell roughly how many pixels an edge of the cube measures at poses, shape (N, 3); shape (N,)."""
    x, y, z = plane.eye_mm
    east, north, up = poses[:, 0] - x, poses[:, 1] - y, cube.size_mm / 2 - z
    return np.asarray(plane.intrinsics[0, 0] * cube.size_mm / np.sqrt(east * east + north * north + up * up))


def sample(view: View, pixels: NDArray[np.floating]) -> NDArray[np.float32]:
    """Look up colours between pixels.

    Args:
        view: the piece of the picture.
        pixels: x and y in the whole picture, shape (2, ..., P).

    Returns:
        BGR, float32, shape (..., P, 3); outside the piece the nearest border pixel.
    """
    return _look_up(view.patch, pixels, view.corner, cv2.INTER_LINEAR).astype(np.float32)


def look_up(view: View, picture: NDArray[np.uint8], pixels: NDArray[np.floating]) -> NDArray[np.uint8]:
    """Give the nearest pixel's value in a picture of the patch's size, shape (..., P); outside the border's."""
    return _look_up(picture, pixels, view.corner, cv2.INTER_NEAREST)


def look_up_changed(view: View, pixels: NDArray[np.floating]) -> NDArray[np.uint8]:
    """Tell where the picture changed since the table was empty, 0 or 1, at pixels, shape (2, ..., P)."""
    middle = (view.shrunk - 1) / 2
    return _look_up(view.changed, pixels, (middle, middle), cv2.INTER_NEAREST, shrunk=view.shrunk)


_MOST_ROWS = 32000
"""OpenCV's maps can't have many more."""


def _look_up(
    picture: NDArray[np.uint8],
    pixels: NDArray[np.floating],
    corner: Sequence[float] | NDArray[np.float32],
    how: int,
    shrunk: int = 1,
) -> NDArray[np.uint8]:
    shape = (*pixels.shape[1:], *picture.shape[2:])
    if pixels.size == 0:
        return np.zeros(shape, np.uint8)
    wide = (-1, pixels.shape[-1])
    x, y = ((pixels[i] - np.float32(corner[i])).astype(np.float32, copy=False).reshape(wide) for i in (0, 1))
    if shrunk > 1:
        x, y = x * np.float32(1 / shrunk), y * np.float32(1 / shrunk)
    values = [
        cv2.remap(picture, x[row : row + _MOST_ROWS], y[row : row + _MOST_ROWS], how, borderMode=cv2.BORDER_REPLICATE)
        for row in range(0, len(x), _MOST_ROWS)
    ]
    return np.asarray(values[0] if len(values) == 1 else np.concatenate(values), dtype=np.uint8).reshape(shape)


def share_changed(view: View, pixels: FloatArray) -> float:
    """Tell at which share of some pixels, shape (2, ...), the picture changed since the table was empty."""
    return float(look_up_changed(view, pixels).mean())


def largest(picture: Frame) -> NDArray[np.uint8]:
    """Give the largest of the three channels, shape (h, w)."""
    blue, green, red = cv2.split(picture)
    return np.asarray(cv2.max(cv2.max(blue, green), red), dtype=np.uint8)


def find_edges(view: View) -> NDArray[np.uint8]:
    """Tell how sharply each pixel's surroundings change, 0 to 255; broad enough to be hit from near."""
    smooth = cv2.GaussianBlur(view.patch, (0, 0), max(0.8, 0.03 * view.side_px))
    across, down = (cv2.convertScaleAbs(cv2.Sobel(smooth, cv2.CV_16S, x, 1 - x), alpha=0.25) for x in (1, 0))
    contrast = largest(np.asarray(cv2.max(across, down), dtype=np.uint8))
    levels = np.arange(256)
    edges = cv2.LUT(contrast, (255 * levels / (levels + 3 * view.grain + 6)).astype(np.uint8))
    width = max(1, int(0.08 * view.side_px)) | 1
    return np.asarray(cv2.blur(edges, (width, width)), dtype=np.uint8)
