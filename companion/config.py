"""The installation's folder: settings a person may edit, and what must stay secret.

``settings.toml`` is written by people and only read here. ``installation.json`` holds the key that signs
cookies, the host's PIN and the table's code; it is made at the first start and readable by its owner alone.
"""

import json
import os
import secrets
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from companion.errors import BadInput, StorageError
from companion.files import replace_whole

CODE_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Letters of the table's code: none that is easily taken for another."""

DEFAULT_PINS = {"next": 17, "read": 27, "undo": 22, "red": 5, "green": 6, "blue": 13, "buzzer": 19}
"""BCM numbers; the wiring table of docs/wiring.md."""

FURTHER_PINS = frozenset({"shutdown", "led_red", "led_yellow", "led_green"})
"""Pins that nothing is on unless the settings say so."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What a person may set in ``settings.toml``; every key may be missing.

    Attributes:
        port: TCP port of the page.
        streams: how many phones are told of changes at once; the others ask every 2 s.
        names: further names under which this machine is reached.
        pins: BCM numbers by name (`DEFAULT_PINS`, `FURTHER_PINS`); what isn't there is ``false`` in the file.
        camera: ``auto``, ``picamera``, ``usb``, ``none``, or a video file or folder of stills.
        mounting: how the camera hangs: upside_down, mirrored, and focus_m, its distance from the table in metres.
    """

    port: int = 8000
    streams: int = 48
    names: tuple[str, ...] = ()
    pins: Mapping[str, int] = field(default_factory=lambda: dict(DEFAULT_PINS))
    camera: str = "auto"
    mounting: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Installation:
    """The secrets of this installation.

    Attributes:
        key: signs the cookies.
        pin: six digits, opens the host's page.
        code: opens the table to a phone; the QR code carries it.
        kept: whether they could be written down; otherwise they are new at every start.
    """

    key: str
    pin: str
    code: str
    kept: bool = True


def default_folder() -> Path:
    """Where an installation lives unless it is told otherwise: COMPANION_DATA, or systemd's StateDirectory."""
    chosen = os.environ.get("COMPANION_DATA") or os.environ.get("STATE_DIRECTORY")
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(chosen) if chosen else Path(base) / "table-companion"


def load_settings(folder: Path) -> Settings:
    """Read ``settings.toml``; without one the defaults hold.

    Raises:
        BadInput: the file can't be understood; the line says which key and what was expected.
    """
    file = folder / "settings.toml"
    try:
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError:
        return Settings()
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{file} can't be read: {error}") from error
    return parse_settings(text, file)


def parse_settings(text: str, file: Path) -> Settings:
    """Read what is written in ``settings.toml``.

    Raises:
        BadInput: it can't be understood; the line says which key and what was expected.
    """
    try:
        written = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadInput(f"{file} can't be read: {error}") from error
    known = {item.name for item in fields(Settings)}
    if unknown := set(written) - known:
        raise BadInput(f"{file}: got {sorted(unknown)}, but only {', '.join(sorted(known))} can be set")
    settings = Settings(**{**written, "names": tuple(written.get("names", ()))})
    checks = {
        "port": type(settings.port) is int and 1 <= settings.port <= 65535,
        "streams": type(settings.streams) is int and 1 <= settings.streams <= 200,
        "names": all(isinstance(name, str) and name for name in settings.names),
        "camera": isinstance(settings.camera, str) and bool(settings.camera),
        "pins": isinstance(settings.pins, dict)
        and all(
            name in DEFAULT_PINS.keys() | FURTHER_PINS and (pin is False or (type(pin) is int and 0 <= pin <= 27))
            for name, pin in settings.pins.items()
        ),
        "mounting": isinstance(settings.mounting, dict)
        and all(_is_mounting(*item) for item in settings.mounting.items()),
    }
    for name, fine in checks.items():
        if not fine:
            raise BadInput(f"{file}: got {name} = {getattr(settings, name)!r}; see docs/settings.md for what it takes")
    pins = {**DEFAULT_PINS, **settings.pins}
    return replace(settings, pins={name: pin for name, pin in pins.items() if pin is not False})


def _is_mounting(name: str, value: object) -> bool:
    match name:
        case "upside_down" | "mirrored":
            return isinstance(value, bool)
        case "focus_m":
            return type(value) in (int, float) and 0.05 <= float(str(value)) <= 10
    return False


def load_installation(folder: Path) -> Installation:
    """Read the secrets, or make them at the first start.

    Raises:
        BadInput: the file is damaged; delete it to get new ones (phones then join again).
    """
    file = folder / "installation.json"
    try:
        saved = json.loads(file.read_text(encoding="utf-8"))
        return Installation(str(saved["key"]), str(saved["pin"]), str(saved["code"]))
    except FileNotFoundError:
        new = Installation(secrets.token_urlsafe(32), new_pin(), new_code())
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BadInput(f"{file} can't be read ({error}): delete it, and phones join again with a new code") from error
    try:
        save_installation(folder, new)
    except StorageError:
        return replace(new, kept=False)
    return new


def save_installation(folder: Path, installation: Installation) -> None:
    """Write the secrets down, readable by their owner alone; the file is whole at any moment.

    Raises:
        StorageError: the folder can't be written.
    """
    file = folder / "installation.json"
    text = json.dumps({"key": installation.key, "pin": installation.pin, "code": installation.code})
    try:
        folder.mkdir(parents=True, exist_ok=True)
        replace_whole(file, text, 0o600)
    except OSError as error:
        raise StorageError(f"{file} can't be written: {error.strerror}") from error


def new_pin() -> str:
    """Make a PIN of six digits."""
    return f"{secrets.randbelow(1_000_000):06d}"


def new_code() -> str:
    """Make a code for the table: eight letters and digits."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(8))
