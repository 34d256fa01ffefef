import threading
import time

import cv2
import numpy as np
import pytest

from hardware.camera import CameraError
from hardware.watcher import GLANCE_S, SILENCE_S, CameraState, Watcher


class ScriptedCamera:
    """Gives what it was told to: a number is a frame of that grey, an exception is raised, an event is waited for."""

    size_wh = (4, 2)

    def __init__(self, *script):
        self.script, self.closed = list(script), threading.Event()

    def read(self):
        if not self.script:
            self.closed.wait(5)
            raise CameraError("the camera was closed")
        step = self.script.pop(0)
        if isinstance(step, Exception):
            raise step
        if isinstance(step, threading.Event):
            step.wait(5)
            raise CameraError("woken late")
        return np.full((2, 4, 3), step, np.uint8)

    def close(self):
        self.closed.set()

    def describe(self):
        return "scripted"


class Evening:
    """A watcher over scripted cameras; its waits are short, and only they move the clock."""

    def __init__(self, clock, *cameras, look=None, waits=400):
        self.cameras, self.opened = list(cameras), []
        self.looked, self.states, self.pauses = [], [], []
        self.clock, self.waits = clock, waits
        self.watcher = Watcher(
            self.open, look or self.look, lambda *state: self.states.append(state), clock=clock, wait=self.wait
        )

    def open(self):
        camera = self.cameras.pop(0) if self.cameras else CameraError("no camera at all")
        self.opened.append(camera)
        if isinstance(camera, Exception):
            raise camera
        return camera

    def look(self, frame):
        self.looked.append(int(frame[0, 0, 0]))

    def wait(self, seconds):
        self.waits -= 1
        if seconds != GLANCE_S:
            self.pauses.append(seconds)
        self.clock.sleep(seconds)
        if self.watcher._shift is not None:
            self.watcher._shift.join(0.01)  # lets the camera's thread run
        return self.waits <= 0

    def run(self):
        self.watcher.run()
        self.watcher.stop()
        return self


def test_frames_are_looked_at_in_order(clock):
    evening = Evening(clock, ScriptedCamera(1, 2, 3), waits=20).run()
    assert evening.looked == [1, 2, 3]
    assert evening.states[0] == (CameraState.WATCHING, "")


def test_a_lost_camera_is_told_and_opened_again(clock):
    cameras = ScriptedCamera(1, CameraError("pulled out")), ScriptedCamera(2)
    evening = Evening(clock, *cameras, waits=30).run()
    assert evening.looked == [1, 2]
    assert cameras[0].closed.is_set()
    assert evening.states[:3] == [
        (CameraState.WATCHING, ""),
        (CameraState.LOST, "pulled out"),
        (CameraState.WATCHING, ""),
    ]


def test_a_camera_that_never_opens_is_offline_and_tried_with_growing_pauses(clock):
    evening = Evening(clock, waits=60).run()
    assert evening.states[0] == (CameraState.OFFLINE, "no camera at all")
    assert evening.pauses[:8] == [1, 2, 4, 8, 16, 32, 60, 60]


def test_a_good_frame_makes_the_pause_short_again(clock):
    no = CameraError("no")
    evening = Evening(clock, no, no, no, ScriptedCamera(1, CameraError("gone")), no, waits=60).run()
    assert evening.pauses[:6] == [1, 2, 4, 1, 2, 4]


def test_a_read_that_never_returns_is_left_behind(clock):
    forever = threading.Event()
    evening = Evening(clock, ScriptedCamera(1, forever), ScriptedCamera(2), waits=50).run()
    forever.set()
    assert evening.looked == [1, 2]
    assert (CameraState.LOST, f"the camera gave no picture for {SILENCE_S:.0f} s") in evening.states


def test_a_frame_that_comes_too_late_is_not_looked_at(clock):
    late = threading.Event()

    class Late(ScriptedCamera):
        def read(self):
            late.wait(5)
            return np.zeros((2, 4, 3), np.uint8)

    evening = Evening(clock, Late(), waits=40).run()
    camera_threads = [thread for thread in threading.enumerate() if thread.name == "camera"]
    late.set()
    for thread in camera_threads:
        thread.join(2)
    assert evening.looked == []


def test_an_error_while_looking_restarts_the_camera(clock, caplog):
    looked = []

    def look(frame):
        looked.append(int(frame[0, 0, 0]))
        if looked == [1]:
            raise ZeroDivisionError("the reader fell over")

    cameras = ScriptedCamera(1), ScriptedCamera(2)
    evening = Evening(clock, *cameras, look=look, waits=40).run()
    assert looked == [1, 2]
    assert cameras[0].closed.is_set()
    assert "the reader fell over" in evening.states[1][1]


def test_the_newest_frame_can_be_had_as_a_jpeg_even_when_the_camera_is_lost(clock):
    evening = Evening(clock, ScriptedCamera(40, 200, CameraError("gone")), waits=20)
    assert evening.watcher.latest() is None
    assert evening.watcher.latest_jpeg() is None
    evening.run()
    picture = cv2.imdecode(np.frombuffer(evening.watcher.latest_jpeg(), np.uint8), cv2.IMREAD_COLOR)
    assert picture.shape == (2, 4, 3)
    assert abs(int(picture.mean()) - 200) < 4
    assert evening.watcher.frames == 2
    small = cv2.imdecode(np.frombuffer(evening.watcher.latest_jpeg(width=2), np.uint8), cv2.IMREAD_COLOR)
    assert small.shape == (1, 2, 3)


@pytest.mark.parametrize("hangs", [False, True], ids=["camera that answers", "camera that hangs"])
def test_stopping_takes_less_than_a_second(hangs):
    forever = threading.Event()
    states = []
    watcher = Watcher(
        lambda: ScriptedCamera(1, *([forever] if hangs else [])), lambda frame: None, lambda *s: states.append(s)
    )
    watcher.start()
    deadline = time.monotonic() + 3
    while watcher.latest() is None and time.monotonic() < deadline:
        time.sleep(0.01)
    begun = time.monotonic()
    watcher.stop()
    assert time.monotonic() - begun < 1
    assert states[-1] == (CameraState.OFFLINE, "watching was stopped")
    forever.set()


def test_silence_is_measured_from_the_last_frame(clock):
    evening = Evening(clock, ScriptedCamera(1), waits=10)
    assert evening.watcher.silent_s() == 0
    evening.run()
    silent = evening.watcher.silent_s()
    clock.sleep(3)
    assert evening.watcher.silent_s() == pytest.approx(silent + 3)
