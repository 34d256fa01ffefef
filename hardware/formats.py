"""What libcamera's buffers mean: from raw bytes with padding to BGR pictures.

libcamera names formats by the order of bits in a word, so that on every Pi the bytes of ``RGB888`` lie in the order
B, G, R (the picamera2 manual, section "Image formats"). Rows are padded to ``stride`` bytes.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.capture import Box
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
PLANAR: Mapping[str, int] = MappingProxyType(
    {
        # OpenCV's conversion to BGR
        "NV12": cv2.COLOR_YUV2BGR_NV12,
        "NV21": cv2.COLOR_YUV2BGR_NV21,
        "YUV420": cv2.COLOR_YUV2BGR_I420,
        "YVU420": cv2.COLOR_YUV2BGR_YV12,
    }
)
"""The formats whose first plane is grey."""

FORMATS = (*_PACKED, *PLANAR)
"""The formats that can be turned into BGR."""


@dataclass(frozen=True, slots=True)
class Stream:
    """A stream as the camera really gives it, whatever was asked for.

    Attributes:
        name: picamera2's.
        format: libcamera's name, one of `FORMATS`.
        size_wh: pixels.
        stride: bytes from one row to the next.
    """

    name: str
    format: str
    size_wh: tuple[int, int]
    stride: int

    @classmethod
    def given(cls, name: str, configuration: Mapping[str, Any]) -> "Stream":
        """Read it from picamera2's configuration.

        Raises:
            BadInput: it comes in a format that isn't known here.
        """
        its = configuration[name]
        if str(its["format"]) not in FORMATS:
            raise BadInput(f"got the camera format {its['format']!r}, but expected one of {', '.join(FORMATS)}")
        width, height = its["size"]
        return cls(name, str(its["format"]), (int(width), int(height)), int(its["stride"]))

    def bgr(self, buffer: Bytes, box: Box | None = None) -> Bytes:
        """Turn its bytes, or those of a box, into a picture, see `bgr_from`."""
        return bgr_from(buffer, self.format, self.size_wh, self.stride, box)

    def grey(self, buffer: Bytes) -> Bytes:
        """View its grey plane, or of a packed format the green channel, in ``buffer``: uint8, shape (height, width)."""
        if self.format in PLANAR:
            return grey_from(buffer, self.format, self.size_wh, self.stride)
        return pixels_of(buffer, self.format, self.size_wh, self.stride)[..., 1]


def bgr_from(buffer: Bytes, fmt: str, size_wh: tuple[int, int], stride: int, box: Box | None = None) -> Bytes:
    """Turn a camera's buffer, or a part of it, into a picture.

    Args:
        buffer: all its bytes, uint8, shape (N,); bytes after the picture are ignored.
        fmt: libcamera's name of the format, one of `FORMATS`.
        size_wh: width and height in pixels, both even for the YUV formats.
        stride: bytes from one row to the next, of the Y plane for the YUV formats.
        box: which part, inside the picture; the whole when None. Only its own bytes are read.

    Returns:
        BGR, uint8, shape (height, width, 3), its own memory.

    Raises:
        BadInput: another format, or too few bytes.
    """
    left, top, right, bottom = box or (0, 0, *size_wh)
    if fmt in _PACKED:
        conversion = _PACKED[fmt][1]
        part = pixels_of(buffer, fmt, size_wh, stride)[top:bottom, left:right]
        return part.copy() if conversion is None else np.asarray(cv2.cvtColor(part, conversion), np.uint8)
    if fmt in PLANAR:
        # Four pixels share their colour, so the part begins and ends where four do.
        even = left - left % 2, top - top % 2, right + right % 2, bottom + bottom % 2
        part = np.asarray(cv2.cvtColor(_yuv_planes(buffer, fmt, size_wh, stride, even), PLANAR[fmt]), np.uint8)
        return part if box is None else part[top - even[1] :, left - even[0] :][: bottom - top, : right - left].copy()
    raise BadInput(f"got the camera format {fmt!r}, but expected one of {', '.join(FORMATS)}")


def grey_from(buffer: Bytes, fmt: str, size_wh: tuple[int, int], stride: int) -> Bytes:
    """Give the Y plane of a YUV buffer without a copy: uint8, shape (height, width), a view into ``buffer``.

    Raises:
        BadInput: not a YUV format, or too few bytes.
    """
    if fmt not in PLANAR:
        raise BadInput(f"got the camera format {fmt!r}, but only {', '.join(PLANAR)} have a grey plane")
    width, height = size_wh
    _check_length(buffer, fmt, stride * height, stride, width)
    return buffer[: stride * height].reshape(height, stride)[:, :width]


def pixels_of(buffer: Bytes, fmt: str, size_wh: tuple[int, int], stride: int) -> Bytes:
    """View packed rows without their padding; the last one may lack its own.

    Returns:
        uint8, shape (height, width, bytes a pixel), a view into ``buffer``.

    Raises:
        BadInput: not a packed format, or too few bytes.
    """
    if fmt not in _PACKED:
        raise BadInput(f"got the camera format {fmt!r}, but only {', '.join(_PACKED)} have whole pixels in a row")
    pixel_bytes = _PACKED[fmt][0]
    width, height = size_wh
    used = width * pixel_bytes
    _check_length(buffer, fmt, stride * (height - 1) + used, stride, used)
    shape, strides = (height, width, pixel_bytes), (stride, pixel_bytes, 1)
    return np.lib.stride_tricks.as_strided(np.ascontiguousarray(buffer), shape, strides, writeable=False)


def _yuv_planes(buffer: Bytes, fmt: str, size_wh: tuple[int, int], stride: int, even: Box) -> Bytes:
    """Put the planes of a box together without padding, as OpenCV wants them: shape (height * 3 / 2, width)."""
    width, height = size_wh
    left, top, right, bottom = even
    if width % 2 or height % 2:
        raise BadInput(f"got {width} x {height} pixels in {fmt}, but its sides must be even")
    _check_length(buffer, fmt, stride * height * 3 // 2, stride, width)
    grey_end, colour_end = stride * height, stride * height * 3 // 2
    grey = buffer[:grey_end].reshape(height, stride)[top:bottom, left:right]
    colour = buffer[grey_end:colour_end]
    if fmt.startswith("NV"):
        planes = colour.reshape(height // 2, stride)[top // 2 : bottom // 2, left:right]
    else:
        # Two planes of half the width, one after the other, each with half the stride.
        both = colour.reshape(2, height // 2, stride // 2)[:, top // 2 : bottom // 2, left // 2 : right // 2]
        planes = both.reshape((bottom - top) // 2, right - left)
    return np.concatenate([grey, planes])


def _check_length(buffer: Bytes, fmt: str, needed: int, stride: int, row_bytes: int) -> None:
    if stride < row_bytes or buffer.size < needed:
        raise BadInput(
            f"got {buffer.size} bytes of {fmt}, {stride} a row, but expected at least {needed}, {row_bytes} a row"
        )
