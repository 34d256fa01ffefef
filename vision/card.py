"""The spinner's card: its size, its dials and their sectors, and where it lies before the camera.

The card's own measures are in mm from its top-left corner, x right, y down, as a person measures them. The
plane's world axes (see `vision.plane`) have their origin in the middle of the card: X right, Y towards the
card's top, Z up. Angles are in degrees clockwise from the card's top.
"""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import cos, isfinite, radians, sin

import cv2
import numpy as np

from companion.errors import BadInput
from companion.text import say
from vision.frames import FloatArray
from vision.plane import CORNERS, Plane, find_plane

NEAR_BORDER_DEG = 3.0
"""An arrow this near to a sector's line may belong to the neighbour: a person decides."""


@dataclass(frozen=True, slots=True)
class Dial:
    """One dial of the card.

    Attributes:
        name: what readings call it.
        center_mm: the arrow's pivot, from the card's top-left corner.
        radius_mm: of the printed disc.
        labels: what is printed in the sectors, clockwise.
        start_deg: where the first sector begins.
        sizes_deg: how wide each sector is; they add up to 360.
    """

    name: str
    center_mm: tuple[float, float]
    radius_mm: float
    labels: tuple[str, ...]
    start_deg: float
    sizes_deg: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Card:
    """A card with its dials; ``size_mm`` is its width and height."""

    size_mm: tuple[float, float]
    dials: tuple[Dial, ...]


@dataclass(frozen=True, slots=True)
class Shift:
    """How a card lies elsewhere than at set-up: turned clockwise about its middle, then shifted, in its old axes."""

    turn_deg: float = 0.0
    x_mm: float = 0.0
    y_mm: float = 0.0


def find_sector(dial: Dial, angle_deg: float) -> tuple[int, int | None]:
    """Find the sector under an arrow, and the neighbour when the line to it is within `NEAR_BORDER_DEG`.

    Rule: venezia, "line_band".
    """
    into = (angle_deg - dial.start_deg) % 360.0
    ends = list(accumulate(dial.sizes_deg))
    count = len(ends)
    sector = min(bisect_right(ends, into), count - 1)
    behind, ahead = into - (ends[sector] - dial.sizes_deg[sector]), ends[sector] - into
    if min(behind, ahead) > NEAR_BORDER_DEG or count == 1:
        return sector, None
    return sector, (sector - 1 if behind < ahead else sector + 1) % count


def pivot_mm(card: Card, dial: Dial) -> FloatArray:
    """Give the dial's pivot in the plane's axes, mm, shape (2,)."""
    return np.array([dial.center_mm[0] - card.size_mm[0] / 2, card.size_mm[1] / 2 - dial.center_mm[1]])


def place_card(size_wh: tuple[int, int], intrinsics: FloatArray, card: Card, corners_px: object) -> Plane:
    """Find the camera's pose over a card from the card's corners.

    Args:
        size_wh: width and height of the pictures in pixels.
        intrinsics: K, float64, shape (3, 3).
        card: its size in mm.
        corners_px: four [x, y], clockwise from the card's own top-left corner.

    Raises:
        BadInput: the corners don't make such a card.
    """
    try:
        corners = np.array(corners_px, dtype=np.float64)
    except (TypeError, ValueError):
        corners = np.zeros(0)
    if corners.shape != (4, 2) or not np.isfinite(corners).all():
        raise BadInput(f"card_px is {corners_px!r}; expected four [x, y], clockwise from the card's top-left corner")
    # A plane is found from a square; of an oblong card it is the square in its middle.
    oblong, side = np.array(card.size_mm) / 2, min(card.size_mm)
    ways = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]], dtype=np.float64)
    shape = cv2.getPerspectiveTransform((ways * oblong).astype(np.float32), corners.astype(np.float32))
    square = np.asarray(cv2.perspectiveTransform((ways * side / 2)[None], shape))[0]
    try:
        return find_plane(size_wh, intrinsics, dict(zip(CORNERS, square, strict=True)), side)
    except BadInput as error:
        width, height = (f"{size:g}" for size in card.size_mm)
        raise BadInput(
            say(
                "the corners don't make a card of {width} x {height} mm: tap them again, clockwise from the "
                "card's own top-left one",
                width=width, height=height,
            )
        ) from error  # fmt: skip


def move_plane(plane: Plane, shift: Shift) -> Plane:
    """Give the camera's pose over a card that was moved on the table."""
    angle = radians(-shift.turn_deg)
    turn = np.array([[cos(angle), -sin(angle), 0], [sin(angle), cos(angle), 0], [0, 0, 1]])
    way = np.array([shift.x_mm, shift.y_mm, 0])
    return Plane(plane.size_wh, plane.intrinsics, plane.rotation @ turn, plane.rotation @ way + plane.shift)


def read_card(values: Mapping[str, object]) -> Card:
    """Check a card's description, as in FRAMES.json.

    Args:
        values: ``card_mm`` (a side, or width and height) and ``dials``, each with ``name``, ``center_mm``,
            ``radius_mm``, ``labels``, ``start_deg`` and, where the sectors differ, ``sizes_deg``.

    Raises:
        BadInput: a value is missing or no card can have it.
    """
    size = values.get("card_mm")
    sides = [size, size] if isinstance(size, int | float) else size
    width, height = _numbers(sides, 2, "card_mm")
    if min(width, height) <= 0:
        raise BadInput(f"card_mm is {size!r}; expected the card's side, or its width and height, in mm above 0")
    dials = values.get("dials")
    if not isinstance(dials, list) or not dials:
        raise BadInput(f"dials is {dials!r}; expected a list of one dial or more")
    card = Card((width, height), tuple(_read_dial(dial, f"dials[{i}]") for i, dial in enumerate(dials)))
    names = [dial.name for dial in card.dials]
    if len(set(names)) < len(names):
        raise BadInput(f"the dials are called {names}; expected each name once")
    for dial in card.dials:
        if any(not 0 < c < s for c, s in zip(dial.center_mm, card.size_mm, strict=True)):
            raise BadInput(f"the pivot of dial {dial.name!r} is at {list(dial.center_mm)} mm; expected it on the card")
    return card


def _read_dial(values: object, where: str) -> Dial:
    if not isinstance(values, Mapping):
        raise BadInput(f"{where} is {values!r}; expected an object with name, center_mm, radius_mm, labels, start_deg")
    labels = values.get("labels")
    if not isinstance(labels, list) or len(labels) < 2 or not all(isinstance(x, str | int) for x in labels):
        raise BadInput(f"{where} labels is {labels!r}; expected the sectors' labels, two or more, clockwise")
    if len({str(x) for x in labels}) < len(labels):
        raise BadInput(f"{where} labels is {labels!r}; expected each label once")
    name = values.get("name")
    if not isinstance(name, str) or not name:
        raise BadInput(f"{where} name is {name!r}; expected a word such as 'number'")
    center = _numbers(values.get("center_mm"), 2, f"{where} center_mm")
    (radius,) = _numbers([values.get("radius_mm")], 1, f"{where} radius_mm")
    if radius <= 0:
        raise BadInput(f"{where} radius_mm is {radius:g}; expected the disc's radius in mm, above 0")
    (start,) = _numbers([values.get("start_deg", 0.0)], 1, f"{where} start_deg")
    sizes = values.get("sizes_deg")
    widths = (
        _numbers(sizes, len(labels), f"{where} sizes_deg") if sizes is not None else (360 / len(labels),) * len(labels)
    )
    if min(widths) <= 0 or abs(sum(widths) - 360) > 0.5:
        raise BadInput(f"{where} sizes_deg add up to {sum(widths):g}; expected widths above 0 that make 360 degrees")
    return Dial(name, (center[0], center[1]), radius, tuple(str(x) for x in labels), start, widths)


def _numbers(values: object, count: int, what: str) -> tuple[float, ...]:
    if (
        not isinstance(values, Sequence)
        or isinstance(values, str)
        or len(values) != count
        or any(isinstance(v, bool) or not isinstance(v, int | float) or not isfinite(v) for v in values)
    ):
        expected = "a number" if count == 1 else f"{count} numbers"
        raise BadInput(f"{what} is {values!r}; expected {expected}")
    return tuple(float(v) for v in values)
