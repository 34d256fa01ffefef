"""Reading the colour die: from a frame to how it lies, or why that can't be said."""

from dataclasses import replace
from math import degrees, exp

import numpy as np
from numpy.typing import NDArray

from companion.die import Lie
from companion.inputs import DIRECTIONS, DieReading, Status
from vision.cube import wrap_yaw
from vision.faces import DIE_AT_ALL, HIDDEN, Die, weigh
from vision.find import Change, box_around, find_changed, look, places_changed, split_places
from vision.frames import Frame, check_frame
from vision.score import choose
from vision.search import find_candidates
from vision.setup import DieSetup

SURE = 0.65
"""A reading is given out when it is at least so likely that a die lies just so."""

MARGIN = 1.75
"""And when the next likely way of lying is less likely by this factor, as a logarithm."""

_FITS = 12.0
"""By as much more as its colours deviate more than this, as mean square: what is off so far may be off elsewhere."""

_PATCHY, _ODD, _SURE_WHEN_PATCHY = 0.8, 6.0, 0.95
"""When faces are this uneven and their colours fit so badly, as mean squared deviation, a cloth or a finger may lie on
the die: so more is asked of its outline."""

_TIE_DEG = 2.0
_TIE_ERRORS = 1.5
"""Turned by 45 degrees a die shows either of two ways, and either is right within so many degrees. It is read when the
yaw would have to be wrong by so many standard deviations, towards one side, to make the reading wrong: as one in
fifteen is, and ten taps are better than one wrong reading."""

_SECOND = 0.3
"""Another die may lie there when that is so likely: then none is read, for a wrong reading costs more than a tap."""

_DRIFTED = 1.4
"""Colours aren't compared when one of the light's colours changed by so much more than another since set-up; a lamp
that is switched on beside daylight makes 1.25, another white balance or a covered lens more."""

_SAME = 0.02
"""Fits that come so near to each other, in sizes and radians, are one."""

_A_PLACE, _WEIGHED = 2, 4
"""So many candidates are judged by their colours: at one place, and in all."""

_LIKE_A_DIE = 0.3
"""Beside a die that may be read others are only looked for where a cube scores so much: a second die does."""


def read_die(frame: Frame, setup: DieSetup, near: tuple[float, float, float] | None = None) -> DieReading | None:
    """Read how the die lies.

    Args:
        frame: the picture, BGR, uint8, of the set-up's size.
        setup: what was learnt of the table and the die.
        near: look only here: x, y of the die's middle in pixels and how far it may be from there.

    Returns:
        The reading, certain or unsure with a reason; None when no die is seen.

    Raises:
        BadInput: the frame isn't one of the set-up's camera.
    """
    check_frame(frame, setup.plane.size_wh)
    dice = find_dice(frame, setup, near)
    if not dice:
        return None
    return tell(dice, setup)


def find_dice(frame: Frame, setup: DieSetup, near: tuple[float, float, float] | None = None) -> list[Die]:
    """Find what may be dice, the likeliest first; arguments as for ``read_die``."""
    grid = setup.grid
    there = np.ones(len(grid.places), np.bool_) if near is None else np.hypot(*(grid.centres - near[:2]).T) < near[2]
    if not there.any():
        return []
    change = find_changed(frame, setup.empty, None if near is None else box_around(grid, there))
    kept = there & places_changed(grid, change)
    if not kept.any():
        return []
    dice: list[Die] = []
    for region in split_places(grid, change, kept):
        known = max((die.trust for die in dice), default=0.0)
        dice += _search(frame, setup, change, region, known)
    dice.sort(key=lambda die: -die.trust)
    return [replace(die, drifted=True) for die in dice] if change.cast > _DRIFTED else dice


def _search(frame: Frame, setup: DieSetup, change: Change, region: NDArray[np.bool_], known: float) -> list[Die]:
    """Fit and judge cubes in a region; only what may be likelier than a die so likely, or a second one, is judged."""
    view = look(frame, setup.grid, region, change)
    least = _LIKE_A_DIE if known > SURE else None
    candidates = find_candidates(view, setup.grid.places[region], setup.palette.sketch, least=least)
    poses = np.array([candidate.fit.pose for candidate in candidates]).reshape(-1, 3)
    best = choose(poses, -np.arange(float(len(poses))), _WEIGHED, setup.cube.size_mm, (_SAME, _SAME), _A_PLACE)
    dice: list[Die] = []
    for number in best:
        die = weigh(view, candidates[number], setup.palette, least=min(known, _SECOND))
        if die is not None:
            dice.append(die)
            known = max(known, die.trust)
    return dice


def tell(dice: list[Die], setup: DieSetup) -> DieReading | None:
    """Say what the likeliest of some dice shows, or why that can't be said; None when there is none to see."""
    best = dice[0]
    if best.trust < DIE_AT_ALL:
        return None
    others = [die for die in dice[1:] if np.hypot(*(die.pose - best.pose)[:2]) > 0.8 * setup.cube.size_mm]
    if others and others[0].trust > _SECOND:
        return DieReading(Status.UNSURE, reason="two dice: take one away")
    reading = _spell(best)
    reason = _doubt(best)
    if reason is None:
        return reading
    return DieReading(
        Status.UNSURE,
        yaw_deg=reading.yaw_deg,
        confidence=reading.confidence,
        reason=reason,
        alternatives=_alternatives(best),
    )


def _doubt(die: Die) -> str | None:
    """Say why a die can't be read for certain, or None when it can."""
    if die.drifted:
        return "colours have drifted: show the die again"
    if die.trust < SURE or sum(face.even >= HIDDEN for face in die.faces) < 2:
        return _why(die)
    even = sum(face.even for face in die.faces) / len(die.faces)
    if even < _PATCHY and die.verdict.misfit > _ODD and die.trust < _SURE_WHEN_PATCHY:
        return "hand in the way: something covers the die"
    if 45 - abs(degrees(die.pose[2])) + _TIE_DEG < _TIE_ERRORS * degrees(die.yaw_error):
        return "turned by nearly 45 degrees"
    if die.verdict.margin < MARGIN * max(1.0, die.verdict.misfit / _FITS):
        glare = all(value > 0.85 for value in die.faces[0].seen.linear)
        return "glare: the top is burnt white" if glare else "colours don't tell two ways of lying apart"
    return None


def _why(die: Die) -> str:
    if min(face.even for face in die.faces) < 0.6:
        return "hand in the way: something covers the die"
    if max(max(face.seen.linear) for face in die.faces) < 0.01:
        return "too dark"
    if die.verdict.misfit > _FITS:
        return "colours don't fit: show the die again if the light has changed"
    return "cocked or moving: no level die fits its outline"


def _spell(die: Die) -> DieReading:
    lie = die.verdict.lies[0]
    yaw_deg = degrees(wrap_yaw(float(die.pose[2])))
    confidence = die.trust / (1 + exp(-min(50.0, die.verdict.margin)))
    sides = {side: lie.towards(side) for side in DIRECTIONS}
    return DieReading(Status.READ, str(lie.top), sides, round(yaw_deg, 2), round(confidence, 4))


def _alternatives(die: Die) -> tuple[tuple[str, str], ...]:
    """List the likeliest ways of lying, as top and colour towards S."""
    lies: list[Lie] = []
    for lie, score in zip(die.verdict.lies, die.verdict.scores, strict=True):
        if score > die.verdict.scores[0] - 5 and len(lies) < 4:
            lies.append(lie)
    return tuple((str(lie.top), str(lie.south)) for lie in lies)
