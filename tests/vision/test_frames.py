import cv2
import numpy as np
import pytest

from companion.errors import BadInput
from vision.frames import check_frame, load_frame


def encode(picture, suffix=".png"):
    return cv2.imencode(suffix, picture)[1].tobytes()


COLOURED = np.random.default_rng(0).integers(0, 256, (24, 32, 3), dtype=np.uint8)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        pytest.param(b"", "is empty", id="empty"),
        pytest.param(b"hello, no picture", "is no picture", id="text"),
        pytest.param(encode(COLOURED, ".jpg")[:-200], "is cut short", id="truncated JPEG"),
        pytest.param(encode(COLOURED)[:-200], "is cut short", id="truncated PNG"),
        pytest.param(encode(COLOURED[..., 0]), "is grey", id="grey"),
        pytest.param(encode(np.dstack([COLOURED, COLOURED[..., 0]])), "four channels", id="RGBA"),
        pytest.param(encode(COLOURED.astype(np.uint16)), "uint16 values", id="16 bits"),
        pytest.param(encode(COLOURED[:20]), "is 32 x 20; expected 32 x 24", id="wrong size"),
    ],
)
def test_a_bad_picture_is_refused_in_one_line(tmp_path, data, message):
    path = tmp_path / "picture"
    path.write_bytes(data)
    with pytest.raises(BadInput, match=message) as caught:
        load_frame(path, (32, 24))
    assert "\n" not in str(caught.value)


def test_a_missing_picture_is_named(tmp_path):
    with pytest.raises(BadInput, match=r"can't open gone\.jpg"):
        load_frame(tmp_path / "gone.jpg")


def test_a_good_picture_comes_as_it_is(tmp_path):
    path = tmp_path / "good.png"
    path.write_bytes(encode(COLOURED))
    assert np.array_equal(load_frame(path, (32, 24)), COLOURED)


@pytest.mark.parametrize("value", [None, [[1, 2]], np.zeros((0, 4, 3), np.uint8), np.zeros((4, 4, 3))], ids=repr)
def test_what_is_no_frame_is_refused(value):
    with pytest.raises(BadInput, match="expected"):
        check_frame(value)
