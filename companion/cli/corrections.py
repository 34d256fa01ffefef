"""What corrected readings teach: kept beside the die's set-up, used at once, and forgotten on request."""

import hashlib
import json
import logging
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from companion.die import COLOUR_NAMES, Lie, all_lies
from companion.errors import CompanionError
from companion.files import read_json_object, write_whole
from companion.games.venecitas.state import State
from companion.inputs import DieReading, Reading
from vision.frames import Frame
from vision.refine import from_json, refined, see_corrected, to_json
from vision.seen_face import Seen
from vision.setup import DieSetup

NAME = "die-learnt.json"

_log = logging.getLogger(__name__)


class Corrections:
    """What was learnt from corrections of one installation. Any thread may call.

    Args:
        folder: where ``die.json`` lies, and beside it what is learnt.
        run: runs a job that takes seconds, elsewhere.
    """

    def __init__(self, folder: Path, run: Callable[[Callable[[], None]], None]) -> None:
        self._folder, self._run = folder, run
        self._lock = threading.Lock()
        self._read: tuple[Reading, Frame, DieSetup] | None = None
        self.on_learnt: Callable[[], object] = lambda: None
        """Called when something was learnt or forgotten; whoever wires the program sets it."""

    def refine(self, setup: DieSetup) -> DieSetup:
        """Add what was learnt to the set-up that was loaded from ``die.json``."""
        return refined(setup, self._load(setup))

    def note(self, reading: Reading, frame: Frame, setup: DieSetup) -> None:
        """Keep the picture of the newest reading: it may be corrected. ``setup`` is without what was learnt."""
        with self._lock:
            self._read = reading, frame, setup

    def corrected(self, reading: Reading, state: Any) -> None:
        """Learn from a reading that somebody corrected; ``state`` is the game's after that."""
        with self._lock:
            read = self._read
        if read is None or read[0] is not reading or not isinstance(reading, DieReading):
            return
        if not isinstance(state, State) or state.lie is None:
            return
        lie, (_, frame, setup) = state.lie, read
        self._run(lambda: self._learn(frame, setup, lie))

    def count(self) -> int:
        """How many corrections are kept."""
        try:
            return len(read_json_object(self._folder / NAME).get("pictures", []))
        except (CompanionError, TypeError):
            return 0

    def forget(self) -> None:
        """Forget all that was learnt from corrections."""
        file = self._folder / NAME
        if file.exists():
            file.unlink()
            self.on_learnt()

    def _learn(self, frame: Frame, setup: DieSetup, lie: Lie) -> None:
        try:
            faces = see_corrected(frame, setup, _in_words_of(setup, lie))
            with self._lock:
                pictures = [*self._load(setup), faces]
                write_whole(self._folder / NAME, json.dumps(to_json(pictures, self._mark()), indent=1) + "\n")
        except CompanionError as error:
            _log.info("nothing was learnt from the correction: %s", error)
            return
        self.on_learnt()

    def _load(self, setup: DieSetup) -> list[tuple[Seen, ...]]:
        file = self._folder / NAME
        if not file.exists():
            return []
        try:
            return from_json(read_json_object(file), self._mark(), setup)
        except CompanionError as error:
            _log.warning("%s: %s", file, error)
            return []

    def _mark(self) -> str:
        """Tell one set-up from another."""
        return hashlib.sha256((self._folder / "die.json").read_bytes()).hexdigest()[:16]


def _in_words_of(setup: DieSetup, lie: Lie) -> Lie:
    """Say a lie of the game's die in the names that the set-up uses."""
    return next(each for each in all_lies(setup.layout) if _letters(each) == (lie.top, lie.south))


def _letters(lie: Lie) -> tuple[str, str]:
    return COLOUR_NAMES.get(lie.top, lie.top), COLOUR_NAMES.get(lie.south, lie.south)
