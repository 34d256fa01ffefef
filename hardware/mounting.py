"""How a camera hangs and how it exposes, whichever camera it is."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from companion.capture import Box
from hardware.camera import Camera, Frame, WholeFrames


@dataclass(frozen=True, slots=True)
class Exposure:
    """What automatic exposure and white balance settled on.

    Attributes:
        time_us: exposure time in microseconds.
        gain: analogue gain.
        colour_gains: of red and blue.
    """

    time_us: int
    gain: float
    colour_gains: tuple[float, float]

    def is_in(self, metadata: Mapping[str, Any]) -> bool:
        """Whether a picture was taken so, by its own data; sensors round time and gain to what they can do."""
        seen = exposure_of(metadata)
        return seen is not None and self.is_like(seen)

    def is_like(self, other: "Exposure") -> bool:
        """Whether another exposure is the same but for rounding."""
        pairs = [(self.gain, other.gain), *zip(self.colour_gains, other.colour_gains, strict=True)]
        return abs(self.time_us - other.time_us) <= 50 + 0.02 * self.time_us and all(
            abs(mine - its) <= 0.05 * mine for mine, its in pairs
        )


def exposure_of(metadata: Mapping[str, Any]) -> Exposure | None:
    """Tell how a picture was taken, by its own data; None where the camera doesn't say."""
    if not {"ExposureTime", "AnalogueGain", "ColourGains"} <= metadata.keys():
        return None
    red, blue = metadata["ColourGains"]
    return Exposure(int(metadata["ExposureTime"]), float(metadata["AnalogueGain"]), (float(red), float(blue)))


@dataclass(frozen=True, slots=True)
class Adjustment:
    """How the camera hangs and is set.

    Attributes:
        upside_down: turned by 180 degrees.
        mirrored: seen in a mirror: left and right are swapped.
        focus_m: distance from the lens to the table in metres, for cameras that can focus.
        exposure: used from the first frame on, as when the table was set up; None lets it settle, then freezes it.
    """

    upside_down: bool = False
    mirrored: bool = False
    focus_m: float = 0.5
    exposure: Exposure | None = None

    def upright(self, frame: Frame) -> Frame:
        """Turn a picture (BGR, uint8) the right way up."""
        if self.upside_down and self.mirrored:
            return np.asarray(cv2.flip(frame, 0), np.uint8)
        if self.upside_down:
            return np.asarray(cv2.rotate(frame, cv2.ROTATE_180), np.uint8)
        return np.asarray(cv2.flip(frame, 1), np.uint8) if self.mirrored else frame

    def upright_grey(self, plane: Frame) -> Frame:
        """View a grey plane (uint8, shape (h, w)) the right way up, without a copy."""
        across = -1 if self.upside_down != self.mirrored else 1
        return plane[:: -1 if self.upside_down else 1, ::across]

    def in_camera(self, box: Box, size_wh: tuple[int, int]) -> Box:
        """Tell where the camera itself sees what is in a box of the upright picture."""
        left, top, right, bottom = box
        width, height = size_wh
        if self.upside_down:
            top, bottom = height - bottom, height - top
        if self.upside_down != self.mirrored:
            left, right = width - right, width - left
        return left, top, right, bottom


class Upright(WholeFrames):
    """Another camera (see `hardware.camera.Camera`) whose pictures are turned the right way up."""

    def __init__(self, camera: Camera, adjustment: Adjustment) -> None:
        self._camera, self._adjustment = camera, adjustment

    @property
    def size_wh(self) -> tuple[int, int]:
        """Width and height; half a turn and a mirror keep them."""
        return self._camera.size_wh

    def read(self) -> Frame:
        """Wait for the next frame."""
        return self._adjustment.upright(self._camera.read())

    def close(self) -> None:
        """Let the device go."""
        self._camera.close()

    def describe(self) -> str:
        """Name the camera."""
        return self._camera.describe()
