"""``companion watch``: the watcher's loop over a film, a folder of stills in the order of their names."""

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.capture import capture_of
from companion.cli.eyes import Commands
from companion.errors import BadInput
from companion.files import read_json_object

if TYPE_CHECKING:
    from vision.seen import Seen

PICTURES = (".jpg", ".jpeg", ".png", ".bmp", ".webp", ".ppm")
"""Endings of the files that are taken for frames."""


def add(commands: "Commands[argparse.ArgumentParser]") -> None:
    """Add ``watch``."""
    parser = commands.add_parser(
        "watch",
        help="watch a film of the table, one JSON object for each event",
        description="Watches a film, a folder of stills in the order of their names, as the running program watches "
        "the camera, and prints a JSON object a line for each event.",
        epilog="example: companion watch --setup die.json film/",
    )
    parser.add_argument(
        "--setup", type=Path, required=True, metavar="SETUP.json", help="what companion calibrate die wrote"
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="the stills, 15 a second")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Watch the film; 2 when a still of it couldn't be read."""
    from vision.frames import check_frame, load_frame
    from vision.looking import looker
    from vision.rest import watching
    from vision.setup import from_json

    setup = from_json(read_json_object(arguments.setup))
    stills = _stills(arguments.folder)
    name, status = "", 0
    step = watching(looker(setup), lambda seen: print(json.dumps(event_line(name, seen)), flush=True))
    for still in stills:
        name = still.name
        try:
            frame = load_frame(still)
        except BadInput as error:
            print(f"companion watch: {error}", file=sys.stderr)
            status = 2
            step(None)  # as when the camera fails to give a frame
        else:
            step(capture_of(check_frame(frame, setup.plane.size_wh, name=name)))
    return status


def event_line(name: str, seen: "Seen") -> dict[str, Any]:
    """Write what was seen in a frame as plain JSON values."""
    line: dict[str, Any] = {"frame": name, "event": "state", "state": str(seen.state)}
    reading = seen.reading
    if reading is None:
        return line
    line = {"frame": name, "event": str(reading.status)}
    if reading.reason is not None:
        return line | {"reason": reading.reason}
    line |= {"top": reading.top, "sides": reading.sides, "yaw_deg": reading.yaw_deg, "confidence": reading.confidence}
    return line if seen.move is None else line | {"move": str(seen.move)}


def _stills(folder: Path) -> list[Path]:
    if not folder.is_dir():
        raise BadInput(f"there is no folder {str(folder)!r}; expected a folder of stills")
    stills = sorted(path for path in folder.iterdir() if path.suffix.lower() in PICTURES)
    if not stills:
        raise BadInput(f"no pictures in {str(folder)!r}; expected stills such as 000.jpg, 001.jpg")
    return stills
