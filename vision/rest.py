"""When the die has come to rest, told once: a fold over frames.

`watch` takes what it remembers, the next frame and a way to look for the die, and gives what it remembers now
and what is to be told. Nothing here knows a clock: stillness is counted in frames.

Two looks share the work. The coarse one (`vision.motion`) goes over the whole picture at every frame and says
where something came to rest; only then is the die looked for. The fine one (`vision.likeness`) compares the
die's own region with the oldest of the last five frames, so that creeping by a fraction of a pixel shows, and from
then on with the frame that was told. A reading is told when the region was still for five frames and both ends of
them read the same.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Protocol

from companion.die import Move
from companion.inputs import DieReading, Status
from vision.frames import Frame
from vision.likeness import NO_NOISE, Box, Calm, compare, cut, is_same, measure_calm
from vision.motion import Motion, begin, follow
from vision.pose import Found, is_near, is_same_lie, paid_move

STILL_FRAMES = 5
"""So many frames, the first included, must show the die unmoved before it is read."""

DOUBTS = 4
"""So many times in a row a die at rest is looked at before the table is told that it can't be read."""

CREEP_PX = 0.4
"""More movement than this from the first to the last of the still frames is movement, in pixels of the frame."""

STIR_PX = 0.75
"""More movement than this since it was told means that the die no longer lies where it was read."""

MISFIT = 0.05
"""More of the region than this, as a share, changed beyond noise and light: something else is there."""


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
class _Told:
    """A die that was told.

    Attributes:
        found: the die.
        piece: its region in the frame in which it was told; None when it has none.
        latest: its region as it looked when it was last compared closely: the light may have drifted.
        calm: how much that region differs from frame to frame while nothing moves.
    """

    found: Found
    piece: Frame | None = None
    latest: Frame | None = None
    calm: Calm = NO_NOISE


@dataclass(frozen=True, slots=True, eq=False)
class Memory:
    """What is remembered from frame to frame; begin with ``Memory()``.

    Attributes:
        state: what was told last; None before anything was.
        motion: the coarse look.
        recent: the last five frames, oldest first; they must not be written to afterwards.
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
    read: _Told | None = None
    unsure: _Told | None = None
    spot: Box | None = None
    tries: int = 0
    doubts: int = 0
    stirred: int = 0
    hand: bool = False


Told = tuple[Memory, tuple[Seen, ...]]


def follow_frames(frames: Iterable[tuple[str, Frame | None]], look: Look) -> Iterator[tuple[str, Seen]]:
    """Watch named frames one after the other; None stands for a frame that the camera failed to give.

    This is the watcher's loop, whether the frames come from a camera or from files.
    """
    memory = Memory()
    for name, frame in frames:
        memory, seen = watch(memory, frame, look)
        for what in seen:
            yield name, what


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
    unsure, read = (_as_told(told, frame, motion) for told in (memory.unsure, memory.read))
    if unsure or read:
        calm = replace(memory, spot=None, tries=0, doubts=0)
        if unsure:
            return _say(replace(calm, unsure=unsure), State.UNSURE)
        return _say(replace(calm, unsure=None, read=read, stirred=0, hand=False), State.READ)
    memory = _stir(memory, motion)
    if len(memory.recent) < STILL_FRAMES:
        return memory, ()
    if motion.came_to_rest(STILL_FRAMES):
        memory = replace(memory, tries=DOUBTS)
    if memory.tries or (memory.spot is not None and _is_still(memory, memory.spot)):
        return _look(replace(memory, tries=max(0, memory.tries - 1)), motion, look)
    return _say(memory, _movement(memory, motion))


def _as_told(told: _Told | None, frame: Frame, motion: Motion) -> _Told | None:
    """Give what was told back when the die still lies so, whatever the light does; None when it doesn't."""
    if told is None or told.found.box is None or told.piece is None or told.latest is None:
        return told if motion.changed < motion.least else None
    piece = cut(frame, told.found.box)
    if is_same(told.latest, piece, told.calm):
        return told
    now = compare(told.piece, piece, motion.noise)
    same = now.moved_px <= STIR_PX + 2 * now.error_px and now.misfit <= MISFIT
    return replace(told, latest=piece) if same else None


def _stir(memory: Memory, motion: Motion) -> Memory:
    """Note that what was told is no more so."""
    hand = memory.hand or motion.is_large or motion.at_border
    memory = replace(memory, hand=hand)
    if memory.read is None or memory.read.found.box is None:
        return memory
    box = memory.read.found.box
    moving = len(memory.recent) > 1 and not _is_still(memory, box, since=-2)
    return replace(memory, spot=memory.spot or box, stirred=memory.stirred + moving)


def _is_still(memory: Memory, box: Box, since: int = 0) -> bool:
    """Tell whether a region is as it was in an earlier frame (the oldest that is kept), but for the light."""
    assert memory.motion is not None
    noise = memory.motion.noise
    before, after = cut(memory.recent[since], box), cut(memory.recent[-1], box)
    now = compare(before, after, noise)
    return now.moved_px <= CREEP_PX + 2 * now.error_px and now.misfit <= MISFIT


def _look(memory: Memory, motion: Motion, look: Look) -> Told:
    """Look for the die, and tell what it shows when it is at rest."""
    found = look(memory.recent[-1], memory.spot)
    if found is None:
        memory = replace(memory, spot=None, doubts=0)
        if motion.is_still(STILL_FRAMES) and look(memory.recent[0], None) is None:
            return _say(replace(memory, read=None, unsure=None), State.EMPTY)
        return _say(memory, _movement(memory, motion))
    memory = replace(memory, spot=found.box)
    at_rest = motion.is_still(STILL_FRAMES) if found.box is None else _is_still(memory, found.box)
    if not at_rest:
        return _say(replace(memory, doubts=0), _movement(memory, motion))
    if found.reading.status is Status.READ and _holds(memory, found, look):
        return _tell(memory, found)
    memory = replace(memory, doubts=memory.doubts + 1, tries=max(1, memory.tries))
    if memory.doubts < DOUBTS:
        return _say(memory, _movement(memory, motion))
    return _tell_unsure(memory, found)


def _holds(memory: Memory, found: Found, look: Look) -> bool:
    """Tell whether the oldest of the still frames shows the same: position, yaw and colours."""
    first = look(memory.recent[0], found.box)
    if first is None or first.reading.status is not Status.READ:
        return False
    return is_same_lie(first, found) and is_near(first, found)


def _tell(memory: Memory, found: Found) -> Told:
    told = _remember(memory, found)
    before = memory.read
    fresh = replace(memory, unsure=None, spot=None, tries=0, doubts=0, stirred=0, hand=False)
    if before is not None and is_near(before.found, found):
        if is_same_lie(before.found, found):
            return _say(replace(fresh, read=told), State.READ)
        if memory.stirred <= 1:
            # Nothing turns over within one frame: another light, in which the colours look otherwise.
            return _say(replace(fresh, read=replace(told, found=before.found)), State.READ)
    move = paid_move(before.found, found) if before is not None and memory.hand else None
    return replace(fresh, read=told, state=State.READ), (Seen(State.READ, found.reading, move, found.box),)


def _tell_unsure(memory: Memory, found: Found) -> Told:
    """Tell that the die at rest can't be read, once; a lamp alone doesn't take back what was read."""
    told = _remember(memory, found)
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


def _remember(memory: Memory, found: Found) -> _Told:
    if found.box is None:
        return _Told(found)
    pieces = [cut(frame, found.box) for frame in memory.recent]
    return _Told(found, pieces[-1], pieces[-1], measure_calm(pieces))


def _movement(memory: Memory, motion: Motion) -> State | None:
    """Name what moves; what was said before stands where nothing does, or where only the light changed."""
    if motion.everywhere or (memory.state is State.READ and memory.stirred <= 1 and motion.changed < motion.least):
        return memory.state
    if motion.changed >= motion.least:
        return State.HAND if motion.is_large or motion.at_border else State.ROLLING
    if memory.state in (State.ROLLING, State.READ, State.UNSURE):
        return State.SETTLING
    return memory.state


def _say(memory: Memory, state: State | None) -> Told:
    """Tell a state when it is another than the last one told."""
    if state is None or state is memory.state:
        return memory, ()
    return replace(memory, state=state), (Seen(state),)
