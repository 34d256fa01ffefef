import cv2
import numpy as np
import pytest

from companion.cli.open_camera import keep_exposure, load_exposure, open_camera
from companion.config import Settings
from hardware.camera import CameraError
from hardware.mounting import Exposure

FROZEN = Exposure(9000, 2.0, (1.5, 1.8))


def test_a_folder_of_stills_hangs_as_the_settings_say(tmp_path):
    picture = np.zeros((4, 6, 3), np.uint8)
    picture[0, 0] = 255
    cv2.imwrite(str(tmp_path / "0.png"), picture)
    camera = open_camera(Settings(camera=str(tmp_path), mounting={"upside_down": True}), tmp_path)
    assert camera.read()[3, 5, 0] == 255
    assert camera.size_wh == (6, 4)
    camera.close()


@pytest.mark.parametrize(("name", "said"), [("none", "no camera is wanted"), ("/nowhere", "expected auto, picamera")])
def test_without_a_camera_one_line_says_what_to_do(tmp_path, name, said):
    with pytest.raises(CameraError, match=said):
        open_camera(Settings(camera=name), tmp_path)


def test_the_frozen_exposure_is_there_after_a_restart(tmp_path):
    file = tmp_path / "camera.json"
    assert load_exposure(file) is None
    keep_exposure(file, FROZEN)
    assert load_exposure(file) == FROZEN
    written = file.stat().st_mtime_ns
    keep_exposure(file, FROZEN)
    assert file.stat().st_mtime_ns == written, "the SD card is not written to for nothing"


@pytest.mark.parametrize("text", ["", "[]", '{"time_us": 1}', '{"time_us": 1, "gain": 1, "colour_gains": 3}'])
def test_a_damaged_exposure_is_settled_afresh(tmp_path, text):
    (tmp_path / "camera.json").write_text(text)
    assert load_exposure(tmp_path / "camera.json") is None


def test_a_disk_that_cannot_be_written_is_no_reason_to_stop(tmp_path):
    keep_exposure(tmp_path / "missing" / "camera.json", FROZEN)
