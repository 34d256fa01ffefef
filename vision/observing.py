"""What the colours of some faces say about their own colours: mirrored light taken off, with how sure that is.

A window mirrored by a level face adds white, the table mirrored by the sides a little. How much isn't known, so it is
listed with its likelihood, to be summed over. Source: S. A. Shafer, "Using color to separate reflection components",
1985 (body colour plus gloss).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

import numpy as np

from vision.frames import FloatArray
from vision.seen_face import BURNT, Seen
from vision.sketch import FLOOR, MEAN

LIGHTNESS = np.full((3, 3), 1 / 3)
"""What all three colours have in common, as a projection."""

HUE = np.eye(3) - LIGHTNESS
"""What they haven't."""

_CLIPPED = 0.93
"""A linear value above this was cut off by the sensor: the true one may be anything above."""

_LEVEL = 0.9
"""A face that points upwards by more than this may mirror a window; one by less than the rest, the table."""

_LEFT_OF_TOPS = (0.02, 0.08, 0.2, 0.4, 0.6, 0.8)
_LEFT_OF_SIDES = (0.3,)
"""So much of the darkest colour may be its own when the rest is mirrored."""

_PALEST = 0.001
"""Less mirrored light than this, linear, changes nothing."""


@dataclass(frozen=True, slots=True)
class Spread:
    """How much things vary, as standard deviations of natural logarithms; found once over many tables and lights."""

    body: float = 0.95  # lightness of body colours
    body_hue: float = 0.42
    light: float = 3.4  # light on slopes that point quite differently
    light_hue: float = 0.06
    slope: float = 2.7  # how different normals must be to be lit differently (length of the difference)
    picture: float = 0.15  # whole pictures, by where the die lies
    face: float = 0.023  # one face
    face_hue: float = 0.03
    dark: float = 0.0007  # linear, not a logarithm: noise of dark faces
    haze: float = 0.001  # linear: white light from the lens and from around
    mirrored: float = 0.015  # share of the mirrored light by which it isn't white
    blend: float = 0.001  # linear times pixels: light that reaches a narrow face's pixels from beside it
    fringe: float = 3.5  # pixels: a face seen narrower than this shows more of what is beside it than of itself
    rim: float = 0.35  # lightness of rounded edges, beside what their slope explains
    rim_hue: float = 0.12
    tails: float = 5.0  # degrees of freedom: the smaller, the likelier are surprises
    gloss: float = 0.35  # not a deviation: how likely a level face mirrors something
    sheen: float = 0.5  # nor this: how likely the sides mirror the table
    floor: float = FLOOR  # nor this: stray light, linear, below which nothing is told apart


USUAL = Spread()
"""As dice are seen on a table."""


@dataclass(frozen=True, slots=True)
class Observation:
    """Some faces under each of G assumptions about what they mirror.

    Attributes:
        normals: where they point, shape (F, 3).
        logs: log colours without what is mirrored, less their mean, shape (G, 3F).
        noise: their covariances, shape (G, 3F, 3F).
        prior: how likely the assumptions are beforehand, as logarithms of densities, shape (G,).
    """

    normals: FloatArray
    logs: FloatArray
    noise: FloatArray
    prior: FloatArray


def observe(faces: Sequence[Seen], spread: Spread) -> Observation:
    """Take off what faces may mirror."""
    normals = np.array([face.normal for face in faces])
    linear = np.array([face.linear for face in faces])
    white, odds = _list_mirrored(linear, normals, spread)
    count, floor = 3 * len(faces), spread.floor
    body = np.maximum(linear - white[..., None], 0.0)
    cut, burnt = linear > _CLIPPED, (linear > BURNT).all(1, keepdims=True)
    widths = np.array([face.width_px for face in faces])
    stray = spread.dark + spread.mirrored * white + spread.blend / widths
    own = (stray[..., None] / (body + floor)) ** 2 + 0.4**2 * cut + 1e4 * burnt
    noise = np.zeros((len(faces), 3, len(faces), 3))
    noise[np.arange(len(faces)), :, np.arange(len(faces))] = _find_noise(faces, linear, widths, spread)
    both = np.repeat(noise.reshape(1, count, count), len(white), axis=0)
    both[:, np.arange(count), np.arange(count)] += own.reshape(-1, count)
    # A body that is darker than what was seen has a denser logarithm.
    dense = np.where(cut, 0.0, np.log((linear + floor) / (body + floor))).sum((1, 2))
    logs = np.log(body + floor) - MEAN + 0.2 * cut
    return Observation(normals, logs.reshape(-1, count), both, odds + dense)


def rim_noise(spread: Spread) -> FloatArray:
    """Give the covariance of a rim's log colours beside that of its face, shape (3, 3)."""
    return np.asarray(LIGHTNESS * spread.rim**2 + HUE * spread.rim_hue**2)


def _find_noise(faces: Sequence[Seen], linear: FloatArray, widths: FloatArray, spread: Spread) -> FloatArray:
    """Give each face's noise whatever it mirrors, (F, 3, 3)."""
    blocks = LIGHTNESS * spread.face**2 + HUE * spread.face_hue**2
    blocks = np.asarray(blocks + np.eye(3) * ((spread.fringe / widths) ** 4)[:, None, None])
    for number, (face, seen) in enumerate(zip(faces, linear + spread.floor, strict=True)):
        if face.veils:
            blocks[number] += rim_noise(spread)
        for veil in (*face.veils, (spread.haze,) * 3):
            blocks[number] += np.outer(veil / seen, veil / seen)
    return blocks


def _list_mirrored(linear: FloatArray, normals: FloatArray, spread: Spread) -> tuple[FloatArray, FloatArray]:
    """List how much white the faces may mirror, (G, F), with the logarithms of how likely that is, (G,).

    Level faces all mirror the same of a window, sides the same of the table, as much as leaves the darkest one's
    darkest colour a share of itself.
    """
    burnt = (linear > BURNT).all(1)
    white, odds = np.zeros((1, len(linear))), np.zeros(1)
    for which, chance, shares in (
        ((normals[:, 2] > _LEVEL) & ~burnt, spread.gloss, _LEFT_OF_TOPS),
        ((normals[:, 2] < 1 - _LEVEL) & ~burnt, spread.sheen, _LEFT_OF_SIDES),
    ):
        darkest = float(linear[which].min()) if which.any() else 0.0
        left = np.array([1.0, *(share for share in shares if darkest * (1 - share) > _PALEST)])
        each = np.full(len(left), log(chance / len(shares)))
        each[0] = log(1 - chance) if which.any() else 0.0
        white = (white[:, None] + ((darkest * (1 - left))[:, None] * which)[None]).reshape(-1, len(linear))
        odds = (odds[:, None] + each[None]).reshape(-1)
    return white, odds
