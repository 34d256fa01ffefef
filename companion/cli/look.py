"""The eyes at work, for die and card: frames go in, and the table is told what is seen and read."""

import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import cv2

from companion.cli.corrections import Corrections
from companion.cli.game_eyes import Eyes, GameEyes, Make
from companion.commands import Seen
from companion.errors import BadInput
from companion.files import read_json_object
from companion.table import Table
from hardware.memory import give_back, trim
from hardware.virtual.table import VirtualTable
from vision.calibrate import Shown, learn_die
from vision.card_watch import CardSeen, watching_card
from vision.frames import Capture
from vision.looking import looker
from vision.rest import watching
from vision.seen import Seen as SeenThere
from vision.setup import DieSetup, from_json
from vision.spinner import SpinnerSetup
from vision.spinner_file import learn_card, load_spinner

CROP_MARGIN_PX = 24
"""So much of the table is kept round what was read in the picture that goes with a reading."""


def virtual_eyes(
    table: Table,
    folder: Path,
    virtual: VirtualTable,
    tell: Callable[[Seen], None],
    corrections: Corrections | None = None,
) -> GameEyes:
    """Make eyes for the drawn table: learnt from the pictures that a person would show, unless a person does.

    Args:
        table: takes the readings.
        folder: where the page writes what a person sets up.
        virtual: the drawn table; it lays there what the game needs.
        tell: takes what is seen at the moment.
        corrections: what corrected readings taught.
    """

    def make_die(is_set_up: bool) -> Eyes:
        if not is_set_up:
            return die_eyes(table, learn_drawn_die(virtual), tell, source="virtual")
        return die_eyes(table, load_die(folder), tell, source="virtual", corrections=corrections)

    def make_card(is_set_up: bool) -> Eyes:
        setup = load_card(folder) if is_set_up else learn_card(virtual.card_frames(), lambda image: image)
        return card_eyes(table, setup, tell, source="virtual")

    makers = {"die": make_die, "card": make_card}
    return GameEyes(lambda: table.board().game, makers, tell, lambda thing: virtual.lay(thing or "die"))


def real_eyes(
    table: Table, folder: Path, tell: Callable[[Seen], None], corrections: Corrections | None = None
) -> GameEyes:
    """Make eyes as they were set up, from the files in the installation's folder."""
    makers: dict[str, Make] = {
        "die": lambda _: die_eyes(table, load_die(folder), tell, corrections=corrections),
        "card": lambda _: card_eyes(table, load_card(folder), tell),
    }
    return GameEyes(lambda: table.board().game, makers, tell)


def load_die(folder: Path) -> DieSetup:
    """Load how table and die look.

    Raises:
        BadInput: they weren't set up yet, or the set-up can't be used.
    """
    return from_json(read_json_object(_set_up(folder / "die.json", "this table")))


def load_card(folder: Path) -> SpinnerSetup:
    """Load how the card with the arrows looks.

    Raises:
        BadInput: it wasn't set up yet, or the set-up can't be used.
    """
    return load_spinner(_set_up(folder / "spinner.json", "the card with the arrows"))


def _set_up(file: Path, what: str) -> Path:
    """Give the file back when it was written already."""
    if file.exists():
        return file
    raise BadInput(f"the camera doesn't know {what} yet: set it up on the host's page. Tap what you see meanwhile")


def learn_drawn_die(virtual: VirtualTable) -> DieSetup:
    """Learn the drawn table and its die."""

    def learn(frames: Mapping[str, Any]) -> DieSetup:
        shown = [
            Shown(one["image"], one["top"], one["sides"], f"picture {n}") for n, one in enumerate(frames["shown"], 1)
        ]
        return learn_die(frames["camera"], frames["table"], frames["empty"], shown, die=frames["die"])[0]

    setup = learn(virtual.setup_frames())
    give_back()  # the pictures are gone now
    return setup


def die_eyes(
    table: Table,
    setup: DieSetup,
    tell: Callable[[Seen], None],
    *,
    source: str = "camera",
    corrections: Corrections | None = None,
) -> Eyes:
    """Watch for the die: states go to ``tell``, readings to the table with a crop of the picture.

    A die that lies there from the first picture on may have lain there long before it was awaited: it counts once
    anything else was seen, or when somebody presses READ.

    Args:
        table: takes the readings.
        setup: what was learnt of the table and the die.
        tell: takes what is seen at the moment.
        source: who says it, for the journal.
        corrections: what corrected readings taught, and the one to be told of readings; none when None.
    """
    look = looker(corrections.refine(setup) if corrections else setup)
    afresh, lost = threading.Event(), threading.Event()
    newest: list[Capture] = []
    told: list[Seen] = []
    counts = False

    def on_seen(seen: SeenThere) -> None:
        nonlocal counts
        reading = seen.reading
        counts = counts or reading is None
        told[:] = [Seen(seen.state.value, reading.reason if reading else None)]
        tell(told[0])
        if reading is not None and counts:
            if corrections:
                corrections.note(reading, newest[0].whole(), setup)
            table.saw(reading, crop_jpeg(newest[0].whole(), seen.box), source)
        if reading is not None:
            trim()  # reading took room that watching doesn't need

    step = watching(look, on_seen)

    def take(capture: Capture) -> None:
        nonlocal step, counts
        if afresh.is_set():
            afresh.clear()
            counts = True
            step = watching(look, on_seen)
        if lost.is_set():
            lost.clear()
            step(None)
        newest[:] = [capture]
        step(capture)

    # Frames that nobody saw change nothing: a die that stands where it stood is the same.
    return Eyes(take, afresh.set, lambda: tell(told[0]) if told else None, lost.set)


def card_eyes(table: Table, setup: SpinnerSetup, tell: Callable[[Seen], None], *, source: str = "camera") -> Eyes:
    """Watch for spins of the card's arrows, as `die_eyes` watches for the die."""
    newest: list[Capture] = []

    def on_seen(seen: CardSeen) -> None:
        tell(Seen(seen.state.value, seen.reason))
        if seen.reading is not None:
            table.saw(seen.reading, crop_jpeg(newest[0].whole(), seen.box), source)

    step, again = watching_card(setup, on_seen)

    def take(capture: Capture) -> None:
        newest[:] = [capture]
        step(capture)

    # Nobody knows what a hand did in frames that nobody saw.
    return Eyes(take, again, again, again)


def crop_jpeg(frame: Any, box: tuple[int, int, int, int] | None) -> bytes | None:
    """Cut what was read out of a frame (BGR, uint8), as JPEG; None when it isn't known where it is."""
    if box is None:
        return None
    left, top, right, bottom = box
    margin = CROP_MARGIN_PX
    piece = frame[max(0, top - margin) : bottom + margin, max(0, left - margin) : right + margin]
    fine, coded = cv2.imencode(".jpg", piece, [cv2.IMWRITE_JPEG_QUALITY, 85])
    return coded.tobytes() if fine else None
