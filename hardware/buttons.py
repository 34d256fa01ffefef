"""The buttons NEXT, READ and UNDO on pins, and their twins that press pretended pins from the page.

A button connects its pin to ground (pull-up, active low).
"""

import logging
import threading
import time
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Generic, TypeVar

from companion.errors import BadInput
from companion.inputs import Button
from hardware.debounce import Debouncer, Gesture
from hardware.pins import PinError, plain_errors

PINS: Mapping[Button, int] = MappingProxyType({Button.NEXT: 17, Button.READ: 27, Button.UNDO: 22})
"""Which pins the buttons are on unless the settings say otherwise (BCM numbers)."""

HOLD_S: Mapping[Button, float] = MappingProxyType({Button.UNDO: 1.0})
"""How long a button has to be held; those that are not here are only pressed."""

Name = TypeVar("Name")

_log = logging.getLogger(__name__)


class Buttons(Generic[Name]):
    """Listens to the pins of `gpiozero.Device.pin_factory` and tells presses and holds.

    Args:
        pins: BCM number of each button that there is; the buttons may be named by anything.
        on_press: called when a button was pressed; for one that can be held, when it was let go early.
        on_hold: called while a button is held, once.
        holds: how long each button that can be held has to be, in seconds.
        clock: seconds that never go back.

    Raises:
        PinError: a pin or the pin library can't be used; none is kept then.
    """

    def __init__(
        self,
        pins: Mapping[Name, int],
        on_press: Callable[[Name], None],
        on_hold: Callable[[Name], None],
        *,
        holds: Mapping[Any, float] = HOLD_S,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._tell = {Gesture.PRESS: on_press, Gesture.HOLD: on_hold}
        self._clock = clock
        self._lock = threading.Lock()
        self._told: list[tuple[Name, Gesture]] = []
        self._wake = threading.Event()
        self._closing = False
        self._thread: threading.Thread | None = None
        self._switches = {button: Debouncer(holds.get(button)) for button in pins}
        self._devices: dict[Name, Any] = {}
        try:
            for button, pin in pins.items():
                self._devices[button] = self._listen(button, pin)
        except PinError:
            self.close()
            raise

    def start(self) -> None:
        """Follow the buttons in a thread of their own, which calls the callbacks."""
        self._thread = threading.Thread(target=self._run, name="buttons", daemon=True)
        self._thread.start()

    def poll(self) -> float | None:
        """Tell what has become certain by now.

        Returns:
            Seconds until there may be more to tell without an edge, or None.
        """
        now = self._clock()
        with self._lock:
            for button, device in self._devices.items():
                # Looking at the pin itself makes up for an edge that was lost.
                self._take(button, now, bool(device.is_active))
            told, self._told = self._told, []
            dues = [switch.due_s for switch in self._switches.values() if switch.due_s is not None]
        for button, gesture in told:
            self._call(button, gesture)
        return max(min(dues) - now, 0.0) if dues else None

    def is_down(self, button: Name) -> bool:
        """Whether a button is down at this moment, bounces and all (for whoever tests it)."""
        return button in self._devices and bool(self._devices[button].is_active)

    def close(self) -> None:
        """Stop listening and let the pins go."""
        self._closing = True
        self._wake.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(timeout=1)
        devices, self._devices = self._devices, {}
        for device in devices.values():
            device.close()

    def _listen(self, button: Name, pin: int) -> Any:
        with plain_errors(f"the button {str(button).upper()}", pin):
            from gpiozero import DigitalInputDevice

            # No bounce_time: the mock ignores it, and ours is the same everywhere.
            device = DigitalInputDevice(pin, pull_up=True)
            device.when_activated = lambda: self._edge(button, True)
            device.when_deactivated = lambda: self._edge(button, False)
            return device

    def _edge(self, button: Name, down: bool) -> None:
        now = self._clock()
        with self._lock:
            self._take(button, now, down)
        self._wake.set()

    def _take(self, button: Name, now: float, down: bool) -> None:
        gesture = self._switches[button].edge(now, down)
        if gesture is not None:
            self._told.append((button, gesture))

    def _run(self) -> None:
        while not self._closing:
            self._wake.clear()
            self._wake.wait(self.poll())

    def _call(self, button: Name, gesture: Gesture) -> None:
        try:
            self._tell[gesture](button)
        except Exception:  # noqa: BLE001 - one bad press must not make all buttons dead
            _log.exception("the %s of %s failed", gesture, str(button).upper())


class VirtualButtons:
    """Fingers for pretended pins: the page's buttons go the same way as real ones.

    `gpiozero.Device.pin_factory` must be a mock, see `hardware.pins.use_pretended_pins`.

    Args:
        pins: the same mapping that `Buttons` has.
        sleep: waits for so many seconds.

    Raises:
        BadInput: the pins are real ones.
    """

    PRESS_S = 0.12
    """How long a press lasts: long enough for a switch to settle."""

    def __init__(self, pins: Mapping[Button, int], sleep: Callable[[float], object] = time.sleep) -> None:
        from gpiozero import Device
        from gpiozero.pins.mock import MockFactory

        if not isinstance(Device.pin_factory, MockFactory):
            raise BadInput(
                f"got {type(Device.pin_factory).__name__}, but only pretended pins can be pressed by program"
            )
        self._pins = {button: Device.pin_factory.pin(number) for button, number in pins.items()}
        self._locks = {button: threading.Lock() for button in pins}
        self._sleep = sleep

    def move(self, button: Button, pin: int) -> None:
        """Put the finger for a button on another pin (BCM number)."""
        from gpiozero import Device

        self._pins[button] = Device.pin_factory.pin(pin)

    def press(self, button: Button) -> None:
        """Push a button and let it go again; returns when it is up."""
        self.hold(button, self.PRESS_S)

    def hold(self, button: Button, seconds: float = 1.25) -> None:
        """Push a button, wait, and let it go again; returns when it is up."""
        with self._locks[button]:
            self.down(button)
            try:
                self._sleep(seconds)
            finally:
                self.up(button)

    def down(self, button: Button) -> None:
        """Push a button."""
        self._pins[button].drive_low()

    def up(self, button: Button) -> None:
        """Let a button go."""
        self._pins[button].drive_high()
