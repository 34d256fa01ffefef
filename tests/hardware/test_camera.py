import threading

import cv2
import numpy as np
import pytest

from companion.errors import BadInput
from hardware.camera import CameraError, Pace, Stills, UsbCamera, VideoFile


def grey(level, size_wh=(32, 24)):
    return np.full((size_wh[1], size_wh[0], 3), level, np.uint8)


@pytest.fixture
def folder(tmp_path):
    for number, level in enumerate((10, 120, 240)):
        cv2.imwrite(str(tmp_path / f"{number:03}.png"), grey(level))
    (tmp_path / "labels.jsonl").write_text("{}")
    return tmp_path


def test_stills_come_in_the_order_of_their_names_and_end(folder):
    camera = Stills(folder)
    assert camera.size_wh == (32, 24)
    assert [int(camera.read()[0, 0, 0]) for _ in range(3)] == [10, 120, 240]
    with pytest.raises(CameraError, match="no more pictures"):
        camera.read()


def test_stills_begin_again_when_asked_to(folder):
    camera = Stills(folder, repeat=True)
    assert [int(camera.read()[0, 0, 0]) for _ in range(4)] == [10, 120, 240, 10]


def test_a_folder_without_pictures_is_refused(tmp_path):
    with pytest.raises(BadInput, match="expected a folder with pictures"):
        Stills(tmp_path)
    with pytest.raises(BadInput, match="expected a folder with pictures"):
        Stills(tmp_path / "nothing")


def test_a_damaged_picture_is_named(folder):
    (folder / "001.png").write_bytes(b"no picture")
    camera = Stills(folder)
    camera.read()
    with pytest.raises(BadInput, match=r"001\.png"):
        camera.read()


def test_a_picture_of_another_size_is_refused(folder):
    cv2.imwrite(str(folder / "001.png"), grey(1, (16, 24)))
    camera = Stills(folder)
    camera.read()
    with pytest.raises(CameraError, match=r"001\.png is 16 x 24"):
        camera.read()


@pytest.fixture
def film(tmp_path):
    path = tmp_path / "film.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 15, (32, 24))
    for level in (10, 120, 240):
        writer.write(grey(level))
    writer.release()
    return path


def test_a_film_gives_its_frames_and_ends(film):
    camera = VideoFile(film)
    assert camera.size_wh == (32, 24)
    assert [round(int(camera.read()[0, 0, 0]), -1) for _ in range(3)] == [10, 120, 240]
    with pytest.raises(CameraError, match=r"film\.avi is over"):
        camera.read()
    camera.close()


def test_a_film_begins_again_when_asked_to(film):
    camera = VideoFile(film, repeat=True)
    assert [round(int(camera.read()[0, 0, 0]), -1) for _ in range(4)] == [10, 120, 240, 10]
    camera.close()


def test_a_file_that_is_no_film_is_refused(folder):
    with pytest.raises(BadInput, match="expected a film"):
        VideoFile(folder / "labels.jsonl")


def test_pace_waits_for_each_frame_and_counts_those_that_were_missed(clock):
    waits = []
    pace = Pace(10, clock, lambda seconds: (waits.append(seconds), clock.sleep(seconds))[1])
    assert [pace.next(), pace.next()] == [1, 1]
    assert waits == pytest.approx([0.1, 0.1])
    clock.sleep(0.57)
    assert pace.next() == 5  # at once: the fifth is the newest that is due
    assert len(waits) == 2
    assert pace.next() == 1
    assert waits[2] == pytest.approx(0.03)


def test_closing_ends_a_camera_that_waits(folder):
    camera = Stills(folder, pace=Pace(0.001))
    ended = threading.Event()

    def read():
        with pytest.raises(CameraError, match="closed"):
            camera.read()
        ended.set()

    thread = threading.Thread(target=read)
    thread.start()
    camera.close()
    thread.join(2)
    assert ended.is_set()


def test_a_pace_needs_frames():
    with pytest.raises(BadInput, match="0 frames a second"):
        Pace(0)


class FakeCapture:
    """OpenCV's VideoCapture as far as it is used; it gives ``frames``, whatever size was asked for."""

    def __init__(self, frames, opened=True):
        self.frames, self.opened, self.released = list(frames), opened, 0
        self.asked = {}

    def isOpened(self):  # noqa: N802 - OpenCV's name
        return self.opened

    def set(self, key, value):
        self.asked[key] = value

    def get(self, key):
        return {cv2.CAP_PROP_FRAME_WIDTH: 640.0, cv2.CAP_PROP_FRAME_HEIGHT: 480.0}[key]

    def read(self):
        return (True, self.frames.pop(0)) if self.frames else (False, None)

    def release(self):
        self.released += 1


def usb(capture):
    return UsbCamera("/dev/video9", open_capture=lambda device, api: capture)


def test_a_usb_camera_tells_the_size_it_really_gives():
    capture = FakeCapture([grey(5, (640, 480))])
    camera = usb(capture)
    assert capture.asked[cv2.CAP_PROP_FRAME_WIDTH] == 1280
    assert camera.size_wh == (640, 480)
    assert camera.read().shape == (480, 640, 3)
    assert "640 x 480" in camera.describe()


def test_a_usb_camera_that_is_pulled_out_says_so_and_is_let_go():
    capture = FakeCapture([])
    camera = usb(capture)
    with pytest.raises(CameraError, match="still plugged in"):
        camera.read()
    camera.close()
    assert capture.released == 1
    with pytest.raises(CameraError, match="closed"):
        camera.read()


def test_a_missing_usb_camera_is_a_plain_message():
    capture = FakeCapture([], opened=False)
    with pytest.raises(CameraError, match=r"no camera at '/dev/video9', or it is busy"):
        usb(capture)
    assert capture.released == 1


def test_closing_a_usb_camera_does_not_wait_for_a_read_that_hangs():
    class Hanging(FakeCapture):
        def __init__(self):
            super().__init__([])
            self.inside, self.go = threading.Event(), threading.Event()

        def read(self):
            self.inside.set()
            self.go.wait(5)
            return False, None

    capture = Hanging()
    camera = usb(capture)

    def read():
        with pytest.raises(CameraError):
            camera.read()

    thread = threading.Thread(target=read)
    thread.start()
    assert capture.inside.wait(2)
    camera.close()
    assert capture.released == 0  # not under the feet of the thread that reads
    capture.go.set()
    thread.join(2)
    assert capture.released == 1
