"""The Raspberry Pi's own camera, through picamera2.

The camera gives two streams: a small one in grey for watching (``lores``), and the whole picture (``main``), of which
bytes are read only when colours are asked for. A camera that gives one stream alone is watched in that one.

Only the thread that captures touches picamera2; `close` asks that thread to let go. Opening, two streams
in NV12, closing and opening again were tried on picamera2 0.3.38 with the virtual camera of libcamera 0.4. Not yet seen
on a Pi: freezing exposure and colours, focus, and the RGB888 that a real camera gives.
"""

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from companion.capture import GREY_WIDTH, KEPT_CAPTURES, Box
from hardware.busy import who_has
from hardware.camera import CameraError, Capture, Frame
from hardware.formats import Stream
from hardware.mounting import Adjustment, Exposure, exposure_of

FIRST_FRAME_S = 5.0
"""A camera that gives no picture for so long is lost."""

SLICE_S = 0.25
"""How often a wait for a picture looks whether it should end."""

SETTLE_FRAMES, STEADY_FRAMES, LONGEST_SETTLE_FRAMES = 30, 8, 150
"""Automatic exposure and white balance get at least so many frames, and are frozen when so many in a row agree, at the
latest after so many: in the light of a fire they never agree."""

CONFIRM_FRAMES = 20
"""Controls lag by some frames: within so many the pictures' own data must confirm what was set."""

SPARE_BUFFERS = 3
"""So many buffers are the camera's to fill while others are kept for whoever may ask for their colours."""

_log = logging.getLogger(__name__)


@dataclass(slots=True, eq=False)
class _Kept:
    """A capture that is kept: a finished request, whose buffers are ours until given back, or the picture, or both."""

    request: Any
    whole: Frame | None = None

    def give_back(self) -> None:
        request, self.request = self.request, None
        if request is not None:
            request.release()


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
        self._frames = self._unconfirmed = self._steady = 0
        self._before: Exposure | None = None
        self._kept: deque[_Kept] = deque()
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
        return self._main.size_wh

    def capture(self) -> Capture:
        """Wait for the next frame; its colours are fetched when asked for."""
        with self._reading:
            if self._stop.is_set():
                self._let_go()
                raise CameraError("the camera was closed")
            try:
                return self._capture()
            except CameraError:
                raise
            except Exception as error:
                raise CameraError(f"the Pi's camera failed ({error})") from error
            finally:
                if self._stop.is_set():
                    self._let_go()

    def read(self) -> Frame:
        """Wait for the next frame, whole and in colour."""
        return self.capture().whole()

    def close(self) -> None:
        """Let the camera go, at the latest when the `capture` or `fetch` under way ends (a quarter of a second)."""
        self._stop.set()
        if self._reading.acquire(blocking=False):
            try:
                self._let_go()
            finally:
                self._reading.release()

    def describe(self) -> str:
        """Name the sensor, size and format."""
        width, height = self.size_wh
        return f"Pi camera {self._model}, {width} x {height}, {self._main.format}, watched in {self._watched.name}"

    def _start(self, size_wh: tuple[int, int], fps: float) -> None:
        small = (GREY_WIDTH, round(GREY_WIDTH * size_wh[1] / size_wh[0] / 2) * 2)
        try:
            self._configure(size_wh, fps, lores={"size": small, "format": "YUV420"})
        except Exception as error:  # noqa: BLE001 - whatever it raises, one stream may do
            _log.info("the camera gives no second stream (%s): it is watched in the first", error)
            self._configure(size_wh, fps)
        given = self._device.camera_configuration()  # may differ from what was asked for
        self._main = Stream.given("main", given)
        self._watched = Stream.given("lores", given) if given.get("lores") else self._main
        self._model = str(self._device.camera_properties.get("Model", "unknown"))
        buffers = min(len(self._device.allocator.buffers(stream)) for stream in self._device.streams)
        self._most_held = max(1, min(KEPT_CAPTURES, buffers - SPARE_BUFFERS))
        self._device.start()
        self._set(AfMode=0, LensPosition=1 / self._adjustment.focus_m)  # 0 is manual; dioptres
        if self.exposure is not None:
            self._expose(self.exposure)

    def _configure(self, size_wh: tuple[int, int], fps: float, **streams: object) -> None:
        duration_us = round(1e6 / fps)
        wanted = self._device.create_video_configuration(
            main={"size": size_wh, "format": "RGB888"},
            controls={"FrameDurationLimits": (duration_us, duration_us)},
            buffer_count=KEPT_CAPTURES + SPARE_BUFFERS,
            queue=False,
            **streams,
        )
        self._device.configure(wanted)

    def _capture(self) -> Capture:
        # Before the wait, so that a buffer more is free for it.
        self._make_room()
        kept = _Kept(self._wait_for(self._device.capture_request(wait=False)))
        self._kept.append(kept)
        self._frames += 1
        self._see_to_exposure(kept.request.get_metadata())
        return Capture(self._grey(kept.request), self.size_wh, lambda box: self._fetch(kept, box))

    def _make_room(self) -> None:
        """Let the oldest capture go; of a camera that gave few buffers, turn younger ones into pictures."""
        while len(self._kept) >= KEPT_CAPTURES:
            oldest = self._kept.popleft()
            oldest.give_back()
            oldest.whole = None
        for kept in list(self._kept)[: len(self._kept) - self._most_held + 1]:
            if kept.request is not None:
                kept.whole = self._colours(kept, None)
                kept.give_back()

    def _grey(self, request: Any) -> Frame:
        """Take the grey plane out of the camera's own memory; nothing else of it is copied."""
        step = max(1, round(self._watched.size_wh[0] / GREY_WIDTH))
        with _map(request, self._watched) as mapped:
            plane = self._watched.grey(_bytes_of(mapped))[::step, ::step]
            grey = np.array(self._adjustment.upright_grey(plane), order="C")
            del plane  # or the camera could not close its memory
        return grey

    def _fetch(self, kept: _Kept, box: Box | None) -> Frame:
        """Give the colours of a kept capture, or of a part of it."""
        with self._reading:
            if self._stop.is_set() or kept not in self._kept:
                raise CameraError("the camera has let this picture go")
            if kept.whole is None and box is None:
                kept.whole = self._colours(kept, None)
            whole = kept.whole
            if whole is None:
                return self._colours(kept, box)
            return whole if box is None else whole[box[1] : box[3], box[0] : box[2]]

    def _colours(self, kept: _Kept, box: Box | None) -> Frame:
        its = None if box is None else self._adjustment.in_camera(box, self.size_wh)
        with _map(kept.request, self._main) as mapped:
            seen = self._main.bgr(_bytes_of(mapped), its)
        return self._adjustment.upright(seen)

    def _see_to_exposure(self, metadata: Mapping[str, Any]) -> None:
        """Freeze exposure, gain and colour gains once they have settled; then look whether the camera keeps them."""
        if self.exposure is not None:
            if self._unconfirmed:
                self._confirm(self.exposure, metadata)
            return
        seen, before = exposure_of(metadata), self._before
        self._before = seen
        self._steady = self._steady + 1 if seen and before and before.is_like(seen) else 0
        settled = self._frames >= SETTLE_FRAMES and self._steady >= STEADY_FRAMES
        if seen and (settled or self._frames >= LONGEST_SETTLE_FRAMES):
            # So colours mean the same all evening.
            self.exposure = seen
            self._expose(seen)

    def _set(self, **controls: object) -> None:
        """Set those controls that this camera has; others would raise."""
        known = {name: value for name, value in controls.items() if name in self._device.camera_controls}
        if known:
            self._device.set_controls(known)

    def _expose(self, exposure: Exposure) -> None:
        self._set(
            AeEnable=False,
            AwbEnable=False,
            ExposureTime=exposure.time_us,
            AnalogueGain=exposure.gain,
            ColourGains=exposure.colour_gains,
        )
        self._unconfirmed = CONFIRM_FRAMES if "ExposureTime" in self._device.camera_controls else 0

    def _confirm(self, exposure: Exposure, metadata: Mapping[str, Any]) -> None:
        """Look in a picture's own data whether it was taken as was set."""
        if exposure.is_in(metadata):
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
        if device is None:
            return
        try:
            while self._kept:
                self._kept.popleft().give_back()
        finally:
            device.close()


def _map(request: Any, stream: Stream) -> Any:
    from picamera2 import MappedArray

    return MappedArray(request, stream.name, reshape=False, write=False)


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


def _bytes_of(mapped: Any) -> Frame:
    return np.asarray(mapped.array, np.uint8).reshape(-1)
