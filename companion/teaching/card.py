"""The lesson about the spinner's card: where it lies, its dials and labels, spins shown, and a check by spins."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from companion.errors import BadInput
from companion.teaching.lesson import TRIALS, Lesson, Step, Teacher, is_number, is_point, read_corners
from companion.text import Say, say

NAMES = ("number", "letter")
"""The dials of the card, as the game calls them."""

LABELS = (tuple(str(number) for number in range(1, 11)), tuple("ABCDEFGH"))
"""What is printed in their sectors unless somebody says otherwise."""

SPINS = 3
"""So many spins are shown at least: with the arrows elsewhere in each, no print stays hidden."""

MOST_SPINS = 6

Point = tuple[float, float]
Line = tuple[Point, Point]


@dataclass(frozen=True, slots=True)
class Drawn:
    """Something found on the card, as far as the page shows it.

    Attributes:
        what: the teacher's own.
        points: those a person may move, [x, y] in pixels.
        lines: to see whether it is right, each two points in pixels.
        letters: words at pixels.
        doubt: why it may be wrong, or None.
    """

    what: Any
    points: tuple[Point, ...]
    lines: tuple[Line, ...] = ()
    letters: tuple[tuple[str, Point], ...] = ()
    doubt: Say | None = None


@dataclass(frozen=True, slots=True)
class Sectors:
    """One dial's sectors, clockwise: their labels, and their sizes in degrees where they differ."""

    labels: tuple[str, ...]
    sizes_deg: tuple[float, ...] | None = None


class CardTeacher(Teacher, Protocol):
    """Who sees, for the lesson. Each refusal is a `CompanionError` that says what to change."""

    def find_corners(self, frame: Any, /) -> Sequence[Sequence[float]] | None:
        """Find four corners of something like a card; None when nothing is."""

    def place(self, frame: Any, corners: Sequence[Sequence[float]], size_mm: Point, /) -> Drawn:
        """Place the card by its corners, clockwise from its own top-left one."""

    def dials(self, frame: Any, place: Any, points: Sequence[Sequence[float]], sectors: Sequence[Sectors], /) -> Drawn:
        """Place the dials: of each its pivot, and the point of its rim where the first sector begins."""

    def check_shot(self, frames: Sequence[Any], /) -> Any:
        """Take a picture in which nothing moves."""

    def tips(self, card: Any, frame: Any, setup: Any, /) -> Drawn:
        """Propose where the arrows' tips are, by what was learnt from the spins before (None: nothing yet)."""

    def angles(self, card: Any, tips: Sequence[Sequence[float]], /) -> tuple[float, ...]:
        """Tell where arrows with these tips point, in degrees clockwise from the card's top."""

    def learn(self, card: Any, shown: Sequence[tuple[Any, tuple[float, ...]]], setup: Any, /) -> Any:
        """Learn the bare dials and the arrows, from one spin or more; ``setup`` was learnt from those before."""


class CardLesson(Lesson):
    """The lesson about the card; see `Lesson`."""

    first_step = "card"
    show_step = "spins"
    _teacher: CardTeacher

    def _reset(self) -> None:
        self.size_mm: Point = (100.0, 100.0)
        self._corners: list[list[float]] | None = None
        self._top = 0
        self.place: Drawn | None = None
        self.sectors = [Sectors(labels) for labels in LABELS]
        self._points: list[list[float]] = []
        self.card: Drawn | None = None
        self._forget_spins()

    def _forget_spins(self) -> None:
        self._shown: list[tuple[Any, tuple[float, ...]]] = []
        self._taken: Any = None
        self.tips: Drawn | None = None
        self._setup: Any = None
        self._end_trials()

    # A person's wishes

    def _steps(self) -> Mapping[str, Step]:
        return {"card": self._at_card, "dials": self._at_dials, "spins": self._at_spins}

    def _at_card(self, verb: str, wish: Mapping[str, Any], now: float) -> bool:
        match verb:
            case "corners":
                self.size_mm = _read_size(wish.get("card_mm", list(self.size_mm)))
                self._corners = read_corners(wish.get("corners"))
                self._place()
            case "find":
                self._find()
            case "turn" if self._corners:
                self._top = (self._top + 1) % 4
                self._place()
            case "clear":
                self.place, self._corners, self._top = None, None, 0
            case "accept" if self.place:
                self.step = "dials"
            case _:
                return False
        return True

    def _at_dials(self, verb: str, wish: Mapping[str, Any], now: float) -> bool:
        match verb:
            case "dials":
                self._points = _read_points(wish.get("points"), 4)
                self._place_dials()
            case "labels":
                self.sectors = [_read_sectors(wish.get(name), name) for name in NAMES]
                if self._points:
                    self._place_dials()
            case "clear":
                self._points, self.card = [], None
            case "accept" if self.card:
                self.step = "spins"
                self._forget_spins()
            case "back":
                self.step = "card"
            case _:
                return False
        return True

    def _at_spins(self, verb: str, wish: Mapping[str, Any], now: float) -> bool:
        match verb:
            case "shoot" if len(self._shown) < MOST_SPINS:
                self.tips = None
                self._shoot(now)
            case "tips" if self.tips:
                points = _read_points(wish.get("points"), len(NAMES))
                self.tips = Drawn(self.tips.what, tuple((x, y) for x, y in points))
            case "accept" if self.card and self.tips:
                self._take_spin(self.card, self.tips, now)
            case "again":
                self._forget_spins()
            case "check" if self._is_learnt():
                self._try()
            case "save" if self._is_learnt():
                self._keep(now)
            case "back":
                self.step = "dials"
            case _:
                return False
        return True

    def _find(self) -> None:
        if self._newest is None:
            raise BadInput(say("the camera gives no picture yet: wait a moment"))
        corners = self._teacher.find_corners(self._newest)
        if corners is None:
            raise BadInput(say("no card is made out: tap its four corners"))
        self._corners = [[float(x), float(y)] for x, y in corners]
        self._place()

    def _place(self) -> None:
        assert self._corners is not None
        self.place = None
        corners = self._corners[self._top :] + self._corners[: self._top]
        self.place = self._teacher.place(self._newest, corners, self.size_mm)
        self.card = None

    def _place_dials(self) -> None:
        assert self.place is not None
        self.card = None
        self.card = self._teacher.dials(self._newest, self.place.what, self._points, self.sectors)

    def _take_spin(self, card: Drawn, tips: Drawn, now: float) -> None:
        spin = (self._taken, self._teacher.angles(card.what, tips.points))
        shown = [*self._shown, spin]
        if any(max(_apart(a, b) for a, b in zip(spin[1], old, strict=True)) < 5 for _, old in self._shown):
            raise BadInput(say("the arrows point where they did before: spin both, then take the picture"))

        def keep(setup: Any) -> None:
            self._shown, self._setup, self.tips = shown, setup, None

        # What is learnt from the first spin finds the arrows in the next.
        setup = self._setup
        words = say("learning the dials and the arrows")
        self._work(words, lambda: self._teacher.learn(card.what, shown, setup), keep, now)

    def _doubt(self) -> Say:
        self._forget_spins()
        return say("then an arrow or a label isn't where it was said: look at the dials again, and show the spins anew")

    def _is_learnt(self) -> bool:
        return len(self._shown) >= SPINS

    def _learnt_setup(self) -> Any:
        return self._setup

    # What the camera sees

    def _shot(self, frames: Sequence[Any], now: float) -> None:
        assert self.card is not None
        card, setup = self.card, self._setup

        def take(found: tuple[Any, Drawn]) -> None:
            self._taken, self.tips = found

        def look() -> tuple[Any, Drawn]:
            frame = self._teacher.check_shot(frames)
            return frame, self._teacher.tips(card.what, frame, setup)

        self._work(say("looking for the arrows"), look, take, now)

    # What the page shows

    def _tell(self) -> dict[str, Any]:
        return {
            "size_mm": self.size_mm,
            "corners": self._corners or [],
            "place": self.place,
            "zoom": _around(self.place.points) if self.place else None,
            "points": self._points,
            "card": self.card,
            "sectors": dict(zip(NAMES, self.sectors, strict=True)),
            "tips": self.tips,
            "shown": len(self._shown),
            "spins": SPINS,
            "may_show": len(self._shown) < MOST_SPINS,
            "learnt": self._is_learnt(),
            "reading": self.reading,
            "rights": self.rights,
            "trials": TRIALS,
        }


def _around(points: Sequence[Point]) -> tuple[float, float, float, float]:
    """Bound points with a margin: left, top, right, bottom."""
    xs, ys = zip(*points, strict=True)
    aside, above = 0.12 * (max(xs) - min(xs)), 0.12 * (max(ys) - min(ys))
    return min(xs) - aside, min(ys) - above, max(xs) + aside, max(ys) + above


def _read_size(value: object) -> Point:
    if isinstance(value, list) and len(value) == 2 and all(is_number(side, 30, 1000) for side in value):
        return float(value[0]), float(value[1])
    raise BadInput(say("a card is 30 to 1000 mm wide and high: enter both"))


def _read_points(value: object, count: int) -> list[list[float]]:
    if not isinstance(value, list) or len(value) != count or not all(is_point(point) for point in value):
        raise BadInput(say("{number} points are expected: tap them in the picture", number=count))
    return [[float(x), float(y)] for x, y in value]


def _read_sectors(value: object, name: str) -> Sectors:
    """Read a dial's ``labels``, words between spaces or commas, and its ``sizes`` in degrees, or nothing for equal."""
    given = value if isinstance(value, Mapping) else {}
    labels, sizes = given.get("labels"), given.get("sizes", "")
    words = tuple(labels.replace(",", " ").split()) if isinstance(labels, str) else ()
    if not 2 <= len(words) <= 24 or len(set(words)) < len(words) or max(map(len, words)) > 12:
        raise BadInput(
            say(
                "a dial has 2 to 24 different labels, clockwise: look at those of dial {dial}",
                dial=NAMES.index(name) + 1,
            )
        )
    if not isinstance(sizes, str) or not sizes.strip():
        return Sectors(words)
    try:
        widths = tuple(float(size) for size in sizes.replace(",", " ").split())
    except ValueError:
        widths = ()
    if len(widths) != len(words) or not all(2 <= width <= 358 for width in widths) or abs(sum(widths) - 360) > 0.5:
        raise BadInput(say("sizes are {number} of 2 degrees or more that make 360, or none", number=len(words)))
    return Sectors(words, widths)


def _apart(one_deg: float, other_deg: float) -> float:
    return abs((one_deg - other_deg + 180) % 360 - 180)
