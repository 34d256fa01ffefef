"""The virtual table's picture: the backdrop, the die or the card where it is, and a hand over it."""

from collections.abc import Sequence

import cv2
import numpy as np

from hardware.virtual.backdrop import box_round, draw_backdrop, lay_paper
from hardware.virtual.card_picture import CardPicture
from hardware.virtual.dials import CardLie
from hardware.virtual.hand import Sticker, draw_hand
from hardware.virtual.light import JITTERS, draw, shadowed, to_bytes
from hardware.virtual.motion import COIN_MM, SIZE_MM, DiePose, HandPose, Scene
from hardware.virtual.pinhole import Box, Floats, Picture, Pinhole
from hardware.virtual.solids import Solid
from hardware.virtual.things import make_coin, make_die


class Stage:
    """Draws scenes; what stays the same from one picture to the next is drawn once."""

    def __init__(self, camera: Pinhole, seed: int) -> None:
        self._camera = camera
        backdrop = draw_backdrop(camera, seed)
        self._bare = to_bytes(backdrop)
        self._clear = self._linear = backdrop.astype(np.float16)  # half as large, and as fine as bytes need
        self.card = CardPicture(camera)
        self._stickers: dict[str, Sticker] = {}
        self._still: tuple[tuple[object, ...], Picture] = ((), self._bare)

    def prepare_hand(self, seat: str) -> Sticker:
        """Draw the hand of a seat unless it is drawn already."""
        if seat not in self._stickers:
            self._stickers[seat] = draw_hand(self._camera, seat)
        return self._stickers[seat]

    def lay_paper(self, paper: Picture | None, size_mm: tuple[float, float]) -> None:
        """Lay a sheet of paper on the table, or take it away; by the thread that draws."""
        table = self._clear.astype(np.float32)
        if paper is not None:
            table = lay_paper(self._camera, table, paper, size_mm)
        self._bare = to_bytes(table)
        self._linear = self._clear if paper is None else table.astype(np.float16)
        self._still = ((), self._bare)

    def picture(self, moments: Sequence[Scene]) -> Picture:
        """Draw what the sensor saw during one exposure.

        Args:
            moments: the scene at ``len(JITTERS)`` moments, evenly over the exposure.

        Returns:
            A picture without noise; it may be kept and must not be written to.
        """
        lies = [moment.card for moment in moments if moment.card is not None]
        picture = self._with_card(lies) if lies else self._with_die([moment.die for moment in moments])
        hands = [moment.hand for moment in moments if moment.hand is not None]
        return self._with_hand(picture, hands[0], hands[-1]) if hands else picture

    def _with_card(self, lies: Sequence[CardLie]) -> Picture:
        key, still = tuple(lies), self._still  # another thread may draw what is shown at set-up
        if key != still[0]:
            self._still = still = (key, self.card.lay(self._bare, lies))
        return still[1]

    def _with_die(self, poses: Sequence[DiePose | None]) -> Picture:
        there = [pose for pose in poses if pose is not None]
        if not there:
            return self._bare
        key = tuple((p.lie, p.centre.tobytes(), p.rotation.tobytes()) for p in there)
        still = self._still
        if key == still[0]:
            return still[1]
        things = [_solids(pose) for pose in there]
        box = left, top, right, bottom = _around([box_round(self._camera, s) for solids in things for s in solids])
        picture = self._bare.copy()
        if right > left:
            table = self._linear[top:bottom, left:right].astype(np.float32)
            there_share = np.float32(len(there) / len(poses))  # it came or went during the exposure
            seen = self._draw(things, table, box) if len(set(key)) > 1 else self._draw_still(things[0], table, box)
            picture[top:bottom, left:right] = to_bytes(table + (seen - table) * there_share)
        self._still = (key, picture)
        return picture

    def _draw_still(self, solids: Sequence[Solid], table: Floats, box: Box) -> Floats:
        """Draw a die at rest, four rays a pixel for smooth edges."""
        under = shadowed(self._camera, solids, table, box)
        drawn = [draw(self._camera, solids, under, box, jitter) for jitter in JITTERS]
        return np.asarray(np.mean(drawn, axis=0), np.float32)

    def _draw(self, things: Sequence[Sequence[Solid]], table: Floats, box: Box) -> Floats:
        """Draw a die that moves, at each moment of the exposure, and blur it so that the moments don't show."""
        under, over, cover = np.zeros_like(table), np.zeros_like(table), np.zeros_like(table)
        for solids, jitter in zip(things, JITTERS, strict=False):
            ground = shadowed(self._camera, solids, table, box, 4)  # a moving shadow is blurred anyway
            drawn = draw(self._camera, solids, ground, box, jitter)
            hit = (drawn != ground).any(-1, keepdims=True)
            under += ground
            over += drawn * hit
            cover += hit
        ends = self._camera.project(np.stack([things[0][-1].centre, things[-1][-1].centre]))
        step_px = float(np.linalg.norm(ends[1] - ends[0])) / len(things)
        if step_px > 0.5:
            over, cover = _blurred(over, 0.4 * step_px), _blurred(cover, 0.4 * step_px)
        count = np.float32(len(things))
        return np.asarray(under / count * (1 - cover / count) + over / count, np.float32)

    def _with_hand(self, picture: Picture, first: HandPose, last: HandPose) -> Picture:
        sticker = self.prepare_hand(last.seat)
        at = np.array([(0, 0, 40), (first.x_mm, first.y_mm, 40), (last.x_mm, last.y_mm, 40)], np.float32)
        middle, begin, end = self._camera.project(at)
        x, y = (float(v) for v in (begin + end) / 2 - middle)
        left, top = sticker.origin[0] + int(np.floor(x)), sticker.origin[1] + int(np.floor(y))
        keep, colour = _placed(sticker, (x % 1, y % 1), (abs(float(end[0] - begin[0])), abs(float(end[1] - begin[1]))))
        height, width = keep.shape[:2]
        x0, y0 = max(left, 0), max(top, 0)
        x1, y1 = min(left + width, picture.shape[1]), min(top + height, picture.shape[0])
        if x0 >= x1 or y0 >= y1:
            return picture
        own = np.s_[y0 - top : y1 - top, x0 - left : x1 - left]
        result = picture.copy()
        under = cv2.multiply(np.ascontiguousarray(picture[y0:y1, x0:x1]), keep[own], scale=1 / 255)
        result[y0:y1, x0:x1] = cv2.add(under, colour[own])
        return result


def _blurred(picture: Floats, sigma_px: float) -> Floats:
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), sigma_px), np.float32)


def _solids(pose: DiePose) -> list[Solid]:
    die = make_die(pose.lie, pose.centre, pose.rotation, SIZE_MM)
    return [die] if pose.coin_xy is None else [make_coin(*pose.coin_xy, height_mm=COIN_MM), die]


def _around(boxes: Sequence[Box]) -> Box:
    seen = [box for box in boxes if box[2] > box[0]]
    if not seen:
        return (0, 0, 0, 0)
    left, top, right, bottom = zip(*seen, strict=True)
    return (min(left), min(top), max(right), max(bottom))


def _placed(sticker: Sticker, shift: tuple[float, float], blur: tuple[float, float]) -> tuple[Picture, Picture]:
    """Shift a sticker by a part of a pixel and blur it along its movement."""
    height, width = sticker.keep.shape[:2]
    move = np.array([[1, 0, shift[0]], [0, 1, shift[1]]], np.float64)
    size = (width, height)
    keep = cv2.warpAffine(sticker.keep, move, size, borderMode=cv2.BORDER_REPLICATE)
    colour = cv2.warpAffine(sticker.colour, move, size, borderMode=cv2.BORDER_REPLICATE)
    window = (max(1, round(blur[0])), max(1, round(blur[1])))
    if window != (1, 1):
        keep, colour = cv2.blur(keep, window), cv2.blur(colour, window)
    return np.asarray(cv2.cvtColor(keep, cv2.COLOR_GRAY2BGR), np.uint8), np.asarray(colour, np.uint8)
