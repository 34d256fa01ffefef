"""What a person sets the reader up with, drawn: the bare table, the die shown a few times, and where things are."""

from collections.abc import Callable
from typing import Any

import numpy as np

from companion.die import STANDARD, Colour, find_lie, word
from companion.inputs import DIRECTIONS
from hardware.virtual.motion import SIZE_MM, Rest
from hardware.virtual.pinhole import Picture, Pinhole

SQUARE_MM = 200.0
"""Side of the square round the table's middle whose corners are pointed at."""

SHOWN = (
    Rest(STANDARD, -14.0, -12.0, 6.0),
    Rest(find_lie(Colour.GREEN, Colour.BLACK, "S"), -24.0, 15.0, -9.0),
    Rest(find_lie(Colour.RED, Colour.YELLOW, "S"), -33.0, 2.0, 14.0),
)
"""How the die is shown: two sides each time, and all six colours among the first two."""


def setup_frames(camera: Pinhole, posed: Callable[[Rest | None, int], Picture]) -> dict[str, Any]:
    """Draw the pictures and name what is in them.

    Args:
        camera: who looks.
        posed: draws the table with the die at rest so (None: without it) as the picture of that number.

    Returns:
        A FRAMES.json dictionary whose pictures are arrays (BGR, uint8) in place of file names.
    """
    width, height = camera.size_wh
    half = SQUARE_MM / 2
    corners = np.array([(-half, half, 0), (half, half, 0), (half, -half, 0), (-half, -half, 0)], np.float32)
    square = zip(("NW", "NE", "SE", "SW"), camera.project(corners), strict=True)
    return {
        "camera": {"width": width, "height": height, "K": [[float(v) for v in row] for row in camera.k]},
        "table": {"square_mm": SQUARE_MM, "square_px": {name: [float(v) for v in at] for name, at in square}},
        "die": {"size_mm": SIZE_MM},
        "empty": posed(None, 0),
        "shown": [
            {
                "image": posed(rest, number),
                "top": word(rest.lie.top),
                "sides": {side: word(rest.lie.towards(side)) for side in DIRECTIONS},
            }
            for number, rest in enumerate(SHOWN, start=1)
        ],
    }
