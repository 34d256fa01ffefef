"""``companion calibrate spinner`` and ``companion read spinner``."""

import argparse
import json
import sys
from pathlib import Path

from companion.cli.eyes import Commands
from companion.errors import CompanionError
from companion.inputs import SpinnerReading


def add_calibrate(commands: "Commands[argparse.ArgumentParser]") -> None:
    """Add ``calibrate spinner``."""
    parser = commands.add_parser(
        "spinner",
        help="learn the spinner's card and its arrows",
        description="Learn the spinner's card and its arrows from pictures in which the arrows' angles are known.",
        epilog="example: companion calibrate spinner frames.json -o spinner.json",
    )
    parser.add_argument("frames", type=Path, metavar="FRAMES.json", help="names the pictures and what they show")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="SETUP.json", help="where to write")
    parser.set_defaults(run=_calibrate)


def add_read(commands: "Commands[argparse.ArgumentParser]") -> None:
    """Add ``read spinner``."""
    parser = commands.add_parser(
        "spinner",
        help="read where the spinner's arrows stopped",
        description="Read where the spinner's arrows stopped: one JSON object a line, each picture by itself.",
        epilog="example: companion read spinner --setup spinner.json 001.jpg 002.jpg",
    )
    parser.add_argument("--setup", type=Path, required=True, metavar="SETUP.json", help="from calibrate spinner")
    parser.add_argument("images", nargs="+", metavar="IMAGE", help="pictures of the camera's size")
    parser.set_defaults(run=_read)


def _calibrate(arguments: argparse.Namespace) -> int:
    # OpenCV takes a second to load on a Raspberry Pi: only those commands that see wait for it.
    from vision.spinner_file import calibrate_spinner, save_spinner

    save_spinner(calibrate_spinner(arguments.frames), arguments.output)
    return 0


def _read(arguments: argparse.Namespace) -> int:
    from vision.frames import load_frame
    from vision.spinner import read_spinner
    from vision.spinner_file import load_spinner

    setup = load_spinner(arguments.setup)
    status = 0
    for image in arguments.images:
        try:
            reading = read_spinner(load_frame(image, setup.look.plane.size_wh), setup)
        except CompanionError as error:
            print(f"companion read: {error}", file=sys.stderr)
            status = 2
            continue
        print(json.dumps(_as_json(image, reading), ensure_ascii=False), flush=True)
    return status


def _as_json(image: str, reading: SpinnerReading | None) -> dict[str, object]:
    if reading is None:
        return {"image": image, "status": "none", "dials": [], "reason": "no card is seen"}
    dials = [
        {
            "name": dial.name,
            "angle_deg": dial.angle_deg,
            "sector": dial.sector,
            "label": dial.label,
            "near_border": dial.near_border,
        }
        for dial in reading.dials
    ]
    return {"image": image, "status": reading.status.value, "dials": dials, "reason": reading.reason}
