"""Scoring many poses of a cube by a coarse look, and choosing those that are worth a fine fit."""

from math import pi

import numpy as np
from numpy.typing import NDArray

from vision.contours import contours, line_points
from vision.cube import face_points, stand
from vision.frames import FloatArray
from vision.sketch import WORST, Sketch
from vision.view import View, look_up, look_up_changed

_COARSE_ALONG = np.array([-0.38, 0.0, 0.38])
_INSIDE = np.array([(u, v) for u in (-0.27, 0.0, 0.27) for v in (-0.27, 0.0, 0.27)])
_EVENNESS = 0.45
"""How much unrest within the faces counts against edges along the outline: too much, and a hand over it hides a die."""

_CENTRE = np.array([(0.0, 0.0), (0.12, 0.12), (-0.12, 0.12), (0.12, -0.12), (-0.12, -0.12)])
_POINTS = np.vstack((_INSIDE, _CENTRE))
_COLOUR = 0.03
"""How much it counts that the faces' colours deviate from the die's."""

_COMPARED = 60
"""So many poses, or a third of them if that is more, are compared with the die's colours: the best by their edges."""

_CHANGE = 0.4
"""How much it counts that the whole inside changed since the table was empty."""

_A_PLACE = 3
"""So many poses are chosen about one place: a patterned card must not use up the tries."""

_CHOSEN_FROM = 400
"""Only so many of the best are chosen from."""


def score_poses(view: View, edges: NDArray[np.uint8], poses: FloatArray, sketch: Sketch | None = None) -> FloatArray:
    """Score poses by how much the picture changes along the lines, and little within the faces.

    Args:
        view: the piece of the picture.
        edges: as ``find_edges`` gives them.
        poses: x, y in mm and yaw in radians, shape (N, 3).
        sketch: the die's colours, where they are known already.

    Returns:
        Shape (N,), about 0 for nothing, to 1.
    """
    stance = stand(view.plane, view.cube, poses)
    lines = contours(stance, np.full(len(poses), view.cube.inset_mm))
    along = _mean_of(look_up(view, edges, line_points(lines, _COARSE_ALONG)), lines.seen)
    faces = stance.facing > 0.08
    points = face_points(stance, _POINTS)
    inside, centre = points[:, : len(_INSIDE)], points[:, len(_INSIDE) :]
    within = _mean_of(look_up(view, edges, inside), faces)
    changed = _mean_of(look_up_changed(view, inside), faces)
    scores = (along - _EVENNESS * within) / 255 + _CHANGE * changed
    if sketch is not None:
        which = np.argsort(-scores)[: max(_COMPARED, len(scores) // 3)]
        colours = look_up(view, view.patch, centre[:, :, which]).sum(axis=0, dtype=np.uint16) // len(_CENTRE)
        misfits = np.full(len(scores), WORST)
        misfits[which] = sketch.misfits(colours, stance.faces[which], poses[which, 2], faces[which])
        scores = scores - _COLOUR * misfits
    return np.asarray(scores, dtype=np.float64)


def _mean_of(values: NDArray[np.uint8], which: NDArray[np.bool_]) -> FloatArray:
    """Average values, (K, N, A), over K and over those of A that count, (N, A); shape (N,)."""
    return np.asarray((values.sum(axis=0, dtype=np.uint16) * which).sum(1) / (len(values) * which.sum(1)))


def choose(
    poses: FloatArray,
    scores: FloatArray,
    count: int,
    size_mm: float,
    near: tuple[float, float] = (0.3, pi / 15),
    a_place: int = _A_PLACE,
) -> NDArray[np.int64]:
    """Choose the best poses that differ, few of them about one place.

    Args:
        poses: shape (N, 3).
        scores: shape (N,).
        count: how many at most.
        size_mm: of the cube.
        near: what is nearer than this, in sizes, and turned by less, in radians, counts as the same.
        a_place: how many at most about one place.

    Returns:
        Their indices, the best first.
    """
    left = np.argsort(-scores)[:_CHOSEN_FROM]
    crowd = np.zeros(len(left), np.int64)
    chosen: list[int] = []
    while len(left) and len(chosen) < count:
        chosen.append(int(left[0]))
        apart = poses[left] - poses[chosen[-1]]
        distance = np.hypot(apart[:, 0], apart[:, 1])
        turned = np.abs((apart[:, 2] + pi / 4) % (pi / 2) - pi / 4)
        crowd = crowd + (distance < 0.8 * size_mm)
        keep = (crowd < a_place) & ~((distance < near[0] * size_mm) & (turned < near[1]))
        left, crowd = left[keep], crowd[keep]
    return np.array(chosen)
