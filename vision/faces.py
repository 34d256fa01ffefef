"""What a cube placed in a picture shows: its faces' colours, how even they are, and whether it is a die at all."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import exp, log

import numpy as np

from companion.die import Lie
from vision.cube import FACES, FLATTEST, face_points, stand
from vision.frames import FloatArray
from vision.outline import Fit
from vision.palette import Palette, Verdict
from vision.rims import Rim, find_rims, learn_rim
from vision.search import Candidate
from vision.seen_face import Seen, is_burnt, three
from vision.sketch import log_apart, to_linear
from vision.view import View, sample, share_changed, size_px

_SPAN = np.linspace(-1, 1, 5)
_GRID = np.stack(np.meshgrid(_SPAN, _SPAN), -1).reshape(-1, 2)
_AXES = np.array([(-0.5, 0.0), (0.5, 0.0), (0.0, -0.5), (0.0, 0.5)])
_FRINGE_PX = 3.0
"""So near to where a face's own colour ends, its pixels are mixed with what is beside: by the lens, the smoothing, and
colour that is stored for every second pixel only."""

_MIRRORS = 0.1
"""The top mirrors much when all its colours are lighter than this, linear: so white is no face of a die."""

_LEANS = 0.07
"""A level die that is fitted freely leans by less than so many radians in most pictures."""

DIE_AT_ALL = 0.0001
"""Below this likelihood nothing looks like a die."""

_PERFECT = 0.2
"""Misfits below this are all alike."""

HIDDEN = 0.5
"""A face with less of one colour is covered: its colour isn't its own."""


@dataclass(frozen=True, slots=True)
class Face:
    """One face as it is seen.

    Attributes:
        name: ``top`` or the side it is nearest to.
        seen: its colour and where it points.
        even: share of its middle that has that colour, 0 to 1; a hand over it makes it smaller.
        pixels: where it was sampled, x and y, shape (2, P).
        rims: of the top of a painted die, where it mirrors much.
    """

    name: str
    seen: Seen
    even: float
    pixels: FloatArray
    rims: tuple[Rim, ...] = ()


@dataclass(frozen=True, slots=True)
class Die:
    """A candidate with what its faces say.

    Attributes:
        pose: x, y in mm and yaw in radians, shape (3,).
        faces: the seen faces.
        verdict: the ways of lying that explain them.
        trust: how surely a level die lies just so, 0 to 1.
        yaw_error: standard deviation of the yaw, in radians.
        drifted: whether the light's colour is so unlike that at set-up that no colour can be trusted.
    """

    pose: FloatArray
    faces: tuple[Face, ...]
    verdict: Verdict
    trust: float
    yaw_error: float
    drifted: bool = False


def find_faces(view: View, pose: FloatArray) -> tuple[Face, ...]:
    """Look at the seen faces of a cube at a pose, shape (3,)."""
    stance = stand(view.plane, view.cube, pose[None])
    ends = face_points(stance, _AXES)[:, :, 0].T.astype(np.float64)
    spans = _find_spans(ends, view.cube.inset_mm / view.cube.size_mm)
    sides = np.stack((ends[:, 1] - ends[:, 0], ends[:, 3] - ends[:, 2]), axis=1)
    pixels = (ends.mean(axis=1, keepdims=True) + (_GRID * spans[:, None]) @ sides).transpose(2, 0, 1)
    colours = sample(view, pixels)
    middles = np.sort(colours, axis=1)[:, len(_GRID) // 2]
    apart = np.abs(colours - middles[:, None]).max(axis=2)
    even = ((apart < 2 * view.grain + 4) | (log_apart(colours, middles[:, None]) < 0.3)).mean(axis=1)
    across = float(size_px(view.plane, view.cube, pose[None])[0])
    linear, facing = to_linear(middles), stance.facing[0]
    mirrors = view.cube.painted and float(linear[0].min()) > _MIRRORS
    rims = find_rims(view, pose) if mirrors else ()
    return tuple(
        Face(
            FACES[number],
            Seen(three(stance.normals[0, :, i]), three(linear[i]), width_px=float(facing[i]) * across),
            float(even[i]),
            pixels[:, i],
            rims if number == 0 else (),
        )
        for i, number in enumerate(stance.faces[0])
        if facing[i] >= FLATTEST
    )


def _find_spans(ends: FloatArray, inset: float) -> FloatArray:
    """Find how far from its middle a face shows its own colour only, as shares of its two sides, (faces, 2).

    Args:
        ends: the middles of a face's four borders in pixels, (faces, 4, 2).
        inset: how far before the border its own colour ends, as a share of the side.
    """
    along, up = ends[:, 1] - ends[:, 0], ends[:, 3] - ends[:, 2]
    area = np.abs(along[:, 0] * up[:, 1] - along[:, 1] * up[:, 0])
    widths = area[:, None] / (np.linalg.norm(np.stack((up, along), 1), axis=2) + 1e-9)
    return np.asarray(np.clip(0.5 - inset - _FRINGE_PX / (widths + 1e-9), 0.04, 0.22))


def find_lessons(face: Face, lie: Lie) -> tuple[Seen, ...]:
    """Give what a face of a die that is known to lie so teaches: itself, or its rims where its own colour is burnt."""
    seen = replace(face.seen, colour=lie.top if face.name == "top" else lie.towards(face.name))
    return tuple(learn_rim(seen, rim) for rim in face.rims) if face.rims and is_burnt(seen) else (seen,)


def weigh(view: View, candidate: Candidate, palette: Palette, least: float = 0.0) -> Die | None:
    """Judge a candidate by its faces; None when fewer than two are seen, or none could make it a die so likely."""
    if most_trust(find_outline_clues(view, candidate)) < max(least, DIE_AT_ALL):
        return None
    faces = find_faces(view, candidate.fit.pose)
    if len(faces) < 2:
        return None
    clear = [face for face in faces if face.even >= HIDDEN]
    clear = clear if len(clear) >= 2 else list(faces)
    rims = [rim for face in clear for rim in face.rims]
    verdict = palette.judge([face.seen for face in clear], [face.name for face in clear], rims)
    changed = share_changed(view, np.stack([face.pixels for face in faces], axis=1))
    clues = find_clues(view, candidate, faces, verdict, changed)
    trust = _logistic(_BIAS, _WEIGHTS, clues)
    return Die(candidate.fit.pose, faces, verdict, trust, candidate.fit.yaw_error)


def most_trust(outline: Mapping[str, float]) -> float:
    """Tell how much a candidate could be trusted at most, whatever its faces show, by ``find_outline_clues``."""
    return _logistic(_BIAS + _BY_FACES, _WEIGHTS, outline)


def find_clues(
    view: View, candidate: Candidate, faces: tuple[Face, ...], verdict: Verdict, changed: float
) -> dict[str, float]:
    """List what speaks for or against a level die at the candidate's pose, as numbers of a moderate size."""
    return (
        find_outline_clues(view, candidate)
        | find_face_clues(faces, changed)
        | {"misfit": log(verdict.misfit + _PERFECT)}
    )


def find_outline_clues(view: View, candidate: Candidate) -> dict[str, float]:
    """List the clues that don't need the faces' colours."""
    return find_line_clues(candidate.fit) | {
        "score": candidate.score,
        "size": abs(log(max(candidate.fit.size_mm / view.cube.size_mm, 0.1))),
        "lean": min(candidate.fit.lean / _LEANS, 3.0) ** 2,
    }


def find_line_clues(fitted: Fit) -> dict[str, float]:
    """List how well the outline fits."""
    return {
        "support": fitted.support,
        "inner": fitted.inner,
        "blank": fitted.blank,
        "offset": min(fitted.offset, 3.0),
    }


def find_face_clues(faces: tuple[Face, ...], changed: float) -> dict[str, float]:
    """List the clues of the faces that don't need the die's colours."""
    even = [face.even for face in faces]
    return {
        "changed": changed,
        "least even": min(even),
        "even": sum(even) / len(even),
        "two faces": float(len(faces) == 2),
    }


def trust_shape(fitted: Fit, faces: tuple[Face, ...], changed: float) -> float:
    """Tell how surely a cube lies just so, 0 to 1, without knowing its colours."""
    return _logistic(_SHAPE_BIAS, _SHAPE_WEIGHTS, find_line_clues(fitted) | find_face_clues(faces, changed))


def _logistic(bias: float, weights: Mapping[str, float], clues: Mapping[str, float]) -> float:
    total = bias + sum(weights[name] * value for name, value in clues.items())
    return 1 / (1 + exp(-max(-50.0, min(50.0, total))))


# Logistic regression of "a level die lies just so" on the clues, over rendered tables, lights and dice, and over many
# level and cocked dice on the virtual table.
_BIAS = -2.53
_WEIGHTS = {
    "support": 5.63,
    "inner": 2.06,
    "blank": -6.42,
    "offset": -6.06,
    "changed": -1.12,
    "least even": 2.25,
    "even": -0.27,
    "two faces": -1.11,
    "score": 5.44,
    "size": -82.97,
    "lean": -1.63,
    "misfit": -0.35,
}

_BY_FACES = (
    max(0.0, _WEIGHTS["even"], _WEIGHTS["even"] + _WEIGHTS["least even"])
    + max(0.0, _WEIGHTS["changed"])
    + max(0.0, _WEIGHTS["two faces"])
    + _WEIGHTS["misfit"] * log(_PERFECT)
)
"""As much as faces can add at most: misfits and weights being what they are."""

_SHAPE_BIAS = 5.34
_SHAPE_WEIGHTS = {
    "support": -0.65,
    "inner": 0.56,
    "blank": -14.28,
    "offset": -9.61,
    "changed": -0.03,
    "least even": 1.16,
    "even": 1.81,
    "two faces": -0.78,
}
