"""The lamp and the buzzer: what the table says without words. All pins are optional.

What is shown is computed from the time since it began (`Pattern.level`), so that lamp, buzzer and page agree.
"""

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from companion.errors import BadInput
from companion.signals import COLOURS, Rgb, Signal
from hardware.pins import PinError, plain_errors

TICK_S = 0.05


class Beat(StrEnum):
    """How a lamp or a buzzer goes on and off."""

    STEADY = "steady"
    SLOW = "slow"
    FAST = "fast"
    TWICE = "twice"
    ONCE = "once"
    NEVER = "never"

    def is_on(self, elapsed_s: float) -> bool:
        """Whether it is on so many seconds after it began."""
        match self:
            case Beat.STEADY:
                return True
            case Beat.SLOW:
                return elapsed_s % 1.6 < 0.8
            case Beat.FAST:
                return elapsed_s % 0.3 < 0.15
            case Beat.TWICE:
                return elapsed_s < 0.12 or 0.24 <= elapsed_s < 0.36
            case Beat.ONCE:
                return elapsed_s < 0.08
            case Beat.NEVER:
                return False


@dataclass(frozen=True, slots=True)
class Pattern:
    """How one signal looks and sounds.

    Attributes:
        led: which of three single LEDs stands for it: 0 red, 1 yellow, 2 green.
        lamp: how the lamp goes on and off.
        buzzer: how the buzzer does.
        lasts_s: a passing signal gives way to the lasting one before it after so long; None for a lasting one.
    """

    led: int
    lamp: Beat = Beat.STEADY
    buzzer: Beat = Beat.NEVER
    lasts_s: float | None = None


PATTERNS: Mapping[Signal, Pattern] = MappingProxyType(
    {
        Signal.READY: Pattern(2, Beat.SLOW),
        Signal.ROLLING: Pattern(1, Beat.FAST),
        Signal.READING: Pattern(1),
        Signal.UNSURE: Pattern(1, Beat.SLOW, Beat.ONCE),
        Signal.YOUR_TURN: Pattern(2),
        Signal.NOT_YET: Pattern(0, Beat.FAST, Beat.TWICE, lasts_s=0.9),
        Signal.OFFLINE: Pattern(0, Beat.SLOW),
        Signal.SAVED: Pattern(2, Beat.STEADY, Beat.ONCE, lasts_s=0.6),
    }
)


@dataclass(frozen=True, slots=True)
class SignalPins:
    """BCM numbers of what there is.

    Attributes:
        rgb: red, green and blue pin of an RGB lamp (common cathode).
        leds: pins of a red, a yellow and a green LED.
        buzzer: pin of a buzzer that sounds while it has power.
    """

    rgb: tuple[int, int, int] | None = None
    leds: tuple[int, int, int] | None = None
    buzzer: int | None = None


class Signals:
    """Shows signals on whatever lamps and buzzer there are; without any it only knows what would be shown.

    Args:
        pins: what there is, on the pins of `gpiozero.Device.pin_factory`.
        clock: seconds that never go back.

    Raises:
        PinError: a pin or the pin library can't be used; none is kept then.
    """

    def __init__(self, pins: SignalPins | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        pins = pins or SignalPins()
        self._clock = clock
        self._lock = threading.Lock()
        self._wake = threading.Event()
        self._closing = False
        self._thread: threading.Thread | None = None
        self._lasting: tuple[Signal, Rgb] = (Signal.OFFLINE, COLOURS[Signal.OFFLINE])
        self._shown, self._since = self._lasting, clock()
        self._rgb: list[Any] = []
        self._leds: list[Any] = []
        self._buzzer: list[Any] = []
        try:
            for wanted, devices, kind in (
                (pins.rgb, self._rgb, "PWMLED"),
                (pins.leds, self._leds, "LED"),
                (None if pins.buzzer is None else (pins.buzzer,), self._buzzer, "LED"),
            ):
                for pin in wanted or ():
                    devices.append(_output(kind, pin))
        except PinError:
            self.close()
            raise

    @property
    def current(self) -> Signal:
        """What is shown now; the page says the same."""
        with self._lock:
            return self._shown[0]

    def show(self, signal: Signal, colour: Rgb | None = None) -> None:
        """Show a signal from now on, or, for a passing one, for its time.

        Args:
            signal: which.
            colour: another lamp colour, such as the seat's for `Signal.YOUR_TURN`.

        Raises:
            BadInput: a part of ``colour`` is not within 0 to 1.
        """
        if colour is not None and not all(0 <= part <= 1 for part in colour):
            raise BadInput(f"got the lamp colour {colour!r}, but expected three numbers from 0 to 1")
        shown = (signal, colour or COLOURS[signal])
        with self._lock:
            if PATTERNS[signal].lasts_s is None:
                if self._lasting == shown == self._shown:
                    return  # saying the same again must not make it stutter
                self._lasting = shown
                if PATTERNS[self._shown[0]].lasts_s is not None and self._elapsed() < self._length():
                    return  # it follows when the passing one is over
            self._shown, self._since = shown, self._clock()
        self._wake.set()
        self.tick()

    def start(self) -> None:
        """Keep lamps and buzzer going in a thread of their own."""
        self._thread = threading.Thread(target=self._run, name="signals", daemon=True)
        self._thread.start()

    def tick(self) -> None:
        """Set lamps and buzzer to what they should be now."""
        with self._lock:
            if self._elapsed() >= self._length():
                self._shown, self._since = self._lasting, self._clock()
            pattern, colour, elapsed = PATTERNS[self._shown[0]], self._shown[1], self._elapsed()
            lamp_on, sounds = pattern.lamp.is_on(elapsed), pattern.buzzer.is_on(elapsed)
            for lamp, part in zip(self._rgb, colour, strict=False):
                lamp.value = part if lamp_on else 0.0
            for number, led in enumerate(self._leds):
                led.value = lamp_on and number == pattern.led
            for buzzer in self._buzzer:
                buzzer.value = sounds

    def close(self) -> None:
        """Switch everything off and let the pins go."""
        self._closing = True
        self._wake.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(timeout=1)
        with self._lock:
            for devices in (self._rgb, self._leds, self._buzzer):
                while devices:
                    devices.pop().close()

    def _elapsed(self) -> float:
        return self._clock() - self._since

    def _length(self) -> float:
        lasts = PATTERNS[self._shown[0]].lasts_s
        return float("inf") if lasts is None else lasts

    def _run(self) -> None:
        while not self._closing:
            self.tick()
            self._wake.wait(TICK_S)
            self._wake.clear()


def _output(kind: str, pin: int) -> Any:
    with plain_errors("a lamp or the buzzer", pin):
        import gpiozero

        return getattr(gpiozero, kind)(pin)
