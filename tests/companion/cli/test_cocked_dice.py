"""A die that leans on a coin, in any place and turn, on the virtual table."""

import numpy as np
import pytest

from companion.cli.look import learn_drawn_die
from companion.die import STANDARD, all_lies
from companion.inputs import Status
from hardware.virtual.motion import Rest
from hardware.virtual.table import VirtualTable
from vision.die import read_die

POSES = 40


@pytest.fixture(scope="module")
def readings():
    virtual = VirtualTable()
    setup = learn_drawn_die(virtual)
    chance = np.random.default_rng(3)
    lies = all_lies(STANDARD)
    rests = [
        Rest(
            lies[chance.integers(24)],
            float(chance.uniform(-45, 45)),
            float(chance.uniform(-60, 60)),
            float(chance.uniform(-40, 60)),
            cocked=True,
        )
        for _ in range(POSES)
    ]
    return [read_die(virtual.posed(rest, 50 + number), setup) for number, rest in enumerate(rests)]


def test_a_cocked_die_is_never_read(readings):
    assert [one for one in readings if one is not None and one.status is Status.READ] == []


def test_hardly_a_cocked_die_is_told_as_none(readings):
    assert readings.count(None) <= POSES / 20
