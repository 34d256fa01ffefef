"""The camera adapter on the real picamera2, over libcamera's virtual pipeline. Run by tests/pi/run."""

import json
import subprocess

import pytest
from pi_root import ROOT, Pi
from virtual_feed import show, supply

from hardware.virtual.table import VirtualTable

INSIDE = """
import json, os, sys, threading, time
from hardware.camera import CameraError
from hardware.picamera import PiCamera
from hardware.watcher import Watcher

def mean(frame):
    return [round(float(v)) for v in frame[300:420, 500:780].reshape(-1, 3).mean(0)]

said = {}
camera = PiCamera()
said["describe"] = camera.describe()
camera.read()
camera.read()
said["first"] = mean(camera.read())
said["shape"] = list(camera.read().shape)
captures = [camera.capture() for _ in range(5)]
said["grey"] = [list(captures[-1].grey.shape), float(captures[-1].grey[75:105, 125:195].mean())]
said["oldest"] = mean(captures[0].whole())
box = (501, 301, 780, 420)
part, whole = captures[2].piece(box), captures[2].whole()
said["part"] = bool((part == whole[301:420, 501:780]).all())
camera.capture()
try:
    captures[0].whole()
except CameraError as error:
    said["gone"] = str(error)
try:
    PiCamera()
except CameraError as error:
    said["busy"] = str(error)
camera.close()
camera = PiCamera()
said["reopened"] = list(camera.read().shape)
camera.close()

states = []
watcher = Watcher(PiCamera, lambda frame: None, lambda state, reason: states.append([state.value, reason]))
watcher.start()
while len(states) < 1:
    time.sleep(0.1)
def until(count):
    while len(states) < count:
        time.sleep(0.1)

feed = "/virtual-camera/frame.nv12"
os.rename(feed, feed + ".kept")
os.mkfifo(feed)  # whoever reads it hangs: a capture that never returns
until(2)
with open(feed, "wb"):
    os.unlink(feed)
os.rename(feed + ".kept", feed)
while watcher.state[0] != "watching":
    time.sleep(0.1)
said["stalled"] = list(states)
del states[1:]
watcher._shift._camera._device.stop()  # as if it had been pulled out
until(2)
while watcher.state[0] != "watching":
    time.sleep(0.1)
watcher.stop()
said["states"] = states
print("SAID" + json.dumps(said))
os._exit(0)
"""


@pytest.fixture(scope="module")
def said(pytestconfig):
    pi = Pi(pytestconfig.getoption("pi_roots") / "trixie")
    try:
        supply(pi)
        show(pi, VirtualTable().draw())
        (pi.path / "srv/inside.py").write_text(INSIDE)
        (pi.path / "src").mkdir(exist_ok=True)
        script = (
            f"mount --bind {ROOT} {pi.path}/src; mkdir -p {pi.path}/virtual-camera; "
            f"mount --bind {pi.feed} {pi.path}/virtual-camera; "
            f"mount -t proc proc {pi.path}/proc; mount --bind /sys {pi.path}/sys; "
            f"exec chroot {pi.path} env PYTHONPATH=/src timeout 480 python3 /srv/inside.py"
        )
        done = subprocess.run(["unshare", "-m", "bash", "-c", script], capture_output=True, text=True, timeout=500)
        line = next((line for line in done.stdout.splitlines() if line.startswith("SAID")), None)
        assert line, done.stdout + done.stderr
        return json.loads(line[4:])
    finally:
        pi.off()


def test_the_format_that_the_camera_gives_is_found_out(said):
    assert said["describe"] == "Pi camera virtual-table, 1280 x 720, NV12, watched in lores"
    assert said["shape"] == [720, 1280, 3]


def test_colours_come_out_as_they_went_in(said):
    blue, green, red = VirtualTable().draw()[300:420, 500:780].reshape(-1, 3).mean(0)
    assert said["first"] == pytest.approx([blue, green, red], abs=6)


def test_a_capture_is_grey_at_once_and_keeps_its_colours_for_a_while(said):
    blue, green, red = VirtualTable().draw()[300:420, 500:780].reshape(-1, 3).mean(0)
    shape, grey = said["grey"]
    assert shape == [180, 320]
    luma = 16 + 0.098 * blue + 0.504 * green + 0.257 * red
    assert grey == pytest.approx(luma, abs=6), "the plane is that of BT.601, as the pictures were coded"
    assert said["oldest"] == pytest.approx([blue, green, red], abs=6)
    assert said["part"], "a part is what the whole shows there"
    assert "has let this picture go" in said["gone"]


def test_a_busy_camera_is_one_plain_line(said):
    assert "can't be opened" in said["busy"] or "no camera" in said["busy"]


def test_it_can_be_opened_again(said):
    assert said["reopened"] == [720, 1280, 3]


def test_a_capture_that_never_returns_is_told_and_the_camera_opened_again(said):
    assert said["stalled"][0] == ["watching", ""]
    assert said["stalled"][1] == ["camera lost", "the camera gave no picture for 6 s"]
    assert said["stalled"][-1] == ["watching", ""]


def test_a_vanished_camera_is_told_and_opened_again(said):
    states = [state for state, _ in said["states"]]
    assert states[1] == "camera lost"
    assert states[-2:] == ["watching", "offline"], "it was well again when the watcher was stopped"
