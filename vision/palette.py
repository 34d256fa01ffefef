"""The six colours as they look on this table, in this light, and which way of lying explains some faces best."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from companion.die import Lie, all_lies
from vision.cube import FACES
from vision.frames import FloatArray
from vision.observing import USUAL, Spread, rim_noise
from vision.process import Process
from vision.rims import Rim, weigh_rims
from vision.seen_face import Seen
from vision.sketch import AZIMUTHS, MEAN, Sketch

_USUAL_PX = 20.0
"""A face is about so wide."""

_COARSE, _COARSE_DARK = 0.06, 0.001
"""A first look at few pixels is off by so much more, as logarithm and linear."""


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


class Palette:
    """Colours learnt from shown faces, ready to judge others.

    Args:
        layout: the die, in the colours' names.
        shown: the faces with their colours.
        spread: how much things vary.
    """

    def __init__(self, layout: Lie, shown: Sequence[Seen], spread: Spread = USUAL) -> None:
        self.lies = all_lies(layout)
        self.shown = tuple(shown)
        names = sorted(layout.faces)
        self._orders = np.array(
            [
                [names.index(colour) for colour in (lie.top, lie.north, lie.east, lie.south, lie.west)]
                for lie in self.lies
            ]
        )
        self._process = Process(shown, np.array([names.index(face.colour) for face in shown]), spread)

    @property
    def evidence(self) -> float:
        """How likely the shown faces are with these colours' names, as a logarithm: to compare ways of naming them."""
        return self._process.evidence

    def judge(self, faces: Sequence[Seen], towards: Sequence[str], rims: Sequence[Rim] = ()) -> Verdict:
        """Weigh the 24 ways of lying.

        Args:
            faces: the faces seen.
            towards: which face each is, as in ``FACES``.
            rims: of the top, where it mirrors so much that they tell more than itself.
        """
        scores, misfits = self._process.weigh(self._orders[:, [FACES.index(name) for name in towards]], faces)
        if rims:
            scores = scores + weigh_rims(rims, self._expect_rim)[self._orders[:, FACES.index("top")]]
        order = np.argsort(-scores)
        return Verdict(tuple(self.lies[i] for i in order), tuple(scores[order].tolist()), float(misfits[order[0]]))

    @cached_property
    def sketch(self) -> Sketch:
        """What each colour looks like on some slopes, for a first look at many faces."""
        azimuths = np.arange(AZIMUTHS) * (2 * np.pi / AZIMUTHS)
        normals = np.vstack([[0.0, 0.0, 1.0], np.column_stack((np.sin(azimuths), np.cos(azimuths), 0 * azimuths))])
        means, spreads = np.zeros((len(normals), 6, 3)), np.zeros((len(normals), 6, 3, 3))
        for slope, normal in enumerate(normals):
            for colour in range(6):
                means[slope, colour], spreads[slope, colour] = self._process.expect(colour, normal)
        spread = self._process.spread
        spreads += np.eye(3) * (_COARSE**2 + (spread.fringe / _USUAL_PX) ** 4)
        stray = (_COARSE_DARK + spread.blend / _USUAL_PX) / (np.exp(means + MEAN) + 1e-9)
        spreads += stray[..., None] ** 2 * np.eye(3)
        roots = np.linalg.cholesky(np.linalg.inv(spreads)).transpose(0, 1, 3, 2)
        return Sketch(means.astype(np.float32), roots.astype(np.float32), self._orders)

    def _expect_rim(self, colour: int, normal: FloatArray) -> tuple[FloatArray, FloatArray]:
        mean, spread = self._process.expect(colour, normal)
        return mean, spread + rim_noise(self._process.spread)
