import threading

import pytest
from clocks import Clock
from gpiozero import Device

from hardware.pins import use_pretended_pins


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def pins():
    """Pretended pins for one test; the pin factory that was there before is restored."""
    before = Device.pin_factory
    use_pretended_pins()
    yield Device.pin_factory
    Device.pin_factory.reset()
    Device.pin_factory = before


@pytest.fixture(autouse=True)
def _no_thread_left_behind():
    before = set(threading.enumerate())
    yield
    for thread in set(threading.enumerate()) - before:
        thread.join(1)
        assert not thread.is_alive(), f"{thread.name} goes on after the test"
