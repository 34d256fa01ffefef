"""The virtual table: a camera that draws a die or a card on a table, and verbs for what people do there."""

import random
import threading
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from companion.die import CLOCKWISE, Flip, Lie, Move, all_lies, moved
from companion.errors import BadInput
from companion.mat import PAPERS
from hardware.camera import Frame, Pace, WholeFrames
from hardware.memory import give_back
from hardware.virtual import actions
from hardware.virtual.backdrop import paper_corners_px
from hardware.virtual.card import VirtualCard, card_frames
from hardware.virtual.dials import CardLie, from_middle
from hardware.virtual.light import JITTERS
from hardware.virtual.motion import Action, HandPose, Rest, Scene, pose_of
from hardware.virtual.paper import print_paper
from hardware.virtual.pinhole import look_at_table
from hardware.virtual.sensor import FADE_FRAMES, Sensor
from hardware.virtual.showing import setup_frames
from hardware.virtual.stage import Stage

ELEVATION_DEG, AZIMUTH_DEG, DISTANCE_MM = 50.0, 24.0, 480.0
EXPOSURE_S = 1 / 60
MOST_ASKED = 8
"""So many things may be asked for ahead; more are refused."""


@dataclass(frozen=True, slots=True)
class Conditions:
    """What the table and the camera begin with.

    Attributes:
        noise_sd: the sensor's noise in grey levels.
        flicker: how far the light swings from frame to frame, 0.02 for 2 %.
        bare: the die is not on the table yet.
    """

    noise_sd: float = 2.0
    flicker: float = 0.0
    bare: bool = False


STEADY = Conditions()


class VirtualTable:
    """A drawn table that can be played at, and looked at through `camera`.

    The verbs may be called from any thread; each takes effect when what was asked before is done. Time is counted in
    frames: the same seed and the same verbs at the same frames give the same pictures.

    Args:
        size_wh: width and height of the pictures.
        fps: frames a second.
        seed: of the wood, the noise and the die's own chance.
        conditions: noise, flicker, and whether the die is there.
    """

    def __init__(
        self,
        size_wh: tuple[int, int] = (1280, 720),
        fps: float = 15,
        seed: int = 1,
        *,
        conditions: Conditions = STEADY,
    ) -> None:
        self._camera = look_at_table(
            size_wh, elevation_deg=ELEVATION_DEG, azimuth_deg=AZIMUTH_DEG, distance_mm=DISTANCE_MM
        )
        self._fps = fps
        self._stage = Stage(self._camera, seed)
        self._sensor = Sensor(size_wh, seed, noise_sd=conditions.noise_sd, flicker=conditions.flicker)
        self._chance = random.Random(seed)
        self._lock = threading.Lock()
        self._asked: deque[Callable[[], Action | None]] = deque()
        self._action: tuple[Action, int] | None = None
        self._rest: Rest | None = None if conditions.bare else self._by_chance(None, None)
        self._covered_by: str | None = None
        self._lamp_on, self._lamp = True, 1.0
        self._frame = 0
        self.card = VirtualCard(fps, seed)
        """The card with dials; it lies there instead of the die after ``lay("card")``."""
        self._lies = "die"
        self._stage.prepare_hand("S")  # or the first roll would stop the film for a second
        give_back()

    @property
    def size_wh(self) -> tuple[int, int]:
        """Width and height of the pictures."""
        return self._camera.size_wh

    def camera(self) -> "TableCamera":
        """Set up a camera that looks at the table; when it is closed, another can be set up."""
        return TableCamera(self, Pace(self._fps))

    def draw(self, frames: int = 1) -> Frame:
        """Let so many frames pass, and draw the last of them at once."""
        with self._lock:
            for _ in range(frames):
                moments = self._advance()
                frame, lamp = self._frame, self._lamp
                self._frame += 1
        return self._sensor.expose(self._stage.picture(moments), frame, lamp)

    # What people do. Each says whether it will be done: False when too much is asked for already.

    def roll(self, lie: Lie | None = None, yaw_deg: float | None = None, *, seat: str = "S") -> bool:
        """Roll the die; how it comes to rest is left to chance unless given.

        Args:
            lie: how it will lie once turned straight.
            yaw_deg: how far it will be turned clockwise from straight, -45 to 45.
            seat: whose hand throws it.
        """
        _check_seat(seat)
        if lie is not None and lie not in all_lies():
            raise BadInput(f"got {lie}, but the die can't lie so: take one of companion.die.all_lies()")
        if yaw_deg is not None and not -45 <= yaw_deg <= 45:
            raise BadInput(f"got a yaw of {yaw_deg!r} degrees, but expected -45 to 45")

        def begin() -> Action:
            after = self._by_chance(lie, yaw_deg)
            return actions.roll(self._rest, after, seat, self._chance, self._fps)

        return self._ask(begin)

    def turn(self, move: Move, seat: str = "S", flip: Flip = Flip.A) -> bool:
        """Make a paid move with the die, as the player at ``seat`` sees it."""
        _check_seat(seat)

        def change(rest: Rest) -> Rest:
            return Rest(moved(rest.lie, move, seat, flip), rest.yaw_deg, rest.x_mm, rest.y_mm)

        return self._ask(lambda: self._handled(change, seat))

    def knock(self, *, seat: str = "S") -> bool:
        """Push the die askew: it moves and turns a little and shows the same top."""
        _check_seat(seat)
        fps = self._fps
        return self._ask(lambda: actions.knock(self._rest, seat, self._chance, fps) if self._rest else None)

    def cock(self, *, seat: str = "S") -> bool:
        """Lean the die on a coin."""
        _check_seat(seat)

        def lean(rest: Rest) -> Rest:
            return Rest(rest.lie, rest.yaw_deg, rest.x_mm, rest.y_mm, cocked=True)

        return self._ask(lambda: self._handled(lean, seat))

    def remove(self, *, seat: str = "S") -> bool:
        """Take the die off the table."""
        _check_seat(seat)
        return self._ask(lambda: self._handled(lambda rest: None, seat))

    def lay_paper(self, what: str | None) -> bool:
        """Lay a sheet of paper or the printed mat (A4) in the middle, or take it away.

        Args:
            what: ``paper``, ``mat``, or None.
        """
        if what not in ("paper", "mat", None):
            raise BadInput(f"got {what!r}, but expected 'paper', 'mat' or nothing")
        paper = None if what is None else print_paper(what == "mat")

        def begin() -> None:
            self._stage.lay_paper(paper, PAPERS["a4"])

        return self._ask(begin)

    def cover(self, *, seat: str = "S") -> bool:
        """Put a hand over the die and leave it there."""
        _check_seat(seat)
        return self._ask(lambda: actions.cover(self._rest, seat, self._fps))

    def uncover(self) -> bool:
        """Take the hand away."""
        return self._ask(lambda: None)  # a hand goes before anything else is done

    def pass_by(self, *, seat: str = "S") -> bool:
        """Let a hand come beside the die and go again."""
        _check_seat(seat)
        return self._ask(lambda: actions.pass_by(self._rest, seat, self._fps))

    def creep(self, px_a_frame: float = 0.2, frames: int = 30) -> bool:
        """Let the die slide slowly eastwards for a while."""
        step_mm = px_a_frame / (self._camera.k[0, 0] / DISTANCE_MM)
        return self._ask(lambda: actions.creep(self._rest, float(step_mm), frames) if self._rest else None)

    def light(self, on: bool) -> None:
        """Switch the lamp on or off."""
        with self._lock:
            self._lamp_on = on

    def lay(self, thing: str) -> None:
        """Lay the ``die`` or the ``card`` on the table, and put the other away."""
        if thing not in ("die", "card"):
            raise BadInput(f"got {thing!r}, but expected die or card")
        with self._lock:
            self._lies = thing

    def flicker(self, share: float) -> None:
        """Let the light swing by this share of itself from frame to frame; 0 is steady."""
        self._sensor.flicker = share

    # What the table knows of itself.

    @property
    def rest(self) -> Rest | None:
        """How the die lies, or will lie when what happens now is over; None without a die."""
        with self._lock:
            return self._action[0].end if self._action else self._rest

    @property
    def is_busy(self) -> bool:
        """Whether something happens or is asked for."""
        with self._lock:
            return self._action is not None or bool(self._asked)

    def paper_corners_px(self) -> list[list[float]]:
        """Tell where the corners of the paper that can be laid are seen, [x, y], clockwise from the north-west."""
        return paper_corners_px(self._camera, PAPERS["a4"])

    def card_points_px(self, points_mm: Sequence[tuple[float, float, float]]) -> list[list[float]]:
        """Tell where points of the card as it lies are seen: x right, y down from its top-left corner, and height."""
        lie = self.card.lie or CardLie(())
        flat = np.stack([lie.on_table(from_middle((x, y))[None])[0] for x, y, _ in points_mm])
        heights = np.array([[height] for *_, height in points_mm], np.float32)
        seen = self._camera.project(np.hstack([flat, heights]))
        return [[float(x), float(y)] for x, y in seen]

    def setup_frames(self) -> dict[str, Any]:
        """Draw what a person sets the reader up with.

        Returns:
            A FRAMES.json dictionary whose pictures are arrays (BGR, uint8) in place of file names.
        """
        return setup_frames(self._camera, self.posed)

    def card_frames(self) -> dict[str, Any]:
        """Draw what a person sets the reader of the card up with, as `setup_frames` does for the die."""
        return card_frames(self._camera, self._stage.card.corners_px(CardLie(())), self._posed_card)

    def _posed_card(self, lie: CardLie, number: int) -> Frame:
        clean = self._stage.picture([Scene(None, None, lie)] * len(JITTERS))
        return self._sensor.expose(clean, 2**30 + number, 1.0)

    def posed(self, rest: Rest | None, number: int) -> Frame:
        """Draw the table with the die at rest so, None for without it; ``number`` tells the noise of pictures apart."""
        clean = self._stage.picture([Scene(pose_of(rest))] * len(JITTERS))
        return self._sensor.expose(clean, 2**31 + number, 1.0)

    def _by_chance(self, lie: Lie | None, yaw_deg: float | None) -> Rest:
        return actions.chosen_rest(lie or self._chance.choice(all_lies()), yaw_deg, self._chance)

    def _handled(self, change: Callable[[Rest], Rest | None], seat: str) -> Action | None:
        return actions.handle(self._rest, change(self._rest), seat, self._fps) if self._rest else None

    def _ask(self, begin: Callable[[], Action | None]) -> bool:
        with self._lock:
            if len(self._asked) >= MOST_ASKED:
                return False
            self._asked.append(begin)
            return True

    def _advance(self) -> list[Scene]:
        """Go on by one frame; the lock is held."""
        if self._action and self._frame - self._action[1] >= self._action[0].frames:
            done = self._action[0]
            self._rest, self._covered_by, self._action = done.end, done.hand_stays, None
        while self._action is None and self._asked:
            self._begin_next()
        step = 1 / FADE_FRAMES
        self._lamp = min(self._lamp + step, 1.0) if self._lamp_on else max(self._lamp - step, 0.0)
        times = [self._frame + i * EXPOSURE_S * self._fps / len(JITTERS) for i in range(len(JITTERS))]
        return self.card.advance(self._frame, times) if self._lies == "card" else [self._scene_at(t) for t in times]

    def _begin_next(self) -> None:
        if self._covered_by is not None:
            action: Action | None = actions.uncover(self._rest, self._covered_by, self._fps)
        else:
            action = self._asked.popleft()()
        if action is not None:
            self._action = (action, self._frame)

    def _scene_at(self, moment: float) -> Scene:
        if self._action is not None:
            return self._action[0].scene(moment - self._action[1])
        if self._covered_by is None:
            return Scene(pose_of(self._rest))
        x, y = (self._rest.x_mm, self._rest.y_mm) if self._rest else (0.0, 0.0)
        # No hand is ever quite still.
        x, y = x + float(np.sin(moment * 0.43)) * 0.8, y + float(np.sin(moment * 0.31)) * 0.6
        return Scene(pose_of(self._rest), HandPose(self._covered_by, x, y))


class TableCamera(WholeFrames):
    """A camera (see `hardware.camera.Camera`) that looks at a virtual table.

    Like a real one it doesn't wait for who reads: frames that nobody read in time are lost.
    """

    def __init__(self, table: VirtualTable, pace: Pace) -> None:
        self._table, self._pace = table, pace

    @property
    def size_wh(self) -> tuple[int, int]:
        """Width and height of the pictures."""
        return self._table.size_wh

    def read(self) -> Frame:
        """Wait until the next picture is due, and draw it."""
        return self._table.draw(self._pace.next())

    def close(self) -> None:
        """Stop; a `read` that waits ends. The table stays as it is."""
        self._pace.stop()

    def describe(self) -> str:
        """Name the camera."""
        return f"virtual table, {self.size_wh[0]} x {self.size_wh[1]}"


def _check_seat(seat: str) -> None:
    if seat not in CLOCKWISE:
        raise BadInput(f"got the seat {seat!r}, but expected one of {', '.join(CLOCKWISE)}")
