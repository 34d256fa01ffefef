"""The drawn camera's sensor: how bright the light is, how it flickers, and noise."""

import cv2
import numpy as np

from hardware.virtual.pinhole import Picture

LAMP_OFF = (0.34, 0.32, 0.30)
"""What is left of the light (linear, BGR) when the lamp is off."""

FADE_FRAMES = 3
"""How long a lamp takes to go on or off."""

_SPARE = 64
"""The noise tile is larger than pictures by this, so that each picture gets another part of it."""

_NO_NOISE = 128


class Sensor:
    """Turns clean pictures into noisy ones; the same frame number gives the same noise.

    Args:
        size_wh: width and height of the pictures.
        seed: of the noise.
        noise_sd: standard deviation of the noise in grey levels, 0 for none.
        flicker: how far the light swings round its mean from frame to frame, 0.02 for 2 %.
    """

    def __init__(self, size_wh: tuple[int, int], seed: int, *, noise_sd: float, flicker: float) -> None:
        self.flicker = flicker
        self._seed = seed
        self._noise = _draw_noise(size_wh, seed, noise_sd) if noise_sd > 0 else None

    def expose(self, picture: Picture, frame: int, lamp: float) -> Picture:
        """Take a clean picture as frame number ``frame``; ``lamp`` is 1 for on, 0 for off, between while it fades."""
        swing = 1 + self.flicker * float(np.sin(frame * 2.399963))  # the golden angle: no short period
        gains = [(1 + (off - 1) * (1 - lamp)) * swing for off in LAMP_OFF]
        seen = picture
        if any(abs(gain - 1) > 1e-6 for gain in gains):
            levels = np.arange(256, dtype=np.float64)[:, None] * np.array(gains) ** (1 / 2.2)
            table = np.clip(np.round(levels), 0, 255).astype(np.uint8)
            seen = np.asarray(cv2.LUT(picture, table[:, None, :]), np.uint8)
        if self._noise is None:
            return seen.copy() if seen is picture else seen
        rng = np.random.default_rng((self._seed, frame))
        top, left = (int(v) for v in rng.integers(0, _SPARE, 2))
        height, width = picture.shape[:2]
        noise = self._noise[top : top + height, left : left + width]
        return np.asarray(cv2.addWeighted(seen, 1, noise, 1, -_NO_NOISE), np.uint8)


def _draw_noise(size_wh: tuple[int, int], seed: int, noise_sd: float) -> Picture:
    """Draw a tile of noise round ``_NO_NOISE``, so that bytes suffice."""
    rng = np.random.default_rng(seed)
    shape = (size_wh[1] + _SPARE, size_wh[0] + _SPARE, 3)
    # Rounding to whole levels adds a variance of 1/12 (Sheppard's correction).
    spread = np.sqrt(max(noise_sd**2 - 1 / 12, 0.04))
    noise = np.rint(rng.standard_normal(shape, np.float32) * np.float32(spread))
    return np.asarray(np.clip(noise + _NO_NOISE, 0, 255), np.uint8)
