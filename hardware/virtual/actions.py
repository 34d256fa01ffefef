"""The things a person does at the virtual table, as actions."""

import random
from dataclasses import replace

from companion.die import Lie
from hardware.virtual.motion import (
    OUTWARDS,
    Action,
    DiePose,
    Rest,
    Scene,
    ease,
    pose_of,
    reach,
    rest_at_yaw,
    tumble,
    visit,
)

COME_S, LIFT_S, THROW_S = 0.40, 0.20, 0.95
"""A roll: the hand comes, takes the die away, and throws it."""


def roll(before: Rest | None, after: Rest, seat: str, chance: random.Random, fps: float) -> Action:
    """Take the die, if there is one, and throw it."""
    come, lift, throw = COME_S * fps, LIFT_S * fps, THROW_S * fps
    old = pose_of(before)
    over = (before.x_mm, before.y_mm) if before else (0.0, 0.0)
    x, y = OUTWARDS[seat]
    aside = chance.uniform(-35, 35)
    release = (after.x_mm + x * 125 - y * aside, after.y_mm + y * 125 + x * aside, 62.0)
    thrown = tumble(after, release, chance.choice((-1, 1)) * chance.uniform(60, 220))

    def scene(frame: float) -> Scene:
        if frame < come:
            return Scene(old, reach(seat, over, 1 - ease(frame / come)))
        if frame < come + lift:
            share = ease((frame - come) / lift)
            to = (release[0] * share + over[0] * (1 - share), release[1] * share + over[1] * (1 - share))
            return Scene(None, reach(seat, to, 0.0))
        share = (frame - come - lift) / throw
        away = ease(share * 1.9)
        return Scene(thrown(share), reach(seat, (release[0], release[1]), away) if away < 1 else None)

    return Action(come + lift + throw, scene, after)


def handle(before: Rest, after: Rest | None, seat: str, fps: float) -> Action:
    """Put a hand over the die and change how it lies, unseen: a paid move, taking it away, leaning it on a coin."""
    frames, scene = visit(
        seat,
        (before.x_mm, before.y_mm),
        lambda share: pose_of(before if share < 0.5 else after),
        hold=0.5,
        fps=fps,
    )
    return Action(frames, scene, after)


def knock(before: Rest, seat: str, chance: random.Random, fps: float) -> Action:
    """Push the die askew with the fingertips."""
    turn = chance.choice((-1, 1)) * chance.uniform(9, 38)
    x, y = OUTWARDS[seat]
    away, aside = chance.uniform(4, 9), chance.uniform(-4, 4)
    to = (before.x_mm - x * away - y * aside, before.y_mm - y * away + x * aside)

    def between(share: float) -> DiePose | None:
        pushed = ease(share)
        x_mm, y_mm = (a + (b - a) * pushed for a, b in zip((before.x_mm, before.y_mm), to, strict=True))
        return pose_of(replace(before, yaw_deg=before.yaw_deg + turn * pushed, x_mm=x_mm, y_mm=y_mm, cocked=False))

    after = rest_at_yaw(before.lie, before.yaw_deg + turn, *to)
    beside = (before.x_mm + x * 46, before.y_mm + y * 46)
    frames, scene = visit(seat, beside, between, hold=0.3, fps=fps)
    return Action(frames, scene, after)


def cover(rest: Rest | None, seat: str, fps: float) -> Action:
    """Put a hand over the die and leave it there."""
    frames = COME_S * fps
    over = (rest.x_mm, rest.y_mm) if rest else (0.0, 0.0)
    die = pose_of(rest)
    return Action(frames, lambda frame: Scene(die, reach(seat, over, 1 - ease(frame / frames))), rest, seat)


def uncover(rest: Rest | None, seat: str, fps: float) -> Action:
    """Take the hand away again."""
    frames = COME_S * fps
    over = (rest.x_mm, rest.y_mm) if rest else (0.0, 0.0)
    die = pose_of(rest)
    return Action(frames, lambda frame: Scene(die, reach(seat, over, ease(frame / frames))), rest)


def pass_by(rest: Rest | None, seat: str, fps: float) -> Action:
    """Let a hand come beside the die and go again."""
    x, y = OUTWARDS[seat]
    middle = (rest.x_mm, rest.y_mm) if rest else (0.0, 0.0)
    beside = (middle[0] - y * 105, middle[1] + x * 105)
    die = pose_of(rest)
    frames, scene = visit(seat, beside, lambda share: die, hold=0.3, fps=fps)
    return Action(frames, scene, rest)


def creep(rest: Rest, step_mm: float, frames: int) -> Action:
    """Let the die slide eastwards very slowly."""

    def moved(frame: float) -> Rest:
        return replace(rest, x_mm=rest.x_mm + step_mm * min(max(frame, 0.0), frames))

    return Action(frames, lambda frame: Scene(pose_of(moved(frame))), moved(frames))


def chosen_rest(lie: Lie, yaw_deg: float | None, chance: random.Random) -> Rest:
    """Decide where a rolled die comes to rest; a yaw that is not given is left to chance."""
    yaw = chance.uniform(-44.5, 44.5) if yaw_deg is None else yaw_deg
    return rest_at_yaw(lie, yaw, chance.uniform(-38, 38), chance.uniform(-28, 28))
