"""What libcamera's buffers mean: from raw bytes with padding to BGR pictures.

libcamera names formats by the order of bits in a word, so that on every Pi the bytes of ``RGB888`` lie in the order
B, G, R (the picamera2 manual, section "Image formats"). Rows are padded to ``stride`` bytes.
"""

from collections.abc import Mapping
from types import MappingProxyType

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.errors import BadInput

Bytes = NDArray[np.uint8]

_PACKED: Mapping[str, tuple[int, int | None]] = MappingProxyType(
    {
        # bytes a pixel, OpenCV's conversion to BGR
        "RGB888": (3, None),
        "BGR888": (3, cv2.COLOR_RGB2BGR),
        "XRGB8888": (4, cv2.COLOR_BGRA2BGR),
        "XBGR8888": (4, cv2.COLOR_RGBA2BGR),
    }
)
_PLANAR: Mapping[str, int] = MappingProxyType(
    {
        "NV12": cv2.COLOR_YUV2BGR_NV12,
        "NV21": cv2.COLOR_YUV2BGR_NV21,
        "YUV420": cv2.COLOR_YUV2BGR_I420,
        "YVU420": cv2.COLOR_YUV2BGR_YV12,
    }
)

FORMATS = (*_PACKED, *_PLANAR)
"""The formats that can be turned into BGR."""


def bgr_from(buffer: Bytes, fmt: str, size_wh: tuple[int, int], stride: int) -> Bytes:
    """Turn a camera's buffer into a picture.

    Args:
        buffer: all its bytes, uint8, shape (N,); bytes after the picture are ignored.
        fmt: libcamera's name of the format, one of `FORMATS`.
        size_wh: width and height in pixels, both even for the YUV formats.
        stride: bytes from one row to the next, of the Y plane for the YUV formats.

    Returns:
        BGR, uint8, shape (height, width, 3), its own memory.

    Raises:
        BadInput: another format, or too few bytes.
    """
    if fmt in _PACKED:
        pixel_bytes, conversion = _PACKED[fmt]
        rows = _rows(buffer, fmt, size_wh, stride, pixel_bytes)
        pixels = rows.reshape(size_wh[1], size_wh[0], pixel_bytes)
        return pixels.copy() if conversion is None else np.asarray(cv2.cvtColor(pixels, conversion), np.uint8)
    if fmt in _PLANAR:
        return np.asarray(cv2.cvtColor(_yuv_planes(buffer, fmt, size_wh, stride), _PLANAR[fmt]), np.uint8)
    raise BadInput(f"got the camera format {fmt!r}, but expected one of {', '.join(FORMATS)}")


def grey_from(buffer: Bytes, fmt: str, size_wh: tuple[int, int], stride: int) -> Bytes:
    """Give the Y plane of a YUV buffer without a copy: uint8, shape (height, width), a view into ``buffer``.

    Raises:
        BadInput: not a YUV format, or too few bytes.
    """
    if fmt not in _PLANAR:
        raise BadInput(f"got the camera format {fmt!r}, but only {', '.join(_PLANAR)} have a grey plane")
    width, height = size_wh
    _check_length(buffer, fmt, stride * height, stride, width)
    return buffer[: stride * height].reshape(height, stride)[:, :width]


def _rows(buffer: Bytes, fmt: str, size_wh: tuple[int, int], stride: int, pixel_bytes: int) -> Bytes:
    """Cut the padding off packed rows; the last one may lack its own."""
    width, height = size_wh
    used = width * pixel_bytes
    _check_length(buffer, fmt, stride * (height - 1) + used, stride, used)
    if stride == used:
        return np.ascontiguousarray(buffer[: used * height])
    view = np.lib.stride_tricks.as_strided(np.ascontiguousarray(buffer), (height, used), (stride, 1), writeable=False)
    return np.ascontiguousarray(view)


def _yuv_planes(buffer: Bytes, fmt: str, size_wh: tuple[int, int], stride: int) -> Bytes:
    """Put the planes together without padding, as OpenCV wants them: shape (height * 3 / 2, width)."""
    width, height = size_wh
    if width % 2 or height % 2:
        raise BadInput(f"got {width} x {height} pixels in {fmt}, but its sides must be even")
    _check_length(buffer, fmt, stride * height * 3 // 2, stride, width)
    grey_end, colour_end = stride * height, stride * height * 3 // 2
    grey = buffer[:grey_end].reshape(height, stride)[:, :width]
    colour = buffer[grey_end:colour_end]
    if fmt.startswith("NV"):
        planes = colour.reshape(height // 2, stride)[:, :width]
    else:
        # Two planes of half the width, one after the other, each with half the stride.
        planes = colour.reshape(height, stride // 2)[:, : width // 2].reshape(height // 2, width)
    return np.concatenate([grey, planes])


def _check_length(buffer: Bytes, fmt: str, needed: int, stride: int, row_bytes: int) -> None:
    if stride < row_bytes or buffer.size < needed:
        raise BadInput(
            f"got {buffer.size} bytes of {fmt}, {stride} a row, but expected at least {needed}, {row_bytes} a row"
        )
