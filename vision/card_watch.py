"""Watches a card with dials: tells what is seen of it, and each spin once.

While the arrows rest where they were read, the small grey plane alone is looked at: only what moves is worth colours.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum

from companion.inputs import SpinnerReading, Status
from vision.card_finder import CardFinder
from vision.frames import Box, Capture
from vision.motion import Motion, begin, follow
from vision.spinner import SpinnerSetup
from vision.spins import REST_FRAMES, SpinMemory, follow_spins, forget_spins

BLIND_FRAMES = 30
"""Arrows that were spun and can't be read for so long have to be read by a person."""


class CardState(StrEnum):
    """What the camera sees of the card, for the lamp and the page."""

    GONE = "no card"
    WAITING = "waiting"
    SPINNING = "spinning"
    SETTLING = "settling"
    READ = "read"
    AGAIN = "again"
    UNSURE = "unsure"
    HAND = "hand"


@dataclass(frozen=True, slots=True)
class CardSeen:
    """What is told.

    Attributes:
        state: what the camera sees from now on.
        reason: why it is unsure, in words, or None.
        reading: of the arrows that were spun, or that can't be read though they were; None when only the state
            changed.
        box: where the card is in the picture, to keep a crop of it; None when only the state changed.
    """

    state: CardState
    reason: str | None = None
    reading: SpinnerReading | None = None
    box: Box | None = None


@dataclass(frozen=True, slots=True)
class CardMemory:
    """What is known from the frames before.

    Attributes:
        spins: of the arrows.
        told: the state that was told last, and why.
        blind: for how many frames the arrows can't be read, though they don't turn.
    """

    spins: SpinMemory
    told: tuple[CardState, str | None] | None = None
    blind: int = 0

    @property
    def is_settled(self) -> bool:
        """Whether nothing new can be told before something moves."""
        rests = self.spins.is_told and all(arrow.rests for arrow in self.spins.arrows)
        return rests and self.told is not None and self.told[0] in (CardState.WAITING, CardState.READ, CardState.AGAIN)


def watching_card(
    setup: SpinnerSetup, on_seen: Callable[[CardSeen], object]
) -> tuple[Callable[[Capture], None], Callable[[], None]]:
    """Make the watcher's step, which takes one capture after the other.

    Args:
        setup: what was learnt of the card.
        on_seen: is called with each thing that is told.

    Returns:
        Takes the next capture; and makes it look afresh: spins are forgotten, a card that is gone is looked for at
        once. The second may be called from another thread.
    """
    finder = CardFinder(setup)
    names = tuple(dial.name for dial in setup.look.card.dials)
    memory = CardMemory(forget_spins(names))
    afresh = False
    motion: Motion | None = None

    def step(capture: Capture) -> None:
        nonlocal memory, afresh, motion
        known = motion is not None and motion.latest.shape == capture.grey.shape
        motion = follow(motion, capture) if motion is not None and known else begin(capture)
        if memory.is_settled and finder.is_here and motion.is_still(REST_FRAMES) and not afresh:
            return
        if afresh:
            afresh = False
            memory = CardMemory(forget_spins(names))
            finder.look_again()
        reading = finder.read(capture.whole())
        memory, seen = watch_card(memory, names, reading, is_gone=finder.is_gone)
        if seen is not None:
            on_seen(replace(seen, box=finder.box) if seen.reading else seen)

    def again() -> None:
        nonlocal afresh
        afresh = True

    return step, again


def watch_card(
    memory: CardMemory, names: tuple[str, ...], reading: SpinnerReading | None, *, is_gone: bool
) -> tuple[CardMemory, CardSeen | None]:
    """Take in the next frame's reading.

    Args:
        memory: from the frame before.
        names: of the dials, in the set-up's order.
        reading: of this frame; None when no card was seen.
        is_gone: whether no card is there, rather than one under a hand.

    Returns:
        The memory for the next frame, and what to tell, if anything.
    """
    spins, ended = follow_spins(memory.spins, names, reading)
    is_blind = reading is not None and reading.status is Status.UNSURE and not reading.turning
    blind = memory.blind + 1 if is_blind else 0
    if ended is None and blind == BLIND_FRAMES and not spins.is_told:
        ended = reading
    if ended is not None:
        state = CardState.UNSURE if ended.status is Status.UNSURE else _after(ended)
        told = (state, ended.reason)
        return CardMemory(spins, told, blind), CardSeen(*told, reading=ended)
    told = _look(spins, reading, is_gone=is_gone)
    if told[0] is CardState.WAITING and memory.told and memory.told[0] in (CardState.READ, CardState.AGAIN):
        told = memory.told
    seen = CardSeen(*told) if told != memory.told else None
    return CardMemory(spins, told, blind), seen


def _after(ended: SpinnerReading) -> CardState:
    return CardState.AGAIN if ended.unspun else CardState.READ


def _look(spins: SpinMemory, reading: SpinnerReading | None, *, is_gone: bool) -> tuple[CardState, str | None]:
    """Say what is seen in this frame."""
    if reading is None:
        return (CardState.GONE if is_gone else CardState.HAND), None
    if reading.turning or any(arrow.fast for arrow in spins.arrows):
        return CardState.SPINNING, None
    if reading.status is Status.UNSURE:
        is_hand = "cover" in (reading.reason or "")
        return (CardState.HAND if is_hand and not is_gone else CardState.UNSURE), reading.reason
    is_slowing = any(arrow.spun and not arrow.rests for arrow in spins.arrows)
    return (CardState.SETTLING if is_slowing else CardState.WAITING), None
