"""When a spin counts: a fold over readings, counted in frames.

An arrow counts once it was seen spinning freely and then pointed to the same angle, within half a degree, for five
frames. A hand that covers the dial undoes the spin: what a finger has pushed or stopped was not spun. The card's
reading counts when every arrow counts; where only some were spun they must all be spun again.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from companion.inputs import SpinnerReading, Status

REST_DEG = 0.5
REST_FRAMES = 5
SPIN_DEG = 8.0
"""From one frame to the next an arrow that was flicked turns further than a finger pushes it."""
SPIN_FRAMES = 3


class Spun(StrEnum):
    """What happened."""

    READ = "read"
    AGAIN = "again"


@dataclass(frozen=True, slots=True)
class Event:
    """A spin ended: with a reading that counts, or, for ``AGAIN``, with arrows that must all be spun again."""

    kind: Spun
    reading: SpinnerReading


@dataclass(frozen=True, slots=True)
class ArrowMemory:
    """What is known of one arrow.

    Attributes:
        angle_deg: in the last frame in which it could be read, or None.
        rest_deg: the angle at which its rest began, or None.
        still: for how many frames it has rested there.
        fast: for how many frames it has been spinning.
        spun: whether it was spun since the last event.
    """

    angle_deg: float | None = None
    rest_deg: float | None = None
    still: int = 0
    fast: int = 0
    spun: bool = False


@dataclass(frozen=True, slots=True)
class SpinMemory:
    """What is known of the card: its arrows, in the set-up's order."""

    arrows: tuple[ArrowMemory, ...]


def forget_spins(names: Sequence[str]) -> SpinMemory:
    """Begin: nothing counts before a spin is seen.

    Args:
        names: of the dials, in the set-up's order.
    """
    return SpinMemory(tuple(ArrowMemory() for _ in names))


def follow_spins(
    memory: SpinMemory, names: Sequence[str], reading: SpinnerReading | None
) -> tuple[SpinMemory, Event | None]:
    """Take in the next frame's reading.

    Args:
        memory: from the frame before.
        names: of the dials, in the set-up's order.
        reading: of this frame; None when no card was seen.

    Returns:
        The memory for the next frame, and what happened, if anything.
    """
    angles = {dial.name: dial.angle_deg for dial in reading.dials} if reading else {}
    turning = reading.turning if reading else ()
    arrows = tuple(
        _turn(arrow) if name in turning else _cover(arrow) if name not in angles else _point(arrow, angles[name])
        for arrow, name in zip(memory.arrows, names, strict=True)
    )
    rested = all(arrow.still >= REST_FRAMES for arrow in arrows)
    if reading is None or reading.status is not Status.READ or not rested or not any(arrow.spun for arrow in arrows):
        return SpinMemory(arrows), None
    kind = Spun.READ if all(arrow.spun for arrow in arrows) else Spun.AGAIN
    return SpinMemory(tuple(replace(arrow, spun=False) for arrow in arrows)), Event(kind, reading)


def _point(arrow: ArrowMemory, angle_deg: float) -> ArrowMemory:
    """The arrow points somewhere."""
    moved = 0.0 if arrow.angle_deg is None else _apart_deg(arrow.angle_deg, angle_deg)
    fast = arrow.fast + 1 if moved >= SPIN_DEG else 0
    resting = arrow.rest_deg is not None and _apart_deg(arrow.rest_deg, angle_deg) <= REST_DEG
    return ArrowMemory(
        angle_deg=angle_deg,
        rest_deg=arrow.rest_deg if resting else angle_deg,
        still=arrow.still + 1 if resting else 1,
        fast=fast,
        spun=arrow.spun or fast >= SPIN_FRAMES,
    )


def _turn(arrow: ArrowMemory) -> ArrowMemory:
    """The arrow is blurred by its own speed."""
    fast = arrow.fast + 1
    return ArrowMemory(fast=fast, spun=arrow.spun or fast >= SPIN_FRAMES)


def _cover(arrow: ArrowMemory) -> ArrowMemory:
    """The arrow is covered, or the card is gone: whatever it shows afterwards, nobody saw it being spun."""
    return ArrowMemory()


def _apart_deg(one_deg: float, other_deg: float) -> float:
    return abs((one_deg - other_deg + 180) % 360 - 180)
