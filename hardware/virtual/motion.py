"""What happens on the virtual table, as functions of time: where the die and the hand are.

Pure: an `Action` knows where everything is at any time since it began, counted in frames (fractions are between
frames). Chance came in when the action was made.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from companion.die import Lie, turned_acw, turned_cw
from hardware.virtual.dials import CardLie
from hardware.virtual.pinhole import Floats

SIZE_MM = 25.0
"""Edge of the drawn die."""

COIN_MM = 5.0
"""Height of the coin that a cocked die leans on."""

OUT_MM = 430.0
"""So far from the middle a hand is out of the picture."""

OUTWARDS = {"S": (0.0, -1.0), "W": (-1.0, 0.0), "N": (0.0, 1.0), "E": (1.0, 0.0)}


@dataclass(frozen=True, slots=True)
class Rest:
    """A die at rest.

    Attributes:
        lie: how it lies once it is turned straight by the smaller angle.
        yaw_deg: how far it is turned clockwise from straight, -45 <= yaw < 45.
        x_mm: its middle, to the east.
        y_mm: its middle, to the north.
        cocked: it leans on a coin.
    """

    lie: Lie
    yaw_deg: float
    x_mm: float
    y_mm: float
    cocked: bool = False


@dataclass(frozen=True, eq=False)
class DiePose:
    """Where the die is: its middle, shape (3,), and how it is turned from straight, shape (3, 3)."""

    lie: Lie
    centre: Floats
    rotation: Floats
    coin_xy: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class HandPose:
    """Where a hand is: from its place over the table's origin, mm."""

    seat: str
    x_mm: float
    y_mm: float


@dataclass(frozen=True, slots=True)
class Scene:
    """What is on the table at one moment, besides what never moves."""

    die: DiePose | None
    hand: HandPose | None = None
    card: CardLie | None = None


@dataclass(frozen=True, eq=False)
class Action:
    """Something that takes a while.

    Attributes:
        frames: how long, in frames.
        scene: what is seen at a time from 0 to ``frames``.
        end: the die afterwards, None when it is gone.
        hand_stays: the seat whose hand stays over the die afterwards, or None.
    """

    frames: float
    scene: Callable[[float], Scene]
    end: Rest | None
    hand_stays: str | None = None


def rest_at_yaw(lie: Lie, yaw_deg: float, x_mm: float, y_mm: float) -> Rest:
    """Name a way of lying by the smaller angle, for a die turned ``yaw_deg`` clockwise from ``lie``."""
    while yaw_deg >= 45:
        lie, yaw_deg = turned_cw(lie), yaw_deg - 90
    while yaw_deg < -45:
        lie, yaw_deg = turned_acw(lie), yaw_deg + 90
    return Rest(lie, yaw_deg, x_mm, y_mm)


def about(axis: Floats | tuple[float, float, float], degrees: float) -> Floats:
    """Turn about a unit vector by the right-hand rule, shape (3, 3) (Rodrigues' formula)."""
    x, y, z = (float(part) for part in axis)
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    angle = np.radians(degrees)
    return np.asarray(np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross, np.float32)


def pose_of(rest: Rest | None) -> DiePose | None:
    """Find where a resting die is."""
    if rest is None:
        return None
    half = SIZE_MM / 2
    rotation = about((0, 0, 1), -rest.yaw_deg)
    place = np.array([rest.x_mm, rest.y_mm, 0], np.float32)
    if not rest.cocked:
        return DiePose(rest.lie, place + np.array([0, 0, half], np.float32), rotation)
    # It stands on its western bottom edge; its eastern one lies on a coin.
    tilted = rotation @ about((0, 1, 0), -float(np.degrees(np.arcsin(COIN_MM / SIZE_MM))))
    edge = place - rotation[:, 0] * half
    coin = edge + rotation[:, 0] * (SIZE_MM + 7)
    centre = edge + tilted @ np.array([half, 0, half], np.float32)
    return DiePose(rest.lie, np.asarray(centre, np.float32), tilted, (float(coin[0]), float(coin[1])))


def ease(share: float) -> float:
    """Start and stop gently: 0 to 1."""
    share = min(max(share, 0.0), 1.0)
    return share * share * (3 - 2 * share)


def reach(seat: str, over: tuple[float, float], out: float) -> HandPose:
    """Place a hand between over a point (``out`` = 0) and out of the picture (``out`` = 1)."""
    x, y = OUTWARDS[seat]
    return HandPose(seat, over[0] + x * OUT_MM * out, over[1] + y * OUT_MM * out)


def visit(
    seat: str, over: tuple[float, float], die: Callable[[float], DiePose | None], *, hold: float, fps: float
) -> tuple[float, Callable[[float], Scene]]:
    """Let a hand come, hold for ``hold`` seconds and go; ``die`` is given the share of the hold, 0 before, 1 after.

    Returns:
        How many frames it takes, and the scene.
    """
    come, stay = 0.40 * fps, hold * fps

    def scene(frame: float) -> Scene:
        out = 1 - ease(frame / come) + ease((frame - come - stay) / come)
        return Scene(die(min(max((frame - come) / stay, 0.0), 1.0)), reach(seat, over, out))

    return 2 * come + stay, scene


def tumble(rest: Rest, release: tuple[float, float, float], spin_deg: float) -> Callable[[float], DiePose]:
    """Throw the die from a point so that it comes to rest.

    Args:
        rest: where it ends.
        release: where it leaves the hand, mm.
        spin_deg: how far it turns about the vertical on the way.

    Returns:
        Where it is after a share of the throw, 0 to 1; exactly at rest from 1 on.
    """
    final = pose_of(rest)
    assert final is not None
    start = np.array(release, np.float32)
    way = final.centre[:2] - start[:2]
    # It tumbles over the pair of its edges that lies most across the way.
    axes = [final.rotation[:, i] * sign for i in (0, 1) for sign in (1, -1)]
    heading = max(axes, key=lambda axis: float(axis[:2] @ way))
    axis = np.cross((0.0, 0.0, 1.0), heading).astype(np.float32)
    quarters = max(4, round(float(np.linalg.norm(way)) / SIZE_MM))

    def pose(share: float) -> DiePose:
        left = (1 - min(share, 1.0)) ** 2
        turn = about(axis, -_degrees_left(share, quarters)) @ about((0, 0, 1), spin_deg * left * left)
        rotation = np.asarray(turn @ final.rotation, np.float32)
        lowest = SIZE_MM / 2 * float(np.abs(rotation[2]).sum()) * 0.965  # its corners are round
        height = max(lowest, SIZE_MM / 2) + _hop(share, float(release[2]) - SIZE_MM / 2)
        place = final.centre[:2] - way * left
        return final if share >= 1 else DiePose(rest.lie, np.array([*place, height], np.float32), rotation)

    return pose


def _degrees_left(share: float, quarters: int) -> float:
    """How far the die still has to tumble: it slows down, stands on an edge, falls, and rocks once."""
    on_edge, fallen = 0.70, 0.84
    if share < on_edge:
        return 45 + (quarters * 90 - 45) * float((1 - share / on_edge) ** 1.7)
    if share < fallen:
        return 45 * float(1 - ((share - on_edge) / (fallen - on_edge)) ** 2)
    late = (share - fallen) / (1 - fallen)
    return 3.5 * float(np.sin(late * np.pi * 2)) * (1 - late) if late < 1 else 0.0


def _hop(share: float, height_mm: float) -> float:
    """Height of the bounces: half a fall, then two hops."""
    first, second, third = 0.22, 0.46, 0.62
    if share < first:
        return height_mm * (1 - (share / first) ** 2)
    for begin, end, top in ((first, second, 0.36), (second, third, 0.10)):
        if share < end:
            middle = 2 * (share - begin) / (end - begin) - 1
            return height_mm * top * (1 - middle * middle)
    return 0.0
