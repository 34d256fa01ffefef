"""Attaches what a table has: a camera with its watcher, buttons and lamp, real or virtual.

Whatever is missing is said in words; the program starts all the same and the game goes on by hand.
"""

import os
import threading
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from companion.cli.desk import Desk
from companion.cli.lamp import follow
from companion.cli.open_camera import open_camera
from companion.cli.settings_file import write_pin
from companion.commands import Seen
from companion.config import Settings
from companion.die import Move
from companion.errors import BadInput, CompanionError
from companion.inputs import Button
from companion.table import Table
from hardware.buttons import VirtualButtons
from hardware.camera import Camera, Capture
from hardware.pins import PinError, use_pretended_pins, use_real_pins
from hardware.shutdown import ShutdownButton
from hardware.signals import SignalPins, Signals
from hardware.virtual.table import VirtualTable
from hardware.watcher import CameraState, Watcher
from web import Equipment

STALLED_S = 10.0
"""A watcher that doesn't look after its camera for so long makes no progress."""


@dataclass(frozen=True, slots=True)
class Eyes:
    """What looks at the captures.

    Attributes:
        look: takes each one, in the camera's thread.
        again: makes it look afresh.
        lost: tells it that the camera was lost for a while, so that anything may have happened meanwhile.
    """

    look: Callable[[Capture], None]
    again: Callable[[], None]
    lost: Callable[[], None] = lambda: None


def attach_virtual(
    table: Table,
    settings: Settings,
    make_eyes: Callable[[VirtualTable, Callable[[Seen], None]], Eyes],
    stack: ExitStack,
) -> Equipment:
    """Attach the virtual table: its drawn camera, and buttons on pretended pins.

    Args:
        table: where readings and presses go.
        settings: pins.
        make_eyes: sets the eyes up for the drawn table.
        stack: closes everything again.
    """
    use_pretended_pins()
    follow(table, _signals(settings, stack), stack)
    virtual = VirtualTable()
    eyes = _later(partial(make_eyes, virtual, table.sees), table.sees)
    fingers = VirtualButtons(_button_pins(settings))
    # What is learnt on pretended pins is forgotten: the settings may be those of a real table.
    desk = _desk(settings, table, eyes, lambda name, pin: fingers.move(Button(name), pin), stack)
    watcher = _watch(virtual.camera, eyes, table.sees, stack)
    return Equipment(
        press=_in_background(fingers.press),
        hold_undo=lambda: _in_background(fingers.hold)(Button.UNDO),
        latest_jpeg=watcher.latest_jpeg,
        table_toy=_toys(virtual),
        desk=desk,
        checks={
            "camera": lambda: _camera_check(watcher),
            "buttons": lambda: desk.problem() or "ok",
            "journal": lambda: table.journal.problem() or "ok",
        },
        progress={"watcher": lambda: watcher.stalled_s() < STALLED_S},
    )


def attach_real(
    table: Table,
    settings: Settings,
    folder: Path,
    make_eyes: Callable[[Callable[[Seen], None]], Eyes],
    stack: ExitStack,
) -> Equipment:
    """Attach camera, buttons and lamp as the settings name them; what is missing is told on the page."""
    missing: dict[str, str] = {}
    eyes = Eyes(lambda _capture: None, lambda: None)
    watcher: Watcher | None = None
    try:
        eyes = make_eyes(table.sees)
    except CompanionError as error:
        missing["camera"] = str(error)
    else:
        watcher = _watch(lambda: open_camera(settings, folder), eyes, table.sees, stack)
    desk = _attach_pins(table, settings, folder, eyes, missing, stack)

    def press(button: Button) -> None:
        eyes.again() if button is Button.READ else table.pressed(button)

    def camera_now() -> str:
        return missing.get("camera") or (_camera_check(watcher) if watcher else "ok")

    def buttons_now() -> str:
        return missing.get("buttons") or (desk and desk.problem()) or "ok"

    def all_missing() -> tuple[str, ...]:
        lines = (camera_now(), buttons_now(), missing.get("lamp", "ok"), missing.get("shutdown", "ok"))
        return tuple(line for line in lines if line != "ok")

    return Equipment(
        press=press,
        hold_undo=lambda: table.pressed(Button.UNDO),
        latest_jpeg=watcher.latest_jpeg if watcher else lambda: None,
        desk=desk,
        missing=all_missing,
        checks={
            "camera": camera_now,
            "buttons": buttons_now,
            "journal": lambda: table.journal.problem() or "ok",
        },
        progress={"watcher": lambda: watcher.stalled_s() < STALLED_S} if watcher else {},
    )


def _later(make: Callable[[], Eyes], tell: Callable[[Seen], None]) -> Eyes:
    """Eyes that are made with the first frame, in the camera's thread: learning a die takes some seconds."""
    made: list[Eyes] = []

    def take(capture: Capture) -> None:
        if not made:
            tell(Seen("learning"))
            made.append(make())
        made[0].look(capture)

    return Eyes(take, lambda: made[0].again() if made else None, lambda: made[0].lost() if made else None)


def _camera_check(watcher: Watcher) -> str:
    state, reason = watcher.state
    return "ok" if state is CameraState.WATCHING else f"{state.value}: {reason}"


def _watch(open_: Callable[[], Camera], eyes: Eyes, tell: Callable[[Seen], None], stack: ExitStack) -> Watcher:
    def camera_state(state: CameraState, reason: str) -> None:
        if state is not CameraState.WATCHING:
            tell(Seen(state.value, reason or None))
        if state in (CameraState.LOST, CameraState.OFFLINE):
            eyes.lost()

    watcher = Watcher(open_, eyes.look, camera_state)
    stack.callback(watcher.stop)
    watcher.start()
    return watcher


def _button_pins(settings: Settings) -> dict[Button, int]:
    return {button: settings.pins[button.value] for button in Button if button.value in settings.pins}


def _attach_pins(
    table: Table, settings: Settings, folder: Path, eyes: Eyes, missing: dict[str, str], stack: ExitStack
) -> Desk | None:
    """Attach what is on pins, each by itself: a lamp that is missing doesn't silence the buttons."""
    try:
        use_real_pins(Path(os.environ.get("RUNTIME_DIRECTORY", "/tmp")))
    except PinError as error:
        missing["buttons"] = str(error)
        return None
    parts: dict[str, Callable[[], None]] = {
        "lamp": lambda: follow(table, _signals(settings, stack), stack),
        "shutdown": lambda: _shutdown_button(settings, stack),
    }
    for name, attach in parts.items():
        try:
            attach()
        except PinError as error:
            missing[name] = str(error)
    return _desk(settings, table, eyes, partial(write_pin, folder), stack)


def _desk(settings: Settings, table: Table, eyes: Eyes, save: Callable[[str, int], None], stack: ExitStack) -> Desk:
    """Let the buttons speak: READ looks again, UNDO counts only when held."""

    def pressed(button: Button) -> None:
        if button is Button.NEXT:
            table.pressed(button)
        elif button is Button.READ:
            eyes.again()

    others = {name: pin for name, pin in settings.pins.items() if name not in list(Button)}
    desk = Desk(_button_pins(settings), others, pressed, table.pressed, save=save)
    stack.callback(desk.close)
    return desk


def _shutdown_button(settings: Settings, stack: ExitStack) -> None:
    """Listen to the shutdown button, if there is one and systemd to grant its wish."""
    pin, runtime = settings.pins.get("shutdown"), os.environ.get("RUNTIME_DIRECTORY")
    if pin is not None and runtime is not None:
        stack.callback(ShutdownButton(pin, Path(runtime) / "shutdown").close)


def _signals(settings: Settings, stack: ExitStack) -> Signals:
    rgb = _three(settings.pins, "red", "green", "blue")
    leds = _three(settings.pins, "led_red", "led_yellow", "led_green")
    signals = Signals(SignalPins(rgb, leds, settings.pins.get("buzzer")))
    stack.callback(signals.close)
    signals.start()
    return signals


def _three(pins: Mapping[str, int], *names: str) -> tuple[int, int, int] | None:
    """The pins of a lamp or of three LEDs; None when one of them isn't there."""
    one, two, three = (pins.get(name) for name in names)
    return None if one is None or two is None or three is None else (one, two, three)


def _in_background(press: Callable[[Button], None]) -> Callable[[Button], None]:
    """A finger takes its time; the page that moved it doesn't wait."""
    return lambda button: threading.Thread(target=press, args=(button,), daemon=True).start()


def _toys(virtual: VirtualTable) -> dict[str, Callable[..., object]]:
    """What the page may do to the virtual table; a wish too many is dropped, and a person taps again."""

    def turn(move: str) -> None:
        if move not in list(Move):
            raise BadInput(f"got {move!r}, but expected one of {', '.join(Move)}")
        virtual.turn(Move(move))

    def roll_cocked() -> None:
        virtual.roll()
        virtual.cock()

    return {
        "roll": virtual.roll,
        "turn": turn,
        "knock": virtual.knock,
        "cover": virtual.cover,
        "uncover": virtual.uncover,
        "cock": roll_cocked,
        "remove": virtual.remove,
    }
