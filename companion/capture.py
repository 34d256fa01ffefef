"""What a camera took at one moment, on its way from hand to eye: grey and small at once, in colour when asked for.

The thousands of frames in which nothing happens are looked at in grey alone. The whole picture is fetched for a
reading, and its parts for the die that is watched: see docs/decisions/0304-grey-to-watch-colour-to-read.md.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

GREY_WIDTH = 320
"""About how wide the grey plane is, in pixels."""

KEPT_CAPTURES = 5
"""Of so many captures, the newest included, a camera can still give the colours."""

Box = tuple[int, int, int, int]
"""Left, top, right, bottom in whole pixels; right and bottom are just outside."""

Array = TypeVar("Array")


@dataclass(frozen=True, eq=False)
class Capture(Generic[Array]):
    """One moment before the camera. Only the thread that took it may use it.

    Attributes:
        grey: uint8, shape (h, w), w about `GREY_WIDTH`, to be read only.
        size_wh: width and height of the whole picture, in pixels.
        fetch: gives the colours inside a box that lies in the picture, or of the whole picture for None: BGR, uint8,
            shape (height, width, 3), to be read only. It raises when the camera has let them go, `KEPT_CAPTURES` later.
    """

    grey: Array
    size_wh: tuple[int, int]
    fetch: Callable[[Box | None], Array]

    def whole(self) -> Array:
        """Give the whole picture in colour."""
        return self.fetch(None)

    def piece(self, box: Box) -> Array:
        """Give a part of the picture in colour."""
        return self.fetch(box)


def capture_of(frame: Any) -> Capture[Any]:
    """Make a capture of a picture that is in memory.

    Args:
        frame: BGR, uint8, shape (height, width, 3). Its green channel, every n-th pixel, serves as grey.
    """
    height, width = frame.shape[:2]
    step = max(1, round(width / GREY_WIDTH))

    def fetch(box: Box | None) -> Any:
        if box is None:
            return frame
        left, top, right, bottom = box
        return frame[top:bottom, left:right]

    return Capture(frame[::step, ::step, 1], (width, height), fetch)
