"""``companion calibrate die`` and ``companion read die``."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from companion.errors import CompanionError
from companion.files import read_json_object, write_whole
from companion.inputs import DieReading

Parsers = argparse._SubParsersAction  # argparse gives its sub-parsers no public name


def add_calibrate(commands: "Parsers[argparse.ArgumentParser]") -> None:
    """Add ``calibrate die``."""
    parser = commands.add_parser(
        "die",
        help="learn the table and the colour die from pictures",
        epilog="example: companion calibrate die frames.json -o setup.json",
    )
    parser.add_argument(
        "frames", metavar="FRAMES.json", type=Path, help="camera, table, die, and which picture shows what"
    )
    parser.add_argument("-o", "--output", metavar="SETUP.json", type=Path, required=True, help="where the set-up goes")
    parser.set_defaults(run=_calibrate)


def add_read(commands: "Parsers[argparse.ArgumentParser]") -> None:
    """Add ``read die``."""
    parser = commands.add_parser(
        "die",
        help="read how the colour die lies in pictures",
        epilog="example: companion read die --setup setup.json table.jpg",
    )
    parser.add_argument(
        "--setup", metavar="SETUP.json", type=Path, required=True, help="made by companion calibrate die"
    )
    parser.add_argument("images", metavar="IMAGE", nargs="+", help="pictures from the set-up's camera")
    parser.set_defaults(run=_read)


def _calibrate(arguments: argparse.Namespace) -> int:
    from vision.calibrate import learn_die_from_files
    from vision.setup import to_json

    description = read_json_object(arguments.frames)
    setup, warnings = learn_die_from_files(description, arguments.frames.parent)
    for warning in warnings:
        print(f"companion calibrate: {warning}", file=sys.stderr)
    write_whole(arguments.output, json.dumps(to_json(setup), indent=1) + "\n")
    return 0


def _read(arguments: argparse.Namespace) -> int:
    from vision.die import read_die
    from vision.frames import load_frame
    from vision.setup import from_json

    setup = from_json(read_json_object(arguments.setup))
    status = 0
    for image in arguments.images:
        try:
            reading = read_die(load_frame(image, setup.plane.size_wh), setup)
        except CompanionError as error:
            print(f"companion read: {error}", file=sys.stderr)
            status = 2
            continue
        print(json.dumps(_describe(image, reading)), flush=True)
    return status


def _describe(image: str, reading: DieReading | None) -> dict[str, Any]:
    if reading is None:
        return {
            "image": image,
            "status": "none",
            "top": None,
            "sides": None,
            "yaw_deg": None,
            "confidence": 0.0,
            "reason": None,
        }
    return {
        "image": image,
        "status": reading.status.value,
        "top": reading.top,
        "sides": None if reading.sides is None else dict(reading.sides),
        "yaw_deg": reading.yaw_deg,
        "confidence": reading.confidence,
        "reason": reading.reason,
    }
