"""The die's colours in few numbers, to compare many faces with them quickly; and the scale of such comparisons.

Colours are compared as logarithms of linear values: shade only shifts them.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.frames import FloatArray

FLOOR = 0.004
"""Added to linear colours before the logarithm: stray light in the lens, below which nothing is told apart."""

MEAN = -1.5
"""The logarithm of a colour of middling lightness."""

AZIMUTHS = 16
"""Sides towards so many directions are told apart."""

WORST = 12.0
"""A face that deviates more, as mean square, isn't the die's, however much more it is."""


@dataclass(frozen=True, slots=True)
class Sketch:
    """The colours on level faces and on sides towards ``AZIMUTHS`` directions, each as one normal distribution.

    Attributes:
        means: of log colours, shape (slopes, 6, 3).
        roots: what makes deviations from them white, shape (slopes, 6, 3, 3).
        orders: which colour each of top, N, E, S, W has in each of the 24 ways of lying, shape (24, 5).
    """

    means: NDArray[np.float32]
    roots: NDArray[np.float32]
    orders: NDArray[np.int64]

    def misfits(
        self, colours: NDArray[np.integer], faces: NDArray[np.int64], yaws: FloatArray, seen: NDArray[np.bool_]
    ) -> FloatArray:
        """Tell how badly the best way of lying explains faces.

        Args:
            colours: BGR grey levels of three faces, 0 to 255, shape (N, 3, 3).
            faces: which ones they are, 0 to 4 for top, N, E, S, W, shape (N, 3).
            yaws: how far the cubes are turned, radians clockwise from above, shape (N,).
            seen: which faces are seen, shape (N, 3).

        Returns:
            Mean squared deviation, at most ``WORST``, shape (N,).
        """
        turns = (faces - 1) * (np.pi / 2) + yaws[:, None]
        slopes = 1 + np.rint(turns * (AZIMUTHS / (2 * np.pi))).astype(np.int64) % AZIMUTHS
        slopes[faces == 0] = 0
        rest = _LOG_OF_GREY[colours][:, :, None, :] - self.means[slopes]
        white = (self.roots[slopes] @ rest[..., None])[..., 0]
        square = np.minimum(np.einsum("nfci,nfci->nfc", white, white) / 3, WORST) * seen[:, :, None]
        each = square[np.arange(len(faces))[:, None, None], np.arange(3)[:, None], self.orders.T[faces]].sum(1)
        return np.asarray(each.min(1) / np.maximum(seen.sum(1), 1))


def to_linear(grey: np.ndarray) -> FloatArray:
    """Turn sRGB grey levels 0 to 255 into linear values 0 to 1 (IEC 61966-2-1)."""
    unit = np.asarray(grey, dtype=np.float64) / 255
    return np.where(unit <= 0.04045, unit / 12.92, ((unit + 0.055) / 1.055) ** 2.4)


def log_apart(greys: np.ndarray, other: np.ndarray) -> NDArray[np.float32]:
    """Tell how far whole sRGB grey levels, (..., 3), are from others: the largest difference of log linear values."""
    logs, log_other = (_LOG_OF_GREY[values.astype(np.uint8)] for values in (greys, other))
    return np.asarray(np.abs(logs - log_other).max(axis=-1))


_LOG_OF_GREY = (np.log(to_linear(np.arange(256)) + FLOOR) - MEAN).astype(np.float32)
