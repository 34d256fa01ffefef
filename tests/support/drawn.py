"""Films of a die on a table, drawn simply and with their truth, for tests of the watcher."""

from dataclasses import dataclass, field, replace
from math import cos, radians, sin

import cv2
import numpy as np

from companion.die import all_lies
from companion.inputs import DieReading, Status
from vision.pose import Found

SIZE_WH = (640, 360)
"""Of a film at scale 1; shots are in these pixels at any scale."""
BGR = {
    "K": (45, 40, 40),
    "G": (70, 150, 60),
    "B": (160, 90, 40),
    "R": (50, 50, 190),
    "Y": (60, 200, 220),
    "V": (140, 60, 120),
}
LIES = all_lies()
EDGE = 30.0
NOISES = np.random.default_rng(0).standard_normal((7, SIZE_WH[1], SIZE_WH[0], 3), dtype=np.float32)
"""A few fields of noise, rolled about and reused: drawing new ones would take most of a test's time."""


@dataclass(frozen=True)
class Shot:
    """What one frame shows: the die (None: no die), a hand over a point, and the light."""

    at: tuple[float, float] | None = None
    yaw_deg: float = 10.0
    lie: int = 0
    cocked: bool = False
    hand: tuple[float, float] | None = None
    light: float = 1.0
    bands: float = 0.0


@dataclass
class Film:
    """Frames drawn from shots, and a look that knows what each of them shows."""

    noise: float = 1.0
    seed: int = 1
    scale: int = 1
    looks: list[int] = field(default_factory=list)

    def __post_init__(self):
        self.rng = np.random.default_rng(self.seed)
        rough = self.rng.normal(0, 1, (SIZE_WH[1], SIZE_WH[0], 1)).astype(np.float32)
        self.table = 110 + 40 * cv2.GaussianBlur(rough, (0, 0), 2.0)[..., None] * np.float32([0.9, 1.0, 1.1])
        self.shown = {}

    def draw(self, shot):
        picture = self.table.copy()
        if shot.at is not None:
            for polygon, colour in faces(shot):
                fill(picture, polygon, colour)
        if shot.hand is not None:
            x, y = shot.hand
            fill(picture, np.array([[x - 30, y], [x + 30, y], [x + 45, -40], [x - 45, -40]]), (90, 120, 170))
            cv2.circle(picture, (round(x), round(y)), 34, (85, 115, 165), -1, cv2.LINE_AA)
        rows = np.sin(np.arange(SIZE_WH[1]) / 40 + self.rng.uniform(0, 6))[:, None, None]
        picture = cv2.GaussianBlur(picture, (0, 0), 0.8) * np.float32(shot.light * (1 + shot.bands * rows))
        noise = NOISES[self.rng.integers(len(NOISES))]
        picture += np.float32(self.noise) * np.roll(noise, self.rng.integers(0, 300, 2), axis=(0, 1))
        frame = np.clip(np.rint(picture), 0, 255).astype(np.uint8)
        if self.scale > 1:
            frame = self._enlarged(frame)
        self.shown[id(frame)] = (shot, frame, len(self.shown))  # keeping the frame keeps its id its own
        return frame

    def _enlarged(self, frame):
        """Enlarge a frame; the noise becomes that of single pixels again."""
        smooth = cv2.resize(cv2.GaussianBlur(frame, (0, 0), 1.0), None, fx=self.scale, fy=self.scale)
        noise = self.noise * self.rng.standard_normal(smooth.shape, dtype=np.float32)
        return np.clip(np.rint(smooth + noise), 0, 255).astype(np.uint8)

    def look(self, frame, near):
        shot, _, number = self.shown[id(frame)]
        self.looks.append(number)
        if shot.at is None or (shot.hand is not None and np.hypot(*np.subtract(shot.hand, shot.at)) < 2 * EDGE):
            return None
        points = np.concatenate([polygon for polygon, _ in faces(shot)])
        left, top = np.floor(points.min(axis=0) - 3).astype(int)
        right, bottom = np.ceil(points.max(axis=0) + 3).astype(int)
        left -= number % 3  # no reader places the outline twice the same
        box = tuple(int(self.scale * value) for value in (left, top, right, bottom))
        at = (self.scale * shot.at[0], self.scale * shot.at[1])
        if shot.cocked:
            return Found(DieReading(Status.UNSURE, reason="cocked"), box, at)
        lie = LIES[shot.lie]
        sides = {side: str(lie.towards(side)) for side in "NESW"}
        return Found(DieReading(Status.READ, str(lie.top), sides, shot.yaw_deg, 1.0), box, at, lie)


def faces(shot):
    """The top and the two front sides, as polygons in pixels, the farthest first; seen at 45 degrees from the south."""
    x, y = shot.at
    lie = LIES[shot.lie]
    yaw = radians(shot.yaw_deg)
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * EDGE / 2  # NW, NE, SE, SW; y down
    turn = np.array([[cos(yaw), -sin(yaw)], [sin(yaw), cos(yaw)]])
    ground = corners @ turn.T * [1, 0.7] + [x, y]
    lift = [0, -0.7 * EDGE]
    tilt = [6, 4] if shot.cocked else [0, 0]
    upper = ground + lift + tilt
    drawn = []
    for side, (i, j) in {"N": (0, 1), "E": (1, 2), "S": (2, 3), "W": (3, 0)}.items():
        if ground[i][0] > ground[j][0]:  # turned to the camera
            shade = 0.8 if side in "SN" else 0.65
            colour = tuple(shade * value for value in BGR[lie.towards(side)])
            drawn.append((np.array([ground[i], ground[j], upper[j], upper[i]]), colour))
    return [*drawn, (upper, BGR[lie.top])]


def fill(picture, polygon, colour):
    cv2.fillConvexPoly(picture, np.rint(polygon * 256).astype(np.int32), colour, cv2.LINE_AA, shift=8)


def still(shot, frames):
    return [shot] * frames


def thrown(to, frames=8, start=(560.0, 60.0)):
    """A die that flies and tumbles from ``start`` to where ``to`` has it, which it doesn't reach yet."""
    shots = []
    for i in range(frames):
        part = (i / frames) ** 0.6
        at = (start[0] + part * (to.at[0] - start[0]), start[1] + part * (to.at[1] - start[1]))
        shots.append(replace(to, at=at, yaw_deg=(37 * i) % 90 - 45, lie=5 * i % 24, cocked=True))
    return shots
