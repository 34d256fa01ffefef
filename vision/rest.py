"""When the die has come to rest, told once: a fold over frames.

`watch` takes what it remembers, the next frame and a way to look for the die, and gives what it remembers now
and what is to be told. Nothing here knows a clock: stillness is counted in frames.

Two looks share the work. The coarse one (`vision.motion`) goes over the grey plane of every frame and says
where something came to rest; only then is the die looked for. The fine one (`vision.likeness`) compares the
die's own region with the oldest of the last five frames, so that creeping by a fraction of a pixel shows, and from
then on with the frame that was told. A reading is told when the region was still for five frames and both ends of
them read the same. Colours are fetched for the fine look and for reading alone.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from companion.inputs import DieReading, Status
from vision.frames import Box, Capture
from vision.motion import Motion, Plane8, begin, change_since, follow
from vision.pose import Found, is_near, is_same_doubt, is_same_lie, overlap, paid_move
from vision.seen import Look, Seen, State
from vision.standing import Standing, is_still, remember, still_stands

STILL_FRAMES = 5
"""So many frames, the first included, must show the die unmoved before it is read."""

DOUBTS = 4
"""So many times in a row a die at rest is looked at before the table is told that it can't be read."""

ELSEWHERE = 2
"""So many frames another die is looked for while one stands and something else came to rest."""

HAND_LEAVES_FRAMES = 75
"""What lies still for so many frames is no hand any more: a card was laid down."""


@dataclass(frozen=True, slots=True, eq=False)
class Memory:
    """What is remembered from frame to frame; begin with ``Memory()``.

    Attributes:
        state: what was told last; None before anything was.
        motion: the coarse look.
        recent: the last five captures, oldest first.
        table: the coarse look's plane when the table last lay still with nobody's hand over it; None before.
        read: the die that was read last; its rest goes on or is disturbed.
        unsure: the die at rest that couldn't be read, if one was told since.
        spot: where a die may be coming to rest.
        stir: for how many frames it hasn't been as it was told.
        tries: how many more frames the die is looked for without a new reason.
        doubts: how often in a row the die at rest couldn't be read.
        stirred: frames with movement in the read die's region since it last lay as it was read.
        hand: whether a hand was seen since then.
    """

    state: State | None = None
    motion: Motion | None = None
    recent: tuple[Capture, ...] = ()
    table: Plane8 | None = None
    read: Standing | None = None
    unsure: Standing | None = None
    spot: Box | None = None
    stir: int = 0
    tries: int = 0
    doubts: int = 0
    stirred: int = 0
    hand: bool = False


Told = tuple[Memory, tuple[Seen, ...]]


def watching(look: Look, on_seen: Callable[[Seen], object]) -> Callable[[Capture | None], None]:
    """Make the watcher's step, which takes one capture after the other, from a camera or from files.

    Args:
        look: looks for the die in one frame.
        on_seen: is called with each thing that is told.

    Returns:
        Takes the next capture, or None when the camera failed to give one; see `watch`. Not for two threads at once.
    """
    memory = Memory()

    def step(capture: Capture | None) -> None:
        nonlocal memory
        memory, seen = watch(memory, capture, look)
        for what in seen:
            on_seen(what)

    return step


def watch(memory: Memory, capture: Capture | None, look: Look) -> Told:
    """Take in the next capture.

    Args:
        memory: what the capture before left; ``Memory()`` at the start.
        capture: of the same size as those before; None when the camera gave none.
        look: looks for the die in one frame.

    Returns:
        What to remember, and what to tell: nothing, or one thing.
    """
    if capture is None:
        # What happens meanwhile isn't seen: the die may be moved by any way.
        return _say(replace(memory, motion=None, recent=(), spot=None, tries=0, doubts=0, stirred=2), State.LOST)
    motion = begin(capture) if memory.motion is None else follow(memory.motion, capture)
    memory = replace(memory, motion=motion, recent=(*memory.recent, capture)[-STILL_FRAMES:])
    return _stay(memory, motion, look) or _go_on(memory, motion, look)


def _stay(memory: Memory, motion: Motion, look: Look) -> Told | None:
    """Do what is to be done while all is as it was told, which is next to nothing; None when it isn't."""
    if memory.state is State.EMPTY:
        quiet = not memory.tries and not motion.change.is_any and not motion.came_to_rest(STILL_FRAMES)
        return (replace(memory, stir=0), ()) if quiet else None
    capture = memory.recent[-1]
    calm = replace(memory, spot=None, doubts=0, stir=0)
    unsure = memory.unsure and still_stands(memory.unsure, capture, motion)
    read = None if unsure else memory.read and still_stands(memory.read, capture, motion)
    if unsure:
        calm, state = replace(calm, unsure=unsure), State.UNSURE
    elif read:
        calm, state = replace(calm, unsure=None, read=read, stirred=0, hand=False), State.READ
    else:
        return None
    if motion.came_to_rest(STILL_FRAMES):
        calm = replace(calm, tries=ELSEWHERE)
    if calm.tries:
        calm = replace(calm, tries=calm.tries - 1)
        found = _find_elsewhere(calm, motion, look)
        if found:
            return _tell(calm, found)
    return _say(_with_table(calm, motion), state)


def _find_elsewhere(memory: Memory, motion: Motion, look: Look) -> Found | None:
    """Look for a die at rest elsewhere than where the one that was told still stands.

    Mostly a hand only went by. But what was told may be a thing that only looks like a die.
    """
    found = look(memory.recent[-1].whole(), None)
    if found is None or (memory.read and is_near(memory.read.found, found)):
        return None
    came = found.box is not None and motion.has_changed_in(found.box, STILL_FRAMES + ELSEWHERE)
    return found if came and _is_at_rest(memory, motion, found) and _holds(memory, found, look) else None


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
    memory = replace(memory, stir=memory.stir + 1, hand=memory.hand or _has_hand(memory, motion))
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
    # What has just come to rest may be anywhere; when two looks found nothing better, the spot at hand is looked at on.
    anywhere = memory.spot is None or memory.tries >= DOUBTS - 2
    found = look(memory.recent[-1].whole(), None if anywhere else memory.spot)
    if found is None or not _is_new(memory, motion, found):
        memory = replace(memory, spot=None, doubts=0)
        twice = memory.tries <= DOUBTS - 2
        if twice and motion.is_still(STILL_FRAMES) and not _has_hand(memory, motion):
            return _say(_with_table(memory, motion), State.EMPTY)
        return _say(memory, _movement(memory, motion))
    doubts = memory.doubts if memory.spot and found.box and overlap(memory.spot, found.box) else 0
    memory = replace(memory, spot=found.box, doubts=doubts)
    if not _is_at_rest(memory, motion, found):
        return _say(replace(memory, doubts=0), _movement(memory, motion))
    if _holds(memory, found, look):
        return _tell(memory, found)
    if found.covered and _has_hand(memory, motion):
        return _say(replace(memory, doubts=0, hand=True), State.HAND)
    memory = replace(memory, doubts=memory.doubts + 1, tries=max(1, memory.tries))
    if memory.doubts < DOUBTS or not motion.is_still(STILL_FRAMES):
        return _say(memory, _movement(memory, motion))
    return _tell_unsure(memory, found)


def _is_new(memory: Memory, motion: Motion, found: Found) -> bool:
    """Tell whether something changed where a die was found since all was as it was told, or a die was told there.

    Else it is a thing that only looks like a die.
    """
    known = [told.found for told in (memory.read, memory.unsure) if told is not None]
    if found.box is None or any(is_near(one, found, share=0.5) for one in known):
        return True
    return motion.has_changed_in(found.box, memory.stir + STILL_FRAMES)


def _holds(memory: Memory, found: Found, look: Look) -> bool:
    """Tell whether the die is read, and the oldest of the still frames shows the same: place, yaw and colours."""
    if found.reading.status is not Status.READ:
        return False
    first = look(memory.recent[0].whole(), None)  # anywhere: a second die would show
    if first is None or first.reading.status is not Status.READ:
        return False
    return is_same_lie(first, found) and is_near(first, found)


def _tell(memory: Memory, found: Found) -> Told:
    told = remember(found, memory.recent)
    before = memory.read
    fresh = replace(memory, unsure=None, spot=None, stir=0, tries=0, doubts=0, stirred=0, hand=False)
    if before is not None and is_near(before.found, found):
        if is_same_lie(before.found, found):
            return _say(replace(fresh, read=told), State.READ)
        if memory.stirred <= 1:
            # Nothing turns over within one frame or by lamplight: these are the colours in another light.
            return _say(replace(fresh, read=_as_before(before, told)), State.READ)
    move = paid_move(before.found, found) if before is not None and memory.hand else None
    return replace(fresh, read=told, state=State.READ), (Seen(State.READ, found.reading, move, found.box),)


def _as_before(before: Standing, now: Standing) -> Standing:
    """Keep what was read before, looking as it does now."""
    return replace(now, found=replace(before.found, box=now.found.box))


def _tell_unsure(memory: Memory, found: Found) -> Told:
    """Tell that the die at rest can't be read, once; a lamp alone doesn't take back what was read."""
    told = remember(found, memory.recent)
    before = memory.read
    fresh = replace(memory, spot=None, stir=0, tries=0, doubts=0)
    if before is not None and memory.stirred <= 1 and is_near(before.found, found):
        return _say(replace(fresh, read=_as_before(before, told), stirred=0, hand=False), State.READ)
    reading = found.reading
    if reading.status is Status.READ:
        reading = DieReading(Status.UNSURE, reason="its colours don't hold still")
    known = memory.unsure is not None and is_same_doubt(memory.unsure.found, replace(found, reading=reading))
    fresh = replace(fresh, unsure=replace(told, found=replace(found, reading=reading)))
    if known:
        return _say(fresh, State.UNSURE)
    return replace(fresh, state=State.UNSURE), (Seen(State.UNSURE, reading, box=found.box),)


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
