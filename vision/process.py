"""Colours over slopes as a Gaussian process, learnt from a few faces.

A face shows the logarithm of its linear colour: body colour plus light on that slope. Both are unknown; the same colour
shares its body colour, slopes that point alike share their light. So a colour learnt on one slope is known on the
others, only less surely, and a colour in shadow isn't taken for another.
Source: C. E. Rasmussen and C. K. I. Williams, "Gaussian Processes for Machine Learning", 2006, chapter 2.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.frames import FloatArray
from vision.observing import HUE, LIGHTNESS, Observation, Spread, observe
from vision.seen_face import Seen

_HOPELESS = 8.0
"""Ways of lying less likely by this much, as a logarithm, are weighed roughly."""

_OUT = 6.0
"""What is less likely than the best by this much can't change a verdict."""


@dataclass(frozen=True, slots=True)
class _Belief:
    """What was learnt, under one assumption about what the faces mirrored when they were shown."""

    weight: float
    rest: FloatArray  # (3N,) learnt faces less their mean, white by the covariance
    inverse: FloatArray  # (3N, 3N)


class Process:
    """What faces of each colour look like on each slope.

    Args:
        shown: the faces to learn from.
        colours: of each the number of its colour, int, shape (N,).
        spread: how much things vary.
    """

    def __init__(self, shown: Sequence[Seen], colours: NDArray[np.int64], spread: Spread) -> None:
        self.spread = spread
        self._colours = colours
        self._normals = np.array([face.normal for face in shown])
        self._beliefs = self._learn(shown)

    @property
    def evidence(self) -> float:
        """How likely the shown faces are with these colours, as a logarithm."""
        return float(np.logaddexp.reduce([belief.weight for belief in self._beliefs]))

    def weigh(self, colours: NDArray[np.int64], faces: Sequence[Seen]) -> tuple[FloatArray, FloatArray]:
        """Weigh what colours some faces of one picture have.

        Args:
            colours: L ways, the number of each face's colour, shape (L, F).
            faces: the faces.

        Returns:
            Logarithms of their likelihoods given what was shown, and mean squared deviations in standard deviations,
            each of shape (L,).
        """
        seen = observe(faces, self.spread)
        scores, misfits = self._weigh(colours, seen, self._beliefs[:1])
        likely = scores > scores.max() - _HOPELESS
        scores[likely], misfits[likely] = self._weigh(colours[likely], seen, self._beliefs)
        return scores - self.evidence, misfits

    def expect(self, colour: int, normal: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Tell what a colour looks like on a slope: mean and covariance of log colours, shapes (3,) and (3, 3)."""
        one = (np.array([[colour]]), normal[None])
        cross = self._covariance(one, (self._colours[None], self._normals))[0]
        own = self._covariance(one, one)[0] + LIGHTNESS * (self.spread.picture**2 + self.spread.face**2)
        own = own + HUE * self.spread.face_hue**2
        weights = np.exp(np.array([belief.weight for belief in self._beliefs]) - self.evidence)
        found = np.array([cross @ belief.rest for belief in self._beliefs])
        mean = weights @ found
        spread = sum(
            weight * (own - cross @ belief.inverse @ cross.T + np.outer(each - mean, each - mean))
            for weight, belief, each in zip(weights, self._beliefs, found, strict=True)
        )
        return mean, np.asarray(spread)

    def _weigh(
        self, colours: NDArray[np.int64], seen: Observation, beliefs: Sequence[_Belief]
    ) -> tuple[FloatArray, FloatArray]:
        count = len(seen.normals)
        cross = self._covariance((colours, seen.normals), (self._colours[None], self._normals))
        own = self._covariance((colours, seen.normals), (colours, seen.normals))
        own = own + np.tile(LIGHTNESS * self.spread.picture**2, (count, count))
        weights = np.array([belief.weight for belief in beliefs])
        mean = np.array([cross @ belief.rest for belief in beliefs])
        base = np.array([own - cross @ belief.inverse @ cross.transpose(0, 2, 1) for belief in beliefs])
        # Axes from here: what the faces mirrored when shown, and do now; the ways; faces by colour.
        root = np.asarray(np.linalg.cholesky(base[:, None] + seen.noise[None, :, None]), dtype=np.float64)
        white = _forward(root, seen.logs[None, :, None] - mean[:, None])
        square = (white * white).reshape(*white.shape[:-1], count, 3).sum(-1)
        tails = self.spread.tails
        tail = ((tails + 3) * np.log1p(square / tails)).sum(-1)
        spread = 2 * np.log(np.diagonal(root, axis1=-2, axis2=-1)).sum(-1)
        totals = weights[:, None, None] + seen.prior[None, :, None] - 0.5 * (tail + spread)
        totals, square = totals.reshape(-1, len(colours)), square.mean(-1).reshape(-1, len(colours)) / 3
        misfits = square[totals.argmax(0), np.arange(len(colours))]
        return np.asarray(np.logaddexp.reduce(totals, axis=0)), misfits

    def _learn(self, shown: Sequence[Seen]) -> tuple[_Belief, ...]:
        known = (self._colours[None], self._normals)
        pictures = np.array([face.picture for face in shown])
        same = np.kron(pictures[:, None] == pictures[None], LIGHTNESS) * self.spread.picture**2
        prior = self._covariance(known, known)[0] + same
        seen = observe(shown, self.spread)
        beliefs = []
        for weight, rest, noise in zip(seen.prior, seen.logs, seen.noise, strict=True):
            spread = prior + noise
            inverse = np.linalg.inv(spread)
            likelihood = -0.5 * float(rest @ inverse @ rest + np.linalg.slogdet(spread)[1])
            beliefs.append(_Belief(float(weight) + likelihood, inverse @ rest, inverse))
        beliefs.sort(key=lambda belief: -belief.weight)
        return tuple(belief for belief in beliefs if belief.weight > beliefs[0].weight - _OUT)

    def _covariance(self, one: tuple[np.ndarray, FloatArray], two: tuple[np.ndarray, FloatArray]) -> FloatArray:
        """Covariance of faces in log colour, (L, 3A, 3B), from colours (L, A), (L, B) and normals (A, 3), (B, 3)."""
        apart = ((one[1][:, None] - two[1][None]) ** 2).sum(-1)
        alike = np.exp(-apart / (2 * self.spread.slope**2))[None]
        same = (one[0][:, :, None] == two[0][:, None, :]).astype(np.float64)
        lightness = same * self.spread.body**2 + alike * self.spread.light**2
        hue = same * self.spread.body_hue**2 + alike * self.spread.light_hue**2
        return _by_colour(lightness, LIGHTNESS) + _by_colour(hue, HUE)


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
