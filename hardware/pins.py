"""Which library drives the pins: lgpio on a Pi, gpiozero's pretended pins everywhere else."""

import os
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from companion.errors import CompanionError


class PinError(CompanionError, OSError):
    """A pin can't be used; the game goes on with the buttons on the page."""


def use_real_pins(work_folder: Path) -> None:
    """Choose lgpio for all pins from now on.

    Args:
        work_folder: where lgpio may write its notification pipes (it would use the current folder otherwise).

    Raises:
        PinError: lgpio is missing, or there are no pins.
    """
    os.environ["LG_WD"] = str(work_folder)  # read by lgpio when it is imported
    try:
        import lgpio
        from gpiozero import Device

        speak_as_before(lgpio)
        from gpiozero.pins.lgpio import LGPIOFactory
    except ImportError as error:
        raise PinError(
            f"no pin library ({error}): `sudo apt install python3-gpiozero python3-lgpio`; the page has buttons too"
        ) from error
    try:
        Device.pin_factory = LGPIOFactory()
    except Exception as error:  # lgpio.error is a bare Exception
        raise PinError(
            f"the pins can't be opened ({error}): is this a Raspberry Pi, and is the user in the group gpio?"
        ) from error


def speak_as_before(lgpio: Any) -> None:
    """Give lgpio 0.2 the names back by which gpiozero 1.6, Debian's, calls its pull resistors."""
    for before, now in (("DISABLE", "NONE"), ("PULL_UP", "UP"), ("PULL_DOWN", "DOWN")):
        if not hasattr(lgpio, f"SET_BIAS_{before}"):
            setattr(lgpio, f"SET_BIAS_{before}", getattr(lgpio, f"SET_PULL_{now}"))


def use_pretended_pins() -> None:
    """Choose gpiozero's mock for all pins from now on; its pins can be dimmed like real ones."""
    from gpiozero import Device
    from gpiozero.pins.mock import MockFactory, MockPWMPin

    Device.pin_factory = MockFactory(pin_class=MockPWMPin)


@contextmanager
def plain_errors(what: str, pin: int) -> Iterator[None]:
    """Turn what the pin libraries raise while ``what`` takes a pin into one plain line.

    Raises:
        PinError: anything was raised inside.
    """
    try:
        yield
    except PinError:
        raise
    except ImportError as error:
        raise PinError(f"no pin library ({error}): `sudo apt install python3-gpiozero python3-lgpio`") from error
    except Exception as error:  # gpiozero, lgpio and the kernel each have their own
        # gpiozero reserves a pin as long as its device lives, and a traceback would keep one alive that failed.
        traceback.clear_frames(error.__traceback__)
        raise PinError(
            f"{what} can't use pin GPIO{pin} ({error}): does another program use it, or is it in the settings twice?"
        ) from error
