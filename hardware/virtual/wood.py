"""A table of oak boards, painted from noise."""

import cv2
import numpy as np

from hardware.virtual.pinhole import Floats
from hardware.virtual.things import linear

MM_PER_PIXEL = 0.5
BOARD_MM = 118.0
"""How wide a board is."""


def stretched_noise(rng: np.random.Generator, size_wh: tuple[int, int], cell_wh: tuple[float, float]) -> Floats:
    """Smooth noise of mean 0 and deviation 1 whose grains are about ``cell_wh`` pixels, shape (height, width)."""
    width, height = size_wh
    coarse = rng.normal(size=(max(2, int(height / cell_wh[1]) + 2), max(2, int(width / cell_wh[0]) + 2)))
    smooth = cv2.resize(coarse.astype(np.float32), size_wh, interpolation=cv2.INTER_CUBIC)
    return np.asarray(smooth / max(float(smooth.std()), 1e-6), np.float32)


def paint_board(rng: np.random.Generator, size_wh: tuple[int, int]) -> Floats:
    """Paint one board, its grain along x: linear BGR, shape (height, width, 3)."""
    across = np.linspace(0, 1, size_wh[1], dtype=np.float32)[:, None]
    heart = rng.uniform(0.15, 0.85)
    wander = 0.10 * stretched_noise(rng, size_wh, (500, 300)) + 0.035 * stretched_noise(rng, size_wh, (220, 60))
    rings = (np.abs(across - heart + wander) + 0.012 * stretched_noise(rng, size_wh, (90, 9))) * rng.uniform(26, 38)
    ring = rings - np.floor(rings)
    late = ring**3 * np.clip(1.15 - ring**14, 0, 1)
    fibre = stretched_noise(rng, size_wh, (120, 1.6))
    flecks = stretched_noise(rng, size_wh, (26, 1.2))
    pores = np.clip(flecks - 1.5, 0, 1.5) * (0.4 + late)
    cloud = stretched_noise(rng, size_wh, (260, 110))
    tone = 1 - 0.30 * late + 0.045 * fibre - 0.16 * pores + 0.05 * cloud
    tone *= rng.uniform(0.90, 1.10)
    light, dark = linear((206, 158, 108)), linear((150, 98, 58))
    mix = np.clip(tone, 0.2, 1.3)[..., None]
    warmth = np.array([1 + rng.uniform(-0.06, 0.06), 1.0, 1.0], np.float32)
    return np.asarray((dark + (light - dark) * mix) * warmth, np.float32)


def paint_table(seed: int, size_mm: tuple[float, float]) -> Floats:
    """Paint boards side by side: linear BGR, shape (height, width, 3), ``MM_PER_PIXEL`` a pixel.

    Args:
        seed: the same seed gives the same table.
        size_mm: along the boards and across them.
    """
    rng = np.random.default_rng(seed)
    width, height = (round(side / MM_PER_PIXEL) for side in size_mm)
    board = round(BOARD_MM / MM_PER_PIXEL)
    rows = [paint_board(rng, (width, board)) for _ in range(0, height, board)]
    for row in rows:
        # A narrow groove between boards, softly lit on one side.
        row[:3] *= np.array([0.42, 0.5, 0.75], np.float32)[:, None, None]
        row[-2:] *= np.array([1.06, 0.8], np.float32)[:, None, None]
    return np.concatenate(rows)[:height]
