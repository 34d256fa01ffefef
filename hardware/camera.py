"""Cameras: one small interface, and the ones that need OpenCV alone.

The Raspberry Pi's own camera is in `hardware.picamera`, the drawn one in `hardware.virtual.table`.
"""

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from companion import capture
from companion.errors import BadInput, CompanionError
from hardware.busy import who_has

Frame = NDArray[np.uint8]
"""BGR, uint8, shape (height, width, 3), owned by whoever reads it."""

Capture = capture.Capture[Frame]
"""What a camera took at one moment: grey at once, a frame when asked for."""

STILLS = {".jpg", ".jpeg", ".png", ".bmp"}


class CameraError(CompanionError, OSError):
    """A camera is missing, busy, gone or silent."""


class Camera(Protocol):
    """Something that gives frames."""

    @property
    def size_wh(self) -> tuple[int, int]:
        """Width and height of the frames, pixels."""

    def capture(self) -> Capture:
        """Wait for the next frame, and say what it is in grey; its colours are fetched when asked for.

        Raises:
            CameraError: there will be none; the camera has to be opened again.
        """

    def read(self) -> Frame:
        """Wait for the next frame, whole and in colour.

        Raises:
            CameraError: there will be none; the camera has to be opened again.
        """

    def close(self) -> None:
        """Let the device go; a `read` that waits in another thread ends. Closing twice is fine."""

    def describe(self) -> str:
        """Name the camera in words for people."""


class WholeFrames:
    """What cameras have in common whose frames come in colour anyway."""

    def read(self) -> Frame:
        """Wait for the next frame."""
        raise NotImplementedError

    def capture(self) -> Capture:
        """Wait for the next frame; its colours are there already."""
        captured: Capture = capture.capture_of(self.read())
        return captured


class Pace:
    """Makes a source that is always ready as slow as a camera.

    Args:
        fps: frames a second.
        clock: seconds that never go back.
        wait: sleeps for so many seconds and says whether it was woken by `stop`.
    """

    def __init__(
        self,
        fps: float,
        clock: Callable[[], float] = time.monotonic,
        wait: Callable[[float], bool] | None = None,
    ) -> None:
        if not fps > 0:
            raise BadInput(f"got {fps!r} frames a second, but a camera needs more than 0")
        self.fps = fps
        self._stopped = threading.Event()
        self._clock = clock
        self._wait = self._stopped.wait if wait is None else wait
        self._due = clock()

    def next(self) -> int:
        """Wait until the next frame is due.

        Returns:
            How many frames have passed since the last one: more than 1 when whoever reads was slow.

        Raises:
            CameraError: it was stopped.
        """
        now = self._clock()
        missed = max(0, int((now - self._due) * self.fps) - 1)
        self._due += (1 + missed) / self.fps
        if self._stopped.is_set() or (self._due > now and self._wait(self._due - now)):
            raise CameraError("the camera was closed")
        return 1 + missed

    def stop(self) -> None:
        """Wake whoever waits."""
        self._stopped.set()


class UsbCamera(WholeFrames):
    """A webcam through OpenCV and Video4Linux.

    Args:
        device: number or path of the device, such as 0 or ``/dev/video0``.
        size_wh: what to ask for; the camera may give another size.
        fps: what to ask for.
        open_capture: OpenCV's own unless a test brings another.

    Raises:
        CameraError: it can't be opened.
    """

    def __init__(
        self,
        device: int | str = 0,
        size_wh: tuple[int, int] = (1280, 720),
        fps: float = 15,
        *,
        open_capture: Callable[..., cv2.VideoCapture] = cv2.VideoCapture,
    ) -> None:
        self._device = device
        self._reading = threading.Lock()
        self._closed = False
        self._capture = open_capture(device, cv2.CAP_V4L2)
        if not self._capture.isOpened():
            self._capture.release()
            raise CameraError(
                f"no camera at {device!r}, or it is busy: plug it in, or choose another in the settings; "
                f"{who_has('/dev/video')}"
            )
        # MJPEG first: many webcams give 1280 x 720 at five frames a second or fewer without it.
        self._capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, size_wh[0])
        self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size_wh[1])
        self._capture.set(cv2.CAP_PROP_FPS, fps)
        self._capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        given = self._capture.get(cv2.CAP_PROP_FRAME_WIDTH), self._capture.get(cv2.CAP_PROP_FRAME_HEIGHT)
        self._size_wh = (round(given[0]), round(given[1]))

    @property
    def size_wh(self) -> tuple[int, int]:
        """The size that the camera really gives."""
        return self._size_wh

    def read(self) -> Frame:
        """Wait for the next frame."""
        with self._reading:
            if self._closed:
                raise CameraError("the camera was closed")
            got, frame = self._capture.read()
            if self._closed:
                self._capture.release()
        if not got or frame is None:
            raise CameraError(f"the camera at {self._device!r} gives no more pictures: is it still plugged in?")
        return np.asarray(frame, np.uint8)

    def close(self) -> None:
        """Let the device go, at once or when the `read` under way ends (OpenCV gives up after ten seconds)."""
        self._closed = True
        if self._reading.acquire(blocking=False):
            try:
                self._capture.release()
            finally:
                self._reading.release()

    def describe(self) -> str:
        """Name the device and its size."""
        return f"USB camera {self._device}, {self._size_wh[0]} x {self._size_wh[1]}"


class VideoFile(WholeFrames):
    """A film as a camera; it ends with a `CameraError`, or begins again.

    Args:
        path: the film.
        repeat: begin again at its end.
        pace: how fast it is shown; None gives frames as fast as they are read.

    Raises:
        BadInput: it can't be read.
    """

    def __init__(self, path: Path, *, repeat: bool = False, pace: Pace | None = None) -> None:
        self._path, self._repeat, self._pace = path, repeat, pace
        self._capture = cv2.VideoCapture(str(path))
        if not self._capture.isOpened():
            raise BadInput(f"got {str(path)!r}, but expected a film that OpenCV can read")
        sides = self._capture.get(cv2.CAP_PROP_FRAME_WIDTH), self._capture.get(cv2.CAP_PROP_FRAME_HEIGHT)
        self._size_wh = (round(sides[0]), round(sides[1]))

    @property
    def size_wh(self) -> tuple[int, int]:
        """Size of the film."""
        return self._size_wh

    def read(self) -> Frame:
        """Give the next frame of the film."""
        if self._pace is not None:
            self._pace.next()
        got, frame = self._capture.read()
        if not got and self._repeat:
            self._capture.set(cv2.CAP_PROP_POS_FRAMES, 0)
            got, frame = self._capture.read()
        if not got:
            raise CameraError(f"the film {self._path.name} is over")
        return np.asarray(frame, np.uint8)

    def close(self) -> None:
        """Stop the film."""
        if self._pace is not None:
            self._pace.stop()
        self._capture.release()

    def describe(self) -> str:
        """Name the file."""
        return f"film {self._path.name}"


class Stills(WholeFrames):
    """A folder of pictures as a camera, in the order of their names; it ends with a `CameraError`, or begins again.

    Args:
        folder: the pictures; all must have the first one's size.
        repeat: begin again at the end.
        pace: how fast they are shown; None gives them as fast as they are read.

    Raises:
        BadInput: there are none.
    """

    def __init__(self, folder: Path, *, repeat: bool = False, pace: Pace | None = None) -> None:
        found = sorted(folder.iterdir()) if folder.is_dir() else []
        self._paths = [path for path in found if path.suffix.lower() in STILLS]
        self._folder, self._repeat, self._pace = folder, repeat, pace
        if not self._paths:
            raise BadInput(f"got {str(folder)!r}, but expected a folder with pictures ({', '.join(sorted(STILLS))})")
        height, width = _load(self._paths[0]).shape[:2]
        self._size_wh = (width, height)
        self._next = 0

    @property
    def size_wh(self) -> tuple[int, int]:
        """Size of the first picture."""
        return self._size_wh

    def read(self) -> Frame:
        """Give the next picture."""
        if self._pace is not None:
            self._pace.next()
        if self._next == len(self._paths):
            if not self._repeat:
                raise CameraError(f"the folder {self._folder.name} has no more pictures")
            self._next = 0
        path = self._paths[self._next]
        self._next += 1
        frame = _load(path)
        if frame.shape[1::-1] != self._size_wh:
            raise CameraError(f"{path.name} is {frame.shape[1]} x {frame.shape[0]}, but the first was {self._size_wh}")
        return frame

    def close(self) -> None:
        """Stop."""
        if self._pace is not None:
            self._pace.stop()

    def describe(self) -> str:
        """Name the folder."""
        return f"{len(self._paths)} pictures of {self._folder.name}"


def _load(path: Path) -> Frame:
    frame = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if frame is None:
        raise BadInput(f"got {path.name!r}, but it is no picture that OpenCV can read")
    return np.asarray(frame, np.uint8)
