"""When the die has come to rest, told once: a fold over frames.

`watch` takes what it remembers, the next frame and a way to look for the die, and gives what it remembers now
and what is to be told. Nothing here knows a clock: stillness is counted in frames.

Two looks share the work. The coarse one (`vision.motion`) goes over the whole picture at every frame and says
where something came to rest; only then is the die looked for. The fine one (`vision.likeness`) compares the
die's own region with the oldest of the last five frames, so that creeping by a fraction of a pixel shows, and from
then on with the frame that was told. A reading is told when the region was still for five frames and both ends of
them read the same.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Protocol

from companion.die import Move
from companion.inputs import DieReading, Status
from vision.frames import Frame
from vision.likeness import Box
from vision.motion import Motion, Plane8, begin, change_since, follow
from vision.pose import Found, is_near, is_same_lie, paid_move
from vision.standing import Standing, is_still, remember, still_stands

STILL_FRAMES = 5
"""So many frames, the first included, must show the die unmoved before it is read."""

DOUBTS = 4
"""So many times in a row a die at rest is looked at before the table is told that it can't be read."""

HAND_LEAVES_FRAMES = 75
"""What lies still for so many frames is no hand any more: a card was laid down."""


class State(StrEnum):
    """What the camera sees, for the lamp and the page."""

    EMPTY = "empty"
    ROLLING = "rolling"
    SETTLING = "settling"
    READ = "read"
    UNSURE = "unsure"
    HAND = "hand"
    LOST = "camera lost"


class Look(Protocol):
    """A way to look for the die in one frame."""

    def __call__(self, frame: Frame, near: Box | None, /) -> Found | None:
        """Find and read the die; ``near`` is where it was seen last, None when it may be anywhere."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What is told.

    Attributes:
        state: what the camera sees from now on.
        reading: the die that came to rest, read or unsure; None when only the state changed.
        move: the one paid move, as seen from the south, that leads here from the reading before; None when the
            die was thrown, or when no move or more than one fits.
        box: where the die is in the picture, to keep a crop of it; None when only the state changed or unknown.
    """

    state: State
    reading: DieReading | None = None
    move: Move | None = None
    box: Box | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Memory:
    """What is remembered from frame to frame; begin with ``Memory()``.

    Attributes:
        state: what was told last; None before anything was.
        motion: the coarse look.
        recent: the last five frames, oldest first; they must not be written to afterwards.
        table: the coarse look's plane when the table last lay still with nobody's hand over it; None before.
        read: the die that was read last; its rest goes on or is disturbed.
        unsure: the die at rest that couldn't be read, if one was told since.
        spot: where a die may be coming to rest.
        tries: how many more frames the die is looked for without a new reason.
        doubts: how often in a row the die at rest couldn't be read.
        stirred: frames with movement in the read die's region since it last lay as it was read.
        hand: whether a hand was seen since then.
    """

    state: State | None = None
    motion: Motion | None = None
    recent: tuple[Frame, ...] = ()
    table: Plane8 | None = None
    read: Standing | None = None
    unsure: Standing | None = None
    spot: Box | None = None
    tries: int = 0
    doubts: int = 0
    stirred: int = 0
    hand: bool = False


Told = tuple[Memory, tuple[Seen, ...]]


def watching(look: Look, on_seen: Callable[[Seen], object]) -> Callable[[Frame | None], None]:
    """Make the watcher's step, which takes one frame after the other, from a camera or from files.

    Args:
        look: looks for the die in one frame.
        on_seen: is called with each thing that is told.

    Returns:
        Takes the next frame, or None when the camera failed to give one; see `watch`. Not for two threads at once.
    """
    memory = Memory()

    def step(frame: Frame | None) -> None:
        nonlocal memory
        memory, seen = watch(memory, frame, look)
        for what in seen:
            on_seen(what)

    return step


def watch(memory: Memory, frame: Frame | None, look: Look) -> Told:
    """Take in the next frame.

    Args:
        memory: what the frame before left; ``Memory()`` at the start.
        frame: BGR, uint8, shape (H, W, 3), of the same size as those before; None when the camera gave none.
        look: looks for the die in one frame.

    Returns:
        What to remember, and what to tell: nothing, or one thing.
    """
    if frame is None:
        # What happens meanwhile isn't seen: the die may be moved by any way.
        return _say(replace(memory, recent=(), spot=None, tries=0, doubts=0, stirred=2), State.LOST)
    motion = begin(frame) if memory.motion is None else follow(memory.motion, frame)
    memory = replace(memory, motion=motion, recent=(*memory.recent, frame)[-STILL_FRAMES:])
    return _stay(memory, motion, look) or _go_on(memory, motion, look)


def _stay(memory: Memory, motion: Motion, look: Look) -> Told | None:
    """Do what is to be done while all is as it was told, which is next to nothing; None when it isn't."""
    frame = memory.recent[-1]
    calm = replace(memory, spot=None, tries=0, doubts=0)
    unsure = memory.unsure and still_stands(memory.unsure, frame, motion)
    if unsure:
        return _say(replace(calm, unsure=unsure), State.UNSURE)
    if memory.state is State.EMPTY:
        quiet = not memory.tries and not motion.change.is_any and not motion.came_to_rest(STILL_FRAMES)
        return (memory, ()) if quiet else None
    read = memory.read and still_stands(memory.read, frame, motion)
    if not read:
        return None
    calm = replace(calm, unsure=None, read=read, stirred=0, hand=False)
    if motion.came_to_rest(STILL_FRAMES):
        # Something else did; a hand that went by, or was the thing that was read before never the die?
        found = look(frame, None)
        if (
            found
            and not is_near(read.found, found)
            and _is_at_rest(memory, motion, found)
            and _holds(memory, found, look)
        ):
            return _tell(calm, found)
    return _say(_with_table(calm, motion), State.READ)


def _go_on(memory: Memory, motion: Motion, look: Look) -> Told:
    """Follow what moves until it has come to rest."""
    memory = _stir(memory, motion)
    if len(memory.recent) < STILL_FRAMES:
        return _say(memory, _movement(memory, motion))
    if motion.came_to_rest(STILL_FRAMES):
        memory = replace(memory, tries=DOUBTS)
    if memory.tries or (memory.spot is not None and _is_still(memory, motion, memory.spot)):
        return _look(replace(memory, tries=max(0, memory.tries - 1)), motion, look)
    if memory.state is State.HAND and motion.is_still(HAND_LEAVES_FRAMES):
        return _say(_with_table(memory, motion), State.EMPTY)
    return _say(memory, _movement(memory, motion))


def _stir(memory: Memory, motion: Motion) -> Memory:
    """Note that what was told is no more so."""
    memory = replace(memory, hand=memory.hand or _has_hand(memory, motion))
    if memory.read is None or memory.read.found.box is None or len(memory.recent) < 2:
        return memory
    box = memory.read.found.box
    moving = not motion.change.everywhere and not _is_still(memory, motion, box, since=-2)
    return replace(memory, spot=memory.spot or box, stirred=memory.stirred + moving)


def _is_still(memory: Memory, motion: Motion, box: Box, since: int = 0) -> bool:
    """Tell whether a region is as it was in an earlier frame, the oldest that is kept."""
    return is_still(memory.recent[since], memory.recent[-1], box, motion.noise)


def _is_at_rest(memory: Memory, motion: Motion, found: Found) -> bool:
    return motion.is_still(STILL_FRAMES) if found.box is None else _is_still(memory, motion, found.box)


def _look(memory: Memory, motion: Motion, look: Look) -> Told:
    """Look for the die, and tell what it shows when it is at rest."""
    found = look(memory.recent[-1], memory.spot)
    if found is None:
        memory = replace(memory, spot=None, doubts=0)
        at_rest = motion.is_still(STILL_FRAMES) and not _has_hand(memory, motion)
        if at_rest and look(memory.recent[0], None) is None:
            return _say(_with_table(memory, motion), State.EMPTY)
        return _say(memory, _movement(memory, motion))
    memory = replace(memory, spot=found.box)
    if not _is_at_rest(memory, motion, found):
        return _say(replace(memory, doubts=0), _movement(memory, motion))
    if _holds(memory, found, look):
        return _tell(memory, found)
    memory = replace(memory, doubts=memory.doubts + 1, tries=max(1, memory.tries))
    if memory.doubts < DOUBTS:
        return _say(memory, _movement(memory, motion))
    return _tell_unsure(memory, found)


def _holds(memory: Memory, found: Found, look: Look) -> bool:
    """Tell whether the die is read, and the oldest of the still frames shows the same: place, yaw and colours."""
    if found.reading.status is not Status.READ:
        return False
    first = look(memory.recent[0], found.box)
    if first is None or first.reading.status is not Status.READ:
        return False
    return is_same_lie(first, found) and is_near(first, found)


def _tell(memory: Memory, found: Found) -> Told:
    told = remember(found, memory.recent)
    before = memory.read
    fresh = replace(memory, unsure=None, spot=None, tries=0, doubts=0, stirred=0, hand=False)
    if before is not None and is_near(before.found, found):
        if is_same_lie(before.found, found):
            return _say(replace(fresh, read=told), State.READ)
        if memory.stirred <= 1:
            # Nothing turns over within one frame or by lamplight: these are the colours in another light.
            return _say(replace(fresh, read=replace(told, found=before.found)), State.READ)
    move = paid_move(before.found, found) if before is not None and memory.hand else None
    return replace(fresh, read=told, state=State.READ), (Seen(State.READ, found.reading, move, found.box),)


def _tell_unsure(memory: Memory, found: Found) -> Told:
    """Tell that the die at rest can't be read, once; a lamp alone doesn't take back what was read."""
    told = remember(found, memory.recent)
    before = memory.read
    fresh = replace(memory, spot=None, tries=0, doubts=0)
    if before is not None and memory.stirred <= 1 and is_near(before.found, found):
        return _say(replace(fresh, read=replace(told, found=before.found), stirred=0, hand=False), State.READ)
    reading = found.reading
    if reading.status is Status.READ:
        reading = DieReading(Status.UNSURE, reason="its colours don't hold still")
    known = memory.unsure is not None and _is_alike(memory.unsure.found, replace(found, reading=reading))
    fresh = replace(fresh, unsure=replace(told, found=replace(found, reading=reading)))
    if known:
        return _say(fresh, State.UNSURE)
    return replace(fresh, state=State.UNSURE), (Seen(State.UNSURE, reading, box=found.box),)


def _is_alike(one: Found, other: Found) -> bool:
    """Tell whether two dice that can't be read are one and the same, for the same reason."""
    same_place = one.box is other.box is None or is_near(one, other)
    return same_place and one.reading.reason == other.reading.reason


def _has_hand(memory: Memory, motion: Motion) -> bool:
    """Tell whether a hand is in the picture, moving or not."""
    return motion.change.is_hand or (memory.table is not None and change_since(motion, memory.table).is_hand)


def _with_table(memory: Memory, motion: Motion) -> Memory:
    """Keep how the table looks now, if nothing moves."""
    if memory.table is motion.against or not motion.is_still(STILL_FRAMES):
        return memory
    return replace(memory, table=motion.against)


def _movement(memory: Memory, motion: Motion) -> State | None:
    """Name what moves; what was said before stands where nothing does, or where only the light changed."""
    moves = motion.change.is_any
    if motion.change.everywhere or (memory.state is State.READ and memory.stirred <= 1 and not moves):
        return memory.state
    if _has_hand(memory, motion):
        return State.HAND
    if moves:
        return State.ROLLING
    return State.SETTLING if memory.state in (State.ROLLING, State.HAND, State.READ, State.UNSURE) else memory.state


def _say(memory: Memory, state: State | None) -> Told:
    """Tell a state when it is another than the last one told."""
    if state is None or state is memory.state:
        return memory, ()
    return replace(memory, state=state), (Seen(state),)
