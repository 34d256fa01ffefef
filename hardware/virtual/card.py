"""The card on the virtual table, and verbs for what people do with it."""

import random
import threading
from collections import deque
from collections.abc import Callable, Sequence
from math import isfinite
from typing import Any

import numpy as np

from companion.errors import BadInput
from hardware.virtual import card_actions
from hardware.virtual.card_actions import CardAction
from hardware.virtual.dials import CARD_MM, DIALS, CardLie
from hardware.virtual.motion import HandPose, Scene
from hardware.virtual.pinhole import Floats, Picture, Pinhole

MOST_ASKED = 4
"""So many things may be asked for ahead; more are refused."""

SHOWN_DEG = ((40.0, 250.0), (160.0, 10.0), (280.0, 130.0))
"""Where the arrows point in the pictures that a person shows."""


class VirtualCard:
    """A card with two dials. Its verbs may be called from any thread and take effect one after the other.

    Args:
        fps: frames a second.
        seed: of its own chance.
    """

    def __init__(self, fps: float, seed: int) -> None:
        self._fps = fps
        self._chance = random.Random(seed)
        self._lock = threading.Lock()
        self._asked: deque[Callable[[], CardAction | None]] = deque()
        self._action: tuple[CardAction, int] | None = None
        self._lie: CardLie | None = CardLie(card_actions.chosen_angles(self._chance))
        self._is_covered = False

    # What people do. Each says whether it will be done: False when too much is asked for already.

    def spin(self, to_deg: Sequence[float] | None = None) -> bool:
        """Spin both arrows, one after the other; where they stop is left to chance unless given."""
        return self._spin(tuple(range(len(DIALS))), to_deg)

    def spin_one(self, name: str, to_deg: float | None = None) -> bool:
        """Spin one arrow alone."""
        return self._spin((_index(name),), None if to_deg is None else (to_deg,))

    def touch(self, name: str) -> bool:
        """Push an arrow with a finger."""
        dial, fps = _index(name), self._fps
        return self._ask(lambda: card_actions.touch(self._lie, dial, self._chance, fps) if self._lie else None)

    def move(self) -> bool:
        """Move the card on the table."""
        return self._ask(lambda: card_actions.move(self._lie, self._chance, self._fps) if self._lie else None)

    def take_away(self) -> bool:
        """Take the card off the table."""
        return self._ask(lambda: card_actions.change(self._lie, None, self._fps) if self._lie else None)

    def bring(self) -> bool:
        """Lay the card back where it belongs."""

        def begin() -> CardAction | None:
            angles = card_actions.chosen_angles(self._chance)
            return None if self._lie else card_actions.change(None, CardLie(angles), self._fps)

        return self._ask(begin)

    def cover(self) -> bool:
        """Put a hand over the dials and leave it there."""
        return self._ask(lambda: card_actions.cover(self._lie, self._fps))

    def uncover(self) -> bool:
        """Take the hand away."""
        return self._ask(lambda: None)  # a hand goes before anything else is done

    # What the card knows of itself.

    @property
    def lie(self) -> CardLie | None:
        """How the card lies, or will lie when what happens now is over; None when it is gone."""
        with self._lock:
            return self._action[0].end if self._action else self._lie

    @property
    def is_busy(self) -> bool:
        """Whether something happens or is asked for."""
        with self._lock:
            return self._action is not None or bool(self._asked)

    def advance(self, frame: int, moments: list[float]) -> list[Scene]:
        """Go on to a frame; tell what is seen at these times, counted in frames."""
        with self._lock:
            if self._action and frame - self._action[1] >= self._action[0].frames:
                done = self._action[0]
                self._lie, self._is_covered, self._action = done.end, done.hand_stays, None
            while self._action is None and self._asked:
                self._begin_next(frame)
            return [self._scene_at(moment) for moment in moments]

    def _begin_next(self, frame: int) -> None:
        leaves = card_actions.uncover(self._lie, self._fps) if self._is_covered else None
        action = leaves or self._asked.popleft()()
        if action is not None:
            self._action = (action, frame)

    def _scene_at(self, moment: float) -> Scene:
        if self._action is not None:
            return self._action[0].scene(moment - self._action[1])
        if not self._is_covered:
            return Scene(None, None, self._lie)
        x, y = card_actions.over(self._lie)
        # No hand is ever quite still.
        hand = HandPose(
            card_actions.SEAT, x + float(np.sin(moment * 0.43)) * 0.8, y + float(np.sin(moment * 0.31)) * 0.6
        )
        return Scene(None, hand, self._lie)

    def _spin(self, dials: tuple[int, ...], to_deg: Sequence[float] | None) -> bool:
        stops = None if to_deg is None else _angles(to_deg, len(dials))

        def begin() -> CardAction | None:
            to = stops or card_actions.chosen_angles(self._chance)[: len(dials)]
            return (
                card_actions.spin(self._lie, dict(zip(dials, to, strict=True)), self._chance, self._fps)
                if self._lie
                else None
            )

        return self._ask(begin)

    def _ask(self, begin: Callable[[], CardAction | None]) -> bool:
        with self._lock:
            if len(self._asked) >= MOST_ASKED:
                return False
            self._asked.append(begin)
            return True


def card_frames(camera: Pinhole, corners_px: Floats, posed: Callable[[CardLie, int], Picture]) -> dict[str, Any]:
    """Draw what a person sets the reader of the card up with.

    Args:
        camera: who looks.
        corners_px: the card's corners as tapped, clockwise from its own top-left one, shape (4, 2).
        posed: draws the table with the card lying so as the picture of that number.

    Returns:
        A FRAMES.json dictionary whose pictures are arrays (BGR, uint8) in place of file names.
    """
    width, height = camera.size_wh
    return {
        "camera": {"width": width, "height": height, "K": [[float(v) for v in row] for row in camera.k]},
        "card_px": [[float(v) for v in corner] for corner in corners_px],
        "card_mm": list(CARD_MM),
        "dials": [
            {
                "name": dial.name,
                "center_mm": list(dial.center_mm),
                "radius_mm": dial.radius_mm,
                "labels": list(dial.sectors),
                "start_deg": dial.start_deg,
            }
            for dial in DIALS
        ],
        "shown": [
            {"image": posed(CardLie(angles), number), "angles_deg": list(angles)}
            for number, angles in enumerate(SHOWN_DEG)
        ],
    }


def _index(name: str) -> int:
    names = [dial.name for dial in DIALS]
    if name not in names:
        raise BadInput(f"got the dial {name!r}, but expected one of {', '.join(names)}")
    return names.index(name)


def _angles(values: object, count: int) -> tuple[float, ...]:
    """Check angles that come from the page."""
    if (
        not isinstance(values, list | tuple)
        or len(values) != count
        or not all(isinstance(v, int | float) and not isinstance(v, bool) and isfinite(v) for v in values)
    ):
        raise BadInput(f"got {values!r}, but expected {count} angles in degrees")
    return tuple(float(v) % 360 for v in values)
