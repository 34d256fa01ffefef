"""The virtual table's picture: the backdrop, the die where it is, and a hand over it."""

from collections.abc import Sequence

import cv2
import numpy as np

from hardware.virtual.backdrop import box_round, draw_backdrop
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
        self._linear = draw_backdrop(camera, seed)
        self._bare = to_bytes(self._linear)
        self._stickers: dict[str, Sticker] = {}
        self._still: tuple[tuple[object, ...], Picture] = ((), self._bare)

    def prepare_hand(self, seat: str) -> Sticker:
        """Draw the hand of a seat unless it is drawn already."""
        if seat not in self._stickers:
            self._stickers[seat] = draw_hand(self._camera, seat)
        return self._stickers[seat]

    def picture(self, moments: Sequence[Scene]) -> Picture:
        """Draw what the sensor saw during one exposure.

        Args:
            moments: the scene at ``len(JITTERS)`` moments, evenly over the exposure.

        Returns:
            A picture without noise; it may be kept and must not be written to.
        """
        picture = self._with_die([moment.die for moment in moments])
        hands = [moment.hand for moment in moments if moment.hand is not None]
        return self._with_hand(picture, hands[0], hands[-1]) if hands else picture

    def _with_die(self, poses: Sequence[DiePose | None]) -> Picture:
        there = [pose for pose in poses if pose is not None]
        if not there:
            return self._bare
        key = tuple((p.lie, p.centre.tobytes(), p.rotation.tobytes()) for p in there)
        if key == self._still[0]:
            return self._still[1]
        things = [_solids(pose) for pose in there]
        box = left, top, right, bottom = _around([box_round(self._camera, s) for solids in things for s in solids])
        picture = self._bare.copy()
        if right > left:
            table = self._linear[top:bottom, left:right]
            seen = np.mean(self._draw(things, table, box, still=len(set(key)) == 1), axis=0, dtype=np.float32)
            ends = self._camera.project(np.stack([there[0].centre, there[-1].centre]))
            share = np.float32(len(there) / len(poses))  # it came or went during the exposure
            picture[top:bottom, left:right] = to_bytes(table + _smeared(seen - table, ends) * share)
        self._still = (key, picture)
        return picture

    def _draw(self, things: Sequence[list[Solid]], table: Floats, box: Box, *, still: bool) -> list[Floats]:
        """Draw the die at each moment of the exposure; the edges of a still one are smoothed all the same."""
        if still:
            under = shadowed(self._camera, things[0], table, box)
            return [draw(self._camera, things[0], under, box, jitter) for jitter in JITTERS]
        # A moving shadow is blurred anyway.
        return [
            draw(self._camera, solids, shadowed(self._camera, solids, table, box, 4), box, jitter)
            for solids, jitter in zip(things, JITTERS, strict=False)
        ]

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


def _smeared(added: Floats, ends: Floats) -> Floats:
    """Hide that a moving thing was drawn at a few moments only: blur what it adds to the table by half a step."""
    step = float(np.linalg.norm(ends[1] - ends[0])) / (len(JITTERS) - 1)
    return added if step < 0.5 else np.asarray(cv2.GaussianBlur(added, (0, 0), 0.4 * step), np.float32)


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
    return np.asarray(keep, np.uint8), np.asarray(colour, np.uint8)
