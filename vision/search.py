"""Placing cubes near some places of the table: many poses are scored, the best fitted to the picture."""

from dataclasses import dataclass
from functools import partial
from math import pi

import numpy as np

from vision.frames import FloatArray
from vision.outline import Fit, fit
from vision.score import choose, score_poses
from vision.sketch import Sketch
from vision.view import View, find_edges, size_px

_YAWS = np.arange(-3.0, 3.0) * (pi / 12)
_MANY_PLACES = 150
"""Of more places only the best by a first look are looked at in all ways: a hand changes a large part of the table."""

_MOST_PLACES, _AT_ONCE = 4000, 500
"""Of still more only every second, third and so on gets a first look: somebody leans over the table. So many at once,
to spare memory."""

_LOOKED_AT = 8
_NEARBY = np.array(
    [(0, 0, 0), (-0.12, 0, 0), (0.12, 0, 0), (0, -0.12, 0), (0, 0.12, 0), (0, 0, -pi / 36), (0, 0, pi / 36)]
)
"""Round so many of the best poses others are tried, this far off in sizes and radians: the score's peaks are sharp."""

_KEPT = 5
"""So many are fitted finely."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A cube that may lie there; ``score`` as of ``score_poses``, its fit to the outline."""

    score: float
    fit: Fit


def find_candidates(
    view: View, places: FloatArray, sketch: Sketch | None = None, *, tries: int = 6, least: float | None = None
) -> list[Candidate]:
    """Find cubes near some places, the most promising first.

    Args:
        view: the piece of the picture.
        places: x, y in mm, shape (N, 2).
        sketch: its colours, by which a die is told from other things earlier.
        tries: how many are fitted.
        least: where no cube scores so much nothing is fitted.
    """
    edges = find_edges(view)
    score = partial(score_poses, view, edges, sketch=sketch)
    if len(places) > _MANY_PLACES:
        places = places[:: -(-len(places) // _MOST_PLACES)]
        pieces = np.array_split(places, -(-len(places) // _AT_ONCE))
        first = np.concatenate([score(_turned(some, _YAWS[::3])).reshape(len(some), -1).max(1) for some in pieces])
        places = places[np.argsort(-first)[:_MANY_PLACES]]
    poses = _turned(places, _YAWS)
    scores = score(poses)
    best = poses[np.argsort(-scores)[:_LOOKED_AT]]
    beside = (best[:, None] + _NEARBY * [view.cube.size_mm, view.cube.size_mm, 1.0]).reshape(-1, 3)
    poses, scores = np.vstack((poses, beside)), np.concatenate((scores, score(beside)))
    if least is not None and scores.max() < least:
        return []
    starts = poses[choose(poses, scores, tries, view.cube.size_mm)]
    keep = None if sketch is None else _KEPT
    fits = fit(view, starts, 0.14 * float(size_px(view.plane, view.cube, starts).mean()), keep=keep)
    again = score(np.array([one.pose for one in fits]))
    found = [Candidate(float(score), one) for score, one in zip(again, fits, strict=True)]
    return sorted(found, key=lambda one: -_promise(one))


def _turned(places: FloatArray, yaws: FloatArray) -> FloatArray:
    """Give poses at every place with every yaw, shape (places * yaws, 3)."""
    return np.column_stack((np.repeat(places, len(yaws), axis=0), np.tile(yaws, len(places))))


def _promise(one: Candidate) -> float:
    """Say roughly how likely a die lies so, to choose which to look at closely."""
    return 0.5 * one.score + one.fit.support - 0.7 * one.fit.offset - one.fit.blank
