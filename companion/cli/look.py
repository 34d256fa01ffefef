"""The eyes at work: frames go in, and the table is told what is seen and read."""

from collections.abc import Callable
from pathlib import Path

from companion.cli.attach import Eyes
from companion.commands import Seen
from companion.table import Table
from hardware.virtual.table import VirtualTable


def virtual_eyes(table: Table, virtual: VirtualTable, tell: Callable[[Seen], None]) -> Eyes:
    """Set the eyes up on the drawn table, from the pictures that a person would show."""
    return Eyes(lambda frame: None, lambda: None)


def real_eyes(table: Table, folder: Path, tell: Callable[[Seen], None]) -> Eyes:
    """Set the eyes up as calibrated.

    Raises:
        BadInput: the camera wasn't set up yet, or the set-up can't be used.
    """
    return Eyes(lambda frame: None, lambda: None)
