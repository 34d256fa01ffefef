"""A die that was told, and whether it still lies so: its own region, looked at closely."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from vision.frames import Box, Capture, Frame
from vision.likeness import NO_NOISE, Calm, compare, cut, is_same, measure_calm
from vision.motion import Motion
from vision.pose import Found

CREEP_PX = 0.4
"""More movement than this from the first to the last of the still frames is movement, in pixels of the frame."""

STIR_PX = 0.75
"""More movement than this since it was told means that the die no longer lies where it was read."""

MISFIT = 0.05
"""More of the region than this, as a share, changed beyond noise and light: something else is there."""


@dataclass(frozen=True, slots=True, eq=False)
class Standing:
    """A die that was told.

    Attributes:
        found: the die.
        piece: its region in the frame in which it was told; None when it has none.
        latest: its region as it looked when it was last compared closely: the light may have drifted.
        calm: how much that region differs from frame to frame while nothing moves.
    """

    found: Found
    piece: Frame | None = None
    latest: Frame | None = None
    calm: Calm = NO_NOISE


def remember(found: Found, still: Sequence[Capture]) -> Standing:
    """Keep a die that is told with the last of the captures in which it lay still."""
    box = found.box
    if box is None:
        return Standing(found)
    pieces = [cut(capture, box) for capture in still]
    return Standing(found, pieces[-1], pieces[-1], measure_calm(pieces))


def still_stands(standing: Standing, capture: Capture, motion: Motion) -> Standing | None:
    """Give what was told back when the die still lies so, whatever the light does; None when it doesn't.

    Slow movement adds up: the region is compared with the frame in which it was told.
    """
    if standing.found.box is None or standing.piece is None or standing.latest is None:
        return None if motion.change.is_any else standing
    piece = cut(capture, standing.found.box)
    if is_same(standing.latest, piece, standing.calm):
        return standing
    now = compare(standing.piece, piece, motion.noise)
    same = now.moved_px <= STIR_PX + 2 * now.error_px and now.misfit <= MISFIT
    return replace(standing, latest=piece) if same else None


def is_still(before: Capture, after: Capture, box: Box, noise: float) -> bool:
    """Tell whether a region is in one capture as it is in another, but for the light."""
    now = compare(cut(before, box), cut(after, box), noise)
    return now.moved_px <= CREEP_PX + 2 * now.error_px and now.misfit <= MISFIT
