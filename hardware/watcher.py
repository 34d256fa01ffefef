"""The thread that watches: it takes captures from a camera, hands them on, and never gives up.

A supervisor starts one *shift* after another. A shift is one life of one camera in a thread of its own: open, take,
hand on, until something fails. A shift whose camera never answers is left behind, and the next one begins after a
pause that grows from 1 s to 60 s; a good frame makes the pause short again.
"""

import logging
import threading
import time
from collections.abc import Callable
from enum import StrEnum

import cv2
import numpy as np

from companion.errors import CompanionError
from hardware.camera import Camera, Capture, Frame

FIRST_PAUSE_S, LONGEST_PAUSE_S = 1.0, 60.0
SILENCE_S = 6.0
"""A camera that gives no picture for so long is lost."""

LOOK_S = 20.0
"""A picture that is looked at for so long has hung up whoever looks."""

BLACK, BLACK_FRAMES = 16, 30
"""A picture without anything as light as this is black; so many of them in a row are told."""

MOST_STUCK = 3
"""So many threads are left behind in a camera that never answers; then one of them has to come back first."""

GLANCE_S = 0.2
"""How often the supervisor looks after its shift."""

_log = logging.getLogger(__name__)


class CameraState(StrEnum):
    """How the camera is."""

    WATCHING = "watching"
    DARK = "dark"
    """It gives pictures, and they are black."""
    LOST = "camera lost"
    """It gave pictures and stopped; it is being opened again."""
    OFFLINE = "offline"
    """It can't be opened, or nobody watches."""


class Shift(threading.Thread):
    """One life of one camera.

    Args:
        open_camera: opens it.
        look: gets each capture.
        clock: seconds that never go back.
    """

    def __init__(
        self, open_camera: Callable[[], Camera], look: Callable[[Capture], object], clock: Callable[[], float]
    ) -> None:
        super().__init__(name="camera", daemon=True)
        self._open, self._look, self._clock = open_camera, look, clock
        self._ended = threading.Event()
        self._camera: Camera | None = None
        self.has_seen = False
        self.waiting_since: float | None = clock()
        """Since when it waits for the camera; None while a capture is looked at."""
        self.progress_at = clock()
        self.failure = "the camera was closed"
        """Why it is over, once the thread has ended."""

    def run(self) -> None:
        """Watch until `end`, or until something fails."""
        try:
            self._watch()
        except CompanionError as error:
            self.failure = str(error)
        except Exception as error:  # noqa: BLE001 - whatever a driver or a reader raises, the camera is started again
            _log.exception("watching failed")
            self.failure = f"watching failed: {error!r}"
        if self._camera is not None:
            self._camera.close()

    def end(self) -> None:
        """Stop as soon as the camera lets go; one that still comes is not looked at."""
        self._ended.set()
        camera = self._camera
        if camera is not None:
            camera.close()

    def _watch(self) -> None:
        self._camera = camera = self._open()
        while not self._ended.is_set():
            self.waiting_since = self._clock()
            capture = camera.capture()
            self.waiting_since, self.progress_at = None, self._clock()
            if self._ended.is_set():
                return
            self.has_seen = True
            self._look(capture)


class Watcher:
    """Keeps a camera watched.

    Args:
        open_camera: opens the camera; raises `CameraError` when it can't.
        look: gets each capture in the camera's thread, in which alone its colours can be fetched.
        on_state: told when the camera's state changes, with the reason in words ("" while all is well).
        clock: seconds that never go back.
        wait: waits for so many seconds, or until `stop`; says whether to stop.
    """

    def __init__(
        self,
        open_camera: Callable[[], Camera],
        look: Callable[[Capture], object],
        on_state: Callable[[CameraState, str], object],
        *,
        clock: Callable[[], float] = time.monotonic,
        wait: Callable[[float], bool] | None = None,
    ) -> None:
        self._open_camera, self._look, self._on_state, self._clock = open_camera, look, on_state, clock
        self._stop = threading.Event()
        self._wait = self._stop.wait if wait is None else wait
        self._thread: threading.Thread | None = None
        self._shift: Shift | None = None
        self._fresh = threading.Condition()
        self._wanted = True  # one is fetched in any case, so that there is something to show when the camera is lost
        self._newest: Frame | None = None
        self._frames = 0
        self._state = (CameraState.OFFLINE, "the camera has not been opened yet")
        self._black = 0
        self._left_behind: list[Shift] = []
        self._awake_until = clock()

    @property
    def state(self) -> tuple[CameraState, str]:
        """How the camera is, and why."""
        return self._state

    def start(self) -> None:
        """Watch in the background."""
        self._thread = threading.Thread(target=self.run, name="watcher", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop watching, in less than a second even if the camera doesn't answer."""
        self._stop.set()
        shift = self._shift
        if shift is not None:
            shift.end()
        for thread in (self._thread, shift):
            if thread is not None and thread.is_alive():
                thread.join(timeout=0.4)
        self._tell(CameraState.OFFLINE, "watching was stopped")

    @property
    def frames(self) -> int:
        """How many captures were taken."""
        return self._frames

    def latest(self, patience_s: float = 1.0) -> Frame | None:
        """Fetch the newest frame for whoever wants to look: only then its colours are taken from the camera.

        Args:
            patience_s: how long to wait for the camera's thread, which may be reading.

        Returns:
            BGR, uint8, shape (height, width, 3), to be read only; when the camera gives none now, the last one that
            somebody looked at, or None.
        """
        with self._fresh:
            if self._state[0] in (CameraState.WATCHING, CameraState.DARK):
                self._wanted = True
                self._fresh.wait_for(lambda: not self._wanted, patience_s)
            return self._newest

    def latest_jpeg(self, width: int | None = None, quality: int = 80) -> bytes | None:
        """The newest frame (see `latest`) as a JPEG file, scaled down to ``width`` pixels if that is less."""
        frame = self.latest()
        if frame is None:
            return None
        if width is not None and width < frame.shape[1]:
            size_wh = (width, max(1, round(frame.shape[0] * width / frame.shape[1])))
            frame = np.asarray(cv2.resize(frame, size_wh, interpolation=cv2.INTER_AREA), np.uint8)
        _, coded = cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, quality])
        return coded.tobytes()

    def stalled_s(self) -> float:
        """Seconds since the supervisor should have looked after its camera; a silent camera doesn't stall it."""
        return max(self._clock() - self._awake_until, 0.0)

    def run(self) -> None:
        """Watch until `stop`: one shift after another."""
        pause = FIRST_PAUSE_S
        while not self._stop.is_set():
            had_frame, reason = self._one_shift()
            if self._stop.is_set():
                return
            self._tell(CameraState.LOST if had_frame else CameraState.OFFLINE, reason)
            pause = FIRST_PAUSE_S if had_frame else pause
            if self._rest(pause):
                return
            pause = min(pause * 2, LONGEST_PAUSE_S)

    def _rest(self, seconds: float) -> bool:
        self._awake_until = self._clock() + seconds
        return self._wait(seconds)

    def _one_shift(self) -> tuple[bool, str]:
        """Look after one shift until it is over; say whether it saw anything, and why it is over."""
        self._left_behind = [each for each in self._left_behind if each.is_alive()]
        if len(self._left_behind) >= MOST_STUCK:
            return False, "the camera doesn't answer any more: pull it out and in, or restart the Pi when it suits"
        self._shift = shift = Shift(self._open_camera, self._take, self._clock)
        shift.start()
        while not self._rest(GLANCE_S):
            if self._black >= BLACK_FRAMES:
                self._tell(CameraState.DARK, "the camera's picture is black: take the cap off, or switch a lamp on")
            elif shift.has_seen:
                self._tell(CameraState.WATCHING, "")
            if not shift.is_alive():
                return shift.has_seen, shift.failure
            if stuck := self._stuck(shift):
                shift.end()
                self._left_behind.append(shift)
                return shift.has_seen, stuck
        return shift.has_seen, "watching was stopped"

    def _take(self, capture: Capture) -> None:
        self._frames += 1
        self._black = self._black + 1 if capture.grey[::2, ::2].max() < BLACK else 0
        if self._wanted:
            frame = capture.whole()
            with self._fresh:
                self._newest, self._wanted = frame, False
                self._fresh.notify_all()
        self._look(capture)

    def _stuck(self, shift: Shift) -> str | None:
        """Say why a shift has to be left behind, if so."""
        now, since = self._clock(), shift.waiting_since
        if since is not None and now - since > SILENCE_S:
            return f"the camera gave no picture for {SILENCE_S:.0f} s"
        if since is None and now - shift.progress_at > LOOK_S:
            return f"a picture was looked at for more than {LOOK_S:.0f} s"
        return None

    def _tell(self, state: CameraState, reason: str) -> None:
        if (state, reason) != self._state:
            self._state = (state, reason)
            self._on_state(state, reason)
