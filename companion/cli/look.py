"""The eyes at work: frames go in, and the table is told what is seen and read."""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2

from companion.cli.attach import Eyes
from companion.commands import Seen
from companion.errors import BadInput
from companion.files import read_json_object
from companion.table import Table
from hardware.memory import give_back
from hardware.virtual.table import VirtualTable
from vision.calibrate import Shown, learn_die
from vision.frames import Frame
from vision.looking import looker
from vision.rest import watching
from vision.seen import Seen as SeenThere
from vision.setup import DieSetup, from_json

CROP_MARGIN_PX = 24
"""So much of the table is kept round the die in the picture that goes with a reading."""


def virtual_eyes(table: Table, virtual: VirtualTable, tell: Callable[[Seen], None]) -> Eyes:
    """Set the eyes up on the drawn table, from the pictures that a person would show."""
    frames = virtual.setup_frames()
    shown = [Shown(one["image"], one["top"], one["sides"], f"picture {n}") for n, one in enumerate(frames["shown"], 1)]
    setup, _ = learn_die(frames["camera"], frames["table"], frames["empty"], shown, die=frames["die"])
    give_back()
    return die_eyes(table, setup, tell, source="virtual")


def real_eyes(table: Table, folder: Path, tell: Callable[[Seen], None]) -> Eyes:
    """Set the eyes up as calibrated.

    Raises:
        BadInput: the camera wasn't set up yet, or the set-up can't be used.
    """
    file = folder / "die.json"
    if not file.exists():
        raise BadInput(
            f"the camera doesn't know this table yet: `companion calibrate die FRAMES.json -o {file}`. Tap what you see"
        )
    setup = from_json(read_json_object(file))
    return die_eyes(table, setup, tell)


def die_eyes(table: Table, setup: DieSetup, tell: Callable[[Seen], None], *, source: str = "camera") -> Eyes:
    """Watch for the die: states go to ``tell``, readings to the table with a crop of the picture.

    Args:
        table: takes the readings.
        setup: what was learnt of the table and the die.
        tell: takes what is seen at the moment.
        source: who says it, for the journal.
    """
    look = looker(setup)
    afresh = threading.Event()
    newest: list[Frame] = []

    def on_seen(seen: SeenThere) -> None:
        reading = seen.reading
        tell(Seen(seen.state.value, reading.reason if reading else None))
        if reading is not None:
            table.saw(reading, crop_jpeg(newest[0], seen.box), source)

    step = watching(look, on_seen)

    def take(frame: Frame) -> None:
        nonlocal step
        if afresh.is_set():
            afresh.clear()
            step = watching(look, on_seen)
        newest[:] = [frame]
        step(frame)

    return Eyes(take, afresh.set)


def crop_jpeg(frame: Any, box: tuple[int, int, int, int] | None) -> bytes | None:
    """Cut the die out of a frame (BGR, uint8), as JPEG; None when it isn't known where it is."""
    if box is None:
        return None
    left, top, right, bottom = box
    margin = CROP_MARGIN_PX
    piece = frame[max(0, top - margin) : bottom + margin, max(0, left - margin) : right + margin]
    fine, coded = cv2.imencode(".jpg", piece, [cv2.IMWRITE_JPEG_QUALITY, 85])
    return coded.tobytes() if fine else None
