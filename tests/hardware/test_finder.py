import threading
import time

import pytest
from gpiozero import LED, DigitalInputDevice

from hardware.finder import PinFinder
from hardware.pins import PinError

PATIENCE_S = 5


class Found:
    def __init__(self):
        self.pins, self.any = [], threading.Event()

    def __call__(self, pin):
        self.pins.append(pin)
        self.any.set()


def test_the_pin_that_is_pressed_is_found(pins):
    found = Found()
    finder = PinFinder([2, 17, 23], found)
    pins.pin(23).drive_low()
    assert found.any.wait(PATIENCE_S)
    finder.close()
    assert found.pins == [23]


def test_a_pin_that_is_low_from_the_start_is_no_press(pins):
    pins.pin(4).drive_low()
    found = Found()
    finder = PinFinder([4, 17], found)
    pins.pin(17).drive_low()
    assert found.any.wait(PATIENCE_S)
    time.sleep(0.2)
    finder.close()
    assert found.pins == [17]


def test_a_pin_in_use_is_left_out(pins):
    with LED(5):
        found = Found()
        finder = PinFinder([5, 17], found)
        pins.pin(17).drive_low()
        assert found.any.wait(PATIENCE_S)
        finder.close()


def test_all_pins_are_free_again_afterwards(pins):
    PinFinder([17, 23], lambda pin: None).close()
    for number in (17, 23):
        DigitalInputDevice(number, pull_up=True).close()


def test_without_any_usable_pin_one_line_says_so(pins):
    with LED(5), pytest.raises(PinError, match="no pin can be listened to"):
        PinFinder([5], lambda pin: None)
