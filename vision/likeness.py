"""Whether a small piece of the picture is as it was, to a fraction of a pixel and in any light.

One step of Lucas and Kanade ("An iterative image registration technique", IJCAI 1981) over the three colours
at once: how far has the piece shifted and turned, when its brightness may have changed by a smooth factor and an
offset? What neither explains is misfit: something came before it, or it is another face.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import hypot, sqrt

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Box, Capture, FloatArray, Frame

MOST_LIGHT = 0.5
"""A larger change of brightness than this share, or of its slope over the piece, is no change of light."""

_MOTIONS = 3
"""Unknowns of movement: right, down, turn; the rest is light."""

_UNIT = 128.0
"""Brightness enters the equations in this unit, in grey levels, so that all unknowns are of like size."""


@dataclass(frozen=True, slots=True)
class Likeness:
    """How a piece differs from what it was.

    Attributes:
        moved_px: how far the part that moved most has moved, in pixels; trustworthy up to about one pixel.
        error_px: standard error of that; large where there is nothing to hold on to.
        misfit: share of the pixels, 0 to 1, that neither movement nor light explains.
    """

    moved_px: float
    error_px: float
    misfit: float


@dataclass(frozen=True, slots=True)
class Calm:
    """How much a piece differs from frame to frame while nothing moves, in grey levels: squared on average, at most."""

    mean_square: float
    peak: float


NO_NOISE = Calm(0, 0)


def cut(capture: Capture, box: Box) -> Frame:
    """Cut a piece out and smooth it a little, so that noise and the pixel grid matter less.

    Returns:
        BGR, uint8, a copy.
    """
    return np.asarray(cv2.GaussianBlur(capture.piece(box), (0, 0), 1.0), dtype=np.uint8)


def measure_calm(pieces: Sequence[Frame]) -> Calm:
    """Measure how much cuts of one box differ while nothing moves there.

    Args:
        pieces: two or more that `cut` gave, in order.
    """
    squares, peaks = zip(*(_differ(one, next_one) for one, next_one in pairwise(pieces)), strict=True)
    return Calm(max(squares), max(peaks))


def is_same(before: Frame, after: Frame, calm: Calm) -> bool:
    """The quick look: two cuts of the same box differ by no more than they do in calm, anywhere and in all."""
    square, peak = _differ(before, after)
    return square <= 1.5 * calm.mean_square + 0.25 and peak <= 1.5 * calm.peak + 2


def compare(before: Frame, after: Frame, noise: float) -> Likeness:
    """Measure how a piece has moved and what of it has changed.

    Args:
        before: what `cut` gave.
        after: the same box of another capture, cut likewise.
        noise: of one pixel of the frames, standard deviation in grey levels.
    """
    was, now = before.astype(np.float32), after.astype(np.float32)
    steps = [_step(was[..., channel], now[..., channel]) for channel in range(3)]
    information, pull = np.full((_MOTIONS, _MOTIONS), 0.0), np.zeros(_MOTIONS)
    for step in steps:
        told, towards = step.without_light()
        information += told
        pull += towards
    information += 1e-6 * np.eye(_MOTIONS)
    movement = np.linalg.solve(information, pull)
    errors = np.sqrt(np.diag(np.linalg.inv(information))) * noise * sqrt(2)
    odd = np.zeros(was.shape[0] * was.shape[1], dtype=bool)
    for step in steps:
        odd |= step.is_odd(movement, noise)
    moved_px = hypot(movement[0], movement[1]) + abs(movement[2])
    return Likeness(float(moved_px), float(np.linalg.norm(errors)), float(odd.mean()))


def _differ(before: Frame, after: Frame) -> tuple[float, float]:
    difference = cv2.absdiff(before, after)
    return cv2.norm(difference, cv2.NORM_L2SQR) / difference.size, cv2.norm(difference, cv2.NORM_INF)


@dataclass(frozen=True, slots=True)
class _Step:
    """The linear equations of one colour: ``columns @ unknowns = difference``, and their normal form.

    The unknowns are the three movements, then the light's factor (even, and its slope right and down) and offset.
    """

    columns: NDArray[np.float32]
    difference: NDArray[np.float32]
    normal: FloatArray
    right_side: FloatArray

    @property
    def steepness(self) -> NDArray[np.float32]:
        """How steep the picture is at each pixel, in grey levels a pixel."""
        return np.asarray(np.hypot(self.columns[:, 0], self.columns[:, 1]), dtype=np.float32)

    def without_light(self) -> tuple[FloatArray, FloatArray]:
        """The equations for movement alone, whatever the light did (Schur complement)."""
        light = np.linalg.solve(self._light, self.normal[_MOTIONS:, :_MOTIONS])
        told = self.normal[:_MOTIONS, :_MOTIONS] - self.normal[:_MOTIONS, _MOTIONS:] @ light
        return told, self.right_side[:_MOTIONS] - light.T @ self.right_side[_MOTIONS:]

    def is_odd(self, movement: FloatArray, noise: float) -> NDArray[np.bool_]:
        """Mark the pixels that this movement and the light that suits it best leave unexplained."""
        right_side = self.right_side[_MOTIONS:] - self.normal[_MOTIONS:, :_MOTIONS] @ movement
        light = np.linalg.solve(self._light, right_side)
        if np.abs(light[:3]).max() > MOST_LIGHT * _UNIT:
            # A factor near 0 would turn the die into a bare table: "the light took all its contrast".
            return np.ones(len(self.difference), dtype=bool)
        unknowns = np.concatenate([movement, light]).astype(np.float32)
        left_over = np.abs(self.difference - self.columns @ unknowns)
        return np.asarray(left_over > 4 * (0.8 * noise + 1.0 + 0.2 * self.steepness))

    @property
    def _light(self) -> FloatArray:
        corner = self.normal[_MOTIONS:, _MOTIONS:]
        return np.asarray(corner + 1e-3 * np.eye(len(corner)), dtype=np.float64)


def _step(was: NDArray[np.float32], now: NDArray[np.float32]) -> _Step:
    height, width = was.shape
    mean = (was + now) / 2
    right = cv2.Sobel(mean, cv2.CV_32F, 1, 0, scale=1 / 8)
    down = cv2.Sobel(mean, cv2.CV_32F, 0, 1, scale=1 / 8)
    x = np.linspace(-1, 1, width, dtype=np.float32)[None, :]
    y = np.linspace(-1, 1, height, dtype=np.float32)[:, None]
    # A turn is measured by how far it moves the middles of the shorter sides.
    longest = max(height, width)
    turn = (down * x * width - right * y * height) / longest
    light = was / _UNIT
    columns = np.stack([-right, -down, -turn, light, light * x, light * y, np.ones_like(was)], axis=-1).reshape(-1, 7)
    difference = (now - was).ravel()
    normal = (columns.T @ columns).astype(np.float64)
    return _Step(columns, difference, normal, (columns.T @ difference).astype(np.float64))
