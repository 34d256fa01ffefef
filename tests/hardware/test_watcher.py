import threading
import time

import cv2
import numpy as np
import pytest

from companion.capture import Capture, capture_of
from hardware.camera import CameraError
from hardware.watcher import BLACK_FRAMES, GLANCE_S, LOOK_S, MOST_STUCK, SILENCE_S, CameraState, Watcher


class ScriptedCamera:
    """Gives what it was told to: a number is a frame of that grey, an exception is raised, an event is waited for."""

    size_wh = (4, 2)

    def __init__(self, *script):
        self.script, self.closed = list(script), threading.Event()

    def capture(self):
        if not self.script:
            self.closed.wait(5)
            raise CameraError("the camera was closed")
        step = self.script.pop(0)
        if isinstance(step, Exception):
            raise step
        if isinstance(step, threading.Event):
            step.wait(5)
            raise CameraError("woken late")
        return capture_of(np.full((2, 4, 3), step, np.uint8))

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
        self.on_wait = lambda: None
        self.watcher = Watcher(
            self.open, look or self.look, lambda *state: self.states.append(state), clock=clock, wait=self.wait
        )

    def open(self):
        camera = self.cameras.pop(0) if self.cameras else CameraError("no camera at all")
        self.opened.append(camera)
        if isinstance(camera, Exception):
            raise camera
        return camera

    def look(self, capture):
        self.looked.append(int(capture.grey[0, 0]))

    def wait(self, seconds):
        self.waits -= 1
        if seconds != GLANCE_S:
            self.pauses.append(seconds)
        self.on_wait()
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
        def capture(self):
            late.wait(5)
            return capture_of(np.zeros((2, 4, 3), np.uint8))

    evening = Evening(clock, Late(), waits=40).run()
    camera_threads = [thread for thread in threading.enumerate() if thread.name == "camera"]
    late.set()
    for thread in camera_threads:
        thread.join(2)
    assert evening.looked == []


def test_an_error_while_looking_restarts_the_camera(clock, caplog):
    looked = []

    def look(capture):
        looked.append(int(capture.grey[0, 0]))
        if looked == [1]:
            raise ZeroDivisionError("the reader fell over")

    cameras = ScriptedCamera(1), ScriptedCamera(2)
    evening = Evening(clock, *cameras, look=look, waits=40).run()
    assert looked == [1, 2]
    assert cameras[0].closed.is_set()
    assert "the reader fell over" in evening.states[1][1]


class CountingCamera(ScriptedCamera):
    """Gives one frame after the other, ever lighter, and counts whose colours are fetched."""

    def __init__(self):
        super().__init__()
        self.taken, self.fetched = 0, []

    def capture(self):
        if self.closed.wait(0.002):
            raise CameraError("the camera was closed")
        self.taken += 1
        frame = np.full((2, 4, 3), self.taken % 250, np.uint8)

        def fetch(box):
            assert threading.current_thread().name == "camera"
            self.fetched.append(frame)
            return frame

        return Capture(frame[..., 1], (4, 2), fetch)


def test_colours_are_fetched_once_for_each_look_at_the_picture_and_the_newest_are_given():
    camera, fresh = CountingCamera(), threading.Event()
    watcher = Watcher(lambda: camera, lambda capture: None, lambda state, reason: fresh.set())
    watcher.start()
    assert fresh.wait(5)
    assert len(camera.fetched) == 1
    for looks in range(2, 5):
        before = camera.taken
        picture = watcher.latest(patience_s=5)
        assert picture is camera.fetched[-1]
        assert picture[0, 0, 0] > before % 250
        assert len(camera.fetched) == looks
    watcher.stop()
    assert watcher.latest() is camera.fetched[-1], "the last one that was looked at is still there"


def test_the_newest_frame_can_be_had_as_a_jpeg_even_when_the_camera_is_lost(clock):
    evening = Evening(clock, ScriptedCamera(40, 200, CameraError("gone")), waits=20)
    assert evening.watcher.latest() is None
    assert evening.watcher.latest_jpeg() is None
    evening.run()
    picture = cv2.imdecode(np.frombuffer(evening.watcher.latest_jpeg(), np.uint8), cv2.IMREAD_COLOR)
    assert picture.shape == (2, 4, 3)
    assert abs(int(picture.mean()) - 40) < 4, "nobody looked at the second one"
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


def test_a_watcher_with_a_silent_camera_makes_progress_and_one_that_stands_still_does_not(clock):
    forever = threading.Event()
    evening = Evening(clock, ScriptedCamera(1, forever), waits=60)
    stalled = []
    evening.on_wait = lambda: stalled.append(evening.watcher.stalled_s())
    evening.run()
    forever.set()
    assert evening.states[1][0] is CameraState.LOST
    assert max(stalled) == 0
    clock.sleep(30)
    assert evening.watcher.stalled_s() == pytest.approx(30, abs=GLANCE_S)


def test_a_reader_that_never_comes_back_is_left_behind(clock):
    forever = threading.Event()
    looked = []

    def look(capture):
        looked.append(int(capture.grey[0, 0]))
        if looked == [1]:
            forever.wait(5)

    evening = Evening(clock, ScriptedCamera(1), ScriptedCamera(2), look=look, waits=150).run()
    forever.set()
    assert looked == [1, 2]
    assert (CameraState.LOST, f"a picture was looked at for more than {LOOK_S:.0f} s") in evening.states


def test_a_camera_that_never_answers_is_not_given_ever_more_threads(clock):
    forever = threading.Event()
    evening = Evening(clock, *(ScriptedCamera(forever) for _ in range(9)), waits=130).run()
    assert len(evening.opened) == MOST_STUCK
    assert "doesn't answer any more" in evening.states[-2][1]
    forever.set()


def test_a_camera_that_answers_at_last_is_opened_again(clock):
    forever = threading.Event()
    evening = Evening(clock, *(ScriptedCamera(forever) for _ in range(MOST_STUCK)), ScriptedCamera(7), waits=140)

    def come_back():
        if "doesn't answer any more" in evening.watcher.state[1]:
            forever.set()
            time.sleep(0.05)

    evening.on_wait = come_back
    evening.run()
    assert evening.looked == [7]


def states_of(clock, *greys):
    evening = Evening(clock, ScriptedCamera(*greys), waits=20).run()
    told = [state for state, _ in evening.states]
    return told[: told.index(CameraState.LOST)]  # the evening ends with it


def test_black_pictures_are_told(clock):
    assert states_of(clock, *[3] * BLACK_FRAMES)[-1] is CameraState.DARK


def test_a_dim_picture_is_not_black(clock):
    assert states_of(clock, *[40] * BLACK_FRAMES) == [CameraState.WATCHING]


def test_light_makes_it_well_again(clock):
    assert states_of(clock, *[3] * BLACK_FRAMES, 90)[-1] is CameraState.WATCHING
