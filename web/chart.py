"""The chart of scores over an evening, drawn on the server as numbers for an SVG."""

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 640, 260
LEFT, RIGHT, TOP, BOTTOM = 40, 56, 16, 32


@dataclass(frozen=True, slots=True)
class Line:
    """One seat's line.

    Attributes:
        seat: whose.
        points: as SVG's ``points``: a step for each change of the score.
        end_xy: where the line ends, for its label.
        label_y: where the label stands, so that labels don't cover each other.
        score: the last score.
    """

    seat: str
    points: str
    end_xy: tuple[float, float]
    label_y: float
    score: int


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart in its own coordinates, `WIDTH` by `HEIGHT`.

    Attributes:
        lines: one for each seat.
        marks: height and text of the lines across.
        events: how many events the chart tells.
    """

    lines: tuple[Line, ...]
    marks: tuple[tuple[float, int], ...]
    events: int
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    bottom: int = HEIGHT - BOTTOM


def draw_chart(scores: Mapping[str, Sequence[int]]) -> Chart | None:
    """Lay out the scores; None when there is nothing to draw yet."""
    events = max((len(values) for values in scores.values()), default=1) - 1
    if events < 1:
        return None
    low = min(0, *(min(values) for values in scores.values()))
    best = max(max(values) for values in scores.values())
    step = _step(best - low)
    high = low + step * max(1, -(-(best - low) // step))

    def x(index: int) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * index / events, 1)

    def y(score: float) -> float:
        return round(HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (score - low) / (high - low), 1)

    ends = _apart({seat: y(values[-1]) for seat, values in scores.items()})
    lines = tuple(
        Line(seat, _steps(values, x, y), (x(events), y(values[-1])), ends[seat], values[-1])
        for seat, values in scores.items()
    )
    return Chart(lines, tuple((y(mark), mark) for mark in range(low, high + 1, step)), events)


def _step(span: int) -> int:
    """A round distance that gives some four to eight lines across."""
    step = 1
    for factor in (1, 2, 5, 10, 20, 50, 100, 200, 500):
        step = factor
        if span <= factor * 6:
            break
    return step


def _steps(values: Sequence[int], x: Callable[[int], float], y: Callable[[float], float]) -> str:
    """A line that stays level until the score changes."""
    points = [(x(0), y(values[0]))]
    for index, (before, now) in enumerate(itertools.pairwise(values), start=1):
        if now != before:
            points += [(x(index), y(before)), (x(index), y(now))]
    points.append((x(len(values) - 1), y(values[-1])))
    return " ".join(f"{across},{down}" for across, down in points)


def _apart(wanted: Mapping[str, float], least: float = 18) -> dict[str, float]:
    """Push labels apart, from the top down."""
    placed: dict[str, float] = {}
    last = float("-inf")
    for seat, height in sorted(wanted.items(), key=lambda item: item[1]):
        last = max(height, last + least)
        placed[seat] = last
    return placed
