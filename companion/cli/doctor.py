"""``companion doctor``: looks at everything the companion needs, and says what is wrong and what to do."""

import argparse
import grp
import http.client
import json
import os
import pwd
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from companion.cli.eyes import Commands
from companion.cli.local_name import LocalName
from companion.cli.network import own_addresses
from companion.cli.report import versions, write_report
from companion.config import Settings, default_folder, load_installation, load_settings
from companion.errors import CompanionError
from companion.journal import Journal, damaged_files

LEAST_FREE_MB = 100
ANSWER_S = 5.0


def add(commands: "Commands[argparse.ArgumentParser]") -> None:
    """Add ``doctor``."""
    parser = commands.add_parser(
        "doctor",
        help="look at camera, pins, disk, clock and network, and say what to do",
        epilog="example: companion doctor",
    )
    parser.add_argument("--data", type=Path, default=default_folder(), help="the installation's folder")
    parser.add_argument(
        "--report",
        type=Path,
        metavar="FILE.zip",
        help="write a bug report too: no names, PINs, tokens or pictures in it",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print a line for each thing; exit status 1 when something needs doing."""
    found = []
    for name, problem in examine(arguments.data):
        print(f"{name:9} {'ok' if problem is None else problem}", flush=True)
        found.append((name, problem))
    print(f"addresses {', '.join(addresses(arguments.data))}")
    print(f"versions  {', '.join(f'{name} {number}' for name, number in versions().items())}")
    if arguments.report is not None:
        write_report(arguments.report, arguments.data, found)
        print(f"report    {arguments.report}: look it through before you send it")
    return 0 if all(problem is None for _, problem in found) else 1


def addresses(folder: Path) -> list[str]:
    """List how phones reach the page: by number, which every phone understands, and by name."""
    try:
        port = load_settings(folder).port
    except CompanionError:
        port = Settings().port
    numbers = [address for address in own_addresses() if not address.startswith("127.")]
    name = LocalName().refresh()
    named = f"http://{name}:{port}" if name else "no .local name (avahi-daemon tells them)"
    return [*(f"http://{number}:{port}" for number in numbers), named]


def examine(folder: Path) -> Iterator[tuple[str, str | None]]:
    """Look at one thing after the other: its name, and what to do, or None when it is well."""
    checks: dict[str, Callable[[Path], str | None]] = {
        "python": _python,
        "folder": _folder,
        "disk": _disk,
        "user": _user,
        "settings": _settings,
        "journal": _journal,
        "clock": _clock,
        "network": _network,
        "port": _port,
        "camera": _camera,
        "pins": _pins,
        "service": _service,
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


def _disk(folder: Path) -> str | None:
    mounts = Path("/proc/self/mounts").read_text(encoding="utf-8", errors="replace").splitlines()
    root = next((line.split() for line in reversed(mounts) if line.split()[1] == "/"), None)
    on_root = folder.resolve().stat().st_dev == Path("/").stat().st_dev
    if root is not None and root[2] == "overlay" and on_root:
        return f"the system forgets at power-off (overlay), and {folder} with it: put that folder on another partition"
    for errors in Path("/sys/fs/ext4").glob("*/errors_count"):
        if int(errors.read_text() or 0):
            return f"the file system of {errors.parent.name} has had errors: save a backup, and take a new SD card"
    return None


def _user(_folder: Path) -> str | None:
    mine = {*os.getgroups(), os.getegid()}
    lacking = []
    for name in ("gpio", "video", "render"):
        try:
            if grp.getgrnam(name).gr_gid not in mine and os.geteuid() != 0:
                lacking.append(name)
        except KeyError:
            continue  # not a Pi: nothing belongs to that group
    if lacking:
        return (
            f"not in {', '.join(lacking)}: `sudo usermod -aG {','.join(lacking)} {pwd.getpwuid(os.geteuid()).pw_name}`"
        )
    return None


def _service(_folder: Path) -> str | None:
    if shutil.which("systemctl") is None or not Path("/run/systemd/system").exists():
        return None
    done = subprocess.run(
        ["systemctl", "show", "-P", "LoadState", "-P", "ActiveState", "companion.service"],
        capture_output=True, text=True, timeout=10, check=False,
    )  # fmt: skip
    match done.stdout.split():
        case ["loaded", "active"] | ["not-found", *_] | []:
            return None
        case _:
            return (
                "it is installed and doesn't run: `sudo systemctl start companion`, `journalctl -u companion` says why"
            )


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
            if _running(folder):
                return None
            return f"port {port}: {error.strerror}: another program has it; choose another port in the settings"
    return None


def _running(folder: Path) -> dict[str, str]:
    """What the companion that is running says of its camera and pins, which it has to itself; empty without one."""
    connection = http.client.HTTPConnection("127.0.0.1", load_settings(folder).port, timeout=ANSWER_S)
    try:
        connection.request("GET", "/readyz")
        answers = json.loads(connection.getresponse().read())
    except (OSError, http.client.HTTPException, ValueError):
        return {}
    finally:
        connection.close()
    return answers if isinstance(answers, dict) else {}


def _told_by(running: dict[str, str], name: str) -> str | None:
    return None if running[name] == "ok" else running[name]


def _camera(folder: Path) -> str | None:
    from companion.cli.open_camera import open_camera

    settings = load_settings(folder)
    if settings.camera == "none":
        return None
    if "camera" in (running := _running(folder)):
        return _told_by(running, "camera")
    with _quiet():
        camera = open_camera(settings, folder)
        try:
            frame = camera.read()
        finally:
            camera.close()
    if frame[::8, ::8].max() < 16:
        return "its picture is black: take the cap off, or switch a lamp on"
    return None


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep what OpenCV's and libcamera's C++ prints while they probe away from the answer."""
    sys.stderr.flush()
    kept = os.dup(2)
    try:
        with open(os.devnull, "wb") as nowhere:
            os.dup2(nowhere.fileno(), 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def _pins(folder: Path) -> str | None:
    from hardware.pins import use_real_pins

    if "buttons" in (running := _running(folder)):
        return _told_by(running, "buttons")
    use_real_pins(folder)
    return None
