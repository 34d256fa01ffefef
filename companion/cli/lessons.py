"""Lessons with the camera, and who gets its frames: a lesson while somebody sits at it, else the game's eyes."""

import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from companion.capture import Capture
from companion.commands import Seen
from companion.teaching.lesson import Lesson


class Lessons:
    """The lessons of an installation.

    Args:
        by_name: ``die`` and ``card``.
    """

    def __init__(self, by_name: Mapping[str, Lesson]) -> None:
        self.by_name = by_name
        self.on_saved: Callable[[str], object] = lambda thing: None
        """Called with the lesson's name when its set-up was written; whoever wires the program sets it."""
        self.on_turn: Callable[[str | None], object] = lambda thing: None
        """Called with the lesson's name when somebody sits down to it, and with None when the game goes on."""

    def first(
        self, look: Callable[[Capture[Any]], None], resume: Callable[[], None], tell: Callable[[Seen], None]
    ) -> Callable[[Capture[Any]], None]:
        """Give frames to a lesson while somebody sits at it: a die that is shown there isn't rolled in the game.

        Args:
            look: takes the captures for the game.
            resume: tells the game's eyes that frames come again.
            tell: takes what is seen at the moment.
        """
        at: str | None = None

        def take(capture: Capture[Any]) -> None:
            nonlocal at
            now = time.monotonic()
            on = next((name for name, lesson in self.by_name.items() if lesson.is_on(now)), None)
            if on != at:
                at = on
                self.on_turn(on)
                if on is None:
                    resume()
                else:
                    tell(Seen("learning"))
                return  # this picture still shows what lay there before
            if on is None:
                look(capture)
            else:
                self.by_name[on].look(capture.whole(), now)

        return take


def make_lessons(folder: Path) -> Lessons:
    """Make the lessons that write their set-ups into an installation's folder."""
    from companion.cli.teach_card import VisionCardTeacher
    from companion.cli.teach_die import VisionTeacher
    from companion.teaching.card import CardLesson
    from companion.teaching.die import DieLesson

    by_name: dict[str, Lesson] = {}
    lessons = Lessons(by_name)
    die_file = folder / "die.json"
    by_name["die"] = DieLesson(VisionTeacher(die_file), in_background, lambda: lessons.on_saved("die"))
    card_teacher = VisionCardTeacher(folder / "spinner.json", die_file)
    by_name["card"] = CardLesson(card_teacher, in_background, lambda: lessons.on_saved("card"))
    return lessons


def in_background(job: Callable[[], None]) -> None:
    """Run a job that takes seconds in a thread of its own."""
    threading.Thread(target=job, name="lesson", daemon=True).start()
