"""``companion doctor --report``: what a bug report needs, as a zip without names, PINs, tokens or pictures."""

import json
import platform
import subprocess
import zipfile
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from companion.config import load_installation, load_settings
from companion.errors import CompanionError, StorageError
from companion.journal import Journal

LIBRARIES = (
    "table-companion", "flask", "flask-babel", "waitress", "limits", "segno", "numpy", "opencv-python-headless",
    "opencv", "gpiozero", "lgpio", "picamera2",
)  # fmt: skip
MOST_LOG_LINES = 500


def versions() -> dict[str, str]:
    """Tell the versions of Python, the system and the libraries that are there."""
    found = {"python": platform.python_version(), "system": _system(), "machine": _machine()}
    for name in LIBRARIES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def write_report(target: Path, folder: Path, checks: Iterable[tuple[str, str | None]]) -> None:
    """Write the report.

    Args:
        target: the zip file.
        folder: the installation's.
        checks: what the doctor found: name, and what to do or None.

    Raises:
        StorageError: it can't be written.
    """
    parts = {
        "doctor.txt": "".join(f"{name:9} {'ok' if problem is None else problem}\n" for name, problem in checks),
        "versions.json": json.dumps(versions(), indent=1),
        "settings.json": json.dumps(_settings(folder), indent=1),
        "journal.json": json.dumps(_journal(folder), indent=1),
        "log.txt": _log(),
    }
    hidden = _secrets(folder)
    try:
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as out:
            for name, text in parts.items():
                out.writestr(name, _without(text, hidden))
    except OSError as error:
        raise StorageError(f"{target} can't be written: {error.strerror}") from error


def _settings(folder: Path) -> dict[str, object]:
    try:
        settings = load_settings(folder)
    except CompanionError as error:
        return {"error": str(error)}
    camera = settings.camera if settings.camera in ("auto", "picamera", "usb", "none") else "a file or folder"
    return {
        "port": settings.port,
        "streams": settings.streams,
        "pins": dict(settings.pins),
        "camera": camera,
        "mounting": dict(settings.mounting),
    }


def _journal(folder: Path) -> list[dict[str, object]]:
    """Tell which kinds of entries there are: enough to see where it broke, too little to see who played."""
    if not (folder / "journal.db").exists():
        return []
    journal = Journal(folder / "journal.db")
    try:
        return [
            {
                "seq": e.seq,
                "session": e.session,
                "kind": e.kind,
                "verb": e.body.get("verb"),
                "from": e.source.split()[0],
            }
            for e in journal.entries()
        ]
    finally:
        journal.close()


def _log() -> str:
    """Read the service's newest lines from the system's journal, if this user may."""
    command = ["journalctl", "-u", "companion.service", "--no-pager", "-o", "short-iso", "-n", str(MOST_LOG_LINES)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"no log: {error}\n"
    # Without the machine's name, which is often its owner's.
    return done.stdout.replace(f" {platform.node()} ", " pi ")


def _secrets(folder: Path) -> list[str]:
    """List what must not be in a report: secrets, and the names that players gave themselves."""
    try:
        installation = load_installation(folder)
        settings = load_settings(folder)
    except CompanionError:
        return [platform.node()]
    hidden = {installation.key, installation.pin, installation.code, platform.node(), *settings.names}
    if (folder / "journal.db").exists():
        journal = Journal(folder / "journal.db")
        try:
            hidden |= {str(name) for e in journal.entries() for name in dict(e.body.get("names") or {}).values()}
        finally:
            journal.close()
    return sorted((secret for secret in hidden if len(secret) > 1), key=len, reverse=True)


def _without(text: str, hidden: Iterable[str]) -> str:
    for secret in hidden:
        text = text.replace(secret, "(hidden)")
    return text


def _system() -> str:
    try:
        return platform.freedesktop_os_release().get("PRETTY_NAME", platform.system())
    except OSError:
        return platform.system()


def _machine() -> str:
    try:
        return Path("/proc/device-tree/model").read_text(encoding="ascii", errors="replace").strip("\0\n")
    except OSError:
        return platform.machine()
