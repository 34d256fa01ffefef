"""The rim of a level face that mirrors a window: its rounded edges point elsewhere and keep the colour it lost.

A rim is a few pixels wide, so what is seen of it is mixed with the mirrored white inside and with what lies beyond the
edge. How much of each isn't known; it is summed over when a rim is judged, and taken off by half when one is learnt.
Only painted and dyed faces go round the edges: a sticker ends before them, and what is seen there is the die's body.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.cube import FLATTEST, stand
from vision.frames import FloatArray
from vision.plane import project
from vision.seen_face import Seen, three
from vision.sketch import FLOOR, MEAN, to_linear
from vision.view import View, sample

_ALONG = np.linspace(-0.28, 0.28, 7)
_ACROSS = np.arange(-0.22, 0.141, 0.02)
"""Where colours are looked up along an edge and across it, 0 at the sharp edge, as shares of the size."""

_RIM = (_ACROSS > -0.17) & (_ACROSS < -0.01)
"""Where a rim may be seen."""

_APART = 0.25
"""A rim differs by more, as logarithms of linear colours, from every mixture of what lies on both its sides."""

_TILT = 0.5
"""A rim points so much away from its face for 1 upwards."""

_BODY_SHOWS = 0.42
"""Between two sides of a sticker's die its body differs more than this from mixtures of the two, on average."""

_MIXED = np.array(
    [(a, b) for a in (0.0, 0.03, 0.08, 0.15, 0.25, 0.4, 0.6) for b in (0.0, 0.05, 0.15, 0.3, 0.5) if a + b < 0.9]
)
"""How much of what lies inside and beyond may be mixed into a rim."""

_MOST_BEYOND = 0.5
"""When a rim is learnt, no more than this of its pixels is taken to lie beyond the edge."""

_TINY = 1e-9

_SURPRISE = 0.1
"""A rim isn't one so often: what is seen there is something else, and tells nothing."""

_WIDE = 0.3
"""Sides at a flatter angle than this cosine are too narrow for that to be seen."""

_GAMMA = 2.2
_STEPS = np.linspace(0, 1, 33)[:, None]


@dataclass(frozen=True, slots=True)
class Rim:
    """A rim with what is seen on both sides of it.

    Attributes:
        linear: blue, green, red, linear, 0 to 1, shape (3,).
        inside: of the face itself, with all that it mirrors, shape (3,).
        beyond: of what is seen beyond the edge, shape (3,).
        normal: where it points, world axes, unit vector, shape (3,).
    """

    linear: FloatArray
    inside: FloatArray
    beyond: FloatArray
    normal: FloatArray


def find_rims(view: View, pose: FloatArray) -> tuple[Rim, ...]:
    """Find the rims of the upper face of a cube at a pose, shape (3,), towards the sides that are seen."""
    stance = stand(view.plane, view.cube, pose[None])
    top, *sides = stance.normals[0].T
    rims = []
    for side in (side for side, facing in zip(sides, stance.facing[0, 1:], strict=True) if facing > FLATTEST):
        profile = _look_across(view, pose, top, side)
        apart = _apart(profile) * _RIM
        best = int(apart.argmax())
        if apart[best] > _APART:
            tilted = top + _TILT * side
            normal = tilted / np.linalg.norm(tilted)
            rims.append(Rim(profile[best], profile[0], profile[-1], normal))
    return tuple(rims)


def learn_rim(face: Seen, rim: Rim) -> Seen:
    """See a face by its rim, less half of what may be mixed into it from beside."""
    white = rim.inside * float((rim.linear / (rim.inside + _TINY)).min()) / 2
    other = rim.beyond * min(_MOST_BEYOND, float(((rim.linear - white) / (rim.beyond + _TINY)).min())) / 2
    own = rim.linear - white - other
    return replace(face, normal=three(rim.normal), linear=three(own), veils=(three(white), three(other)))


def weigh_rims(rims: Sequence[Rim], expect: Callable[[int, FloatArray], tuple[FloatArray, FloatArray]]) -> FloatArray:
    """Tell how likely some rims are, were their face of each colour, as logarithms, shape (6,).

    Args:
        rims: of one face.
        expect: gives mean and covariance of log colours for the number of a colour and a slope.
    """
    total, share = np.zeros(6), 1 - _MIXED.sum(1)
    for rim in rims:
        pure = (rim.linear - _MIXED[:, :1] * rim.inside - _MIXED[:, 1:] * rim.beyond) / share[:, None]
        able = (pure > 0).all(1)
        logs = np.log(pure[able] + FLOOR)
        density = -(logs + np.log(share[able])[:, None]).sum(1)
        each = np.array([_weigh(logs - MEAN, density, *expect(colour, rim.normal)) for colour in range(6)])
        total += np.logaddexp(each - each.max() + np.log(1 - _SURPRISE), np.log(_SURPRISE**2))
    return total


def _weigh(logs: FloatArray, density: FloatArray, mean: FloatArray, spread: FloatArray) -> float:
    rest = logs - mean
    square = (rest @ np.linalg.inv(spread) * rest).sum(1)
    return float(np.logaddexp.reduce(density - 0.5 * square) - 0.5 * np.linalg.slogdet(spread)[1])


def shows_body(view: View, pose: FloatArray) -> float | None:
    """Tell how far the edge between two sides differs from mixtures of both; None unless both are seen well."""
    stance = stand(view.plane, view.cube, pose[None])
    if stance.facing[0, 1:].min() <= _WIDE:
        return None
    profile = _look_across(view, pose, *stance.normals[0, :, 1:].T)
    return float(_apart(profile)[np.abs(_ACROSS) <= 0.1].max())


def is_painted(measured: Sequence[float]) -> bool:
    """Tell from ``shows_body`` of some pictures whether the faces' colours go round the edges."""
    return bool(measured) and float(np.mean(measured)) < _BODY_SHOWS


def _look_across(view: View, pose: FloatArray, own: FloatArray, other: FloatArray) -> FloatArray:
    """Look up linear colours from within a face over the edge to the other, shape (K, 3); medians along the edge.

    Args:
        view: the piece of the picture.
        pose: of the cube.
        own: where the face points.
        other: where the face beyond points.
    """
    size = view.cube.size_mm
    middle = np.array([pose[0], pose[1], size / 2])
    down, out = np.maximum(0.0, _ACROSS)[:, None], np.minimum(0.0, _ACROSS)[:, None]
    across = (0.5 - down) * own + (0.5 + out) * other
    along = _ALONG[:, None] * np.cross(own, other)
    pixels = project(view.plane, middle + size * (across[:, None] + along[None]))
    return np.asarray(np.median(to_linear(sample(view, pixels.transpose(2, 0, 1))), axis=1))


def _apart(profile: FloatArray) -> FloatArray:
    """Tell how far each colour of a profile is from mixtures of its two ends, as logarithms, shape (K,).

    A lens mixes light, smoothing mixes grey levels: so mixtures of both kinds.
    """
    one, other = profile[0], profile[-1]
    light = one * (1 - _STEPS) + other * _STEPS
    grey = (one ** (1 / _GAMMA) * (1 - _STEPS) + other ** (1 / _GAMMA) * _STEPS) ** _GAMMA
    mixed = np.log(np.vstack((light, grey)) + FLOOR)
    return np.asarray(np.abs(np.log(profile + FLOOR)[:, None] - mixed).max(-1).min(-1))
