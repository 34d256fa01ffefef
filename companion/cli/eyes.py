"""``companion calibrate`` and ``companion read``: the eyes from files, each for the die and for the spinner."""

import argparse
from collections.abc import Iterable
from typing import Protocol

Commands = argparse._SubParsersAction  # argparse gives its sub-parsers no public name


class Eyes(Protocol):
    """A module with the commands of one thing that can be read."""

    def add_calibrate(self, commands: "Commands[argparse.ArgumentParser]", /) -> None:
        """Add ``calibrate <thing>``."""

    def add_read(self, commands: "Commands[argparse.ArgumentParser]", /) -> None:
        """Add ``read <thing>``."""


def add(commands: "Commands[argparse.ArgumentParser]", eyes: Iterable[Eyes]) -> None:
    """Add ``calibrate`` and ``read`` for every kind of eyes."""
    calibrate = commands.add_parser("calibrate", help="learn a table, a die or a card from pictures")
    calibrations = calibrate.add_subparsers(dest="thing", required=True, metavar="THING")
    read = commands.add_parser("read", help="read pictures, one JSON object a line")
    readings = read.add_subparsers(dest="thing", required=True, metavar="THING")
    for kind in eyes:
        kind.add_calibrate(calibrations)
        kind.add_read(readings)
