import cv2
import numpy as np
import pytest

from companion.errors import BadInput
from hardware.formats import FORMATS, Stream, bgr_from, grey_from

WIDTH, HEIGHT = 12, 8


@pytest.fixture
def picture():
    """Blocks of two by two, so that halving the colours loses nothing."""
    blocks = np.random.default_rng(1).integers(30, 220, (HEIGHT // 2, WIDTH // 2, 3), np.uint8)
    return blocks.repeat(2, 0).repeat(2, 1)


def padded(rows, stride):
    out = np.full((len(rows), stride), 77, np.uint8)
    out[:, : rows.shape[1]] = rows
    return out.ravel()


def planes(bgr):
    """Y, U and V as OpenCV makes them."""
    i420 = cv2.cvtColor(bgr, cv2.COLOR_BGR2YUV_I420)
    quarter = HEIGHT * WIDTH // 4
    flat = i420.ravel()[HEIGHT * WIDTH :]
    shape = (HEIGHT // 2, WIDTH // 2)
    return i420[:HEIGHT], flat[:quarter].reshape(shape), flat[quarter:].reshape(shape)


def coded(bgr, fmt, stride):
    """Write a picture as a camera would."""
    packed = {
        "RGB888": bgr,
        "BGR888": bgr[..., ::-1],
        "XRGB8888": np.dstack([bgr, np.full(bgr.shape[:2], 9, np.uint8)]),
        "XBGR8888": np.dstack([bgr[..., ::-1], np.full(bgr.shape[:2], 9, np.uint8)]),
    }
    if fmt in packed:
        return padded(packed[fmt].reshape(HEIGHT, -1), stride)
    y, u, v = planes(bgr)
    if fmt.startswith("NV"):
        pairs = np.dstack([u, v] if fmt == "NV12" else [v, u]).reshape(HEIGHT // 2, WIDTH)
        return np.concatenate([padded(y, stride), padded(pairs, stride)])
    first, second = (u, v) if fmt == "YUV420" else (v, u)
    return np.concatenate([padded(y, stride), padded(first, stride // 2), padded(second, stride // 2)])


@pytest.mark.parametrize("fmt", ["RGB888", "BGR888", "XRGB8888", "XBGR8888"])
@pytest.mark.parametrize("padding", [0, 5, 20])
def test_packed_formats_become_bgr_whatever_the_padding(picture, fmt, padding):
    stride = WIDTH * (4 if fmt.startswith("X") else 3) + padding
    np.testing.assert_array_equal(bgr_from(coded(picture, fmt, stride), fmt, (WIDTH, HEIGHT), stride), picture)


@pytest.mark.parametrize("fmt", ["NV12", "NV21", "YUV420", "YVU420"])
@pytest.mark.parametrize("padding", [0, 4, 20])
def test_yuv_formats_become_bgr_whatever_the_padding(picture, fmt, padding):
    stride = WIDTH + padding
    got = bgr_from(coded(picture, fmt, stride), fmt, (WIDTH, HEIGHT), stride)
    assert np.abs(got.astype(int) - picture).max() <= 6  # what 8-bit YUV loses


def test_bytes_after_the_picture_are_ignored(picture):
    buffer = np.concatenate([coded(picture, "NV12", 16), np.zeros(100, np.uint8)])
    got = bgr_from(buffer, "NV12", (WIDTH, HEIGHT), 16)
    assert np.abs(got.astype(int) - picture).max() <= 6


def test_the_last_row_may_lack_its_padding(picture):
    stride = WIDTH * 3 + 4
    buffer = coded(picture, "RGB888", stride)[:-4]
    np.testing.assert_array_equal(bgr_from(buffer, "RGB888", (WIDTH, HEIGHT), stride), picture)


def test_the_picture_has_its_own_memory(picture):
    buffer = coded(picture, "RGB888", WIDTH * 3)
    got = bgr_from(buffer, "RGB888", (WIDTH, HEIGHT), WIDTH * 3)
    buffer[:] = 0
    np.testing.assert_array_equal(got, picture)


def test_the_grey_plane_is_a_view_without_padding(picture):
    buffer = coded(picture, "NV12", 16)
    grey = grey_from(buffer, "NV12", (WIDTH, HEIGHT), 16)
    np.testing.assert_array_equal(grey, planes(picture)[0])
    assert np.shares_memory(grey, buffer)


@pytest.mark.parametrize(
    ("fmt", "size", "stride", "message"),
    [
        pytest.param("MJPEG", (12, 8), 12, "'MJPEG', but expected one of RGB888", id="unknown format"),
        pytest.param("NV12", (12, 10), 12, "144 bytes of NV12.*at least 180", id="too few bytes"),
        pytest.param("NV12", (12, 8), 8, "8 a row", id="stride smaller than a row"),
        pytest.param("NV12", (11, 8), 12, "must be even", id="odd width"),
    ],
)
def test_what_cannot_be_a_picture_is_refused_in_words(fmt, size, stride, message):
    with pytest.raises(BadInput, match=message):
        bgr_from(np.zeros(144, np.uint8), fmt, size, stride)


@pytest.mark.parametrize("box", [(0, 0, 12, 8), (3, 1, 8, 6), (2, 2, 6, 4), (11, 7, 12, 8), (5, 3, 6, 8)])
@pytest.mark.parametrize("fmt", FORMATS)
def test_a_part_is_just_what_the_whole_shows_there(fmt, box):
    picture = np.random.default_rng(2).integers(0, 256, (HEIGHT, WIDTH, 3), np.uint8)
    stride = 4 * WIDTH + 8
    buffer = coded(picture, fmt, stride)
    left, top, right, bottom = box
    part = bgr_from(buffer, fmt, (WIDTH, HEIGHT), stride, box)
    np.testing.assert_array_equal(part, bgr_from(buffer, fmt, (WIDTH, HEIGHT), stride)[top:bottom, left:right])


@pytest.mark.parametrize("fmt", FORMATS)
def test_a_stream_is_read_as_the_camera_gives_it(picture, fmt):
    stride = 4 * WIDTH + 8
    given = {"lores": {"format": fmt, "size": (WIDTH, HEIGHT), "stride": stride}}
    stream = Stream.given("lores", given)
    buffer = coded(picture, fmt, stride)
    assert np.shares_memory(stream.grey(buffer), buffer)
    green = picture[..., 1].astype(int)
    assert np.corrcoef(stream.grey(buffer).ravel(), green.ravel())[0, 1] > 0.5
    assert np.abs(stream.bgr(buffer).astype(int) - picture).max() <= 6


def test_a_stream_in_an_unknown_format_is_refused():
    with pytest.raises(BadInput, match="MJPEG"):
        Stream.given("main", {"main": {"format": "MJPEG", "size": (4, 2), "stride": 4}})
