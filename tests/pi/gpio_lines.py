"""Buttons, lamp and buzzer on the lines of gpio-sim, pulled and looked at from outside. Run by tests/pi/gpio-lines."""

import os
import platform
import subprocess
import sys
import threading
import time
from importlib.metadata import version
from pathlib import Path

CONFIG = Path("/sys/kernel/config/gpio-sim/pi")
LINES = 54


def make_chip():
    """A chip with the name and the lines of a Pi 3's."""
    (CONFIG / "bank0").mkdir(parents=True)
    (CONFIG / "bank0/num_lines").write_text(str(LINES))
    (CONFIG / "bank0/label").write_text("pinctrl-bcm2835")
    (CONFIG / "live").write_text("1")
    device, chip = (CONFIG / "dev_name").read_text().strip(), (CONFIG / "bank0/chip_name").read_text().strip()
    print("kernel", platform.release(), "chip", chip, "gpiozero", version("gpiozero"), "lgpio", version("lgpio"))
    return Path(f"/sys/devices/platform/{device}/{chip}")


CHIP = make_chip()


def pull(number, level):
    (CHIP / f"sim_gpio{number}/pull").write_text("pull-up" if level else "pull-down")


def value(number):
    return int((CHIP / f"sim_gpio{number}/value").read_text())


def said(what, is_so):
    print(f"{'ok  ' if is_so else 'FAIL'} {what}")
    if not is_so:
        sys.exit(1)


def until(is_so, seconds=10):
    deadline = time.monotonic() + seconds
    while not is_so() and time.monotonic() < deadline:
        time.sleep(0.01)
    return is_so()


from gpiozero.pins.lgpio import LGPIOFactory  # noqa: E402

LGPIOFactory._get_revision = lambda self: 0xA02082  # a Pi 3's, which this machine can't tell

from companion.inputs import Button  # noqa: E402
from companion.signals import Signal  # noqa: E402
from hardware.buttons import PINS, Buttons  # noqa: E402
from hardware.finder import ALL_PINS, PinFinder  # noqa: E402
from hardware.pins import PinError, use_real_pins  # noqa: E402
from hardware.signals import SignalPins, Signals  # noqa: E402

use_real_pins(Path("/run"))
told = []
HOLD = """
import lgpio, time
lgpio.gpio_claim_input(lgpio.gpiochip_open(0), 27)
print("mine", flush=True)
time.sleep(60)
"""
other = subprocess.Popen([sys.executable, "-c", HOLD], stdout=subprocess.PIPE)
other.stdout.readline()
try:
    Buttons(PINS, told.append, told.append)
    message = None
except PinError as error:
    message = str(error)
other.kill()
other.wait()
said(f"a pin in use is one line: {message}", message is not None and "GPIO27" in message)
buttons = Buttons(PINS, told.append, lambda button: told.append(f"{button} held"))
buttons.start()
said("three buttons listen, and none is down", not any(buttons.is_down(button) for button in Button))

for _ in range(5):
    pull(PINS[Button.NEXT], 0)
    time.sleep(0.002)
    pull(PINS[Button.NEXT], 1)
    time.sleep(0.002)
pull(PINS[Button.NEXT], 0)
said("a button that is down is seen", until(lambda: buttons.is_down(Button.NEXT)))
until(lambda: told)
pull(PINS[Button.NEXT], 1)
time.sleep(0.6)
said(f"five bounces of 2 ms and one press: {told}", told == [Button.NEXT])
told.clear()
pull(PINS[Button.UNDO], 0)
until(lambda: told)
pull(PINS[Button.UNDO], 1)
time.sleep(0.6)
said(f"UNDO held for a second: {told}", told == ["undo held"])
told.clear()
pull(PINS[Button.READ], 0)
time.sleep(0.01)
pull(PINS[Button.READ], 1)
time.sleep(0.6)
said(f"a spike of 10 ms is no press: {told}", told == [])
buttons.close()

signals = Signals(SignalPins(rgb=(5, 6, 13), leds=(16, 20, 21), buzzer=19))
signals.show(Signal.YOUR_TURN, (1.0, 0.0, 1.0))
lamp = [value(pin) for pin in (5, 6, 13)]
said(f"the RGB lamp is violet: {lamp}", lamp == [1, 0, 1])
leds = [value(pin) for pin in (16, 20, 21)]
said(f"of three LEDs the green one is on: {leds}", leds == [0, 0, 1])
signals.show(Signal.NOT_YET)
said("the buzzer sounds", value(19) == 1)
signals.close()
said("all are off at the end", not any(value(pin) for pin in (5, 6, 13, 16, 20, 21, 19)))

found, any_found = [], threading.Event()
finder = PinFinder([pin for pin in ALL_PINS if pin != 19], lambda pin: (found.append(pin), any_found.set()))
pull(23, 0)
any_found.wait(10)
pull(23, 1)
finder.close()
said(f"the pin of a button is found by a press: {found}", found == [23])

Buttons(PINS, told.append, told.append).close()
said("all can be taken again by the program that had them", True)
said("lgpio's pipes are in LG_WD alone", not list(Path("/src").glob(".lgd*")) and os.environ["LG_WD"] == "/run")
