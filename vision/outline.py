"""Fitting the outline of a level cube to a picture: a coarse score for many poses, then a fine fit of one.

The fine fit looks for each predicted edge along its normals and moves the cube by least squares: C. Harris and
C. Stennett, "RAPID - a video rate object tracker", BMVC 1990. Only x, y and the yaw are free, so whatever leans or
floats doesn't fit.
"""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cube import Cube, edge_points, face_points, face_views, wrap_yaw
from vision.frames import FloatArray, Frame
from vision.palette import Sketch
from vision.plane import Plane

_COARSE_ALONG = np.linspace(-0.4, 0.4, 5)
_FINE_ALONG = np.linspace(-0.46, 0.46, 12)
_INSIDE = np.array([(u, v) for u in (-0.27, 0.0, 0.27) for v in (-0.27, 0.0, 0.27)])
_EVENNESS = 0.45
"""How much unrest within the faces counts against edges along the outline: too much, and a hand over it hides a die."""

_CENTRE = np.array([(0.0, 0.0), (0.12, 0.12), (-0.12, 0.12), (0.12, -0.12), (-0.12, -0.12)])
_COLOUR = 0.03
"""How much it counts that the faces' colours deviate from the die's."""

_CHANGE = 0.4
"""How much it counts that the whole inside changed since the table was empty."""

_SEEN = 0.08
"""A face seen at a flatter angle than this cosine tells nothing."""

_STEPS = np.array([0.3, 0.3, 0.01])
"""Steps for the derivatives by x, y (mm) and yaw (radians)."""


@dataclass(frozen=True, slots=True)
class View:
    """A piece of a picture that was smoothed a little, with what is needed to place a cube in it.

    Attributes:
        patch: BGR, uint8, shape (h, w, 3).
        corner: the patch's top-left pixel in the whole picture, [x, y], shape (2,).
        plane: the camera over the table.
        cube: the die's shape.
        grain: the picture's noise in grey levels.
        middle: a pose near the patch's middle, shape (3,).
        changed: where the picture changed since the table was empty, 0 or 1, shrunk by ``shrunk``.
        shrunk: how much smaller ``changed`` is.
    """

    patch: Frame
    corner: FloatArray
    plane: Plane
    cube: Cube
    grain: float
    middle: FloatArray
    changed: NDArray[np.uint8]
    shrunk: int


@dataclass(frozen=True, slots=True)
class Fit:
    """One cube fitted to the picture.

    Attributes:
        pose: x, y in mm and yaw in radians, shape (3,).
        size_mm: from face to face.
        support: share of the seen outline where the picture has an edge, 0 to 1.
        offset: how far the edges lie from the predicted ones, root mean square, in pixels of a die 30 pixels wide.
        inner: the same for the edges between two seen faces only; a card or a hand has none there.
        blank: share of the seen outline where neither side differs from the other.
    """

    pose: FloatArray
    size_mm: float
    support: float
    offset: float
    inner: float
    blank: float


def sample(view: View, pixels: FloatArray) -> NDArray[np.float32]:
    """Look up colours between pixels.

    Args:
        view: the piece of the picture.
        pixels: [x, y] in the whole picture, shape (..., 2).

    Returns:
        BGR, float32, shape (..., 3); outside the piece the nearest border pixel.
    """
    points = np.nan_to_num(pixels.reshape(-1, 2) - view.corner, nan=-1e6).astype(np.float32)
    count = len(points)
    width = min(4096, max(1, count))  # OpenCV's maps can't be wider than 32767
    padded = np.zeros((2, -(-count // width) * width), np.float32)
    padded[:, :count] = points.T
    across, down = padded.reshape(2, -1, width)
    colours = cv2.remap(view.patch, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(colours.reshape(-1, 3)[:count], dtype=np.float32).reshape(*pixels.shape[:-1], 3)


def size_px(plane: Plane, cube: Cube, pose: FloatArray) -> float:
    """Tell roughly how many pixels an edge of the cube measures at a pose."""
    depth = float(np.linalg.norm(plane.eye_mm - [pose[0], pose[1], cube.size_mm / 2]))
    return float(plane.intrinsics[0, 0]) * cube.size_mm / depth


def find_edges(view: View) -> NDArray[np.uint8]:
    """Tell how sharply each pixel's surroundings change, 0 to 255; broad enough to be hit from near."""
    side = size_px(view.plane, view.cube, view.middle)
    smooth = cv2.GaussianBlur(view.patch, (0, 0), max(0.8, 0.03 * side))
    across, down = (np.abs(cv2.Sobel(smooth, cv2.CV_16S, x, 1 - x)) for x in (1, 0))
    contrast = np.maximum(across, down).max(axis=2).astype(np.float32) / 4
    edges = np.asarray(255 * _saturate(contrast, view.grain), dtype=np.uint8)
    width = max(1, int(0.08 * side)) | 1
    return np.asarray(cv2.blur(edges, (width, width)), dtype=np.uint8)


def score_poses(view: View, edges: NDArray[np.uint8], poses: FloatArray, sketch: Sketch | None = None) -> FloatArray:
    """Score poses by how much the picture changes along the outline, and little within the faces.

    Args:
        view: the piece of the picture.
        edges: as ``find_edges`` gives them.
        poses: x, y in mm and yaw in radians, shape (N, 3).
        sketch: the die's colours, where they are known already.

    Returns:
        Shape (N,), about 0 for nothing, to 1.
    """
    outline = edge_points(view.plane, view.cube, poses, _COARSE_ALONG)
    along = (_look_up(view, edges, outline.pixels).mean(-1) * outline.seen).sum(1) / outline.seen.sum(1)
    faces = face_views(view.plane, view.cube, poses)[:, :5] > _SEEN
    inside = face_points(view.plane, view.cube, poses, _INSIDE)
    within = (_look_up(view, edges, inside).mean(-1) * faces).sum(1) / faces.sum(1)
    changed = (_look_up_changed(view, inside).mean(-1) * faces).sum(1) / faces.sum(1)
    scores = (along - _EVENNESS * within) / 255 + _CHANGE * changed
    if sketch is not None:
        middles = face_points(view.plane, view.cube, poses, _CENTRE)
        colours = _look_up(view, view.patch, middles).mean(axis=2)
        scores = scores - _COLOUR * sketch.misfits(colours, poses[:, 2], faces)
    return np.asarray(scores, dtype=np.float64)


def share_changed(view: View, pixels: FloatArray) -> float:
    """Tell at which share of some pixels, shape (..., 2), the picture changed since the table was empty."""
    return float(_look_up_changed(view, pixels).mean())


def _look_up_changed(view: View, pixels: FloatArray) -> NDArray[np.float32]:
    points = (np.nan_to_num(pixels, nan=-1.0) / view.shrunk).astype(np.int32)
    height, width = view.changed.shape
    x, y = np.clip(points[..., 0], 0, width - 1), np.clip(points[..., 1], 0, height - 1)
    return view.changed[y, x].astype(np.float32)


def _look_up(view: View, picture: NDArray[np.uint8], pixels: FloatArray) -> NDArray[np.float32]:
    """Give the nearest pixel's value; outside the patch the border's."""
    points = np.nan_to_num(pixels - view.corner, nan=0.0).astype(np.int32)
    height, width = picture.shape[:2]
    x, y = np.clip(points[..., 0], 0, width - 1), np.clip(points[..., 1], 0, height - 1)
    return picture[y, x].astype(np.float32)


def fit(view: View, pose: FloatArray, radius_px: float, *, rounds: int = 5, free_size: bool = False) -> Fit:
    """Move a cube to where its edges are seen.

    Args:
        view: the piece of the picture.
        pose: x, y in mm and yaw in radians to start from, shape (3,).
        radius_px: how far from the predicted edges to look at first.
        rounds: how often to look and move.
        free_size: also fit the size.
    """
    current = view
    pose = np.array(pose, dtype=np.float64)
    look_px = radius_px
    seen = None
    for _ in range(rounds):
        seen = _find_edges(current, pose, max(2.5, look_px))
        step = _solve(seen, free_size)
        pose = pose + step[:3]
        if free_size:
            current = replace(current, cube=_scaled(current.cube, 1 + float(step[3])))
        look_px *= 0.7
    return _judge(current, pose)


@dataclass(frozen=True, slots=True)
class _Edges:
    """What was found along the normals of the predicted edges, one row for each point of a seen edge."""

    offset: FloatArray  # (M,) pixels along the normal
    weight: FloatArray  # (M,) 0 to 1
    slope: FloatArray  # (M, 4) pixels by x, y, yaw and size
    peak: FloatArray  # (M,) contrast in grey levels
    inner: NDArray[np.bool_]  # (M,) between two seen faces


def _find_edges(view: View, pose: FloatArray, reach_px: float) -> _Edges:
    larger = _scaled(view.cube, 1.02)
    edges = edge_points(view.plane, view.cube, np.vstack([pose, pose + np.diag(_STEPS)]), _FINE_ALONG)
    grown = edge_points(view.plane, larger, pose[None], _FINE_ALONG)
    line, normal, seen = edges.pixels[0], edges.normals[0], edges.seen[0]
    where = np.arange(-reach_px - 1, reach_px + 1.01, 0.5)
    colours = sample(view, line[:, :, None, :] + normal[:, None, None, :] * where[:, None])
    contrast = np.linalg.norm(colours[:, :, 4:] - colours[:, :, :-4], axis=-1)
    where = where[2:-2]
    pull = contrast**2 * np.exp(-0.5 * (where / (0.6 * reach_px)) ** 2)
    total = pull.sum(-1) + 1e-6
    offset = (pull * where).sum(-1) / total
    spread = np.sqrt((pull * (where - offset[..., None]) ** 2).sum(-1) / total)
    peak = np.sqrt(pull.max(-1))
    weight = peak**2 / (peak**2 + (3 * view.grain + 6) ** 2) / (1 + (spread / 1.5) ** 2)
    by_pose = ((edges.pixels[1:] - line) * normal[:, None]).sum(-1) / _STEPS[:, None, None]
    by_size = ((grown.pixels[0] - line) * normal[:, None]).sum(-1)[None] / 0.02
    slope = np.concatenate((by_pose, by_size))[:, seen].reshape(4, -1).T
    inner = np.repeat(edges.inner[0, seen], len(_FINE_ALONG))
    return _Edges(offset[seen].ravel(), weight[seen].ravel(), slope, peak[seen].ravel(), inner)


def _solve(edges: _Edges, free_size: bool) -> FloatArray:
    """Find the step (x, y, yaw and perhaps the share of the size) that brings the outline nearest to the edges."""
    slope = edges.slope if free_size else edges.slope[:, :3]
    step: FloatArray = np.zeros(slope.shape[1])
    damping = np.diag([1e-5, 1e-5, 1e-3, 1e-3][: slope.shape[1]])
    for _ in range(3):
        rest = edges.offset - slope @ step
        scale = max(0.3, 1.4826 * float(np.median(np.abs(rest))))
        weight = edges.weight / (1 + (rest / (1.5 * scale)) ** 2)
        step = np.asarray(np.linalg.solve((slope.T * weight) @ slope + damping, (slope.T * weight) @ edges.offset))
    return step


def _judge(view: View, pose: FloatArray) -> Fit:
    edges = _find_edges(view, pose, max(2.5, 0.09 * size_px(view.plane, view.cube, pose)))
    weak = edges.peak < 2 * view.grain + 4
    side = size_px(view.plane, view.cube, pose)
    near = np.abs(edges.offset) < max(1.3, 0.04 * side)
    good = near & ~weak
    inner = float(good[edges.inner].mean()) if edges.inner.any() else 0.0
    offset = float(np.sqrt(np.average(edges.offset**2, weights=edges.weight + 1e-6))) / max(1.0, side / 30)
    pose = np.array([pose[0], pose[1], wrap_yaw(float(pose[2]))])
    return Fit(pose, view.cube.size_mm, float(good.mean()), offset, inner, float(weak.mean()))


def _scaled(cube: Cube, factor: float) -> Cube:
    return Cube(cube.size_mm * factor, cube.round_mm * factor)


def _saturate(contrast: NDArray[np.floating], grain: float) -> FloatArray:
    return np.asarray(contrast / (contrast + 3 * grain + 6), dtype=np.float64)
