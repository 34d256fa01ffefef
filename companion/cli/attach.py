"""Attaches what a table has: a camera with its watcher, buttons and lamp, real or virtual.

Whatever is missing is said in words; the program starts all the same and the game goes on by hand.
"""

import os
import threading
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from companion.cli.desk import Desk
from companion.cli.game_eyes import THING_OF, GameEyes
from companion.cli.lamp import follow
from companion.cli.lessons import Lessons
from companion.cli.open_camera import open_camera
from companion.cli.settings_file import write_pin
from companion.commands import Seen
from companion.config import Settings
from companion.die import COLOUR_NAMES, Move, find_lie
from companion.errors import BadInput
from companion.inputs import Button
from companion.table import Table
from hardware.buttons import VirtualButtons
from hardware.camera import Camera
from hardware.pins import PinError, use_pretended_pins, use_real_pins
from hardware.shutdown import ShutdownButton
from hardware.signals import SignalPins, Signals
from hardware.virtual.table import VirtualTable
from hardware.watcher import CameraState, Watcher
from web import Equipment

PUT_YAW_DEG = 8.0
"""Nobody lays a die quite straight."""

STALLED_S = 10.0
"""A watcher that doesn't look after its camera for so long makes no progress."""


def attach_virtual(
    table: Table,
    settings: Settings,
    make_eyes: Callable[[VirtualTable, Callable[[Seen], None]], GameEyes],
    stack: ExitStack,
    lessons: Lessons | None = None,
) -> Equipment:
    """Attach the virtual table: its drawn camera, and buttons on pretended pins.

    Args:
        table: where readings and presses go.
        settings: pins.
        make_eyes: makes the eyes for the drawn table.
        stack: closes everything again.
        lessons: those that may take the camera; none when None.
    """
    use_pretended_pins()
    follow(table, _signals(settings, stack), stack)
    virtual = VirtualTable()
    eyes = make_eyes(virtual, table.sees)
    lessons = lessons or Lessons({})
    lessons.on_turn = lambda thing: virtual.lay(thing or THING_OF.get(table.board().game or "") or "die")
    fingers = VirtualButtons(_button_pins(settings))
    # What is learnt on pretended pins is forgotten: the settings may be those of a real table.
    desk = _desk(settings, table, eyes, lambda name, pin: fingers.move(Button(name), pin), stack)
    watcher = _watch(virtual.camera, eyes, table.sees, stack, lessons)
    return Equipment(
        press=_in_background(fingers.press),
        hold_undo=lambda: _in_background(fingers.hold)(Button.UNDO),
        latest_jpeg=watcher.latest_jpeg,
        table_toy=_toys(virtual),
        missing=lambda: (line,) if (line := eyes.trouble()) else (),
        set_up_changed=eyes.set_up_changed,
        desk=desk,
        checks={
            "camera": lambda: _camera_check(watcher),
            "buttons": lambda: desk.problem() or "ok",
            "journal": lambda: table.journal.problem() or "ok",
        },
        progress={"watcher": lambda: watcher.stalled_s() < STALLED_S},
        lessons=lessons.by_name,
    )


def attach_real(
    table: Table,
    settings: Settings,
    folder: Path,
    make_eyes: Callable[[Callable[[Seen], None]], GameEyes],
    stack: ExitStack,
    lessons: Lessons | None = None,
) -> Equipment:
    """Attach camera, buttons and lamp as the settings name them; what is missing is told on the page."""
    missing: dict[str, str] = {}
    eyes = make_eyes(table.sees)
    lessons = lessons or Lessons({})
    watcher = _watch(lambda: open_camera(settings, folder), eyes, table.sees, stack, lessons)
    desk = _attach_pins(table, settings, folder, eyes, missing, stack)

    def press(button: Button) -> None:
        eyes.again() if button is Button.READ else table.pressed(button)

    def camera_now() -> str:
        return eyes.trouble() or _camera_check(watcher)

    def buttons_now() -> str:
        return missing.get("buttons") or (desk and desk.problem()) or "ok"

    def all_missing() -> tuple[str, ...]:
        lines = (camera_now(), buttons_now(), missing.get("lamp", "ok"), missing.get("shutdown", "ok"))
        return tuple(line for line in lines if line != "ok")

    return Equipment(
        press=press,
        hold_undo=lambda: table.pressed(Button.UNDO),
        latest_jpeg=watcher.latest_jpeg,
        desk=desk,
        missing=all_missing,
        set_up_changed=eyes.set_up_changed,
        checks={
            "camera": camera_now,
            "buttons": buttons_now,
            "journal": lambda: table.journal.problem() or "ok",
        },
        progress={"watcher": lambda: watcher.stalled_s() < STALLED_S},
        lessons=lessons.by_name if settings.camera != "none" else {},
    )


def _camera_check(watcher: Watcher) -> str:
    state, reason = watcher.state
    return "ok" if state is CameraState.WATCHING else f"{state.value}: {reason}"


def _watch(
    open_: Callable[[], Camera], eyes: GameEyes, tell: Callable[[Seen], None], stack: ExitStack, lessons: Lessons
) -> Watcher:
    def camera_state(state: CameraState, reason: str) -> None:
        if state is CameraState.WATCHING:
            eyes.resume()
        else:
            tell(Seen(state.value, reason or None))
        if state in (CameraState.LOST, CameraState.OFFLINE):
            eyes.lost()

    watcher = Watcher(open_, lessons.first(eyes.look, eyes.resume, tell), camera_state)
    stack.callback(watcher.stop)
    watcher.start()
    return watcher


def _button_pins(settings: Settings) -> dict[Button, int]:
    return {button: settings.pins[button.value] for button in Button if button.value in settings.pins}


def _attach_pins(
    table: Table, settings: Settings, folder: Path, eyes: GameEyes, missing: dict[str, str], stack: ExitStack
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


def _desk(settings: Settings, table: Table, eyes: GameEyes, save: Callable[[str, int], None], stack: ExitStack) -> Desk:
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

    def put(top: str, south: str) -> None:
        lie = find_lie(COLOUR_NAMES.get(top, top), COLOUR_NAMES.get(south, south), "S")
        virtual.roll(lie, PUT_YAW_DEG)

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
        "put": put,
        "lay_paper": lambda what=None: virtual.lay_paper(what),
        "spin": virtual.card.spin,
        "spin_one": virtual.card.spin_one,
        "touch": virtual.card.touch,
        "move_card": virtual.card.move,
        "take_card": virtual.card.take_away,
        "bring_card": virtual.card.bring,
        "cover_card": virtual.card.cover,
        "uncover_card": virtual.card.uncover,
    }
