"""Draws a spinner's card as a camera sees it: two dials with raised arrows that cast shadows."""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.card import Card, pivot_mm, place_card, read_card
from vision.plane import project

SIZE_WH = (1280, 720)
INTRINSICS = np.array([[940.0, 0, 639.5], [0, 940.0, 359.5], [0, 0, 1]])
CORNERS_PX = [[430, 170], [830, 190], [880, 560], [360, 530]]
SCALE = 10
FILLS = [(180, 200, 250), (190, 240, 200), (250, 215, 185), (210, 190, 245), (170, 235, 240), (235, 240, 180)]


@dataclass(frozen=True)
class Look:
    """How the arrows are drawn."""

    color: tuple = (40, 45, 200)
    height_mm: float = 2.5
    head_mm: float = 17.0
    tail_mm: float = 8.0
    shadow_mm: tuple = (1.2, -1.0)


def dials():
    return [
        {"name": "number", "center_mm": [26.5, 51.5], "radius_mm": 21.5, "labels": list("123456"), "start_deg": 0.0},
        {
            "name": "letter",
            "center_mm": [73.5, 51.5],
            "radius_mm": 21.5,
            "labels": list("ABCDEFGH"),
            "start_deg": -22.5,
        },
    ]


def card() -> Card:
    return read_card({"card_mm": 100.0, "dials": dials()})


def plane(corners_px=None):
    return place_card(SIZE_WH, INTRINSICS, card(), CORNERS_PX if corners_px is None else corners_px)


def draw_print() -> np.ndarray:
    """The bare card from straight above, SCALE pixels a mm."""
    drawn = card()
    side = round(drawn.size_mm[0] * SCALE)
    picture = np.full((side, side, 3), (215, 225, 232), np.uint8)
    cv2.rectangle(picture, (30, 30), (side - 30, side - 30), (70, 60, 60), 5)
    cv2.putText(picture, "VENTO", (330, 160), cv2.FONT_HERSHEY_TRIPLEX, 2.6, (30, 30, 30), 6, cv2.LINE_AA)
    for dial in drawn.dials:
        middle = tuple(round(v * SCALE) for v in dial.center_mm)
        radius = round(dial.radius_mm * SCALE)
        begin = dial.start_deg
        for index, size in enumerate(dial.sizes_deg):
            fill = FILLS[(index + len(dial.sizes_deg)) % len(FILLS)]
            # OpenCV counts from three o'clock.
            cv2.ellipse(picture, middle, (radius, radius), -90, begin, begin + size, fill, -1, cv2.LINE_AA)
            edge = np.radians(begin)
            end = (round(middle[0] + radius * np.sin(edge)), round(middle[1] - radius * np.cos(edge)))
            cv2.line(picture, middle, end, (120, 120, 120), 3, cv2.LINE_AA)
            angle = np.radians(begin + size / 2)
            at = (
                round(middle[0] + 0.75 * radius * np.sin(angle) - 14),
                round(middle[1] - 0.75 * radius * np.cos(angle) + 14),
            )
            cv2.putText(picture, dial.labels[index], at, cv2.FONT_HERSHEY_DUPLEX, 1.3, (50, 50, 50), 3, cv2.LINE_AA)
            begin += size
        cv2.circle(picture, middle, radius, (90, 90, 90), 3, cv2.LINE_AA)
    return picture


def arrow_mm(look: Look) -> np.ndarray:
    """The arrow's outline, pointing along Y."""
    head, tail = look.head_mm, look.tail_mm
    right = [(1.1, -tail + 2), (2.3, -tail), (2.3, -tail + 3.2), (1.1, -tail + 4)]
    right = [(0.0, -tail + 1), *right, (1.1, head - 6), (3.4, head - 6), (0.0, head)]
    return np.array(right + [(-x, y) for x, y in reversed(right[1:-1])])


def draw(angles_deg, *, look=None, at=None, table=(60, 90, 70)) -> np.ndarray:
    """A frame of the card with its arrows at angles; `at` is the camera's plane over the card."""
    look, at, drawn = look or Look(), at or plane(), card()
    fine = 2
    shape = (SIZE_WH[1] * fine, SIZE_WH[0] * fine, 3)
    zoom = np.array([[fine, 0, (fine - 1) / 2], [0, fine, (fine - 1) / 2], [0, 0, 1]])
    width, height = drawn.size_mm
    print_to_mm = np.array([[1 / SCALE, 0, -width / 2], [0, -1 / SCALE, height / 2], [0, 0, 1]])
    frame = np.full(shape, table, np.uint8)
    cv2.warpPerspective(
        draw_print(), zoom @ at.homography @ print_to_mm, shape[1::-1], frame, cv2.INTER_AREA, cv2.BORDER_TRANSPARENT
    )
    for dial, angle_deg in zip(drawn.dials, angles_deg, strict=True):
        angle = np.radians(-angle_deg)
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        outline = arrow_mm(look) @ turn.T + pivot_mm(drawn, dial)
        shade = np.ones(shape[:2], np.float32)
        _fill(shade, at, outline + look.shadow_mm, 0.62)
        frame = (frame * cv2.GaussianBlur(shade, (0, 0), 3)[..., None]).astype(np.uint8)
        _fill(frame, at, outline, look.color, height_mm=look.height_mm)
    frame = cv2.resize(frame, SIZE_WH, interpolation=cv2.INTER_AREA)
    noise = np.random.default_rng(7).normal(0, 2.0, frame.shape)
    return np.clip(frame + noise, 0, 255).astype(np.uint8)


def draw_spinning(angles_deg, blur_deg=24.0, **options) -> np.ndarray:
    """A frame in which the first arrow turns by `blur_deg` during the exposure."""
    first, *others = angles_deg
    steps = np.linspace(first - blur_deg / 2, first + blur_deg / 2, 13)
    return np.mean([draw((step, *others), **options) for step in steps], axis=0).astype(np.uint8)


def _fill(picture, at, outline_mm, color, *, height_mm=0.0):
    fine = picture.shape[1] // SIZE_WH[0]
    points = project(at, np.column_stack((outline_mm, np.full(len(outline_mm), height_mm))))
    pixels = np.rint((points * fine + (fine - 1) / 2) * 16).astype(np.int32)
    cv2.fillPoly(picture, [pixels], color, cv2.LINE_AA, 4)
