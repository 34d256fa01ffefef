"""The things a person does with the drawn card, as actions."""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from hardware.virtual.dials import CARD_MM, DIALS, CardLie, flicked
from hardware.virtual.motion import HandPose, Scene, ease, reach

SEAT = "S"
"""Whose hand it is: the card lies with its foot to the south."""
COME_S, TOUCH_S, GO_ON_S, LIFT_S = 0.40, 0.20, 0.45, 0.90
FINGERS_MM = 26.0
"""So far in front of the hand's place its fingertips are."""
_SPEED_DEG_S, _SPIN_S = (620.0, 980.0), (2.2, 3.4)
_PUSH_DEG, _SHIFT_MM, _TURN_DEG = (40.0, 110.0), 20.0, 28.0


@dataclass(frozen=True, eq=False)
class CardAction:
    """Something that takes a while.

    Attributes:
        frames: how long, in frames.
        scene: what is seen at a time from 0 to ``frames``.
        end: the card afterwards, None when it is gone.
        hand_stays: whether a hand stays over the card afterwards.
    """

    frames: float
    scene: Callable[[float], Scene]
    end: CardLie | None
    hand_stays: bool = False


def spin(before: CardLie, to_deg: Mapping[int, float], chance: random.Random, fps: float) -> CardAction:
    """Flick arrows one after the other; ``to_deg`` is where the arrow of each dial comes to rest."""
    flicks: dict[int, tuple[float, Callable[[float], float]]] = {}
    stops: list[tuple[float, tuple[float, float]]] = []
    at_s, end_s = COME_S, 0.0
    for dial, rest_deg in to_deg.items():
        speed, seconds = chance.choice((-1, 1)) * chance.uniform(*_SPEED_DEG_S), chance.uniform(*_SPIN_S)
        x, y = before.pivot(dial)
        stops += [(at_s, (x, y - FINGERS_MM)), (at_s + TOUCH_S, (x, y - FINGERS_MM))]
        at_s += TOUCH_S
        flicks[dial] = (at_s, flicked(before.angles_deg[dial], rest_deg, speed, seconds))
        end_s = max(end_s, at_s + seconds)
        at_s += GO_ON_S
    gone_s = stops[-1][0] + COME_S
    angles_deg = tuple(to_deg.get(dial, angle) for dial, angle in enumerate(before.angles_deg))

    def scene(frame: float) -> Scene:
        now_s = frame / fps
        angles = list(before.angles_deg)
        for dial, (since_s, angle) in flicks.items():
            if now_s >= since_s:
                angles[dial] = angle(now_s - since_s)
        return Scene(None, _hand(now_s, stops, gone_s), replace(before, angles_deg=tuple(angles)))

    return CardAction(max(end_s, gone_s) * fps + 1, scene, replace(before, angles_deg=angles_deg))


def touch(before: CardLie, dial: int, chance: random.Random, fps: float) -> CardAction:
    """Push an arrow with a finger: no spin."""
    angles = list(before.angles_deg)
    angles[dial] = (angles[dial] + chance.choice((-1, 1)) * chance.uniform(*_PUSH_DEG)) % 360
    after = replace(before, angles_deg=tuple(angles))
    way = (angles[dial] - before.angles_deg[dial] + 180) % 360 - 180

    def between(share: float) -> CardLie:
        pushed = list(before.angles_deg)
        pushed[dial] = (pushed[dial] + way * ease(share)) % 360
        return after if share >= 1 else replace(before, angles_deg=tuple(pushed))

    return _visit(before.pivot(dial), between, after, fps)


def move(before: CardLie, chance: random.Random, fps: float) -> CardAction:
    """Move the card on the table."""
    x, y = (chance.choice((-1, 1)) * chance.uniform(8, _SHIFT_MM) for _ in range(2))
    turn = chance.choice((-1, 1)) * chance.uniform(8, _TURN_DEG)
    after = replace(before, x_mm=x, y_mm=y, turn_deg=turn)

    def between(share: float) -> CardLie:
        pushed = ease(share)
        now = replace(
            before,
            x_mm=before.x_mm + (x - before.x_mm) * pushed,
            y_mm=before.y_mm + (y - before.y_mm) * pushed,
            turn_deg=before.turn_deg + (turn - before.turn_deg) * pushed,
        )
        return after if share >= 1 else now

    return _visit((before.x_mm, before.y_mm - CARD_MM[1] / 2), between, after, fps)


def change(before: CardLie | None, after: CardLie | None, fps: float) -> CardAction:
    """Take the card away, or lay it there, under a hand."""
    lie = before or after
    over = (lie.x_mm, lie.y_mm) if lie else (0.0, 0.0)
    return _visit(over, lambda share: before if share < 0.5 else after, after, fps)


def cover(lie: CardLie | None, fps: float) -> CardAction:
    """Put a hand over the dials and leave it there."""
    frames = COME_S * fps
    return CardAction(
        frames, lambda frame: Scene(None, reach(SEAT, over(lie), 1 - ease(frame / frames)), lie), lie, True
    )


def uncover(lie: CardLie | None, fps: float) -> CardAction:
    """Take the hand away again."""
    frames = COME_S * fps
    return CardAction(frames, lambda frame: Scene(None, reach(SEAT, over(lie), ease(frame / frames)), lie), lie)


def over(lie: CardLie | None) -> tuple[float, float]:
    """Give the place over which a hand covers the first dial."""
    return lie.pivot(0) if lie else (0.0, 0.0)


def chosen_angles(chance: random.Random) -> tuple[float, ...]:
    """Leave to chance where the arrows stop."""
    return tuple(chance.uniform(0, 360) for _ in DIALS)


def _visit(
    over: tuple[float, float], card: Callable[[float], CardLie | None], after: CardLie | None, fps: float
) -> CardAction:
    """Let a hand come, do something, and go; ``card`` is given the share of what it does, 0 before, 1 after."""
    come, stay = COME_S * fps, LIFT_S * fps

    def scene(frame: float) -> Scene:
        out = 1 - ease(frame / come) + ease((frame - come - stay) / come)
        return Scene(None, reach(SEAT, over, out), card(min(max((frame - come) / stay, 0.0), 1.0)))

    return CardAction(2 * come + stay, scene, after)


def _hand(now_s: float, stops: list[tuple[float, tuple[float, float]]], gone_s: float) -> HandPose | None:
    """Where the hand is that goes from stop to stop and then away."""
    if now_s >= gone_s:
        return None
    (first_s, first), (last_s, last) = stops[0], stops[-1]
    if now_s < first_s:
        return reach(SEAT, first, 1 - ease(now_s / first_s))
    if now_s >= last_s:
        return reach(SEAT, last, ease((now_s - last_s) / (gone_s - last_s)))
    at = max(index for index, (since_s, _) in enumerate(stops) if since_s <= now_s)
    (since_s, one), (until_s, other) = stops[at], stops[at + 1]
    share = ease((now_s - since_s) / (until_s - since_s))
    x, y = (a + (b - a) * share for a, b in zip(one, other, strict=True))
    return HandPose(SEAT, x, y)
