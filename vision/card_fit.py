"""Draws a card's tapped corners right by the rims of its printed dials, which lie just where it matters.

A finger's tap is off by some pixels, and a pivot that is off by a tenth of the arrow's length turns it by six degrees.
Round each rim the strongest edge near by is looked for along the normal, and the camera's pose is changed so that the
rims meet those edges while the corners stay about where they were tapped (least squares, reweighted).
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.card import Card, pivot_mm
from vision.frames import FloatArray, Frame
from vision.plane import Plane, project
from vision.polar import sample

_RIM_POINTS = 90
_STEPS_MM = (2.5, 2.0, 1.5, 1.0, 0.7, 0.7)
"""How far from a rim its edge is looked for, closer and closer."""
_SAMPLES = 41
_TAP_PX, _EDGE_PX = 3.0, 0.5
"""How far off a tapped corner and a rim's edge usually are."""
_FINENESS_PX = 0.7
"""The fit of the rims is no finer: corners that put the pivots as near are kept."""
_LEAST_EDGE, _LEAST_SHARE = 2.5, 0.4


def fit_to_rims(plane: Plane, card: Card, frame: Frame) -> Plane:
    """Fit the camera's pose over a card to the rims of its dials.

    Args:
        plane: from the tapped corners.
        card: its measures; the dials' radii need only be about right.
        frame: BGR, uint8, shape (H, W, 3).

    Returns:
        The fitted pose; the same as came when the rims confirm it or too little of them is seen.
    """
    soft = np.asarray(cv2.GaussianBlur(frame, (0, 0), 1.0), dtype=np.uint8)
    tapped = project(plane, _corners(card))
    # Three of turn, three of shift, and how much larger the dials are than told.
    pose = np.zeros(7)
    pose[:3], pose[3:6] = cv2.Rodrigues(plane.rotation)[0].ravel(), plane.shift
    for reach_mm in _STEPS_MM:
        found = _find_edges(soft, _posed(plane, pose), card, (1 + float(pose[6]), reach_mm))
        if found is None:
            return plane
        pose = _solve(plane, card, pose, (tapped, *found))
    fitted = _posed(plane, pose)
    pivots = _level(np.stack([pivot_mm(card, dial) for dial in card.dials]))
    moved_px = float(np.linalg.norm(project(fitted, pivots) - project(plane, pivots), axis=-1).max())
    return fitted if moved_px > _FINENESS_PX else plane


def _find_edges(
    frame: Frame, plane: Plane, card: Card, scale_reach: tuple[float, float]
) -> tuple[FloatArray, ...] | None:
    """Find the rims' edges: where they are, their normals and their weights; None when too few are seen."""
    scale, reach_mm = scale_reach
    rims = _rims(card, scale)
    ways = _rims(card, scale * 1.01) - rims
    ways /= np.linalg.norm(ways, axis=-1, keepdims=True)
    offsets_mm = np.linspace(-reach_mm, reach_mm, _SAMPLES)
    track_px = project(plane, _level(rims[:, None] + offsets_mm[:, None] * ways[:, None]))
    colors = sample(frame, track_px)
    strength = np.abs(np.diff(colors, axis=1)).sum(axis=-1) * (2.5 / reach_mm)
    closeness = np.exp(-0.7 * ((offsets_mm[:-1] + offsets_mm[1:]) / 2 / reach_mm) ** 2)
    best = (strength * closeness).argmax(axis=1)
    rows = np.arange(len(rims))
    # Where two dials nearly touch, the one's rim would be taken for the other's.
    clear = (strength[rows, best] > _LEAST_EDGE) & ~_near_another(card, rims, 1.5 * reach_mm)
    if clear.mean() < _LEAST_SHARE:
        return None
    edges = (track_px[rows, best] + track_px[rows, best + 1]) / 2
    normals = track_px[:, -1] - track_px[:, 0]
    normals /= np.linalg.norm(normals, axis=-1, keepdims=True)
    return edges, normals, clear.astype(np.float64)


def _solve(plane: Plane, card: Card, pose: FloatArray, seen: tuple[FloatArray, ...]) -> FloatArray:
    """Take Gauss-Newton steps towards the edges found and the corners tapped."""
    tapped, edges, normals, weights = seen

    def errors(values: FloatArray) -> FloatArray:
        at = _posed(plane, values)
        rims = project(at, _level(_rims(card, 1 + float(values[6]))))
        along = ((rims - edges) * normals).sum(axis=-1) / _EDGE_PX
        taps = (project(at, _corners(card)) - tapped).ravel() / _TAP_PX
        # Half the weight of an edge that is off by two pixels, next to none of one that is something else's.
        trust = weights / (1 + (along / 4) ** 2)
        return np.concatenate((along * np.sqrt(trust) / np.sqrt(_RIM_POINTS / 12), taps, [values[6] / 0.03]))

    steps = np.array([1e-5, 1e-5, 1e-5, 1e-3, 1e-3, 1e-3, 1e-5])
    for _ in range(3):
        here = errors(pose)
        slopes = np.stack([(errors(pose + step) - here) / step.max() for step in np.diag(steps)], axis=-1)
        pose = pose - np.linalg.lstsq(slopes, here, rcond=None)[0]
    return pose


def _rims(card: Card, scale: float) -> FloatArray:
    """Give points of all rims, X and Y in mm, shape (dials * points, 2)."""
    angles = np.arange(_RIM_POINTS) * 2 * np.pi / _RIM_POINTS
    ways = np.stack((np.sin(angles), np.cos(angles)), axis=-1)
    return np.concatenate([pivot_mm(card, dial) + scale * dial.radius_mm * ways for dial in card.dials])


def _near_another(card: Card, rims: FloatArray, margin_mm: float) -> NDArray[np.bool_]:
    """Tell which rim points lie near another dial's rim, shape (dials * points,)."""
    own = np.repeat(np.arange(len(card.dials)), _RIM_POINTS)
    near = [
        (np.linalg.norm(rims - pivot_mm(card, dial), axis=-1) < dial.radius_mm + margin_mm) & (own != index)
        for index, dial in enumerate(card.dials)
    ]
    return np.asarray(np.any(near, axis=0))


def _corners(card: Card) -> FloatArray:
    """Give the corners, X, Y and Z in mm, shape (4, 3)."""
    half = np.array(card.size_mm) / 2
    return _level(np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]]) * half)


def _level(points_mm: FloatArray) -> FloatArray:
    """Give points of the card their height of 0."""
    return np.concatenate((points_mm, np.zeros((*points_mm.shape[:-1], 1))), axis=-1)


def _posed(plane: Plane, pose: FloatArray) -> Plane:
    rotation = np.asarray(cv2.Rodrigues(pose[:3])[0], dtype=np.float64)
    return Plane(plane.size_wh, plane.intrinsics, rotation, pose[3:6].copy())
