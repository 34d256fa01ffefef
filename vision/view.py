"""A piece of a picture in which cubes are placed: looking up colours, edges and changes at pixels."""

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
        middle: a pose near the patch's middle, shape (3,).
        changed: where the picture changed since the table was empty, 0 or 1, shrunk by ``shrunk``.
        shrunk: how much smaller ``changed`` is.
    """

    patch: Frame
    corner: NDArray[np.float32]
    plane: Plane
    cube: Cube
    grain: float
    middle: FloatArray
    changed: NDArray[np.uint8]
    shrunk: int


def size_px(plane: Plane, cube: Cube, poses: FloatArray) -> FloatArray:
    """Tell roughly how many pixels an edge of the cube measures at poses, shape (N, 3); shape (N,)."""
    middles = np.column_stack((poses[:, :2], np.full(len(poses), cube.size_mm / 2)))
    depth = np.linalg.norm(plane.eye_mm - middles, axis=1)
    return np.asarray(plane.intrinsics[0, 0] * cube.size_mm / depth)


def sample(view: View, pixels: NDArray[np.floating]) -> NDArray[np.float32]:
    """Look up colours between pixels.

    Args:
        view: the piece of the picture.
        pixels: [x, y] in the whole picture, shape (..., P, 2).

    Returns:
        BGR, float32, shape (..., P, 3); outside the piece the nearest border pixel.
    """
    colours = _look_up(view.patch, pixels - view.corner, cv2.INTER_LINEAR)
    return np.asarray(colours, dtype=np.float32)


def sample_across(
    view: View, pixels: NDArray[np.float32], normals: NDArray[np.float32], where: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Look up colours across lines.

    Args:
        view: the piece of the picture.
        pixels: K points on each of L lines, [x, y] in the whole picture, shape (L, K, 2).
        normals: across each line, shape (L, 2).
        where: how far from the points, in pixels, shape (W,).

    Returns:
        BGR, float32, shape (L, K, W, 3).
    """
    near = pixels - view.corner
    maps = (
        (near[..., i, None] + (normals[:, i, None] * where)[:, None]).reshape(-1, len(where)) for i in (0, 1)
    )
    colours = cv2.remap(view.patch, *maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(colours, dtype=np.float32).reshape(*pixels.shape[:-1], len(where), 3)


def look_up(view: View, picture: NDArray[np.uint8], pixels: NDArray[np.floating]) -> NDArray[np.uint8]:
    """Give the nearest pixel's value in a picture of the patch's size; outside the border's."""
    return _look_up(picture, pixels - view.corner, cv2.INTER_NEAREST)


def look_up_changed(view: View, pixels: NDArray[np.floating]) -> NDArray[np.uint8]:
    """Tell where the picture changed since the table was empty, 0 or 1, at pixels, shape (..., P, 2)."""
    shrunk = np.float32(view.shrunk)
    return _look_up(view.changed, (pixels - (shrunk - 1) / 2) / shrunk, cv2.INTER_NEAREST)


_MOST_ROWS = 32000
"""OpenCV's maps can't have many more."""


def _look_up(picture: NDArray[np.uint8], pixels: NDArray[np.floating], how: int) -> NDArray[np.uint8]:
    points = np.asarray(pixels, dtype=np.float32).reshape(-1, *pixels.shape[-2:])
    parts = [points[start : start + _MOST_ROWS] for start in range(0, len(points), _MOST_ROWS)]
    values = [cv2.remap(picture, part, None, how, borderMode=cv2.BORDER_REPLICATE) for part in parts]
    return (values[0] if len(values) == 1 else np.concatenate(values)).reshape(*pixels.shape[:-1], *picture.shape[2:])


def mean_along(values: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Average grey levels, (..., K), over the last axis; NumPy is slow along so short an axis."""
    means = cv2.reduce(values.reshape(-1, values.shape[-1]), 1, cv2.REDUCE_AVG, dtype=cv2.CV_32F)
    return np.asarray(means, dtype=np.float32).reshape(values.shape[:-1])


def share_changed(view: View, pixels: FloatArray) -> float:
    """Tell at which share of some pixels, shape (..., 2), the picture changed since the table was empty."""
    return float(look_up_changed(view, pixels).mean())


def largest(picture: Frame) -> NDArray[np.uint8]:
    """Give the largest of the three channels, shape (h, w)."""
    blue, green, red = cv2.split(picture)
    return np.asarray(cv2.max(cv2.max(blue, green), red), dtype=np.uint8)


def find_edges(view: View) -> NDArray[np.uint8]:
    """Tell how sharply each pixel's surroundings change, 0 to 255; broad enough to be hit from near."""
    side = float(size_px(view.plane, view.cube, view.middle[None])[0])
    smooth = cv2.GaussianBlur(view.patch, (0, 0), max(0.8, 0.03 * side))
    across, down = (cv2.convertScaleAbs(cv2.Sobel(smooth, cv2.CV_16S, x, 1 - x), alpha=0.25) for x in (1, 0))
    contrast = largest(cv2.max(across, down))
    levels = np.arange(256)
    edges = cv2.LUT(contrast, (255 * levels / (levels + 3 * view.grain + 6)).astype(np.uint8))
    width = max(1, int(0.08 * side)) | 1
    return np.asarray(cv2.blur(edges, (width, width)), dtype=np.uint8)
