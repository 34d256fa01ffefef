"""``companion doctor``: looks at everything the companion needs, and says what is wrong and what to do."""

import argparse
import shutil
import socket
import sys
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path

from companion.cli.eyes import Commands
from companion.cli.network import own_addresses
from companion.config import default_folder, load_installation, load_settings
from companion.errors import CompanionError
from companion.journal import Journal, damaged_files

LEAST_FREE_MB = 100


def add(commands: "Commands[argparse.ArgumentParser]") -> None:
    """Add ``doctor``."""
    parser = commands.add_parser(
        "doctor",
        help="look at camera, pins, disk, clock and network, and say what to do",
        epilog="example: companion doctor",
    )
    parser.add_argument("--data", type=Path, default=default_folder(), help="the installation's folder")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print a line for each thing; exit status 1 when something needs doing."""
    fine = True
    for name, problem in examine(arguments.data):
        print(f"{name:9} {'ok' if problem is None else problem}")
        fine = fine and problem is None
    return 0 if fine else 1


def examine(folder: Path) -> Iterator[tuple[str, str | None]]:
    """Look at one thing after the other: its name, and what to do, or None when it is well."""
    checks: dict[str, Callable[[Path], str | None]] = {
        "python": _python,
        "folder": _folder,
        "settings": _settings,
        "journal": _journal,
        "clock": _clock,
        "network": _network,
        "port": _port,
        "camera": _camera,
        "pins": _pins,
    }
    for name, check in checks.items():
        try:
            yield name, check(folder)
        except CompanionError as error:
            yield name, str(error)


def _python(_folder: Path) -> str | None:
    return None if sys.version_info >= (3, 11) else f"Python {sys.version.split()[0]} is too old: 3.11 is needed"


def _folder(folder: Path) -> str | None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / "probe"
        probe.write_bytes(b"x")
        probe.unlink()
    except OSError as error:
        return f"{folder} can't be written ({error.strerror}): another owner, or a read-only disk"
    free_mb = shutil.disk_usage(folder).free // 1_000_000
    if free_mb < LEAST_FREE_MB:
        return f"only {free_mb} MB are free for {folder}: make room for {LEAST_FREE_MB} MB"
    return None


def _settings(folder: Path) -> str | None:
    load_settings(folder)
    load_installation(folder)
    return None


def _journal(folder: Path) -> str | None:
    if damaged := damaged_files(folder):
        names = ", ".join(file.name for file in damaged)
        return (
            f"damaged journals were set aside ({names}): bring a backup back with `companion restore`, or delete them"
        )
    if not (folder / "journal.db").exists():
        return None
    journal = Journal(folder / "journal.db")
    try:
        if journal.set_aside:
            return (
                f"it was damaged and is set aside as {journal.set_aside.name}: `companion restore` brings a backup back"
            )
        return journal.problem()
    finally:
        journal.close()


def _clock(_folder: Path) -> str | None:
    year = datetime.now().year
    return None if year >= 2026 else f"it says {year}: connect to a network once, or set it with `sudo date -s`"


def _network(_folder: Path) -> str | None:
    if all(address.startswith("127.") for address in own_addresses()):
        return "no network: phones can't come in; connect the Pi to the Wi-Fi"
    return None


def _port(folder: Path) -> str | None:
    port = load_settings(folder).port
    with socket.socket() as sock:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            sock.bind(("0.0.0.0", port))
        except OSError as error:
            return f"port {port}: {error.strerror}. Is a companion running already? Then all is well"
    return None


def _camera(folder: Path) -> str | None:
    from companion.cli.open_camera import open_camera

    camera = open_camera(load_settings(folder), folder)
    try:
        camera.read()
    finally:
        camera.close()
    return None


def _pins(folder: Path) -> str | None:
    from hardware.pins import use_real_pins

    use_real_pins(folder)
    return None
