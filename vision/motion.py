"""Where the picture changes, looked at coarsely: cheap enough for every frame.

The watching plane is the capture's grey one, about 320 wide. A pixel counts as changed when it
differs from the plane that it is compared with by more than the sensor's noise explains, both as it is and after
the brightness round it has been made equal: so flicker, also in bands, a drifting exposure and a lamp that
brightens everything are no change, while the edge of a hand or of a die is.
"""

from dataclasses import dataclass, replace
from math import sqrt

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Box, Capture

Plane8 = NDArray[np.uint8]
"""A watching plane: one channel, uint8, shape (h, w)."""

QUIETEST = 0.7
"""The least noise believed, in grey levels: what rounding to whole levels hides."""

_ROUND = 17
"""How far round a pixel brightness is made equal, in pixels of the plane: a small die and its border."""

_STRAY = 8
"""So many spots may differ by chance."""

_FIVE = np.ones((5, 5), np.uint8)

_REWIND = np.int16(2**14)


@dataclass(frozen=True, slots=True)
class Change:
    """What differs between two planes.

    Attributes:
        pixels: how many differ by more than noise and light.
        size: how many there are.
        at_border: whether that reaches the border of the picture.
        everywhere: whether most of the picture differs in brightness: the light, not a thing.
    """

    pixels: int
    size: int
    at_border: bool = False
    everywhere: bool = False

    @property
    def is_any(self) -> bool:
        """Whether it is worth looking at: as large as a die far off."""
        return self.pixels >= _least(self.size)

    @property
    def is_hand(self) -> bool:
        """Whether a hand makes it: it is larger than a die in the air or comes in over the border."""
        return not self.everywhere and self.is_any and (self.at_border or self.pixels > self.size // 40)


@dataclass(frozen=True, slots=True, eq=False)
class Motion:
    """What is remembered of movement.

    Attributes:
        frame: how many frames have come, less one.
        scale_wh: how many pixels of the whole picture one of the plane stands for, across and down.
        against: the plane that the next frame is compared with: the last one with a change.
        rough: by how much more than smooth places its pixels may differ, in grey levels, uint8.
        latest: the plane of the last frame.
        changed_at: for each pixel of the plane the number of the frame that changed it last, int16.
        change: what the last frame changed.
        noise: standard deviation of one pixel between two looks at the same thing, in grey levels.
    """

    frame: int
    scale_wh: tuple[float, float]
    against: Plane8
    rough: Plane8
    latest: Plane8
    changed_at: NDArray[np.int16]
    change: Change
    noise: float

    def came_to_rest(self, frames: int) -> bool:
        """Tell whether something has, with the last frame, been still for exactly so many frames."""
        return int(np.count_nonzero(self.changed_at == self.frame - frames + 1)) >= _least(self.latest.size)

    def is_still(self, frames: int) -> bool:
        """Tell whether nothing anywhere has changed for so many frames."""
        return int(np.count_nonzero(self.changed_at > self.frame - frames + 1)) < _least(self.latest.size)

    def has_changed_in(self, box: Box, frames: int) -> bool:
        """Tell whether a fifth of a box, in pixels of the whole picture, has changed within the last so many frames."""
        across, down = self.scale_wh
        left, right = (int(edge // across) for edge in box[::2])
        top, bottom = (int(edge // down) for edge in box[1::2])
        part = self.changed_at[top : bottom + 1, left : right + 1]
        return 5 * int(np.count_nonzero(part > self.frame - frames)) >= part.size


def begin(capture: Capture) -> Motion:
    """Start with the first capture; everything counts as changed by it."""
    plane = np.ascontiguousarray(capture.grey)
    height, width = plane.shape
    scale_wh = round(capture.size_wh[0] / width, 2), round(capture.size_wh[1] / height, 2)
    everything = Change(plane.size, plane.size, everywhere=True)
    return Motion(0, scale_wh, plane, _roughness(plane), plane, np.zeros(plane.shape, np.int16), everything, QUIETEST)


def follow(motion: Motion, capture: Capture) -> Motion:
    """Take in the next capture.

    Args:
        motion: what the captures before it left.
        capture: of the same size as those.

    Returns:
        What is remembered now. ``noise`` follows what more than half of the picture shows, slowly, so that
        a hand in the picture doesn't raise it.
    """
    plane = np.ascontiguousarray(capture.grey)
    number, changed_at = motion.frame + 1, motion.changed_at
    if number > _REWIND:  # numbers stay within int16: the past moves back, only differences count
        changed_at = np.maximum(changed_at, -_REWIND) - _REWIND
        number -= int(_REWIND)
    noise, nothing = _noise(motion, plane), Change(0, plane.size)
    calm = replace(motion, frame=number, latest=plane, changed_at=changed_at, change=nothing, noise=noise)
    if not _may_differ(calm, plane):
        return calm
    change, mask = _differ(calm.against, plane, calm)
    changed_at = np.where(mask, np.int16(number), changed_at)
    return replace(calm, against=plane, rough=_roughness(plane), changed_at=changed_at, change=change)


def change_since(motion: Motion, before: Plane8) -> Change:
    """Tell what differs between an earlier plane and the last."""
    return _differ(before, motion.latest, motion)[0]


def _noise(motion: Motion, plane: Plane8) -> float:
    """Measure the noise from what half of the pixels differ by; the first two frames set it, later ones adjust it."""
    levels = (
        cv2.calcHist([cv2.absdiff(motion.latest[::2, ::2], plane[::2, ::2])], [0], None, [256], [0, 256])
        .ravel()
        .cumsum()
    )
    half = float(levels[-1]) / 2
    level = int(np.searchsorted(levels, half))
    below = float(levels[level - 1]) if level else 0.0
    # Whole levels are spread evenly over half a level to both sides; the lowest has one side only.
    median = max(0.0, level - 0.5) + (1.0 if level else 0.5) * (half - below) / (float(levels[level]) - below)
    measured = max(QUIETEST, median / 0.6745 / sqrt(2))
    return measured if motion.frame == 0 else motion.noise + (measured - motion.noise) / 8


def _may_differ(motion: Motion, plane: Plane8) -> bool:
    """The quick look: do more spots of 3 x 3 pixels differ by more than noise than stray ones do?"""
    over = cv2.subtract(cv2.blur(cv2.absdiff(motion.against, plane), (3, 3)), motion.rough)
    return int(np.count_nonzero(over > _limit(motion.noise))) > _STRAY


def _differ(before: Plane8, after: Plane8, motion: Motion) -> tuple[Change, NDArray[np.bool_]]:
    """Mark the pixels that differ both as they are and with the brightness round them made equal."""
    was, now = before.astype(np.float32), after.astype(np.float32)
    ratio = (cv2.blur(now, (_ROUND, _ROUND)) + 4) / (cv2.blur(was, (_ROUND, _ROUND)) + 4)
    levelled = cv2.blur(np.abs(now - was * ratio), (3, 3))
    plain = cv2.blur(np.abs(now - was), (3, 3))
    # Bright pixels are noisier than dark ones and a change of light is never quite even: a share of the brightness too.
    limit = _limit(motion.noise) + motion.rough + 0.02 * now
    brighter = plain > limit
    mask = np.asarray(brighter & (levelled > limit))
    border = sum(int(np.count_nonzero(edge)) for edge in (mask[0], mask[-1], mask[:, 0], mask[:, -1]))
    everywhere = 2 * int(np.count_nonzero(brighter)) > mask.size
    return Change(int(np.count_nonzero(mask)), mask.size, border >= 3, everywhere), mask


def _least(size: int) -> int:
    return max(4, size // 2000)


def _roughness(plane: Plane8) -> Plane8:
    """Where neighbours differ much, JPEG and a trembling table make more than the sensor's noise."""
    return np.asarray(cv2.morphologyEx(plane, cv2.MORPH_GRADIENT, _FIVE) // 20, dtype=np.uint8)


def _limit(noise: float) -> float:
    """The mean difference over 3 x 3 pixels that noise alone doesn't reach.

    Differences have a mean of 1.13 noise, their mean over nine pixels a deviation of 0.28 noise, more where
    a JPEG has tied neighbours together.
    """
    return 3.0 * noise + 1.0
