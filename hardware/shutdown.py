"""The button that switches the Pi off: held for three seconds, it leaves a wish for systemd to grant."""

import logging
from pathlib import Path
from typing import Any

from hardware.pins import plain_errors

HOLD_S = 3.0
"""Long enough that nobody ends an evening by leaning on the table."""

_log = logging.getLogger(__name__)


class ShutdownButton:
    """Listens to a pin of `gpiozero.Device.pin_factory`; the button connects it to ground.

    Args:
        pin: BCM number.
        wish: the file whose existence switches the machine off, see systemd/companion-shutdown.path.
        hold_s: how long it must be held.

    Raises:
        PinError: the pin or the pin library can't be used.
    """

    def __init__(self, pin: int, wish: Path, hold_s: float = HOLD_S) -> None:
        self._wish = wish
        with plain_errors("the shutdown button", pin):
            from gpiozero import Button

            self._device: Any = Button(pin, pull_up=True, hold_time=hold_s)
            self._device.when_held = self._ask

    def close(self) -> None:
        """Stop listening and let the pin go."""
        self._device.close()

    def _ask(self) -> None:
        try:
            self._wish.touch()
        except OSError as error:
            _log.error("the shutdown button was held, but %s can't be written: %s", self._wish, error.strerror)
