"""Setting the camera up, step by step: what the lessons about the die and about the spinner's card have in common.

A lesson is a state machine. A person's wishes come in through `ask`, frames through `look`, and the page shows what
`view` tells. Frames and what is made of them stay opaque here: a teacher, handed in, knows how to see. Time comes in
as an argument, in seconds that never go back.
"""

import threading
from collections.abc import Callable, Mapping, Sequence
from math import atan2
from typing import Any, Protocol

from companion.errors import BadInput, CompanionError
from companion.inputs import Status
from companion.text import Say, say

SHEETS = {"a4": (297.0, 210.0), "letter": (279.4, 215.9)}
"""Sheets of paper that a person may choose, in mm."""

AWAY_S = 60.0
"""When no page asked for so long, nobody sits at the lesson, and the game gets its camera back."""

SHOT_FRAMES = 4
"""So many frames make a shot: enough to see whether something moves."""

TRIALS = 3
"""So many rolls or spins are read aloud before a set-up is believed."""

SILENCE_S = 8.0
"""When a shot waits so long for frames, the camera gives none."""


Step = Callable[[str, Mapping[str, Any], float], bool]
"""Does what a person asks for at one step (verb, what belongs to it, now); False when the step doesn't offer it."""


class Teacher(Protocol):
    """Who sees, for every lesson. Each refusal is a `CompanionError` that says what to change."""

    def watch(self, setup: Any, on_reading: Callable[[Any], None], /) -> Callable[[Any], None]:
        """Watch with what was learnt: gives what takes the frames."""

    def save(self, setup: Any, /) -> None:
        """Write the set-up."""


class Lesson:
    """A lesson that a person goes through on the page. Every method may be called from any thread.

    Args:
        teacher: sees for it.
        run: runs a job that takes seconds, elsewhere.
        on_saved: called when the set-up was written.
    """

    first_step = ""
    show_step = ""
    """Where things are shown to learn from, before the check."""

    def __init__(
        self, teacher: Teacher, run: Callable[[Callable[[], None]], None], on_saved: Callable[[], object]
    ) -> None:
        self._teacher = teacher
        self._lock = threading.RLock()
        self._run, self._on_saved = run, on_saved
        self._version = 0
        self._seen_at: float | None = None
        self._frames: list[Any] | None = None
        self._shot_since = 0.0
        self._newest: Any = None
        self._job: tuple[int, Say, float] | None = None
        self._jobs = 0
        self.step = ""
        self.said: Say | None = None
        self.picture: bytes | None = None
        self._trial: Callable[[Any], None] | None = None
        self.reading: Any = None
        self.rights = 0
        self._reset()

    # What comes in

    def is_on(self, now: float) -> bool:
        """Whether somebody sits at this lesson, so that frames are for it and not for the game."""
        with self._lock:
            return self.step not in ("", "done") and self._seen_at is not None and now - self._seen_at < AWAY_S

    def ask(self, verb: str, wish: Mapping[str, Any], now: float) -> None:
        """Do what a person asks for.

        Args:
            verb: one of those that the step offers.
            wish: what belongs to it, from JSON.
            now: seconds.

        Raises:
            BadInput: the step doesn't offer it, or a value can't be.
        """
        with self._lock:
            self._seen_at = now
            if verb == "start":
                self._begin()
            elif verb == "stop":
                self._forget_work()
                self.step = ""
            elif self.step == "":
                raise BadInput(say("the lesson hasn't begun: start it"))
            elif self._job is not None:
                raise BadInput(say("the last picture is still being looked at: wait a moment"))
            else:
                self.said = None
                self._do(verb, wish, now)
            self._changed()

    def look(self, frame: Any, now: float) -> None:
        """Take a frame, in the camera's thread."""
        with self._lock:
            if self._newest is None:
                self._changed()
            self._newest = frame
            if self._frames is not None:
                self._frames.append(frame)
                if len(self._frames) >= SHOT_FRAMES:
                    frames, self._frames = self._frames, None
                    self._shot(frames, now)
                    self._changed()
                return
            watching = self._job is None
        if watching:
            self._watch(frame, now)

    # What goes out

    def view(self, now: float) -> dict[str, Any]:
        """Tell the page how far the lesson is; the page that asks keeps the lesson alive."""
        with self._lock:
            self._seen_at = now
            if self._frames is not None and now - self._shot_since > SILENCE_S:
                self._frames = None
                self.said = say("the camera gives no picture: look after it, then try again")
                self._changed()
            return {
                "version": self._version,
                "step": self.step,
                "said": self.said,
                "busy": self._busy(),
                "since_s": int(now - self._job[2]) if self._job else 0,
            } | self._tell()

    def _busy(self) -> Say | None:
        if self._job is not None:
            return self._job[1]
        if self._frames is not None:
            return say("taking the picture")
        waits = self._newest is None and self.step not in ("", "done")
        return say("waiting for the camera") if waits else None

    # For the lessons

    def _reset(self) -> None:
        """Forget what this lesson knows."""
        raise NotImplementedError

    def _steps(self) -> Mapping[str, Step]:
        """Give this lesson's own steps by name."""
        raise NotImplementedError

    def _learnt_setup(self) -> Any:
        """Give the set-up that was learnt so far."""
        raise NotImplementedError

    def _doubt(self) -> Say:
        """Forget what was shown, for a reading was wrong; say what to look after."""
        raise NotImplementedError

    def _shot(self, frames: Sequence[Any], now: float) -> None:
        raise NotImplementedError

    def _watch(self, frame: Any, now: float) -> None:
        """Look at a frame while nothing else happens; the lock isn't held."""
        trial = self._trial
        if self.step == "check" and trial is not None:
            trial(frame)

    def _tell(self) -> dict[str, Any]:
        raise NotImplementedError

    def _begin(self) -> None:
        self._forget_work()
        self.step, self.said, self.picture = self.first_step, None, None
        self._reset()

    def _do(self, verb: str, wish: Mapping[str, Any], now: float) -> None:
        steps = {**self._steps(), "check": self._at_check}
        if self.step not in steps or not steps[self.step](verb, wish, now):
            raise BadInput(say("this step doesn't offer that: look at the page again"))

    def _at_check(self, verb: str, wish: Mapping[str, Any], now: float) -> bool:
        match verb:
            case "right" | "wrong" if self.reading and self.reading.status is Status.READ:
                self._answer(verb == "right", now)
            case "save":
                self._keep(now)
            case "back":
                self.step = self.show_step
                self._end_trials()
            case _:
                return False
        return True

    def _answer(self, right: bool, now: float) -> None:
        self.reading = None
        if not right:
            self.said = self._doubt()
            self.step = self.show_step
            return
        self.rights += 1
        if self.rights >= TRIALS:
            self._keep(now)

    def _forget_work(self) -> None:
        """What is still being computed comes too late."""
        self._job, self._frames = None, None

    def _shoot(self, now: float) -> None:
        self._frames, self._shot_since = [], now

    def _changed(self) -> None:
        self._version += 1

    def _try(self) -> None:
        """Begin the check with what was learnt."""
        self._end_trials()
        self.step = "check"
        self._trial = self._teacher.watch(self._learnt_setup(), self._read)

    def _end_trials(self) -> None:
        self._trial = None
        self.reading = None
        self.rights = 0

    def _read(self, reading: Any) -> None:
        with self._lock:
            if self.step == "check":
                self.reading = reading
                self._changed()

    def _keep(self, now: float) -> None:
        setup = self._learnt_setup()

        def done(_: Any) -> None:
            self.step = "done"
            self._trial = None
            self._on_saved()

        self._work(say("writing it down"), lambda: self._teacher.save(setup), done, now)

    def _work(self, words: Say, work: Callable[[], Any], done: Callable[[Any], None], now: float) -> None:
        """Let something be computed elsewhere; ``done`` gets what came out, a refusal is told."""
        self._jobs += 1
        number = self._jobs
        self._job = (number, words, now)

        def job() -> None:
            refusal: Say | None = None
            result: Any = None
            try:
                result = work()
            except CompanionError as error:
                refusal = error.say or say("{reason}", reason=str(error))
            except Exception as error:  # noqa: BLE001 - a lesson that never answers again would be worse
                refusal = say("that went wrong ({reason}): try again", reason=repr(error))
            with self._lock:
                if self._job is None or self._job[0] != number:
                    return
                self._job = None
                if refusal is None:
                    done(result)
                else:
                    self.said = refusal
                self._changed()

        self._run(job)


def read_corners(value: object) -> list[list[float]]:
    """Read four tapped points; they come back clockwise in the picture, whatever order they were tapped in.

    Raises:
        BadInput: they are not four points.
    """
    if not isinstance(value, list) or len(value) != 4 or not all(is_point(point) for point in value):
        raise BadInput(say("four corners are expected: tap them in the picture"))
    return order_clockwise([[float(x), float(y)] for x, y in value])


def is_point(value: object) -> bool:
    """Whether a value from JSON is [x, y] in pixels."""
    return isinstance(value, list) and len(value) == 2 and all(is_number(each, -5e3, 2e4) for each in value)


def is_number(value: object, low: float, high: float) -> bool:
    """Whether a value from JSON is a number between two."""
    return not isinstance(value, bool) and isinstance(value, int | float) and low <= value <= high


def order_clockwise(corners: Sequence[Sequence[float]]) -> list[list[float]]:
    """Order four points of a picture clockwise, y down, beginning at the top left."""
    middle = [sum(point[axis] for point in corners) / len(corners) for axis in (0, 1)]
    ordered = sorted(
        ([float(x), float(y)] for x, y in corners), key=lambda p: atan2(p[1] - middle[1], p[0] - middle[0])
    )
    first = min(range(len(ordered)), key=lambda at: sum(ordered[at]))
    return ordered[first:] + ordered[:first]


def read_sheet(value: object) -> tuple[float, float]:
    """Read a sheet's size: a key of ``SHEETS``, or two sides in mm.

    Raises:
        BadInput: it is neither.
    """
    if isinstance(value, str) and value in SHEETS:
        return SHEETS[value]
    if isinstance(value, list) and len(value) == 2 and all(is_number(side, 30, 2000) for side in value):
        return float(value[0]), float(value[1])
    raise BadInput(say("a sheet has two sides of 30 to 2000 mm: enter both"))
