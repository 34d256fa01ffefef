"""10,000 random and mutated frames: no exception, and no reading of what isn't there."""

import cv2
import drawn_die as drawn
import numpy as np
import pytest

from companion.inputs import Status
from vision.die import read_die

FRAMES = 10_000
KINDS = ("noise", "tiles", "noise", "tiles", "inverted", "noise", "tiles", "noise", "tiles", "striped")
"""What comes how often: a mutated die takes the reader many times longer than noise."""


@pytest.fixture(scope="module")
def setup():
    return drawn.learn()


def spoil(die, kind, rng):
    """Noise, or a picture of the die that no camera takes."""
    if kind == "noise":
        return rng.integers(0, 256, die.shape, dtype=np.uint8)
    if kind == "tiles":
        coarse = rng.integers(0, 256, (rng.integers(2, 60), rng.integers(2, 60), 3), dtype=np.uint8)
        return cv2.resize(coarse, (drawn.WIDTH, drawn.HEIGHT), interpolation=cv2.INTER_NEAREST)
    if kind == "inverted":
        return np.roll(255 - die, rng.integers(0, 40), axis=rng.integers(0, 2))
    rows = np.arange(die.shape[0]) // rng.integers(3, 9) % 2 == 0
    return np.where(rows[:, None, None], die, np.roll(die, rng.integers(8, 40), axis=1))


def test_the_die_that_is_spoilt_below_is_read_when_it_is_not(setup):
    reading = read_die(drawn.draw((drawn.STANDARD, 0, 0, 10)), setup)
    assert (reading.status, reading.top) == (Status.READ, "yellow")


@pytest.mark.slow
def test_random_and_mutated_frames_are_never_read_as_what_they_do_not_show(setup):
    rng = np.random.default_rng(1)
    die = drawn.draw((drawn.STANDARD, 0, 0, 10))
    x, y = drawn.project_one(0, 0)
    for number in range(FRAMES):
        kind = KINDS[number % len(KINDS)]
        near = (x + rng.uniform(-40, 40), y + rng.uniform(-40, 40), 8.0)
        reading = read_die(spoil(die, kind, rng), setup, near=near)
        if kind == "striped" and reading is not None and reading.status is Status.READ:
            # Every other stripe shows the die where it lies: what can still be made out may be told, if it is so.
            assert (reading.top, dict(reading.sides)) == drawn.describe(drawn.STANDARD), number
        else:
            assert reading is None or reading.status is Status.UNSURE, number
