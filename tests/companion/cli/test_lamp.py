import time
from contextlib import ExitStack

import pytest
from gpiozero import Device
from tables import Bench

from companion.cli.lamp import follow
from companion.commands import Seen
from companion.inputs import Button
from companion.signals import SEAT_COLOURS, Signal
from hardware.pins import use_pretended_pins
from hardware.signals import SignalPins, Signals

PINS = SignalPins(rgb=(5, 6, 13), buzzer=19)
PATIENCE_S = 20


class Lit:
    """A lamp and a buzzer on pretended pins that follow a table; their clock stands still until a test moves it."""

    def __init__(self, folder, stack):
        before = Device.pin_factory
        use_pretended_pins()
        stack.callback(lambda: setattr(Device, "pin_factory", before))
        self.now = 100.0
        self.bench = Bench(folder / "journal.db")
        stack.callback(self.bench.journal.close)
        self.signals = Signals(PINS, clock=lambda: self.now)
        stack.callback(self.signals.close)
        follow(self.bench.table, self.signals, stack)

    def shows(self, signal, colour=None):
        """Wait until the lamp says so."""
        deadline = time.monotonic() + PATIENCE_S
        while self.signals.current is not signal or (colour and self.lamp() != colour):
            assert time.monotonic() < deadline, f"{signal} was not shown, but {self.signals.current} {self.lamp()}"
            time.sleep(0.005)

    def lamp(self):
        return tuple(round(Device.pin_factory.pin(pin).state, 2) for pin in PINS.rgb)

    def later(self, seconds):
        self.now += seconds
        self.signals.tick()


@pytest.fixture
def lit(tmp_path):
    with ExitStack() as stack:
        yield Lit(tmp_path, stack)


def test_lamp_and_buzzer_follow_the_evening(lit):
    table = lit.bench.table
    lit.shows(Signal.OFFLINE)
    table.sees(Seen("empty"))
    lit.shows(Signal.READY)
    lit.bench.venecitas()
    lit.shows(Signal.SAVED, (0.0, 1.0, 0.1))
    assert Device.pin_factory.pin(PINS.buzzer).state, "it clicks"
    lit.later(1)
    lit.shows(Signal.YOUR_TURN, SEAT_COLOURS["S"])
    table.pressed(Button.NEXT)
    lit.shows(Signal.SAVED)
    lit.later(1)
    table.sees(Seen("rolling"))
    lit.shows(Signal.ROLLING)
    table.sees(Seen("camera lost", "pulled out"))
    lit.shows(Signal.OFFLINE)
    table.pressed(Button.NEXT)
    lit.shows(Signal.NOT_YET)
    lit.later(1)
    lit.shows(Signal.OFFLINE)


def test_a_lamp_that_fails_once_goes_on_with_the_next_change(lit, monkeypatch, caplog):
    lit.shows(Signal.OFFLINE)
    real, failures = lit.signals.show, []

    def fails(*what):
        if not failures:
            failures.append(what)
            raise OSError("the pin is gone")
        real(*what)

    monkeypatch.setattr(lit.signals, "show", fails)
    lit.bench.table.sees(Seen("hand"))
    deadline = time.monotonic() + PATIENCE_S
    while not failures and time.monotonic() < deadline:
        time.sleep(0.005)
    lit.bench.table.sees(Seen("empty"))
    lit.shows(Signal.READY)
    assert "the lamp failed" in caplog.text
