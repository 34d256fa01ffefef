"""Frames: pictures as the eyes take them, BGR, uint8, shape (H, W, 3)."""

import os
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion import capture
from companion.errors import BadInput

Frame = NDArray[np.uint8]
"""A picture: BGR, uint8, shape (H, W, 3); pixel [0, 0] is the centre of the top-left one."""

Box = capture.Box
"""Left, top, right, bottom in whole pixels; right and bottom are just outside."""

Capture = capture.Capture[Frame]
"""One moment before the camera: grey at once, a frame when asked for."""

FloatArray = NDArray[np.float64]
"""Points, matrices and measures, float64; each user says the shape."""


def load_frame(path: str | os.PathLike[str], size_wh: tuple[int, int] | None = None) -> Frame:
    """Load a picture from a file.

    Args:
        path: a JPEG, PNG or other picture that OpenCV can decode.
        size_wh: the width and height that the picture must have, in pixels; any when None.

    Returns:
        The picture, BGR, uint8, shape (H, W, 3).

    Raises:
        BadInput: the file is missing, empty, cut short, no picture, not in three colours of 8 bits, or of another size.
    """
    name = Path(path).name
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise BadInput(f"can't open {name}: {error.strerror}; expected a picture file") from error
    if not data:
        raise BadInput(f"{name} is empty (0 bytes); expected a JPEG or PNG picture")
    if _is_cut_short(data):
        raise BadInput(f"{name} is cut short after {len(data)} bytes; copy it again")
    frame = _decode(data)
    if frame is None:
        raise BadInput(f"{name} is no picture ({len(data)} bytes); expected a whole JPEG or PNG picture")
    return check_frame(frame, size_wh, name=name)


def check_frame(frame: object, size_wh: tuple[int, int] | None = None, *, name: str = "the frame") -> Frame:
    """Check that a value is a frame: BGR, uint8, shape (H, W, 3), of the right size.

    Args:
        frame: what came, from a camera or a file.
        size_wh: the width and height that it must have, in pixels; any when None.
        name: what the message calls it.

    Returns:
        The same array.

    Raises:
        BadInput: it is something else; the message says what came and what was expected.
    """
    if not isinstance(frame, np.ndarray):
        raise BadInput(f"{name} is a {type(frame).__name__}; expected a picture array")
    if frame.ndim == 2 or (frame.ndim == 3 and frame.shape[2] == 1):
        raise BadInput(f"{name} is grey; expected three colours (BGR)")
    if frame.ndim == 3 and frame.shape[2] == 4:
        raise BadInput(f"{name} has four channels (RGBA); expected three colours (BGR) without transparency")
    if frame.ndim != 3 or frame.shape[2] != 3 or 0 in frame.shape:
        raise BadInput(f"{name} has shape {frame.shape}; expected (height, width, 3)")
    if frame.dtype != np.uint8:
        raise BadInput(f"{name} has {frame.dtype} values; expected 8 bits a colour (uint8)")
    height, width = frame.shape[:2]
    if size_wh is not None and (width, height) != tuple(size_wh):
        raise BadInput(
            f"{name} is {width} x {height}; expected {size_wh[0]} x {size_wh[1]} as in the set-up: "
            "set the camera to that size or calibrate again"
        )
    return frame


def _decode(data: bytes) -> NDArray[np.uint8] | None:
    """Decode with the file's own channels, so that grey and RGBA are noticed; None when it is no picture."""
    try:
        # Without IGNORE_ORIENTATION a phone's rotated JPEG would change its size behind the set-up's back.
        frame = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED | cv2.IMREAD_IGNORE_ORIENTATION)
    except cv2.error:
        return None
    return None if frame is None else np.asarray(frame)


def _is_cut_short(data: bytes) -> bool:
    """Tell whether a JPEG or PNG lacks its end: decoders fill the missing part with grey and say nothing."""
    if data.startswith(b"\xff\xd8"):
        return b"\xff\xd9" not in data[-64:]
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return b"IEND" not in data[-64:]
    return False
