import time

import pytest
from gpiozero import Device

from hardware.pins import PinError
from hardware.shutdown import ShutdownButton


@pytest.fixture
def wish(tmp_path):
    return tmp_path / "shutdown"


def hold(pin, seconds):
    Device.pin_factory.pin(pin).drive_low()
    time.sleep(seconds)
    Device.pin_factory.pin(pin).drive_high()


def test_holding_the_button_asks_to_switch_off(pins, wish):
    button = ShutdownButton(3, wish, hold_s=0.05)
    hold(3, 0.3)
    button.close()
    assert wish.exists()


def test_a_short_press_asks_for_nothing(pins, wish):
    button = ShutdownButton(3, wish, hold_s=5)
    hold(3, 0.05)
    button.close()
    assert not wish.exists()


def test_a_pin_in_use_is_a_plain_message(pins, wish):
    button = ShutdownButton(3, wish)
    with pytest.raises(PinError, match="shutdown button can't use pin GPIO3"):
        ShutdownButton(3, wish)
    button.close()


def test_a_folder_that_is_not_there_is_told_in_the_log(pins, wish, caplog):
    button = ShutdownButton(3, wish / "missing", hold_s=0.05)
    hold(3, 0.3)
    button.close()
    assert "can't be written" in caplog.text
