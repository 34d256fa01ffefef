"""Lessons with the camera, and who gets its frames: a lesson while somebody sits at it, else the game's eyes."""

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.commands import Seen
from companion.teaching.lesson import Lesson


@dataclass(frozen=True, slots=True)
class Eyes:
    """What looks at the frames: ``look`` takes each one, ``again`` makes it look afresh."""

    look: Callable[[Any], None]
    again: Callable[[], None]


class Lessons:
    """The lessons of an installation.

    Args:
        by_name: ``die`` and ``card``.
    """

    def __init__(self, by_name: Mapping[str, Lesson]) -> None:
        self.by_name = by_name
        self.on_saved: Callable[[str], object] = lambda what: None
        """Called with the lesson's name when its set-up was written; whoever wires the program sets it."""

    def first(self, eyes: Eyes, tell: Callable[[Seen], None]) -> Eyes:
        """Give frames to a lesson while somebody sits at it: a die that is shown there isn't rolled in the game."""
        taught = False

        def look(frame: Any) -> None:
            nonlocal taught
            now = time.monotonic()
            on = [lesson for lesson in self.by_name.values() if lesson.is_on(now)]
            for lesson in on:
                lesson.look(frame, now)
            if on and not taught:
                tell(Seen("learning"))
            if taught and not on:
                eyes.again()
            taught = bool(on)
            if not taught:
                eyes.look(frame)

        return Eyes(look, eyes.again)


def make_lessons(folder: Path) -> Lessons:
    """Make the lessons that write their set-ups into an installation's folder."""
    from companion.cli.teach_die import VisionTeacher
    from companion.teaching.die import DieLesson

    by_name: dict[str, Lesson] = {}
    lessons = Lessons(by_name)
    by_name["die"] = DieLesson(VisionTeacher(folder / "die.json"), in_background, lambda: lessons.on_saved("die"))
    return lessons


def in_background(job: Callable[[], None]) -> None:
    """Run a job that takes seconds in a thread of its own."""
    threading.Thread(target=job, name="lesson", daemon=True).start()
