"""The six colours as they look on this table, in this light, and which way of lying explains some faces best.

A face shows the logarithm of its linear colour: body colour plus light on that slope. Both are unknown and learnt
together from the few faces shown when setting up, as a Gaussian process: the same colour shares its body colour, slopes
that point alike share their light. So a colour learnt on one slope is known on the others, only less surely, and a
colour in shadow isn't taken for another. A window mirrored by a level face adds white; how much is summed over.
Sources: C. E. Rasmussen and C. K. I. Williams, "Gaussian Processes for Machine Learning", 2006, chapter 2;
S. A. Shafer, "Using color to separate reflection components", 1985 (body colour plus gloss).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log

import numpy as np
from numpy.typing import NDArray

from companion.die import Lie, all_lies
from vision.frames import FloatArray
from vision.rims import Rim, weigh_rims
from vision.sketch import AZIMUTHS, FLOOR, MEAN, Sketch

_BURNT = 0.6
"""A face all of whose linear values are above this mirrors so much white that its own colour is lost."""

_LEVEL = 0.9
"""A face that points upwards by more than this may mirror a window; one by less than the rest, the table."""

_CLIPPED = 0.93
"""A linear value above this was cut off by the sensor: the true one may be anything above."""


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
    dark: float = 0.0005  # linear, not a logarithm: noise of dark faces
    mirrored: float = 0.015  # share of the mirrored light by which it isn't white
    blend: float = 0.001  # linear times pixels: light that reaches a narrow face's pixels from beside it
    fringe: float = 3.5  # pixels: a face seen narrower than this shows more of what is beside it than of itself
    rim: float = 0.35  # lightness of rounded edges, beside what their slope explains
    rim_hue: float = 0.12
    tails: float = 5.0  # degrees of freedom: the smaller, the likelier are surprises
    gloss: float = 0.35  # not a deviation: how likely a level face mirrors something
    sheen: float = 0.5  # nor this: how likely the sides mirror the table
    floor: float = FLOOR  # stray light, linear


@dataclass(frozen=True, slots=True)
class Seen:
    """One face as it was seen.

    Attributes:
        normal: where it points, world axes, unit vector.
        linear: blue, green, red, linear, 0 to 1.
        width_px: how wide it is seen, across its narrow way.
        veil: of a rim, how much white from beside may be in it, linear; 0 for a whole face.
        colour: the name of its colour, where it is known.
        picture: faces of the same picture have the same number.
    """

    normal: tuple[float, float, float]
    linear: tuple[float, float, float]
    width_px: float = 50.0
    veil: float = 0.0
    colour: str = ""
    picture: int = 0


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the faces say about the ways of lying.

    Attributes:
        lies: the 24 ways, likeliest first.
        scores: logarithms of their likelihoods, given the faces that were shown, in the same order.
        misfit: mean squared deviation of the likeliest, in standard deviations; about 1 when it fits.
    """

    lies: tuple[Lie, ...]
    scores: tuple[float, ...]
    misfit: float

    @property
    def margin(self) -> float:
        """By how much the likeliest is likelier than the second, as a logarithm."""
        return self.scores[0] - self.scores[1]


@dataclass(frozen=True, slots=True)
class _Belief:
    """What was learnt, under one assumption about what the level faces mirrored when they were shown."""

    weight: float
    rest: FloatArray  # (3N,) learnt faces less their mean, white by the covariance
    inverse: FloatArray  # (3N, 3N)


def is_burnt(face: Seen) -> bool:
    """Tell whether a face mirrors so much that its own colour is lost."""
    return min(face.linear) > _BURNT


@dataclass(frozen=True, slots=True)
class _Sight:
    """Some faces as they are seen, under each assumption about what they mirror now."""

    normals: FloatArray  # (F, 3)
    logs: FloatArray  # (G, 3F) log colours without what is mirrored
    noise: FloatArray  # (G, 3F, 3F)
    prior: FloatArray  # (G,) logarithms


class Palette:
    """Colours learnt from shown faces, ready to judge others.

    Args:
        layout: the die, in the colours' names.
        shown: the faces with their colours.
        spread: how much things vary.
    """

    def __init__(self, layout: Lie, shown: Sequence[Seen], spread: Spread = Spread()) -> None:
        self.lies = all_lies(layout)
        self.shown = tuple(shown)
        self._spread = spread
        self._names = sorted(layout.faces)
        self._colours = np.array([self._names.index(face.colour) for face in shown])
        self._normals = np.array([face.normal for face in shown])
        self._beliefs = self._learn()

    @cached_property
    def sketch(self) -> Sketch:
        """What each colour looks like on some slopes, for a first look at many faces."""
        azimuths = np.arange(AZIMUTHS) * (2 * np.pi / AZIMUTHS)
        normals = np.vstack([[0.0, 0.0, 1.0], np.column_stack((np.sin(azimuths), np.cos(azimuths), 0 * azimuths))])
        means, spreads = np.zeros((len(normals), 6, 3)), np.zeros((len(normals), 6, 3, 3))
        for slope, normal in enumerate(normals):
            for colour in range(6):
                means[slope, colour], spreads[slope, colour] = self._expect(colour, normal)
        spreads += np.eye(3) * (_ROUGH**2 + (self._spread.fringe / _USUAL_PX) ** 4)
        stray = (_ROUGH_DARK + self._spread.blend / _USUAL_PX) / (np.exp(means + MEAN) + 1e-9)
        spreads += stray[..., None] ** 2 * np.eye(3)
        orders = np.array([[self._index(lie, face) for face in ("top", "N", "E", "S", "W")] for lie in self.lies])
        roots = np.linalg.cholesky(np.linalg.inv(spreads)).transpose(0, 1, 3, 2)
        return Sketch(means.astype(np.float32), roots.astype(np.float32), orders)

    @property
    def evidence(self) -> float:
        """How likely the shown faces are with these colours' names, as a logarithm: to compare ways of naming them."""
        return float(np.logaddexp.reduce([belief.weight for belief in self._beliefs]))

    def judge(self, faces: Sequence[Seen], towards: Sequence[str], rims: Sequence[Rim] = ()) -> Verdict:
        """Weigh the 24 ways of lying.

        Args:
            faces: the faces seen.
            towards: which face each is: ``top``, ``N``, ``E``, ``S`` or ``W``.
            rims: of the top, where it mirrors so much that they tell more than itself.
        """
        colours = np.array([[self._index(lie, name) for name in towards] for lie in self.lies])
        normals = np.array([face.normal for face in faces])
        linear = np.array([face.linear for face in faces])
        white, prior = self._mirrored(linear, normals)
        logs, noise, jacobian = self._observe(
            linear, white, np.array([face.width_px for face in faces]), np.array([face.veil for face in faces])
        )
        seen = _Sight(normals, logs, noise, prior + jacobian)
        ranked = sorted(self._beliefs, key=lambda belief: -belief.weight)
        scores, misfits = self._weigh(colours, seen, ranked[:1])
        likely = scores > scores.max() - _HOPELESS
        scores[likely], misfits[likely] = self._weigh(colours[likely], seen, ranked)
        if rims:
            scores += weigh_rims(rims, self._expect_rim)[[self._index(lie, "top") for lie in self.lies]]
        order = np.argsort(-scores)
        scores = scores[order] - self.evidence
        return Verdict(tuple(self.lies[i] for i in order), tuple(scores.tolist()), float(misfits[order[0]]))

    def _weigh(
        self, colours: NDArray[np.int64], seen: _Sight, beliefs: Sequence[_Belief]
    ) -> tuple[FloatArray, FloatArray]:
        """Weigh ways of lying, colours of the faces by number, shape (L, F); scores and misfits, shape (L,)."""
        cross = self._covariance((colours, seen.normals), (self._colours[None], self._normals))
        own = self._covariance((colours, seen.normals), (colours, seen.normals))
        own = own + self._same_picture(len(seen.normals))
        weights = np.array([belief.weight for belief in beliefs])
        mean = np.array([cross @ belief.rest for belief in beliefs])
        base = np.array([own - cross @ belief.inverse @ cross.transpose(0, 2, 1) for belief in beliefs])
        # Axes from here: what the faces mirrored when shown, and do now; the ways of lying; faces by colour.
        root = np.asarray(np.linalg.cholesky(base[:, None] + seen.noise[None, :, None]), dtype=np.float64)
        plain = _forward(root, seen.logs[None, :, None] - mean[:, None])
        square = (plain * plain).reshape(*plain.shape[:-1], len(seen.normals), 3).sum(-1)
        tails = self._spread.tails
        tail = ((tails + 3) * np.log1p(square / tails)).sum(-1)
        spread = 2 * np.log(np.diagonal(root, axis1=-2, axis2=-1)).sum(-1)
        totals = weights[:, None, None] + seen.prior[None, :, None] - 0.5 * (tail + spread)
        totals, square = totals.reshape(-1, len(colours)), square.mean(-1).reshape(-1, len(colours)) / 3
        misfits = square[totals.argmax(0), np.arange(len(colours))]
        return np.logaddexp.reduce(totals, axis=0), misfits

    def _expect(self, colour: int, normal: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Tell what a colour looks like on a slope: mean and covariance of log colours, shapes (3,) and (3, 3)."""
        one = (np.array([[colour]]), normal[None])
        cross = self._covariance(one, (self._colours[None], self._normals))[0]
        own = self._covariance(one, one)[0] + _LIGHTNESS * (self._spread.picture**2 + self._spread.face**2)
        own = own + _HUE * self._spread.face_hue**2
        weights = np.exp(np.array([belief.weight for belief in self._beliefs]) - self.evidence)
        found = np.array([cross @ belief.rest for belief in self._beliefs])
        mean = weights @ found
        spread = sum(
            weight * (own - cross @ belief.inverse @ cross.T + np.outer(each - mean, each - mean))
            for weight, belief, each in zip(weights, self._beliefs, found, strict=True)
        )
        return mean, np.asarray(spread)

    def _expect_rim(self, colour: int, normal: FloatArray) -> tuple[FloatArray, FloatArray]:
        mean, spread = self._expect(colour, normal)
        return mean, spread + _LIGHTNESS * self._spread.rim**2 + _HUE * self._spread.rim_hue**2

    def _learn(self) -> tuple[_Belief, ...]:
        linear = np.array([face.linear for face in self.shown])
        pictures = np.array([face.picture for face in self.shown])
        widths = np.array([face.width_px for face in self.shown])
        veils = np.array([face.veil for face in self.shown])
        known = (self._colours[None], self._normals)
        same = np.kron(pictures[:, None] == pictures[None], _LIGHTNESS) * self._spread.picture**2
        prior = self._covariance(known, known)[0] + same
        beliefs = []
        white, weights = self._mirrored(linear, self._normals)
        for weight, rest, noise, jacobian in zip(weights, *self._observe(linear, white, widths, veils), strict=True):
            spread = prior + noise
            inverse = np.linalg.inv(spread)
            likelihood = float(jacobian) - 0.5 * float(rest @ inverse @ rest + np.linalg.slogdet(spread)[1])
            beliefs.append(_Belief(float(weight) + likelihood, inverse @ rest, inverse))
        # What is far less likely than the best can't change a verdict.
        best = max(belief.weight for belief in beliefs)
        return tuple(belief for belief in beliefs if belief.weight > best - 6)

    def _covariance(self, one: tuple[np.ndarray, FloatArray], two: tuple[np.ndarray, FloatArray]) -> FloatArray:
        """Covariance of faces in log colour, (L, 3A, 3B), from colours (L, A), (L, B) and normals (A, 3), (B, 3)."""
        apart = ((one[1][:, None] - two[1][None]) ** 2).sum(-1)
        alike = np.exp(-apart / (2 * self._spread.slope**2))[None]
        same = (one[0][:, :, None] == two[0][:, None, :]).astype(np.float64)
        lightness = same * self._spread.body**2 + alike * self._spread.light**2
        hue = same * self._spread.body_hue**2 + alike * self._spread.light_hue**2
        return _by_colour(lightness, _LIGHTNESS) + _by_colour(hue, _HUE)

    def _same_picture(self, count: int) -> FloatArray:
        return np.asarray(np.kron(np.ones((count, count)), _LIGHTNESS) * self._spread.picture**2)

    def _mirrored(self, linear: FloatArray, normals: FloatArray) -> tuple[FloatArray, FloatArray]:
        """List how much white the faces may mirror, (G, faces), with the logarithms of how likely that is, (G,).

        Level faces all mirror the same of a window, sides the same of the table, as much as leaves the darkest one's
        darkest channel a share of itself.
        """
        burnt = (linear > _BURNT).all(1)
        white, prior = np.zeros((1, len(linear))), np.zeros(1)
        for which, chance, shares in (
            ((normals[:, 2] > _LEVEL) & ~burnt, self._spread.gloss, _LEFT),
            ((normals[:, 2] < 1 - _LEVEL) & ~burnt, self._spread.sheen, _LEFT_OF_SIDES),
        ):
            darkest = float(linear[which].min()) if which.any() else 0.0
            left = np.array([1.0, *(share for share in shares if darkest * (1 - share) > self._spread.dark)])
            odds = np.full(len(left), log(chance / len(shares)))
            odds[0] = log(1 - chance) if which.any() else 0.0
            more = (darkest * (1 - left))[:, None] * which
            white = (white[:, None] + more[None]).reshape(-1, len(linear))
            prior = (prior[:, None] + odds[None]).reshape(-1)
        return white, prior

    def _observe(
        self, linear: FloatArray, white: FloatArray, widths: FloatArray, veils: FloatArray
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Take mirrored white off.

        Args:
            linear: the faces' colours, (F, 3).
            white: what they mirror, (G, F).
            widths: of the faces in pixels, (F,).
            veils: of the faces that are rims, (F,), 0 for others.

        Returns:
            Log colours, (G, 3F), their noise, (G, 3F, 3F), and the change of density, (G,).
        """
        count, floor = 3 * len(linear), self._spread.floor
        body = np.maximum(linear - white[..., None], 0.0)
        cut, burnt = linear > _CLIPPED, (linear > _BURNT).all(1, keepdims=True)
        logs = np.log(body + floor) - MEAN + 0.2 * cut
        stray = self._spread.dark + self._spread.mirrored * white + self._spread.blend / widths
        own = (stray[..., None] / (body + floor)) ** 2 + 0.4**2 * cut + 1e4 * burnt
        blocks = _LIGHTNESS * self._spread.face**2 + _HUE * self._spread.face_hue**2
        blocks = blocks + np.eye(3) * ((self._spread.fringe / widths) ** 4)[:, None, None]
        pale = veils[:, None] / (linear + floor)
        blocks = blocks + pale[:, :, None] * pale[:, None, :]
        rim = (veils > 0)[:, None, None]
        blocks = blocks + rim * (_LIGHTNESS * self._spread.rim**2 + _HUE * self._spread.rim_hue**2)
        noise = np.zeros((len(linear), 3, len(linear), 3))
        noise[np.arange(len(linear)), :, np.arange(len(linear))] = blocks
        both = np.repeat(noise.reshape(1, count, count), len(white), axis=0)
        both[:, np.arange(count), np.arange(count)] += own.reshape(-1, count)
        jacobian = np.where(cut, 0.0, np.log((linear + floor) / (body + floor))).sum((1, 2))
        return logs.reshape(-1, count), both, jacobian

    def _index(self, lie: Lie, towards: str) -> int:
        return self._names.index(lie.top if towards == "top" else lie.towards(towards))


def _by_colour(faces: FloatArray, colours: FloatArray) -> FloatArray:
    """Spread covariances of faces, (L, A, B), over the three colours, (L, 3A, 3B)."""
    count, rows, columns = faces.shape
    return np.asarray((faces[:, :, None, :, None] * colours[:, None, :]).reshape(count, 3 * rows, 3 * columns))


def _forward(root: FloatArray, values: FloatArray) -> FloatArray:
    """Solve lower triangular systems, (..., n, n) and (..., n), all at once."""
    solved = np.empty_like(values)
    for row in range(values.shape[-1]):
        known = (root[..., row, :row] * solved[..., :row]).sum(-1)
        solved[..., row] = (values[..., row] - known) / root[..., row, row]
    return solved


_USUAL_PX = 20.0
"""A face is about so wide."""

_ROUGH, _ROUGH_DARK = 0.06, 0.001
"""A first look at few pixels is off by so much more, as logarithm and linear."""

_HOPELESS = 8.0
"""Ways of lying less likely by this much, as a logarithm, are weighed roughly."""

_LIGHTNESS = np.full((3, 3), 1 / 3)
_HUE = np.eye(3) - _LIGHTNESS
_LEFT_OF_SIDES = (0.3,)
_LEFT = (0.02, 0.08, 0.2, 0.4, 0.6, 0.8)
