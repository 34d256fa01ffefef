"""When a spin counts: a fold over readings, counted in frames.

An arrow counts once it was seen spinning freely and then pointed to the same angle, within half a degree, for five
frames. A hand that covers the dial undoes the spin, for what a finger has pushed or stopped was not spun; but an
arrow that had come to rest and points to the same angle afterwards was not touched. The card's reading counts when
every arrow was spun since the last one. Where some were not, and nobody goes on to spin them, they are named.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from companion.inputs import SpinnerReading

REST_DEG = 0.5
REST_FRAMES = 5
SPIN_DEG = 8.0
"""From one frame to the next an arrow that was flicked turns further than a finger pushes it."""
SPIN_FRAMES = 3
WAIT_FRAMES = 30
"""So long an arrow that was spun alone waits for the other: arrows are spun one after the other."""


@dataclass(frozen=True, slots=True)
class ArrowMemory:
    """What is known of one arrow.

    Attributes:
        angle_deg: in the last frame in which it could be read, or None.
        rest_deg: the angle at which its rest began, or None; it is kept while the arrow is covered.
        still: for how many frames it has rested there.
        fast: for how many frames it has been spinning.
        spun: whether it was spun since the last reading that counted.
    """

    angle_deg: float | None = None
    rest_deg: float | None = None
    still: int = 0
    fast: int = 0
    spun: bool = False

    @property
    def rests(self) -> bool:
        """Whether it has come to rest."""
        return self.still >= REST_FRAMES


@dataclass(frozen=True, slots=True)
class SpinMemory:
    """What is known of the card.

    Attributes:
        arrows: in the set-up's order.
        is_told: whether nothing was spun since something was told.
    """

    arrows: tuple[ArrowMemory, ...]
    is_told: bool = True


def forget_spins(names: Sequence[str]) -> SpinMemory:
    """Begin: nothing counts before a spin is seen.

    Args:
        names: of the dials, in the set-up's order.
    """
    return SpinMemory(tuple(ArrowMemory() for _ in names))


def follow_spins(
    memory: SpinMemory, names: Sequence[str], reading: SpinnerReading | None
) -> tuple[SpinMemory, SpinnerReading | None]:
    """Take in the next frame's reading.

    Args:
        memory: from the frame before.
        names: of the dials, in the set-up's order.
        reading: of this frame; None when no card was seen.

    Returns:
        The memory for the next frame, and a reading when a spin ended: one that counts, or one whose ``unspun`` names
        the arrows that must be spun too.
    """
    angles = {dial.name: dial.angle_deg for dial in reading.dials} if reading else {}
    turning = reading.turning if reading else ()
    arrows = tuple(
        _turn(arrow) if name in turning else _cover(arrow) if name not in angles else _point(arrow, angles[name])
        for arrow, name in zip(memory.arrows, names, strict=True)
    )
    is_told = memory.is_told and not any(arrow.spun and arrow.fast for arrow in arrows)
    if reading is None or is_told or not all(arrow.rests for arrow in arrows):
        return SpinMemory(arrows, is_told), None
    unspun = tuple(name for arrow, name in zip(arrows, names, strict=True) if not arrow.spun)
    if not unspun:
        return SpinMemory(tuple(replace(arrow, spun=False) for arrow in arrows)), reading
    if min(arrow.still for arrow in arrows) < WAIT_FRAMES:
        return SpinMemory(arrows, is_told), None
    # What was spun stays so: it need not be spun again once the others are.
    return SpinMemory(arrows), replace(reading, unspun=unspun)


def _point(arrow: ArrowMemory, angle_deg: float) -> ArrowMemory:
    """The arrow points somewhere."""
    moved = 0.0 if arrow.angle_deg is None else _apart_deg(arrow.angle_deg, angle_deg)
    fast = arrow.fast + 1 if moved >= SPIN_DEG else 0
    resting = arrow.rest_deg is not None and _apart_deg(arrow.rest_deg, angle_deg) <= REST_DEG
    was_covered = arrow.angle_deg is None and arrow.rest_deg is not None
    return ArrowMemory(
        angle_deg=angle_deg,
        rest_deg=arrow.rest_deg if resting else angle_deg,
        still=arrow.still + 1 if resting else 1,
        fast=fast,
        spun=(arrow.spun and (resting or not was_covered)) or fast >= SPIN_FRAMES,
    )


def _turn(arrow: ArrowMemory) -> ArrowMemory:
    """The arrow is blurred by its own speed."""
    fast = arrow.fast + 1
    was_covered = arrow.angle_deg is None and arrow.rest_deg is not None
    return ArrowMemory(fast=fast, spun=(arrow.spun and not was_covered) or fast >= SPIN_FRAMES)


def _cover(arrow: ArrowMemory) -> ArrowMemory:
    """The arrow is covered, or the card is gone: whatever else it shows afterwards, nobody saw it being spun."""
    if arrow.rest_deg is None or not (arrow.rests or arrow.angle_deg is None):
        return ArrowMemory()
    return ArrowMemory(rest_deg=arrow.rest_deg, spun=arrow.spun)


def _apart_deg(one_deg: float, other_deg: float) -> float:
    return abs((one_deg - other_deg + 180) % 360 - 180)
