import sys

import numpy as np
import pytest

from hardware.camera import CameraError
from hardware.picamera import CONFIRM_FRAMES, FIRST_FRAME_S, SETTLE_FRAMES, SLICE_S, Adjustment, Exposure, PiCamera

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


class FakePicamera2:
    """picamera2 as far as it is used: NV12 with padding whatever was asked for."""

    def __init__(self, clock, controls=FULL):
        self.clock, self.camera_controls = clock, dict.fromkeys(controls, (0, 1, 0))
        self.camera_properties = {"Model": "imx708"}
        self.set, self.closed, self.silent = [], 0, False

    def create_video_configuration(self, **wanted):
        return wanted

    def configure(self, wanted):
        self.wanted = wanted

    def camera_configuration(self):
        return {"main": {"format": "NV12", "size": (8, 4), "stride": 16}}

    def start(self):
        pass

    def set_controls(self, controls):
        self.set.append(controls)

    def capture_buffer(self, name, wait):
        assert (name, wait) == ("main", False)
        planes = np.full((6, 16), 128, np.uint8)
        planes[:4, :4], planes[:4, 4:8] = 200, 60
        return planes.ravel()

    def capture_metadata(self, wait):
        return {"ExposureTime": 9000, "AnalogueGain": 2.0, "ColourGains": (1.5, 1.8), "Lux": 80.0}

    def wait(self, job, timeout):
        if self.silent:
            self.clock.sleep(timeout)
            raise TimeoutError
        return job

    def close(self):
        self.closed += 1


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
    assert camera.describe() == "Pi camera imx708, 8 x 4, NV12"


@pytest.mark.parametrize(
    ("adjustment", "bright"),
    [
        pytest.param(Adjustment(upside_down=True), 7, id="upside down"),
        pytest.param(Adjustment(mirrored=True), 7, id="mirrored"),
        pytest.param(Adjustment(upside_down=True, mirrored=True), 0, id="both"),
    ],
)
def test_a_camera_that_hangs_otherwise_is_turned_upright(device, clock, adjustment, bright):
    frame = PiCamera(adjustment=adjustment, make=lambda: device, clock=clock).read()
    assert frame[:, bright, 0].min() > 150


def test_exposure_and_colours_are_frozen_once_when_they_have_settled(camera, device):
    for _ in range(SETTLE_FRAMES - 1):
        camera.read()
    assert device.set == [FOCUSED]
    for _ in range(5):
        camera.read()
    assert device.set == [FOCUSED, FROZEN]
    assert camera.exposure == SETTLED


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
    camera.read()
    assert device.closed == 1


def test_whatever_picamera2_raises_becomes_one_plain_line(camera, device):
    device.capture_buffer = lambda name, wait: 1 / 0
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
    lagging = [{"ExposureTime": 33000, "AnalogueGain": 1.0}] * 3
    settled = device.capture_metadata
    device.capture_metadata = lambda wait: lagging.pop() if lagging else settled(wait)
    for _ in range(3):
        camera.read()
    assert told == []
    for _ in range(3):
        camera.read()
    assert told == [SETTLED]


def test_a_camera_that_ignores_what_is_set_is_told_in_the_log(device, clock, caplog):
    told = []
    camera = PiCamera(adjustment=Adjustment(exposure=SETTLED), on_frozen=told.append, make=lambda: device, clock=clock)
    device.capture_metadata = lambda wait: {"ExposureTime": 33000, "AnalogueGain": 1.0}
    for _ in range(CONFIRM_FRAMES + 5):
        camera.read()
    assert told == []
    assert caplog.text.count("doesn't keep") == 1
