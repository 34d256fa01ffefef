"""Finds out which pin a button is on, by its being pressed."""

from collections.abc import Callable, Iterable

from hardware.buttons import Buttons
from hardware.pins import PinError, plain_errors

ALL_PINS = range(2, 28)
"""BCM numbers of the header that a button may be on; 0 and 1 belong to the boards on top of the Pi."""


class PinFinder:
    """Listens to many pins of `gpiozero.Device.pin_factory` until one of them is connected to ground.

    Pins that another program has, and those that are low from the start, are left out.

    Args:
        pins: BCM numbers to listen to.
        on_press: called with the number of each pin that was pressed, in a thread of its own.

    Raises:
        PinError: none of them can be listened to.
    """

    def __init__(self, pins: Iterable[int], on_press: Callable[[int], None]) -> None:
        usable = [pin for pin in pins if _is_high(pin)]
        if not usable:
            raise PinError("no pin can be listened to: does another program use them?")
        self._switches = Buttons({pin: pin for pin in usable}, on_press, on_hold=on_press, holds={})
        self._switches.start()

    def close(self) -> None:
        """Let the pins go."""
        self._switches.close()


def _is_high(pin: int) -> bool:
    try:
        with plain_errors("a button", pin):
            from gpiozero import DigitalInputDevice

            with DigitalInputDevice(pin, pull_up=True) as device:
                return not device.is_active
    except PinError:
        return False
