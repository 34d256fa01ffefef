"""Reads a card from frame to frame, wherever it lies, and looks for it all over the table when it is gone.

Such a search takes seconds on a small machine. It goes on by a small step with each frame, begins only while nothing
moves, and after one that found nothing comes a pause that grows until something moves again.
"""

from collections.abc import Generator
from dataclasses import dataclass
from math import ceil, floor

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.inputs import SpinnerReading
from vision.card import Shift
from vision.card_search import Sighting, distance_mm, searching
from vision.card_sight import (
    DOUBTFUL_AGREEMENT,
    LEAST_AGREEMENT,
    STILL_MM,
    SURE_AGREEMENT,
    UNMOVED,
    choose_place,
    sight_about,
    sight_near,
)
from vision.frames import Box, Frame, check_frame
from vision.plane import project
from vision.spinner import SpinnerSetup, laid, read_at

STAY_FRAMES = 5
"""A card that lies for so long beside where it lay has come to lie there."""
NUDGE_FRAMES = 3
"""So long after the last movement a card that is not seen is looked for some mm beside."""
MISSING_FRAMES = 8
"""A card that is not seen for so long may have been moved."""
QUIET_FRAMES = 12
"""A hand over the card is seldom still for so long."""
RESTLESS_FRAMES = 75
"""Where something always moves a card is looked for all the same."""
FIRST_PAUSE, LONGEST_PAUSE = 15, 450
"""Frames between two searches."""
_SMALL_WH = (80, 45)
_MOVED_LEVELS, _MOVED_SHARE = 12, 0.01


@dataclass(frozen=True, slots=True)
class _Search:
    """A search that goes on: the frame that is searched, and whether nothing moved when it began."""

    frame: Frame
    steps: Generator[None, None, list[Sighting]]
    is_quiet: bool


class CardFinder:
    """Knows where the card lies; not for two threads at once.

    Args:
        setup: the card as it was set up.
    """

    def __init__(self, setup: SpinnerSetup) -> None:
        self.setup = setup
        """The card, as if it had been set up where it lies now."""
        self._least = SURE_AGREEMENT
        self._beside = (UNMOVED, 0)
        self._missing = 0
        self._quiet = 0
        self._small: NDArray[np.uint8] | None = None
        self._search: _Search | None = None
        self._wait, self._pause = 0, FIRST_PAUSE

    @property
    def is_gone(self) -> bool:
        """Whether no card is seen, and nothing moves that may cover it."""
        return self._missing >= MISSING_FRAMES and self._quiet >= QUIET_FRAMES

    @property
    def is_here(self) -> bool:
        """Whether the card lies where it is known to lie."""
        return self._missing == 0 and self._beside == (UNMOVED, 0) and self._small is not None

    @property
    def box(self) -> Box:
        """The part of the picture in which the card lies, or lay when it was last seen."""
        plane = self.setup.look.plane
        half_x, half_y = (side / 2 for side in self.setup.look.card.size_mm)
        corners = project(plane, [[x, y, 0.0] for x in (-half_x, half_x) for y in (-half_y, half_y)])
        (left, top), (right, bottom) = corners.min(axis=0), corners.max(axis=0)
        width, height = plane.size_wh
        return max(0, floor(left)), max(0, floor(top)), min(width, ceil(right)), min(height, ceil(bottom))

    def look_again(self) -> None:
        """Look for a card that is gone without a pause."""
        self._wait, self._pause = 0, FIRST_PAUSE

    def read(self, frame: Frame) -> SpinnerReading | None:
        """Read the next frame.

        Args:
            frame: BGR, uint8, shape (H, W, 3), of the set-up's size.

        Returns:
            As `vision.spinner.read_spinner`, but for a card that was moved far: that is found some frames later.

        Raises:
            BadInput: the frame is no picture of the set-up's size.
        """
        check_frame(frame, self.setup.look.plane.size_wh)
        self._feel(frame)
        here, is_sure = sight_near(frame, self.setup.look, self._least)
        if not is_sure and self._quiet == NUDGE_FRAMES and self._nudged(frame):
            here, is_sure = sight_near(frame, self.setup.look, self._least)
        if not is_sure:
            self._missing, self._beside = self._missing + 1, (UNMOVED, 0)
            reading = read_at(frame, self.setup, Sighting(here.shift, min(here.agreement, DOUBTFUL_AGREEMENT)))
            self._look_about(frame)
            return reading
        self._missing, self._search = 0, None
        self.look_again()
        reading = read_at(frame, self.setup, here)
        self._keep_to(here.shift)
        return reading

    def _nudged(self, frame: Frame) -> bool:
        """Take up a place some mm beside the old one, if the card lies there."""
        here, is_sure = sight_about(frame, self.setup.look)
        if is_sure:
            self.setup = laid(self.setup, here.shift)
        return is_sure

    def _keep_to(self, shift: Shift) -> None:
        """Take up a place beside the old one once the card has stayed there."""
        before, stayed = self._beside
        is_same = distance_mm(self.setup.look.card, before, shift) < STILL_MM
        self._beside = (before, stayed + 1) if is_same and stayed else (shift, 1)
        if shift == UNMOVED:
            self._beside = (UNMOVED, 0)
        elif self._beside[1] >= STAY_FRAMES:
            self.setup, self._beside = laid(self.setup, shift), (UNMOVED, 0)

    def _feel(self, frame: Frame) -> None:
        """Feel whether something moves in the picture."""
        small = cv2.cvtColor(cv2.resize(frame, _SMALL_WH, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
        before, self._small = self._small, np.asarray(small, np.uint8)
        moved = before is None or float((cv2.absdiff(before, self._small) > _MOVED_LEVELS).mean()) > _MOVED_SHARE
        self._quiet = 0 if moved else self._quiet + 1
        if moved:
            self._pause, self._wait = FIRST_PAUSE, min(self._wait, FIRST_PAUSE)
            if self._search is not None and self._search.is_quiet:
                self._search = None  # the card may be moved just now

    def _look_about(self, frame: Frame) -> None:
        """Go on with the search, or begin one when it is time."""
        if self._search is None:
            self._wait = max(self._wait - 1, 0)
            if not self._wait and (self.is_gone or self._missing >= RESTLESS_FRAMES):
                self._search = _Search(frame, searching(self.setup.look, frame), self.is_gone)
            return
        search = self._search
        try:
            next(search.steps)
        except StopIteration as done:
            self._search = None
            self._found(search.frame, done.value)

    def _found(self, searched: Frame, sightings: list[Sighting]) -> None:
        best = choose_place(searched, self.setup.look, sightings) if sightings else None
        if best is None or best.agreement < LEAST_AGREEMENT:
            self._wait, self._pause = self._pause, min(2 * self._pause, LONGEST_PAUSE)
            return
        # What agrees less than surely was compared with every other place, and may be trusted there.
        self._least = LEAST_AGREEMENT
        self.setup, self._beside = laid(self.setup, best.shift), (UNMOVED, 0)
