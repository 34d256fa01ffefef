"""The lesson about the die: where the table is, the table without the die, the die shown, and a check by rolls."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from companion.die import Lie
from companion.errors import BadInput
from companion.inputs import DIRECTIONS
from companion.teaching.laying import choose_lie, in_order, read_die_names, rulebook_die, southern_edge
from companion.teaching.lesson import TRIALS, Lesson, Step, Teacher, is_number, read_corners, read_sheet
from companion.text import Say, say

GLANCE_S = 1.0
"""How often the mat is looked for."""

LET_TAP_S = 8.0
"""After the corners were cleared a person has so long to begin to tap, before the mat is looked for again."""

FEWEST_SHOWN, MOST_SHOWN = 2, 6


@dataclass(frozen=True, slots=True)
class Table:
    """Where the table is, as far as the page shows it.

    Attributes:
        place: the teacher's own.
        corners: the sheet's or mat's four corners, [x, y] in pixels, clockwise.
        lines: a grid to see whether it is right, each line two points in pixels.
        letters: where N, E, S and W are, in pixels.
        by: ``sheet`` or ``mat``.
        doubt: why it may be wrong, or None.
    """

    place: Any
    corners: tuple[tuple[float, float], ...]
    lines: tuple[tuple[tuple[float, float], tuple[float, float]], ...]
    letters: Mapping[str, tuple[float, float]]
    by: str
    doubt: Say | None = None


@dataclass(frozen=True, slots=True)
class Learnt:
    """What was learnt of the die so far.

    Attributes:
        setup: the teacher's own.
        colours: those that were seen.
        picture: the die as it was found in the last shot, as JPEG.
    """

    setup: Any
    colours: frozenset[str]
    picture: bytes | None


class DieTeacher(Teacher, Protocol):
    """Who sees, for the lesson. Each refusal is a `CompanionError` that says what to change."""

    def find_mat(self, frame: Any, ruler_mm: float, /) -> Table | None:
        """Find the table by the mat; None without one."""

    def place(
        self, frame: Any, corners: Sequence[Sequence[float]], size_mm: tuple[float, float], south: int, /
    ) -> Table:
        """Find the table by the corners of a sheet, clockwise; ``south`` is the edge from that corner to the next."""

    def turned(self, table: Table, /) -> Table:
        """Make the side after the southern one, clockwise, the southern one."""

    def check_empty(self, frames: Sequence[Any], /) -> Any:
        """Take the picture of the table without the die."""

    def sides(self, table: Table, /) -> tuple[str, ...]:
        """Tell which sides of a die that lies straight are seen."""

    def learn(self, table: Table, empty: Any, shown: Sequence[tuple[Sequence[Any], Lie]], layout: Lie, /) -> Learnt:
        """Learn the die from how it was shown; the last shot may be refused."""


class DieLesson(Lesson):
    """The lesson about table and die; see `Lesson`."""

    first_step = "table"
    show_step = "show"
    _teacher: DieTeacher

    def _reset(self) -> None:
        self.table: Table | None = None
        self._tapped: dict[str, Any] | None = None
        self._ruler_mm = 100.0
        self._looked_at = 0.0
        self._empty: Any = None
        self._take_die(rulebook_die())

    def _take_die(self, layout: Lie) -> None:
        self.layout = layout
        self._shown: list[tuple[Sequence[Any], Lie]] = []
        self._learnt: Learnt | None = None
        self.picture = None
        self._end_trials()

    # A person's wishes

    def _steps(self) -> Mapping[str, Step]:
        return {"table": self._at_table, "empty": self._at_empty, "show": self._at_show}

    def _at_table(self, verb: str, wish: Mapping[str, Any], now: float) -> bool:
        match verb:
            case "corners":
                self._place(wish)
            case "mat":
                self._look_for_mat(wish)
            case "turn" if self.table:
                self._turn(self.table)
            case "clear":
                self.table, self._tapped = None, None
                self._looked_at = now + LET_TAP_S
            case "accept" if self.table:
                self.step = "empty"
            case _:
                return False
        return True

    def _at_empty(self, verb: str, wish: Mapping[str, Any], now: float) -> bool:
        match verb:
            case "shoot":
                self._shoot(now)
            case "back":
                self.step = "table"
            case _:
                return False
        return True

    def _at_show(self, verb: str, wish: Mapping[str, Any], now: float) -> bool:
        match verb:
            case "shoot" if len(self._shown) < MOST_SHOWN:
                self._shoot(now)
            case "die":
                self._take_die(read_die_names(wish))
            case "again":
                self._take_die(self.layout)
            case "check" if self._learnt and self._is_learnt():
                self._try()
            case "save" if self._is_learnt():
                self._keep(now)
            case "back":
                self.step = "empty"
                self._take_die(self.layout)
            case _:
                return False
        return True

    def _place(self, wish: Mapping[str, Any]) -> None:
        corners, size_mm = read_corners(wish.get("corners")), read_sheet(wish.get("sheet"))
        south = wish.get("south", southern_edge(corners))
        if type(south) is not int or not 0 <= south < 4:
            raise BadInput(f"got the southern edge {str(south)[:20]!r}, but expected 0 to 3")
        self._tapped = {"corners": corners, "size_mm": size_mm, "south": south}
        self.table = None
        self.table = self._teacher.place(self._newest, corners, size_mm, south)

    def _look_for_mat(self, wish: Mapping[str, Any]) -> None:
        ruler_mm = wish.get("ruler_mm", 100.0)
        if not is_number(ruler_mm, 80, 125):
            raise BadInput(say("the mat's ruler measures about 100 mm, from 80 to 125: measure it again"))
        if self._newest is None:
            raise BadInput(say("the camera gives no picture yet: wait a moment"))
        self._ruler_mm = float(ruler_mm)
        found = self._teacher.find_mat(self._newest, self._ruler_mm)
        if found is None:
            raise BadInput(
                say("no mat is seen: lay it flat, all four markers before the camera, or tap a sheet's corners")
            )
        self.table, self._tapped = found, None

    def _turn(self, table: Table) -> None:
        if self._tapped is not None:
            self._tapped["south"] = (self._tapped["south"] + 1) % 4
        self.table = self._teacher.turned(table)

    def _doubt(self) -> Say:
        self._take_die(self.layout)
        return say("then the die lay otherwise than asked for in one of the pictures: show it again, with care")

    # What the camera sees

    def _shot(self, frames: Sequence[Any], now: float) -> None:
        if self.step == "empty":
            self._work(say("looking at the table"), lambda: self._teacher.check_empty(frames), self._take_empty, now)
            return
        assert self.table is not None
        table, empty, layout = self.table, self._empty, self.layout
        shown = [*self._shown, (frames, self.wanted())]

        def take(learnt: Learnt) -> None:
            self._shown, self._learnt, self.picture = shown, learnt, learnt.picture

        self._work(
            say("looking for the die, and learning its colours"),
            lambda: self._teacher.learn(table, empty, shown, layout),
            take,
            now,
        )

    def _take_empty(self, empty: Any) -> None:
        self._empty, self.step = empty, "show"
        self._take_die(self.layout)

    def _watch(self, frame: Any, now: float) -> None:
        super()._watch(frame, now)
        with self._lock:
            looking = self.step == "table" and self._tapped is None and self.table is None
            looking = looking and now - self._looked_at >= GLANCE_S
            if looking:
                self._looked_at = now
        if looking:
            self._notice_mat(frame)

    def _notice_mat(self, frame: Any) -> None:
        try:
            found = self._teacher.find_mat(frame, self._ruler_mm)
        except BadInput as error:
            # Half a mat is worth a word; a hand that lays it down will soon be gone.
            said = error.say or say("{reason}", reason=str(error))
            with self._lock:
                if self.step == "table" and self._tapped is None and self.said != said:
                    self.said = said
                    self._changed()
            return
        with self._lock:
            if found is not None and self.step == "table" and self._tapped is None:
                self.table, self.said = found, None
                self._changed()

    def _learnt_setup(self) -> Any:
        return self._learnt.setup if self._learnt else None

    # What the page shows

    def _is_learnt(self) -> bool:
        return self._learnt is not None and not self._missing() and len(self._shown) >= FEWEST_SHOWN

    def _missing(self) -> frozenset[str]:
        return self.layout.faces - (self._learnt.colours if self._learnt else frozenset())

    def wanted(self) -> Lie:
        """How the die shall be laid for the next shot."""
        assert self.table is not None
        seen = self._learnt.colours if self._learnt else frozenset()
        return choose_lie(self.layout, self._teacher.sides(self.table), seen, [lie for _, lie in self._shown])

    def _tell(self) -> dict[str, Any]:
        table, reading = self.table, self.reading
        return {
            "table": table,
            "tapped": self._tapped,
            "ruler_mm": self._ruler_mm,
            "layout": self.layout,
            "wanted": self.wanted() if self.step == "show" and len(self._shown) < MOST_SHOWN else None,
            "colours": [(colour, colour not in self._missing()) for colour in in_order(self.layout)],
            "shown": len(self._shown),
            "learnt": self._is_learnt(),
            "reading": reading,
            "sides": [(side, (reading.sides or {}).get(side)) for side in DIRECTIONS] if reading else [],
            "rights": self.rights,
            "trials": TRIALS,
        }
