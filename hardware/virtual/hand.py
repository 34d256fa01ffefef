"""A player's hand, drawn once for each seat and then moved about as a sticker with its shadow."""

from dataclasses import dataclass

import cv2
import numpy as np

from hardware.virtual.light import ground_share, shade, to_bytes
from hardware.virtual.pinhole import Box, Floats, Picture, Pinhole
from hardware.virtual.solids import Solid, capsule, march, melted
from hardware.virtual.things import linear

TURN_DEG = {"S": 0.0, "W": -90.0, "N": 180.0, "E": 90.0}
"""How far a hand is turned (anticlockwise from above) to reach in from each side."""

SKIN = (222, 168, 138)
NAIL = (236, 190, 170)
SLEEVE = (62, 78, 108)
SLEEVE_MM = -172.0
"""Behind this (mm before the die) the arm wears a sleeve."""

# A right hand that reaches north over a die at the origin, fingertips down behind it. Joints in mm.
_FINGERS = (
    # knuckle, middle joint, tip, radii at knuckle, joint and tip
    ((-27, -14, 52), (-25, 13, 53), (-19, 27, 24), (9.5, 8.4, 6.6)),
    ((-8, -9, 57), (-7, 21, 58), (-5, 35, 24), (9.8, 8.8, 6.9)),
    ((11, -12, 55), (12, 16, 56), (10, 31, 24), (9.5, 8.4, 6.7)),
    ((29, -22, 48), (31, 1, 50), (26, 17, 24), (8.6, 7.4, 6.0)),
)
_THUMB = ((-34, -62, 44), (-48, -32, 38), (-33, -8, 20), (12.0, 9.8, 7.6))
_WRIST = (2, -100, 54)
_ELBOW = (26, -470, 96)


@dataclass(frozen=True, eq=False)
class Sticker:
    """A drawn hand.

    Laid over a picture it gives ``picture * keep / 255 + colour``.

    Attributes:
        colour: the hand, BGR, uint8, shape (height, width, 3), 0 where it is not.
        keep: how much of the picture below is seen, uint8, 0 under the hand, less than 255 in its shadow, shape
            (height, width).
        origin: where its top-left pixel belongs when the hand is over the table's origin.
    """

    colour: Picture
    keep: Picture
    origin: tuple[int, int]


def make_hand(seat: str) -> Solid:
    """Make the hand that reaches in from a side of the table, over the origin."""
    c, s = np.cos(np.radians(TURN_DEG[seat])), np.sin(np.radians(TURN_DEG[seat]))
    turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]], np.float32)
    palm = [(np.array(joints[0], np.float32), joints[3][0]) for joints in _FINGERS]
    wrist, elbow = np.array(_WRIST, np.float32), np.array(_ELBOW, np.float32)

    def distance(points: Floats) -> Floats:
        own = points @ turn
        near = own[:, 1] > -170
        found = capsule(own, (wrist, elbow), (22.0, 34.0))
        sleeve = np.maximum(capsule(own, (wrist, elbow), (28.0, 44.0)), own[:, 1] - SLEEVE_MM)
        found = np.minimum(found, sleeve)
        if near.any():
            found[near] = melted(found[near], _hand_distance(own[near], palm, wrist), 14.0)
        return np.asarray(found, np.float32)

    def colour(points: Floats) -> Floats:
        own = points @ turn
        mottled = 1 + 0.04 * np.sin(own[:, 0] * 0.31 + own[:, 1] * 0.17) * np.sin(own[:, 1] * 0.23 + own[:, 2] * 0.2)
        skin = linear(SKIN) * mottled[:, None]
        for _, joint, tip, radii in _FINGERS:
            at = np.array(tip, np.float32) * 0.86 + np.array(joint, np.float32) * 0.14
            nail = at + np.array([0, radii[2] * 0.95, 1.5], np.float32)
            close = np.exp(-((((own - nail) / np.array([3.6, 3.0, 4.6], np.float32)) ** 2).sum(-1) ** 3))
            skin = skin * (1 - close[:, None]) + linear(NAIL) * close[:, None]
            knuckle = np.exp(-((own - np.array(joint, np.float32)) ** 2).sum(-1) / 90)
            skin = skin * (1 - 0.10 * knuckle[:, None] * np.array([1.4, 1.2, 0.6], np.float32))
        woven = 1 + 0.08 * np.sin(own[:, 0] * 3.1) * np.sin(own[:, 1] * 3.1)
        sleeve = linear(SLEEVE) * woven[:, None]
        return np.asarray(np.where(own[:, 1:2] < SLEEVE_MM + 0.2, sleeve, skin), np.float32)

    centre = np.array([6, -150, 60], np.float32)
    return Solid(distance, colour, np.asarray(turn @ centre, np.float32), 275.0, gloss=0.22, soft=1.0)


def _hand_distance(own: Floats, palm: list[tuple[Floats, float]], wrist: Floats) -> Floats:
    """Distance to fingers, thumb and palm, on the hand's own axes."""
    back = capsule(own, (palm[0][0], wrist), (palm[0][1] + 2, 20.0))
    for knuckle, radius in palm[1:]:
        back = melted(back, capsule(own, (knuckle, wrist), (radius + 2, 20.0)), 11.0)
    found = back
    for joints in (*_FINGERS, _THUMB):
        start, middle, tip = (np.array(joint, np.float32) for joint in joints[:3])
        finger = melted(
            capsule(own, (start, middle), (joints[3][0], joints[3][1])),
            capsule(own, (middle, tip), (joints[3][1], joints[3][2])),
            2.5,
        )
        found = melted(found, finger, 6.0)
    return found


def draw_hand(camera: Pinhole, seat: str) -> Sticker:
    """Draw the hand of a seat over the table's origin."""
    solid = make_hand(seat)
    box = _box(camera)
    rays = camera.rays(box, 2)
    rows, columns = rays.shape[:2]
    flat = rays.reshape(-1, 3)
    far = march(solid, camera.position, flat, steps=60)
    seen = np.flatnonzero(np.isfinite(far))
    points = camera.position + flat[seen] * far[seen, None]
    colour = np.zeros((rows * columns, 3), np.float32)
    colour[seen] = shade(solid, [solid], points, flat[seen]) if seen.size else 0
    # Spread the colours outwards before they are enlarged, so that no dark rim appears.
    cover = np.isfinite(far).astype(np.float32).reshape(rows, columns)
    picture = to_bytes(colour).reshape(rows, columns, 3).astype(np.float32)
    weight = cv2.GaussianBlur(cover, (0, 0), 1.2)
    spread = cv2.GaussianBlur(picture * cover[..., None], (0, 0), 1.2) / np.maximum(weight, 0.02)[..., None]
    picture = np.where(cover[..., None] > 0, picture, spread)
    size = (columns * 2, rows * 2)
    alpha = np.clip(cv2.resize(cv2.GaussianBlur(cover, (0, 0), 0.7), size, interpolation=cv2.INTER_CUBIC), 0, 1)
    big = np.clip(cv2.resize(picture, size, interpolation=cv2.INTER_CUBIC), 0, 255) * alpha[..., None]
    shadow = cv2.resize(_shadow(camera, solid, box), size, interpolation=cv2.INTER_LINEAR)
    return _cropped(Sticker(_as_bytes(big), _as_bytes((1 - alpha) * shadow * 255), box[:2]))


def _as_bytes(values: Floats) -> Picture:
    return np.asarray(np.clip(np.round(values), 0, 255), np.uint8)


def _shadow(camera: Pinhole, solid: Solid, box: Box) -> Floats:
    rays = camera.rays(box, 8)
    ground = camera.position + rays * (-camera.position[2] / rays[..., 2:])
    share = ground_share([solid], ground.reshape(-1, 3)).mean(-1).reshape(rays.shape[:2])
    share = np.clip(share * np.float32(1.02), 0, 1)  # nothing faint and far, so that the sticker stays small
    return np.asarray(share ** (1 / 2.2), np.float32)


def _box(camera: Pinhole) -> Box:
    width, height = camera.size_wh
    margin = width // 5 // 8 * 8
    return (-margin, -margin, width + margin, height + margin)


def _cropped(sticker: Sticker) -> Sticker:
    changed = sticker.keep < 253
    rows, columns = np.flatnonzero(changed.any(1)), np.flatnonzero(changed.any(0))
    left, top = max(int(columns[0]) - 1, 0), max(int(rows[0]) - 1, 0)
    window = np.s_[top : rows[-1] + 2, left : columns[-1] + 2]
    colour, keep = np.ascontiguousarray(sticker.colour[window]), np.ascontiguousarray(sticker.keep[window])
    return Sticker(colour, keep, (sticker.origin[0] + left, sticker.origin[1] + top))
