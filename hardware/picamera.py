"""The Raspberry Pi's own camera, through picamera2.

Only the thread that reads touches picamera2; `close` asks that thread to let go. Opening, reading NV12, closing and
opening again were tried on picamera2 0.3.38 with the virtual camera of libcamera 0.4. Not yet seen on a Pi: freezing
exposure and colours, focus, and the RGB888 that a real camera gives.
"""

import logging
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from hardware.busy import who_has
from hardware.camera import Camera, CameraError, Frame
from hardware.formats import bgr_from

FIRST_FRAME_S = 5.0
"""A camera that gives no picture for so long is lost."""

SLICE_S = 0.25
"""How often a wait for a picture looks whether it should end."""

SETTLE_FRAMES = 30
"""Automatic exposure and white balance get so many frames before they are frozen."""

CONFIRM_FRAMES = 20
"""Controls lag by some frames: within so many the pictures' own data must confirm what was set."""

_log = logging.getLogger(__name__)


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
        time_us, gain = metadata.get("ExposureTime", 0), metadata.get("AnalogueGain", 0.0)
        return bool(
            abs(time_us - self.time_us) <= 50 + 0.02 * self.time_us and abs(gain - self.gain) <= 0.05 * self.gain
        )


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


class Upright:
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


class PiCamera:
    """A camera (see `hardware.camera.Camera`) on the Pi's camera connector.

    Args:
        size_wh: width and height to ask for; what the camera gives is in `size_wh`.
        fps: frames a second.
        adjustment: how it hangs and is set.
        on_frozen: told what was frozen, once the pictures confirm it, so that it can be kept with the set-up.
        make: picamera2's ``Picamera2`` unless a test brings another.
        clock: seconds that never go back.

    Raises:
        CameraError: no picamera2, no camera, or another program has it.
    """

    def __init__(
        self,
        size_wh: tuple[int, int] = (1280, 720),
        fps: float = 15,
        adjustment: Adjustment | None = None,
        *,
        on_frozen: Callable[[Exposure], object] = lambda exposure: None,
        make: Callable[[], Any] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._adjustment = adjustment or Adjustment()
        self._clock = clock
        self._stop = threading.Event()
        self._reading = threading.Lock()
        self._frames = self._unconfirmed = 0
        self._on_frozen = on_frozen
        self.exposure = self._adjustment.exposure
        """What is frozen, to be kept with the set-up; None while it settles or if the camera has no such controls."""
        self._device: Any = _open(make)
        try:
            self._start(size_wh, fps)
        except Exception as error:  # libcamera and picamera2 raise whatever they like
            self.close()
            raise CameraError(f"the Pi's camera can't be started ({error}): check its cable, then restart") from error

    @property
    def size_wh(self) -> tuple[int, int]:
        """The size that the camera really gives."""
        return self._size_wh

    def read(self) -> Frame:
        """Wait for the next frame."""
        with self._reading:
            if self._stop.is_set():
                self._let_go()
                raise CameraError("the camera was closed")
            try:
                buffer = self._wait_for(self._device.capture_buffer("main", wait=False))
                frame = bgr_from(np.asarray(buffer, np.uint8), self._format, self._size_wh, self._stride)
                self._frames += 1
                if self.exposure is None and self._frames == SETTLE_FRAMES:
                    self._freeze()
                elif self.exposure is not None and self._unconfirmed:
                    self._confirm(self.exposure)
            except CameraError:
                raise
            except Exception as error:
                raise CameraError(f"the Pi's camera failed ({error})") from error
            finally:
                if self._stop.is_set():
                    self._let_go()
        return self._adjustment.upright(frame)

    def close(self) -> None:
        """Let the camera go, at the latest when the `read` under way ends (a quarter of a second)."""
        self._stop.set()
        if self._reading.acquire(blocking=False):
            try:
                self._let_go()
            finally:
                self._reading.release()

    def describe(self) -> str:
        """Name the sensor, size and format."""
        return f"Pi camera {self._model}, {self._size_wh[0]} x {self._size_wh[1]}, {self._format}"

    def _start(self, size_wh: tuple[int, int], fps: float) -> None:
        duration_us = round(1e6 / fps)
        wanted = self._device.create_video_configuration(
            main={"size": size_wh, "format": "RGB888"},
            controls={"FrameDurationLimits": (duration_us, duration_us)},
            buffer_count=4,
            queue=False,
        )
        self._device.configure(wanted)
        given = self._device.camera_configuration()["main"]  # may differ from what was asked for
        self._format, self._stride = str(given["format"]), int(given["stride"])
        self._size_wh = (int(given["size"][0]), int(given["size"][1]))
        self._model = str(self._device.camera_properties.get("Model", "unknown"))
        self._device.start()
        self._set(AfMode=0, LensPosition=1 / self._adjustment.focus_m)  # 0 is manual; dioptres
        if self.exposure is not None:
            self._expose(self.exposure)

    def _set(self, **controls: object) -> None:
        """Set those controls that this camera has; others would raise."""
        known = {name: value for name, value in controls.items() if name in self._device.camera_controls}
        if known:
            self._device.set_controls(known)

    def _freeze(self) -> None:
        """Keep exposure, gain and colour gains as they have settled, so that colours mean the same all evening."""
        seen = self._wait_for(self._device.capture_metadata(wait=False))
        if {"ExposureTime", "AnalogueGain", "ColourGains"} <= seen.keys():
            red, blue = seen["ColourGains"]
            self.exposure = Exposure(int(seen["ExposureTime"]), float(seen["AnalogueGain"]), (float(red), float(blue)))
            self._expose(self.exposure)

    def _expose(self, exposure: Exposure) -> None:
        self._set(
            AeEnable=False,
            AwbEnable=False,
            ExposureTime=exposure.time_us,
            AnalogueGain=exposure.gain,
            ColourGains=exposure.colour_gains,
        )

        self._unconfirmed = CONFIRM_FRAMES if "ExposureTime" in self._device.camera_controls else 0

    def _confirm(self, exposure: Exposure) -> None:
        """Look in a picture's own data whether it was taken as was set."""
        if exposure.is_in(self._wait_for(self._device.capture_metadata(wait=False))):
            self._unconfirmed = 0
            self._on_frozen(exposure)
            return
        self._unconfirmed -= 1
        if not self._unconfirmed:
            _log.warning("the camera doesn't keep %s: colours will drift with the light", exposure)

    def _wait_for(self, job: Any) -> Any:
        begun = self._clock()
        while not self._stop.is_set():
            try:
                return self._device.wait(job, timeout=SLICE_S)
            except TimeoutError:
                if self._clock() - begun > FIRST_FRAME_S:
                    raise CameraError(
                        f"the Pi's camera gave no picture for {FIRST_FRAME_S:.0f} s: check its cable"
                    ) from None
        raise CameraError("the camera was closed")

    def _let_go(self) -> None:
        device, self._device = self._device, None
        if device is not None:
            device.close()


def _open(make: Callable[[], Any] | None) -> Any:
    if make is None:
        try:
            from picamera2 import Picamera2
        except ImportError as error:
            raise CameraError(
                f"picamera2 is missing ({error}): `sudo apt install python3-picamera2`, or choose a USB camera"
            ) from error
        make = Picamera2
    try:
        return make()
    except IndexError as error:  # what picamera2 raises when libcamera lists no camera
        raise CameraError("no camera at the Pi's connector: check the cable with the power off") from error
    except Exception as error:
        raise CameraError(f"the Pi's camera can't be opened ({error}): {who_has('/dev/media')}") from error
