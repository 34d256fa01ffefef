"""10,000 random and mutated frames: no exception, no reading."""

import cv2
import drawn_die as drawn
import numpy as np
import pytest

from companion.inputs import Status
from vision.calibrate import Shown, learn_die
from vision.die import read_die

FRAMES = 10_000
SIZE_WH = (drawn.WIDTH // 2, drawn.HEIGHT // 2)
KINDS = ("noise", "noise", "noise", "tiles", "tiles", "tiles", "inverted", "inverted", "striped", "striped")
"""What comes how often: a mutated die takes the reader many times longer than noise."""


def half(frame):
    return cv2.resize(frame, SIZE_WH, interpolation=cv2.INTER_AREA)


@pytest.fixture(scope="module")
def setup():
    """A table seen small: what is no die is no die at any size, and small frames are quick."""
    camera = {"width": SIZE_WH[0], "height": SIZE_WH[1], "vfov_deg": 40.0}
    square = {name: [(value - 0.5) / 2 for value in at] for name, at in drawn.square_px().items()}
    shown = []
    for number, names in enumerate((("yellow", "red"), ("blue", "green"), ("purple", "yellow"))):
        lie = drawn.lie_of(*names)
        shown.append(Shown(half(drawn.draw((lie, 5, -5, 12), seed=number)), *drawn.describe(lie), f"shown {number}"))
    empty = half(drawn.draw(seed=99))
    return learn_die(camera, {"square_mm": 200, "square_px": square}, empty, shown, die={"size_mm": 25})[0]


def spoil(die, kind, rng):
    """Noise, or a picture of the die that no camera takes."""
    if kind == "noise":
        return rng.integers(0, 256, die.shape, dtype=np.uint8)
    if kind == "tiles":
        coarse = rng.integers(0, 256, (rng.integers(2, 60), rng.integers(2, 60), 3), dtype=np.uint8)
        return cv2.resize(coarse, SIZE_WH, interpolation=cv2.INTER_NEAREST)
    if kind == "inverted":
        return np.roll(255 - die, rng.integers(0, 40), axis=rng.integers(0, 2))
    rows = np.arange(die.shape[0]) // rng.integers(1, 3) % 2 == 0
    return np.where(rows[:, None, None], die, np.roll(die, rng.integers(6, 40), axis=1))


def test_the_die_that_is_spoilt_below_is_read_when_it_is_not(setup):
    reading = read_die(half(drawn.draw((drawn.STANDARD, 0, 0, 10))), setup)
    assert (reading.status, reading.top) == (Status.READ, "yellow")


@pytest.mark.slow
def test_random_and_mutated_frames_are_never_read(setup):
    rng = np.random.default_rng(1)
    die = half(drawn.draw((drawn.STANDARD, 0, 0, 10)))
    x, y = (value / 2 for value in drawn.project_one(0, 0))
    for number in range(FRAMES):
        near = (x + rng.uniform(-20, 20), y + rng.uniform(-20, 20), 5.0)
        reading = read_die(spoil(die, KINDS[number % len(KINDS)], rng), setup, near=near)
        assert reading is None or reading.status is Status.UNSURE, number
