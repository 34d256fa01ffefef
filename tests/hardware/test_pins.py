import sys
import weakref
from types import SimpleNamespace

import pytest

from hardware.pins import PinError, plain_errors, speak_as_before, use_real_pins


def test_the_older_gpiozero_finds_its_words_in_the_newer_lgpio():
    lgpio = SimpleNamespace(SET_PULL_UP=32, SET_PULL_DOWN=64, SET_PULL_NONE=128)
    speak_as_before(lgpio)
    assert (lgpio.SET_BIAS_PULL_UP, lgpio.SET_BIAS_PULL_DOWN, lgpio.SET_BIAS_DISABLE) == (32, 64, 128)


def test_an_lgpio_that_has_the_words_keeps_them():
    lgpio = SimpleNamespace(SET_BIAS_PULL_UP=1, SET_BIAS_PULL_DOWN=2, SET_BIAS_DISABLE=3)
    speak_as_before(lgpio)
    assert (lgpio.SET_BIAS_PULL_UP, lgpio.SET_BIAS_PULL_DOWN, lgpio.SET_BIAS_DISABLE) == (1, 2, 3)


def test_a_missing_pin_library_is_a_plain_message(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "lgpio", None)
    with pytest.raises(PinError, match="apt install python3-gpiozero python3-lgpio"):
        use_real_pins(tmp_path)


def test_a_device_that_failed_is_gone_though_somebody_keeps_the_error():
    """gpiozero 1.6 reserves a pin for as long as its device lives, also for one that couldn't be made."""
    made = []

    class Device:
        pass

    def open_device():
        device = Device()
        made.append(weakref.ref(device))
        raise OSError("GPIO busy")

    with pytest.raises(PinError, match="GPIO busy") as kept, plain_errors("the button NEXT", 17):
        open_device()
    assert kept.value.__cause__ is not None
    assert made[0]() is None
