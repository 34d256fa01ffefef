import sys
from itertools import cycle
from types import SimpleNamespace
from typing import ClassVar

import numpy as np
import pytest

from companion.capture import KEPT_CAPTURES
from hardware.camera import CameraError
from hardware.mounting import Adjustment, Exposure
from hardware.picamera import (
    CONFIRM_FRAMES,
    FIRST_FRAME_S,
    LONGEST_SETTLE_FRAMES,
    SETTLE_FRAMES,
    SLICE_S,
    STEADY_FRAMES,
    PiCamera,
)

FULL = {"ExposureTime", "AnalogueGain", "ColourGains", "AeEnable", "AwbEnable", "AfMode", "LensPosition"}

SETTLED = Exposure(9000, 2.0, (1.5, 1.8))
FOCUSED = {"AfMode": 0, "LensPosition": 2.0}
FROZEN = {
    "AeEnable": False,
    "AwbEnable": False,
    "ExposureTime": 9000,
    "AnalogueGain": 2.0,
    "ColourGains": (1.5, 1.8),
}


SIZE = (8, 4)
PADDED = 16


class FakeRequest:
    """A finished request: its buffers are ours until it is released."""

    def __init__(self, device, number):
        self.device, self.released = device, 0
        left = device.lit_left
        self.buffers = {"main": two_halves(*(200 + number % 50, 60) if left else (60, 200 + number % 50))}
        if device.most_streams == 2:
            self.buffers["lores"] = two_halves(*(210, 50) if left else (50, 210))

    def get_metadata(self):
        return self.device.metadata()

    def release(self):
        self.released += 1


def two_halves(left, right):
    """An NV12 picture without colours, its halves of two greys, its rows padded."""
    planes = np.full((6, PADDED), 128, np.uint8)
    planes[:4, :4], planes[:4, 4:8] = left, right
    return planes.ravel()


class FakeMappedArray:
    """picamera2's, over memory that it would not close while somebody looks into it."""

    read: ClassVar = []  # which streams' bytes were looked at

    def __init__(self, request, stream, reshape, write):
        assert (reshape, write) == (False, False)
        assert not request.released
        self.request, self.stream = request, stream

    def __enter__(self):
        FakeMappedArray.read.append(self.stream)
        self.memory = bytearray(self.request.buffers[self.stream].tobytes())
        self.array = np.frombuffer(self.memory, np.uint8)
        return self

    def __exit__(self, *_):
        del self.array
        self.memory.clear()  # a BufferError if any view of it is left


class FakePicamera2:
    """picamera2 as far as it is used: NV12 with padding whatever was asked for."""

    def __init__(self, clock, controls=FULL, streams=2, most_buffers=20):
        self.clock, self.camera_controls, self.most_streams = clock, dict.fromkeys(controls, (0, 1, 0)), streams
        self.most_buffers, self.allocator = most_buffers, self
        self.camera_properties = {"Model": "imx708"}
        self.set, self.closed, self.silent, self.lit_left = [], 0, False, True
        self.requests = []

    def create_video_configuration(self, **wanted):
        return wanted

    def configure(self, wanted):
        if "lores" in wanted and self.most_streams == 1:
            raise RuntimeError("one stream only")
        self.wanted = wanted

    @property
    def streams(self):
        return ["main", "lores"][: 1 + ("lores" in self.wanted)]

    def buffers(self, stream):
        return range(min(self.wanted["buffer_count"], self.most_buffers))

    def camera_configuration(self):
        given = {"format": "NV12", "size": SIZE, "stride": PADDED}
        return {"main": given, "lores": given if "lores" in self.wanted else None}

    def start(self):
        pass

    def set_controls(self, controls):
        self.set.append(controls)

    def capture_request(self, wait):
        assert not wait
        held = [each for each in self.requests if not each.released]
        assert len(held) < len(self.buffers("main")) - 2, "no two buffers are left for the camera"
        self.requests.append(FakeRequest(self, len(self.requests)))
        return self.requests[-1]

    def metadata(self):
        return {"ExposureTime": 9000, "AnalogueGain": 2.0, "ColourGains": (1.5, 1.8), "Lux": 80.0}

    def wait(self, job, timeout):
        if self.silent:
            self.clock.sleep(timeout)
            raise TimeoutError
        return job

    def close(self):
        assert all(each.released == 1 for each in self.requests), "every request goes back once"
        self.closed += 1


@pytest.fixture(autouse=True)
def _picamera2(monkeypatch):
    monkeypatch.setitem(sys.modules, "picamera2", SimpleNamespace(MappedArray=FakeMappedArray))
    FakeMappedArray.read.clear()


@pytest.fixture
def device(clock):
    return FakePicamera2(clock)


@pytest.fixture
def camera(device, clock):
    return PiCamera(make=lambda: device, clock=clock)


def test_the_format_that_the_camera_really_gives_is_read(camera):
    frame = camera.read()
    assert camera.size_wh == (8, 4)
    assert frame.shape == (4, 8, 3)
    assert frame[0, 0, 0] > frame[0, 7, 0] + 100
    assert camera.describe() == "Pi camera imx708, 8 x 4, NV12, watched in lores"


def test_a_capture_is_grey_from_the_small_stream_and_nothing_of_the_whole_picture_is_read(camera, device):
    capture = camera.capture()
    assert device.wanted["lores"]["size"] == (320, 180)
    assert device.wanted["main"]["size"] == (1280, 720)
    assert capture.grey.tolist() == [[210] * 4 + [50] * 4] * 4
    assert FakeMappedArray.read == ["lores"]
    assert capture.whole()[0, 0, 0] > 150
    capture.whole()
    assert FakeMappedArray.read == ["lores", "main"], "the whole picture is converted once"


def test_the_colours_of_the_newest_captures_can_be_had_as_they_were_and_older_ones_are_let_go(camera, device):
    captures = [camera.capture() for _ in range(KEPT_CAPTURES + 2)]
    for number, capture in enumerate(captures[2:], 2):
        grey = two_halves(200 + number, 60)[0]
        assert abs(int(capture.piece((1, 1, 3, 3)).mean()) - (grey - 16) * 1.164) < 3
    for capture in captures[:2]:
        with pytest.raises(CameraError, match="has let this picture go"):
            capture.whole()
    assert [each.released for each in device.requests] == [1, 1, *[0] * KEPT_CAPTURES]


def test_a_camera_that_gives_few_buffers_gets_them_back_and_the_colours_can_be_had_all_the_same(clock):
    device = FakePicamera2(clock, most_buffers=4)
    camera = PiCamera(make=lambda: device, clock=clock)
    captures = [camera.capture() for _ in range(KEPT_CAPTURES + 2)]
    assert sum(not each.released for each in device.requests) == 1
    for number, capture in enumerate(captures[2:], 2):
        assert abs(int(capture.piece((1, 1, 3, 3)).mean()) - (200 + number - 16) * 1.164) < 3
    with pytest.raises(CameraError, match="has let this picture go"):
        captures[1].whole()
    camera.close()


def test_a_camera_with_one_stream_is_watched_in_that(clock):
    device = FakePicamera2(clock, streams=1)
    camera = PiCamera(make=lambda: device, clock=clock)
    assert camera.describe().endswith("watched in main")
    assert camera.capture().grey.tolist() == [[200] * 4 + [60] * 4] * 4


def test_colours_are_not_fetched_from_a_camera_that_was_closed(camera, device):
    capture = camera.capture()
    camera.close()
    assert device.closed == 1
    with pytest.raises(CameraError, match="has let this picture go"):
        capture.piece((0, 0, 2, 2))


@pytest.mark.parametrize(
    ("adjustment", "bright"),
    [
        pytest.param(Adjustment(upside_down=True), 7, id="upside down"),
        pytest.param(Adjustment(mirrored=True), 7, id="mirrored"),
        pytest.param(Adjustment(upside_down=True, mirrored=True), 0, id="both"),
    ],
)
def test_a_camera_that_hangs_otherwise_is_turned_upright(device, clock, adjustment, bright):
    capture = PiCamera(adjustment=adjustment, make=lambda: device, clock=clock).capture()
    assert capture.grey[:, bright].min() == 210
    # First the part, then the whole, of which a part is taken afterwards.
    box = (bright, 1, bright + 1, 3)
    assert capture.piece(box).min() > 150
    assert capture.whole()[:, bright, 0].min() > 150
    assert capture.piece(box).shape == (2, 1, 3)


def test_exposure_and_colours_are_frozen_once_when_they_have_settled(camera, device):
    for _ in range(SETTLE_FRAMES - 1):
        camera.read()
    assert device.set == [FOCUSED]
    for _ in range(5):
        camera.read()
    assert device.set == [FOCUSED, FROZEN]
    assert camera.exposure == SETTLED


def test_what_still_changes_is_not_frozen_before_it_has_settled(camera, device):
    brightening = iter(range(1000, 100_000, 1000))
    device.metadata = lambda: {"ExposureTime": next(brightening), "AnalogueGain": 2.0, "ColourGains": (1.5, 1.8)}
    for _ in range(SETTLE_FRAMES + 10):
        camera.read()
    assert camera.exposure is None
    device.metadata = lambda: {"ExposureTime": 9000, "AnalogueGain": 2.0, "ColourGains": (1.5, 1.8)}
    for _ in range(STEADY_FRAMES + 1):
        camera.read()
    assert camera.exposure == SETTLED


def test_what_never_settles_is_frozen_in_the_end(camera, device):
    flickering = cycle([5000, 9000])
    device.metadata = lambda: {"ExposureTime": next(flickering), "AnalogueGain": 2.0, "ColourGains": (1.5, 1.8)}
    for _ in range(LONGEST_SETTLE_FRAMES - 1):
        camera.read()
    assert camera.exposure is None
    camera.read()
    assert camera.exposure is not None


def test_an_exposure_from_the_set_up_is_used_from_the_first_frame(device, clock):
    camera = PiCamera(adjustment=Adjustment(exposure=SETTLED), make=lambda: device, clock=clock)
    assert device.set == [FOCUSED, FROZEN]
    for _ in range(SETTLE_FRAMES + 1):
        camera.read()
    assert device.set == [FOCUSED, FROZEN]


def test_controls_that_the_camera_lacks_are_not_set(clock):
    device = FakePicamera2(clock, controls=())
    camera = PiCamera(make=lambda: device, clock=clock)
    for _ in range(SETTLE_FRAMES + 1):
        camera.read()
    assert device.set == []


def test_a_silent_camera_is_lost_after_a_while(camera, device, clock):
    device.silent = True
    begun = clock()
    with pytest.raises(CameraError, match="no picture for 5 s"):
        camera.read()
    assert FIRST_FRAME_S <= clock() - begun <= FIRST_FRAME_S + 2 * SLICE_S


def test_closing_twice_lets_the_camera_go_once(camera, device):
    camera.close()
    camera.close()
    assert device.closed == 1
    with pytest.raises(CameraError, match="closed"):
        camera.read()


def test_a_camera_closed_during_a_read_is_let_go_by_the_reader(camera, device):
    wait = device.wait

    def closed_meanwhile(job, timeout):
        camera.close()
        assert device.closed == 0  # another thread is inside picamera2
        return wait(job, timeout)

    device.wait = closed_meanwhile
    camera.capture()
    assert device.closed == 1


def test_whatever_picamera2_raises_becomes_one_plain_line(camera, device):
    device.capture_request = lambda wait: 1 / 0
    with pytest.raises(CameraError, match="the Pi's camera failed"):
        camera.read()


def test_a_camera_that_cannot_be_started_is_let_go(device, clock):
    device.start = lambda: 1 / 0
    with pytest.raises(CameraError, match="can't be started"):
        PiCamera(make=lambda: device, clock=clock)
    assert device.closed == 1


@pytest.mark.parametrize(
    ("error", "message"),
    [
        pytest.param(IndexError("list index out of range"), "no camera at the Pi's connector", id="no camera"),
        pytest.param(RuntimeError("Failed to acquire camera"), "another program", id="busy"),
    ],
)
def test_a_missing_or_busy_camera_is_a_plain_message(error, message):
    def make():
        raise error

    with pytest.raises(CameraError, match=message):
        PiCamera(make=make)


def test_missing_picamera2_is_a_plain_message(monkeypatch):
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(CameraError, match="apt install python3-picamera2"):
        PiCamera()


def test_what_was_frozen_is_told_once_the_pictures_confirm_it(device, clock):
    told = []
    camera = PiCamera(adjustment=Adjustment(exposure=SETTLED), on_frozen=told.append, make=lambda: device, clock=clock)
    lagging = [{"ExposureTime": 33000, "AnalogueGain": 1.0, "ColourGains": (1.5, 1.8)}] * 3
    settled = device.metadata
    device.metadata = lambda: lagging.pop() if lagging else settled()
    for _ in range(3):
        camera.read()
    assert told == []
    for _ in range(3):
        camera.read()
    assert told == [SETTLED]


def test_a_camera_that_ignores_what_is_set_is_told_in_the_log(device, clock, caplog):
    told = []
    camera = PiCamera(adjustment=Adjustment(exposure=SETTLED), on_frozen=told.append, make=lambda: device, clock=clock)
    device.metadata = lambda: {"ExposureTime": 33000, "AnalogueGain": 1.0, "ColourGains": (1.5, 1.8)}
    for _ in range(CONFIRM_FRAMES + 5):
        camera.read()
    assert told == []
    assert caplog.text.count("doesn't keep") == 1
