"""Draws the card: printed once for each place where it lies; its raised arrows, with their shadow, for each picture.

Only the card's part of the picture is kept.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import cv2
import numpy as np

from hardware.virtual.dials import CARD_MM, DIALS, CardLie, DrawnDial, from_middle, turned
from hardware.virtual.light import KEY, SKY, TO_LIGHT, to_bytes
from hardware.virtual.pinhole import Box, Floats, Picture, Pinhole
from hardware.virtual.things import linear

SCALE = 6
"""Pixels a mm of the print."""
THICK_MM = 1.6
ARROW_MM = (2.2, 3.2)
"""Height of an arrow's lower and upper side above the card."""
HUB_MM, HUB_RADIUS_MM = 4.0, 3.6
SHADE = 0.34
"""How much darker, in the camera's bytes, what lies in an arrow's shadow is."""

PAPER, EDGE, INK, RIM = (240, 231, 210), (150, 138, 118), (70, 52, 44), (122, 92, 60)
FILLS = ((233, 190, 160), (243, 222, 160), (190, 214, 178), (168, 202, 214), (206, 186, 216))
PAINT, PAINT_SIDE, BRASS, BRASS_SIDE = (128, 30, 34), (70, 18, 22), (206, 168, 84), (118, 88, 40)
_OUTLINE_MM = np.array(
    [
        *[(0, 33), (5.2, 21.5), (1.7, 23.5), (1.5, -9), (4.4, -15.5)],
        *[(0, -12.5), (-4.4, -15.5), (-1.5, -9), (-1.7, 23.5), (-5.2, 21.5)],
    ],
    np.float32,
)
"""An arrow that points to the card's top, about its pivot."""
_STEP_MM = 0.8
_MOST_STEPS = 16


class CardPicture:
    """Draws the card as a camera sees it."""

    def __init__(self, camera: Pinhole) -> None:
        self._camera = camera
        self._printed: tuple[CardLie, Box, Picture] | None = None

    def lay(self, table: Picture, lies: Sequence[CardLie]) -> Picture:
        """Draw the card on the table's picture.

        Args:
            table: BGR, uint8, shape (H, W, 3); it is not changed.
            lies: how it lay at moments evenly over the exposure.
        """
        first, last = lies[0], lies[-1]
        box, patch = self._print(table, first)
        picture = table.copy()
        left, top, right, bottom = box
        seen = patch.astype(np.float32)
        for index in range(len(DIALS)):
            turns = [lie.angles_deg[index] for lie in lies]
            part = self._dial_box(first, index)
            within = np.s_[part[1] - top : part[3] - top, part[0] - left : part[2] - left]
            seen[within] = self._draw_arrow(seen[within], part, first, index, _between(turns))
        if (first.x_mm, first.y_mm, first.turn_deg) != (last.x_mm, last.y_mm, last.turn_deg):
            seen = np.asarray(cv2.blur(seen, (5, 5)), np.float32)  # it is pushed
        picture[top:bottom, left:right] = np.clip(np.rint(seen), 0, 255).astype(np.uint8)
        return picture

    def _print(self, table: Picture, lie: CardLie) -> tuple[Box, Picture]:
        place = replace(lie, angles_deg=())
        printed = self._printed
        if printed is None or printed[0] != place:
            box = self._box(place)
            self._printed = printed = (place, box, self._draw_print(table, place, box))
        return printed[1:]

    def _corners(self, lie: CardLie, height_mm: float) -> Floats:
        half = np.array(CARD_MM, np.float32) / 2
        ways = np.array([(-1, 1), (1, 1), (1, -1), (-1, -1)], np.float32)
        return self._pixels(lie, np.asarray(ways * half, np.float32), height_mm)

    def corners_px(self, lie: CardLie) -> Floats:
        """Find the corners of the card's upper side, clockwise from its own top-left one, shape (4, 2)."""
        return self._corners(lie, THICK_MM)

    def _pixels(self, lie: CardLie, points_mm: Floats, height_mm: float) -> Floats:
        on_table = lie.on_table(points_mm)
        heights = np.full((len(on_table), 1), height_mm, np.float32)
        return self._camera.project(np.hstack([on_table, heights]))

    def _box(self, lie: CardLie) -> Box:
        """Bound the card, its edge and its shadow in the picture."""
        return self._around(np.concatenate([self._corners(lie, 0.0), self._corners(lie, HUB_MM + THICK_MM)]), 8)

    def _dial_box(self, lie: CardLie, index: int) -> Box:
        """Bound all that an arrow, its shadow and its hub can change in the picture."""
        circle = _circle(DIALS[index].radius_mm) + from_middle(DIALS[index].center_mm)
        levels = [self._pixels(lie, circle, THICK_MM + z) for z in (0.0, HUB_MM)]
        return self._around(np.concatenate(levels), 3)

    def _around(self, points_px: Floats, margin_px: int) -> Box:
        (left, top), (right, bottom) = points_px.min(0) - margin_px, points_px.max(0) + margin_px
        width, height = self._camera.size_wh
        return max(0, int(left)), max(0, int(top)), min(width, int(right) + 1), min(height, int(bottom) + 1)

    def _draw_print(self, table: Picture, lie: CardLie, box: Box) -> Picture:
        left, top, right, bottom = box
        print_ = _paint_card()
        height, width = print_.shape[:2]
        own = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32) - np.float32(0.5)
        # Twice as large and then halved, for smooth edges.
        target = (self._corners(lie, THICK_MM) - np.array((left, top), np.float32)) * 2 + np.float32(0.5)
        across = cv2.getPerspectiveTransform(own, target)
        size = ((right - left) * 2, (bottom - top) * 2)
        big = cv2.warpPerspective(print_, across, size, flags=cv2.INTER_LINEAR)
        cover = cv2.warpPerspective(np.full(print_.shape[:2], 255, np.uint8), across, size)
        half = (right - left, bottom - top)
        seen = cv2.resize(big, half, interpolation=cv2.INTER_AREA).astype(np.float32)
        alpha = cv2.resize(cover, half, interpolation=cv2.INTER_AREA).astype(np.float32)[..., None] / 255
        patch = table[top:bottom, left:right].astype(np.float32)
        fallen = replace(lie, x_mm=lie.x_mm + 1.4, y_mm=lie.y_mm - 0.6)
        patch = _shaded(patch, _mask(box, self._corners(fallen, 0.0)), 2.0)
        patch = _filled(patch, box, [self._corners(lie, z) for z in (0.2, 0.8, 1.4)], EDGE)
        return np.clip(np.rint(patch * (1 - alpha) + seen), 0, 255).astype(np.uint8)

    def _draw_arrow(self, seen: Floats, box: Box, lie: CardLie, index: int, angles_deg: Sequence[float]) -> Floats:
        """Draw one arrow and its hub over a part of the picture, smeared over the angles it had in the exposure."""
        pivot = from_middle(DIALS[index].center_mm)
        fall = TO_LIGHT[:2] / TO_LIGHT[2] * -ARROW_MM[1]
        fallen = replace(lie, x_mm=lie.x_mm + float(fall[0]), y_mm=lie.y_mm + float(fall[1]))
        shade, upper, side = (np.zeros(seen.shape[:2], np.float32) for _ in range(3))
        for angle_deg in angles_deg:
            outline = np.asarray(turned(_OUTLINE_MM, angle_deg) + pivot, np.float32)
            shade += _mask(box, self._pixels(fallen, outline, THICK_MM))
            *below, top = (self._mask_at(box, lie, outline, z) for z in np.linspace(*ARROW_MM, 4))
            upper += top
            side += np.maximum.reduce(below) * (1 - top)
        count = np.float32(len(angles_deg))
        seen = _shaded(seen, shade / count, 1.0)
        upper, side = upper[..., None] / count, side[..., None] / count
        seen = seen * (1 - upper - side) + upper * _lit(PAINT) + side * _lit(PAINT_SIDE)
        circle = np.asarray(_circle(HUB_RADIUS_MM) + pivot, np.float32)
        *post, cap = (self._pixels(lie, circle, THICK_MM + z) for z in np.linspace(0, HUB_MM, 6))
        return _filled(_filled(seen, box, post, BRASS_SIDE), box, [cap], BRASS)

    def _mask_at(self, box: Box, lie: CardLie, outline_mm: Floats, above_mm: float) -> Floats:
        return _mask(box, self._pixels(lie, outline_mm, THICK_MM + above_mm))


def _between(turns_deg: Sequence[float]) -> list[float]:
    """Fill in angles between those of an exposure's first and last moment, so that the moments don't show."""
    sweep = sum((b - a + 180) % 360 - 180 for a, b in pairwise(turns_deg))
    steps = min(1 + int(abs(np.radians(sweep)) * 33 / _STEP_MM), _MOST_STEPS)
    return [turns_deg[0] + sweep * step / max(steps - 1, 1) for step in range(steps)]


def _mask(box: Box, outline_px: Floats) -> Floats:
    """Fill an outline: 0 to 1, shape of the box."""
    left, top, right, bottom = box
    mask = np.zeros((bottom - top, right - left), np.uint8)
    points = np.rint((outline_px - np.array((left, top), np.float32)) * 16).astype(np.int32)
    cv2.fillPoly(mask, [points], (255,), cv2.LINE_AA, 4)
    return np.asarray(mask / np.float32(255), np.float32)


def _shaded(seen: Floats, shadow: Floats, sigma_px: float) -> Floats:
    """Lay a shadow with soft edges; ``shadow`` is 0 to 1."""
    return np.asarray(seen * (1 - SHADE * cv2.GaussianBlur(shadow, (0, 0), sigma_px)[..., None]), np.float32)


def _filled(seen: Floats, box: Box, outlines_px: Sequence[Floats], srgb: tuple[int, int, int]) -> Floats:
    cover = np.maximum.reduce([_mask(box, outline) for outline in outlines_px])[..., None]
    return np.asarray(seen * (1 - cover) + cover * _lit(srgb), np.float32)


def _lit(srgb: tuple[int, int, int]) -> Floats:
    """How the camera sees paint that lies flat in the room's light, BGR, shape (3,)."""
    return to_bytes(linear(srgb) * (KEY * TO_LIGHT[2] + SKY)).astype(np.float32)


def _circle(radius_mm: float) -> Floats:
    angles = np.linspace(0, 2 * np.pi, 33)[:-1]
    return np.asarray(np.column_stack([np.cos(angles), np.sin(angles)]) * radius_mm, np.float32)


def _color(srgb: tuple[int, int, int]) -> tuple[float, float, float]:
    blue, green, red = (float(part) for part in _lit(srgb))
    return blue, green, red


def _paint_card() -> Picture:
    """Paint the bare card from above, as the camera sees its colours, `SCALE` pixels a mm: BGR, uint8."""
    width, height = (round(side * SCALE) for side in CARD_MM)
    picture = np.full((height, width, 3), _lit(PAPER), np.uint8)
    edge = 2 * SCALE
    cv2.rectangle(picture, (edge, edge), (width - edge, height - edge), _color(RIM), SCALE // 2, cv2.LINE_AA)
    font = cv2.FONT_HERSHEY_COMPLEX
    for words, x_mm, y_mm, size in (("VENEZIA", 70, 12, 1.15), ("column", 37, 14, 0.75), ("row", 123, 14, 0.75)):
        cv2.putText(picture, words, (x_mm * SCALE, y_mm * SCALE), font, size, _color(INK), 2, cv2.LINE_AA)
    for dial in DIALS:
        _paint_dial(picture, dial)
    return picture


def _paint_dial(picture: Picture, dial: DrawnDial) -> None:
    middle = (round(dial.center_mm[0] * SCALE), round(dial.center_mm[1] * SCALE))
    radius = round(dial.radius_mm * SCALE)
    wide = 360 / len(dial.sectors)
    for index in range(len(dial.sectors)):
        begin = dial.start_deg + index * wide
        fill = FILLS[index % len(FILLS)]
        # OpenCV counts from three o'clock.
        cv2.ellipse(picture, middle, (radius, radius), -90, begin, begin + wide, _color(fill), -1, cv2.LINE_AA)
    for index, label in enumerate(dial.sectors):
        begin = np.radians(dial.start_deg + index * wide)
        rim = (round(middle[0] + radius * np.sin(begin)), round(middle[1] - radius * np.cos(begin)))
        cv2.line(picture, middle, rim, _color(RIM), 2, cv2.LINE_AA)
        along = begin + np.radians(wide / 2)
        (across, up), _ = cv2.getTextSize(label, cv2.FONT_HERSHEY_DUPLEX, 1.2, 3)
        x = middle[0] + 0.82 * radius * np.sin(along) - across / 2
        y = middle[1] - 0.82 * radius * np.cos(along) + up / 2
        cv2.putText(picture, label, (round(x), round(y)), cv2.FONT_HERSHEY_DUPLEX, 1.2, _color(INK), 3, cv2.LINE_AA)
    cv2.circle(picture, middle, radius, _color(RIM), SCALE // 2, cv2.LINE_AA)
