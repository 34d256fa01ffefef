"""The die reader as the watcher uses it: where the die is in the picture, besides what it shows."""

from math import ceil, floor

from companion.inputs import Status
from vision.cube import corners_of
from vision.die import find_dice, tell
from vision.faces import Die
from vision.frames import Box, Frame
from vision.plane import project
from vision.pose import Found
from vision.seen import Look
from vision.setup import DieSetup

MARGIN_PX = 3
"""So much of the table round the die belongs to its region: its outline shows that it moves."""

NEAR = 1.5
"""A die that was seen before is looked for within so many of its box's longer sides."""


def looker(setup: DieSetup) -> Look:
    """Make a look from a set-up."""

    def look(frame: Frame, near: Box | None) -> Found | None:
        around = None
        if near is not None:
            left, top, right, bottom = near
            reach = NEAR * max(right - left, bottom - top)
            around = ((left + right) / 2, (top + bottom) / 2, reach)
        dice = find_dice(frame, setup, around)
        reading = tell(dice, setup) if dice else None
        if reading is None:
            return None
        best = dice[0]
        middle = project(setup.plane, [best.pose[0], best.pose[1], setup.cube.size_mm / 2])
        return Found(
            reading,
            box_of(best, setup),
            (float(middle[0]), float(middle[1])),
            best.verdict.lies[0] if reading.status is Status.READ else None,
            covered=(reading.reason or "").startswith("hand in the way"),
        )

    return look


def box_of(die: Die, setup: DieSetup) -> Box | None:
    """Bound a die in the picture, with a margin; None when none of it is inside."""
    pixels = project(setup.plane, corners_of(setup.cube, die.pose))
    width, height = setup.plane.size_wh
    left, top = (max(0, floor(value - MARGIN_PX)) for value in pixels.min(axis=0))
    right, bottom = (ceil(value + MARGIN_PX + 1) for value in pixels.max(axis=0))
    right, bottom = min(right, width), min(bottom, height)
    return (left, top, right, bottom) if right - left > 7 and bottom - top > 7 else None
