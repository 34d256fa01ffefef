"""The lesson's teacher about the card: what `companion.teaching.card` asks for, seen with `vision`."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import atan2, degrees, hypot
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.capture import capture_of
from companion.cli.teach_die import check_still
from companion.errors import BadInput
from companion.files import read_json_object
from companion.inputs import SpinnerReading, Status
from companion.teaching.card import NAMES, Drawn, Sectors
from companion.teaching.lesson import order_clockwise
from companion.text import say
from vision.bare import TYPICAL_HEIGHT_MM
from vision.card import Card, pivot_mm, place_card, read_card
from vision.card_fit import fit_to_rims
from vision.card_watch import CardSeen, watching_card
from vision.frames import FloatArray, Frame
from vision.needle import find_needle
from vision.plane import Plane, project, read_intrinsics, to_table
from vision.quad import find_quad
from vision.sheet import TAPPED_PX, place
from vision.spinner import SpinnerSetup, learn_spinner, read_spinner
from vision.spinner_file import save_spinner

MOST_MISFIT = 5.0
TIP_SHARE = 0.75
"""Where a proposed tip is drawn, as a share of the disc's radius."""

LOOK_PX_A_MM = 5.0
MOST_REFINED_DEG = 6.0
"""A finger's tap is off by less."""


@dataclass(frozen=True)
class PlacedCard:
    """A card with its dials, as the camera sees it."""

    card: Card
    plane: Plane


class VisionCardTeacher:
    """Teaches the card; see `companion.teaching.card.CardTeacher`.

    Args:
        file: where the set-up is written.
        die_file: the die's set-up, which knows the camera when there is one.
    """

    def __init__(self, file: Path, die_file: Path) -> None:
        self._file, self._die_file = file, die_file

    def find_corners(self, frame: Frame) -> list[list[float]] | None:
        """Find four corners of something like a card."""
        found = find_quad(frame)
        return None if found is None else order_clockwise(found.tolist())

    def place(self, frame: Frame | None, corners: Sequence[Sequence[float]], size_mm: tuple[float, float]) -> Drawn:
        """Place the card by its corners, clockwise from its own top-left one."""
        if frame is None:
            raise BadInput(say("the camera gives no picture yet: wait a moment"))
        half = np.array(size_mm) / 2
        points_mm = half * np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]])
        points_px = np.array(corners, dtype=np.float64)
        found = place(self._camera(frame), points_mm, points_px, min(size_mm), TAPPED_PX)
        size_wh = (int(frame.shape[1]), int(frame.shape[0]))
        plane = place_card(size_wh, read_intrinsics(found.camera), Card(size_mm, ()), corners)
        doubt = None
        if found.misfit > MOST_MISFIT:
            doubt = say("the corners don't suit a card of that size: measure it again, or tap them more exactly")
        top = project(plane, [0.0, float(half[1]) * 0.86, 0.0])
        edges = [(_point(points_px[at]), _point(points_px[(at + 1) % 4])) for at in range(4)]
        return Drawn(
            (plane, size_mm), tuple(_point(p) for p in points_px), tuple(edges), (("top", _point(top)),), doubt
        )

    def dials(self, frame: Frame, place: Any, points: Sequence[Sequence[float]], sectors: Sequence[Sectors]) -> Drawn:
        """Place the dials: of each its pivot, and the point of its rim where the first sector begins."""
        plane, size_mm = place
        on_card = to_table(plane, points)
        described = []
        for index, (name, each) in enumerate(zip(NAMES, sectors, strict=True)):
            pivot, rim = on_card[2 * index], on_card[2 * index + 1]
            across, up = float(rim[0] - pivot[0]), float(rim[1] - pivot[1])
            if not 5 <= hypot(across, up) <= max(size_mm):
                raise BadInput(
                    say(
                        "a rim of {number} mm can't be: tap middle and rim of dial {dial} again",
                        number=round(hypot(across, up)), dial=index + 1,
                    )
                )  # fmt: skip
            described.append(
                {
                    "name": name,
                    "center_mm": [float(pivot[0]) + size_mm[0] / 2, size_mm[1] / 2 - float(pivot[1])],
                    "radius_mm": hypot(across, up),
                    "labels": list(each.labels),
                    "start_deg": degrees(atan2(across, up)) % 360,
                    "sizes_deg": None if each.sizes_deg is None else list(each.sizes_deg),
                }
            )
        card = read_card({"card_mm": list(size_mm), "dials": described})
        fitted = PlacedCard(card, fit_to_rims(plane, card, frame))
        return Drawn(fitted, tuple(_point(point) for point in points), *_draw_dials(fitted))

    def check_shot(self, frames: Sequence[Frame]) -> Frame:
        """Take a picture in which nothing moves."""
        check_still(frames)
        return frames[-1]

    def tips(self, card: PlacedCard, frame: Frame, setup: SpinnerSetup | None) -> Drawn:
        """Propose where the arrows' tips are: read by what was learnt, or as lines from the pivots."""
        reading = read_spinner(frame, setup) if setup else None
        known = {dial.name: dial.angle_deg for dial in reading.dials} if reading else {}
        points = []
        for index, dial in enumerate(card.card.dials):
            angle = known.get(dial.name)
            if angle is None:
                angle = find_needle(*_look_at(card, index, frame)) or 0.0
            points.append(_on_dial(card, index, angle, TIP_SHARE * dial.radius_mm))
        return Drawn(None, tuple(points))

    def angles(self, card: PlacedCard, tips: Sequence[Sequence[float]]) -> tuple[float, ...]:
        """Tell where arrows with these tips point."""
        above = to_table(card.plane, tips, TYPICAL_HEIGHT_MM)
        away = [tip - pivot_mm(card.card, dial) for tip, dial in zip(above, card.card.dials, strict=True)]
        if min(hypot(float(x), float(y)) for x, y in away) < 3:
            raise BadInput(say("a tip is on its pivot: drag it to the arrow's end"))
        return tuple(degrees(atan2(float(x), float(y))) % 360 for x, y in away)

    def learn(
        self, card: PlacedCard, shown: Sequence[tuple[Frame, tuple[float, ...]]], setup: SpinnerSetup | None
    ) -> SpinnerSetup:
        """Learn the bare dials and the arrows; what was learnt before reads angles better than a finger taps them."""
        pictures = [(frame, angles if setup is None else _refine(frame, angles, setup)) for frame, angles in shown]
        return learn_spinner(card.card, card.plane, pictures)

    def watch(self, setup: SpinnerSetup, on_reading: Callable[[SpinnerReading], None]) -> Callable[[Frame], None]:
        """Watch for spins with what was learnt."""

        def on_seen(seen: CardSeen) -> None:
            if seen.reading is not None:
                on_reading(seen.reading)

        step, _ = watching_card(setup, on_seen)
        return lambda frame: step(capture_of(frame))

    def save(self, setup: SpinnerSetup) -> None:
        """Write the set-up."""
        self._file.parent.mkdir(parents=True, exist_ok=True)
        save_spinner(setup, self._file)

    def _camera(self, frame: Frame) -> Mapping[str, Any]:
        """Describe the camera; how wide it sees is known from the die's set-up, made with the same camera."""
        plain = {"width": int(frame.shape[1]), "height": int(frame.shape[0])}
        try:
            known = read_json_object(self._die_file).get("camera")
        except BadInput:
            return plain
        if not isinstance(known, dict) or any(known.get(side) != value for side, value in plain.items()):
            return plain
        return known


def _refine(frame: Frame, angles: tuple[float, ...], setup: SpinnerSetup) -> tuple[float, ...]:
    """Take the angles that are read for those that were tapped, where they agree about as well as a finger taps."""
    reading = read_spinner(frame, setup)
    if reading is None or reading.status is not Status.READ:
        return angles
    return tuple(
        dial.angle_deg if abs((dial.angle_deg - tapped + 180) % 360 - 180) < MOST_REFINED_DEG else tapped
        for dial, tapped in zip(reading.dials, angles, strict=True)
    )


def _look_at(card: PlacedCard, index: int, frame: Frame) -> tuple[Frame, tuple[float, float]]:
    """See a dial from straight above, at the arrow's usual level, the card's top up; and where its pivot is there."""
    dial = card.card.dials[index]
    side = round(2 * dial.radius_mm * LOOK_PX_A_MM)
    x, y = pivot_mm(card.card, dial)
    r = dial.radius_mm
    corners = np.array([(x - r, y + r), (x + r, y + r), (x + r, y - r), (x - r, y - r)])
    seen = project(card.plane, np.column_stack((corners, np.full(4, TYPICAL_HEIGHT_MM))))
    own = np.array([(0, 0), (side, 0), (side, side), (0, side)], np.float32)
    across = cv2.getPerspectiveTransform(seen.astype(np.float32), own)
    return np.asarray(cv2.warpPerspective(frame, across, (side, side)), np.uint8), (side / 2, side / 2)


def _on_dial(card: PlacedCard, index: int, angle_deg: float, away_mm: float) -> tuple[float, float]:
    x, y = pivot_mm(card.card, card.card.dials[index])
    angle = np.radians(angle_deg)
    at = [x + away_mm * np.sin(angle), y + away_mm * np.cos(angle), TYPICAL_HEIGHT_MM]
    return _point(project(card.plane, at))


def _draw_dials(card: PlacedCard) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """Draw rims, sector lines and labels."""
    lines: list[tuple[tuple[float, float], tuple[float, float]]] = []
    words = []
    for dial in card.card.dials:
        middle = pivot_mm(card.card, dial)
        rim = [_around(middle, dial.radius_mm, angle) for angle in range(0, 361, 10)]
        starts = dial.start_deg + np.concatenate([[0.0], np.cumsum(dial.sizes_deg)[:-1]])
        ends = list(pairwise(rim))
        ends += [(_around(middle, 0.25 * dial.radius_mm, a), _around(middle, dial.radius_mm, a)) for a in starts]
        lines += [(_point(a), _point(b)) for a, b in project(card.plane, np.array(ends))]
        for label, start, size in zip(dial.labels, starts, dial.sizes_deg, strict=True):
            at = project(card.plane, np.array(_around(middle, 1.13 * dial.radius_mm, start + size / 2)))
            words.append((label, _point(at)))
    return tuple(lines), tuple(words)


def _around(middle: FloatArray, away_mm: float, angle_deg: float) -> tuple[float, float, float]:
    angle = np.radians(angle_deg)
    return float(middle[0] + away_mm * np.sin(angle)), float(middle[1] + away_mm * np.cos(angle)), 0.0


def _point(pixel: Any) -> tuple[float, float]:
    return round(float(pixel[0]), 1), round(float(pixel[1]), 1)
