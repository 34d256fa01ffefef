"""Finds a card that was moved on the table since set-up.

The camera and the table stay, so the card has three ways to move: it is shifted along two axes and turned. Where
it is roughly known, the picture of the bare card is pulled onto what is seen by Gauss-Newton steps on its
landmarks, the places where it changes most (S. Baker and I. Matthews, "Lucas-Kanade 20 Years On", IJCV 56, 2004,
inverse compositional). Where it is not, a coarse picture of the card, turned in steps, is tried all over the table
seen from above.
"""

from collections.abc import Generator, Iterable
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np

from vision.bare import PX_PER_MM, to_picture
from vision.card import Card, Shift, move_plane, pivot_mm
from vision.frames import FloatArray, Frame
from vision.plane import Plane, to_table
from vision.polar import sample, through

_CELL_PX = 20
_MARKS_PER_CELL = 3
_INSET_MM = 1.5
_RIM = (0.96, 1.1)
"""Landmarks on a dial lie on its rim, in radii from the pivot: an arrow hides what is further in."""
_COARSE_BLUR_MM, _FINE_BLUR_MM = 1.6, 0.3
_TRIAL_MM = 3.0
"""How large a pixel of the table seen from above is when a card is looked for all over it."""
_TRIAL_REACH_MM = 400.0
_TRIAL_MEDIAN = 5
_TRIAL_TURNS = 60
_TRIALS = 6
_TURNS_A_STEP = 2
_SETTLED_MM = 0.02
_ALIKE = 0.5
_SAME_PLACE_MM = 6.0


@dataclass(frozen=True, slots=True)
class Landmarks:
    """Places of the bare card by which it is found.

    Attributes:
        points_mm: X, Y in the plane's axes, shape (N, 2).
        values: grey, 0 to 255, shape (N,).
        slopes: how each value changes as the card is turned (counter-clockwise, per radian) and shifted (along X
            and Y, per mm), shape (N, 3).
    """

    points_mm: FloatArray
    values: FloatArray
    slopes: FloatArray


@dataclass(frozen=True, slots=True)
class Sighting:
    """A card as it was seen: where it lies, and how well its landmarks agree, at best 1 (correlation)."""

    shift: Shift
    agreement: float


@dataclass(frozen=True)
class CardLook:
    """The bare card, ready to be looked for.

    Attributes:
        card: the card.
        picture: from `vision.bare.learn_bare`.
        plane: the camera's pose over the card at set-up.
    """

    card: Card
    picture: Frame
    plane: Plane

    def moved(self, shift: Shift) -> "CardLook":
        """Give the same card where it was moved to; what its picture alone tells is not worked out again."""
        other = replace(self, plane=move_plane(self.plane, shift))
        vars(other).update(fine=self.fine, coarse=self.coarse, is_alike_upside_down=self.is_alike_upside_down)
        return other

    @cached_property
    def fine(self) -> Landmarks:
        """Landmarks for the last step."""
        return _choose_landmarks(self.card, self.picture, _FINE_BLUR_MM)

    @cached_property
    def coarse(self) -> Landmarks:
        """Landmarks of the blurred card, which pull from further away."""
        return _choose_landmarks(self.card, self.picture, _COARSE_BLUR_MM)

    @cached_property
    def is_alike_upside_down(self) -> bool:
        """Whether the landmarks, seen on the card turned by half, would still agree somewhat."""
        grey = cv2.GaussianBlur(self.picture, (0, 0), _FINE_BLUR_MM * PX_PER_MM)
        turned = sample(grey.astype(np.float32), to_picture(self.card, -self.fine.points_mm)[None])[0].mean(axis=-1)
        return float(np.corrcoef(self.fine.values, turned)[0, 1]) > _ALIKE


def follow(look: CardLook, frame: Frame, start: Shift, *, coarse: bool = False, steps: int = 12) -> Sighting:
    """Pull the card from a place onto what is seen.

    Args:
        look: the card.
        frame: the picture; for ``coarse`` as `blurred` gives it.
        start: where it roughly lies.
        coarse: pull by the blurred card, from up to some 4 mm away.
        steps: how many at most.
    """
    marks = look.coarse if coarse else look.fine
    shift = start
    for _ in range(steps):
        agreement, pulled = pull(look, frame, shift, marks)
        if distance_mm(look.card, pulled, shift) < _SETTLED_MM:
            return Sighting(shift, agreement)
        shift = pulled
    return Sighting(shift, pull(look, frame, shift, marks)[0])


def pull(look: CardLook, frame: Frame, shift: Shift, marks: Landmarks, *, heeded: float = 0.5) -> tuple[float, Shift]:
    """Compare the card at a place with what is seen, and give the agreement there and a better place.

    Args:
        look: the card.
        frame: the picture; for the coarse landmarks as `blurred` gives it.
        shift: the place.
        marks: by which to compare.
        heeded: which share of the landmarks is heeded whatever they say. Half of them find the way even if a hand
            hides the rest. Whether the card lies still takes more: half the edges don't tell a shift along them.
    """
    error, weights, agreement = _compare(look, frame, marks, shift, heeded)
    pulled = marks.slopes * weights[:, None]
    held = 1e-3 * np.eye(3)  # a card without edges stays where it is
    turn, x_mm, y_mm = np.linalg.solve(pulled.T @ marks.slopes + held, pulled.T @ error)
    return agreement, _without(shift, float(turn), np.array([x_mm, y_mm]))


def search(look: CardLook, frame: Frame) -> list[Sighting]:
    """Look for the card all over the table.

    Args:
        look: the card.
        frame: the picture.

    Returns:
        Places where it may lie, each at least some mm or degrees from the others, the most agreeing first.
    """
    steps = searching(look, frame)
    while True:
        try:
            next(steps)
        except StopIteration as done:
            found: list[Sighting] = done.value
            return found


def searching(look: CardLook, frame: Frame) -> Generator[None, None, list[Sighting]]:
    """Look for the card as `search` does, in small steps: some dozens, between which a camera can be looked after."""
    soft = blurred(look, frame)
    yield
    starts = yield from _try_everywhere(look, soft)
    found: list[Sighting] = []
    for start in starts:
        yield
        pulled = follow(look, soft, start, coarse=True)
        found.append(follow(look, frame, pulled.shift))
    found.sort(key=lambda sighting: -sighting.agreement)
    kept = _apart(look.card, (sighting.shift for sighting in found), len(found))
    return [next(sighting for sighting in found if sighting.shift is shift) for shift in kept]


def disc_mismatch(look: CardLook, frame: Frame, shift: Shift) -> float:
    """Say by how many levels the dials' discs differ in colour from the bare card's, did it lie at a place.

    Rims and frames of a card may look the same upside down; the sectors' colours and labels do not.
    """
    angles = np.arange(0, 2 * np.pi, np.pi / 60)
    ways = np.stack((np.sin(angles), np.cos(angles)), axis=-1)
    steps = np.linspace(0.3, 0.9, 10)[:, None, None]
    points = np.concatenate([pivot_mm(look.card, dial) + steps * dial.radius_mm * ways for dial in look.card.dials])
    seen = sample(frame, through(move_plane(look.plane, shift).homography, points))
    known = sample(look.picture, to_picture(look.card, points))
    gain = np.median((seen + 1) / (known + 1), axis=(0, 1))
    # Arrows and their shadows differ anywhere, and so much that they would drown the rest.
    return float(np.minimum(np.abs(seen / gain - known).max(axis=-1), 40).mean())


def blurred(look: CardLook, frame: Frame) -> Frame:
    """Blur a frame as the coarse landmarks are blurred."""
    middle = through(look.plane.homography, np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]))
    px_per_mm = float(np.linalg.norm(middle[1:] - middle[0], axis=1).mean())
    return np.asarray(cv2.GaussianBlur(frame, (0, 0), _COARSE_BLUR_MM * px_per_mm), dtype=np.uint8)


def _choose_landmarks(card: Card, picture: Frame, blur_mm: float) -> Landmarks:
    grey = cv2.GaussianBlur(picture, (0, 0), blur_mm * PX_PER_MM).astype(np.float64).mean(axis=-1)
    down, across = np.gradient(grey)
    strength = np.hypot(down, across)
    rows, columns = np.indices(grey.shape)
    width, height = card.size_mm
    x_mm, y_mm = (columns + 0.5) / PX_PER_MM - width / 2, height / 2 - (rows + 0.5) / PX_PER_MM
    strength[(np.abs(x_mm) > width / 2 - _INSET_MM) | (np.abs(y_mm) > height / 2 - _INSET_MM)] = 0
    for dial in card.dials:
        pivot = pivot_mm(card, dial)
        strength[np.hypot(x_mm - pivot[0], y_mm - pivot[1]) < _RIM[0] * dial.radius_mm] = 0
    cells_down, cells_across = (size // _CELL_PX for size in grey.shape)
    index = np.arange(grey.size).reshape(grey.shape)[: cells_down * _CELL_PX, : cells_across * _CELL_PX]
    # The strongest places of each cell, so that one bold title does not outvote the rest of the card.
    index = index.reshape(cells_down, _CELL_PX, cells_across, _CELL_PX).swapaxes(1, 2).reshape(-1, _CELL_PX**2)
    best = np.argsort(strength.ravel()[index], axis=1)[:, -_MARKS_PER_CELL:]
    chosen = np.take_along_axis(index, best, axis=1).ravel()
    chosen = chosen[strength.ravel()[chosen] > 0]
    x, y, along, up = (values.ravel()[chosen] for values in (x_mm, y_mm, across * PX_PER_MM, -down * PX_PER_MM))
    return Landmarks(np.column_stack((x, y)), grey.ravel()[chosen], np.column_stack((up * x - along * y, along, up)))


def _compare(
    look: CardLook, frame: Frame, marks: Landmarks, shift: Shift, heeded: float
) -> tuple[FloatArray, FloatArray, float]:
    """Compare the landmarks with what is seen: differences, their weights, and the agreement."""
    points_px = through(move_plane(look.plane, shift).homography, marks.points_mm)
    seen = cv2.transform(sample(frame, points_px[None]), np.full((1, 3), 1 / 3))[0].astype(np.float64)
    weights = np.ones(len(seen))
    known = marks.values
    agreement, error = 0.0, np.zeros(len(seen))
    for _ in range(2):
        total = weights.sum()
        seen_off, known_off = seen - weights @ seen / total, known - weights @ known / total
        cross, power = weights @ (seen_off * known_off), weights @ known_off**2
        agreement = float(cross / np.sqrt(max(power * (weights @ seen_off**2), 1e-9)))
        # The light's gain is fitted too; it can't be negative, however wrong the place.
        error = seen_off / max(cross / max(power, 1e-9), 0.2) - known_off
        spread = 1.5 * float(np.sort(np.abs(error))[int(heeded * (len(error) - 1))]) + 2
        weights = 1 / (1 + (error / (2 * spread)) ** 2) ** 2
    return error, weights, agreement


def _without(shift: Shift, turn: float, way: FloatArray) -> Shift:
    """Undo, in the card's own axes, a small turn (counter-clockwise, radians) and way by which it seems off."""
    before, back = np.radians(-shift.turn_deg), -turn
    angle = before + back
    turned = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    moved = np.array([shift.x_mm, shift.y_mm]) - turned @ way
    return Shift(float(-np.degrees(angle)), float(moved[0]), float(moved[1]))


def distance_mm(card: Card, one: Shift, other: Shift) -> float:
    """Tell how far apart two places of the card are: its middle's way and its rim's turn."""
    turn = abs((one.turn_deg - other.turn_deg + 180) % 360 - 180)
    return float(np.hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm) + np.radians(turn) * max(card.size_mm) / 2)


def _apart(card: Card, shifts: Iterable[Shift], most: int) -> list[Shift]:
    """Keep the first of those places that are nearly the same."""
    kept: list[Shift] = []
    for shift in shifts:
        if len(kept) < most and all(distance_mm(card, shift, other) > _SAME_PLACE_MM for other in kept):
            kept.append(shift)
    return kept


def _try_everywhere(look: CardLook, frame: Frame) -> Generator[None, None, list[Shift]]:
    """Give, after some steps, the likeliest places of the card on the table seen from above, whatever its turn."""
    height, width = frame.shape[:2]
    rim = np.array([[x, y] for x in (0, width / 2, width - 1) for y in (0, height / 2, height - 1)])
    seen_mm = np.clip(to_table(look.plane, rim), -_TRIAL_REACH_MM, _TRIAL_REACH_MM)
    # Beyond the horizon there is no table: NaN.
    left, low = np.nanmin(seen_mm, axis=0)
    right, high = np.nanmax(seen_mm, axis=0)
    grid = np.stack(np.meshgrid(np.arange(left, right, _TRIAL_MM), np.arange(high, low, -_TRIAL_MM)), axis=-1)
    # The median drops the arrows, wherever they point, and leaves the discs.
    table = cv2.medianBlur(sample(frame, through(look.plane.homography, grid)).astype(np.uint8), _TRIAL_MEDIAN)
    soft = np.asarray(cv2.GaussianBlur(look.picture, (0, 0), _COARSE_BLUR_MM * PX_PER_MM), dtype=np.uint8)
    # A square that lies within the card however it is turned.
    half = min(look.card.size_mm) / 2 / np.sqrt(2)
    steps = np.arange(-half, half, _TRIAL_MM) + _TRIAL_MM / 2
    square = np.stack(np.meshgrid(steps, -steps), axis=-1)
    # The first tells the pattern whatever the light, the second a plain card by its colour.
    trials: tuple[list[tuple[float, Shift]], list[tuple[float, Shift]]] = ([], [])
    for turn in range(_TRIAL_TURNS):
        if turn % _TURNS_A_STEP == 0:
            yield
        turn_deg = turn * 360 / _TRIAL_TURNS
        angle = np.radians(turn_deg)
        # The card, turned clockwise, shows at a place what it has at that place turned back.
        back = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        piece = cv2.medianBlur(sample(soft, to_picture(look.card, square @ back.T)).astype(np.uint8), _TRIAL_MEDIAN)
        if table.shape[0] < piece.shape[0] or table.shape[1] < piece.shape[1]:
            return []
        for method, kind in enumerate((cv2.TM_CCOEFF_NORMED, cv2.TM_CCORR_NORMED)):
            _, best, _, (column, row) = cv2.minMaxLoc(cv2.matchTemplate(table, piece, kind))
            middle = grid[row, column] - square[0, 0]
            trials[method].append((best, Shift(float(turn_deg), float(middle[0]), float(middle[1]))))
    chosen: list[Shift] = []
    for tried in trials:
        tried.sort(key=lambda trial: -trial[0])
        chosen += _apart(look.card, (shift for _, shift in tried), _TRIALS)
    return chosen
