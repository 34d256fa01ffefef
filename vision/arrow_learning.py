"""Learns what the arrows of a card look like from pictures whose angles are known.

An arrow is symmetric about its axis: what lies on one side only is shadow or print. Its level above the card is
where it looks most symmetric, for at any other level the parallax pulls it off its pivot.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.errors import BadInput
from companion.text import say
from vision.arrow import ArrowLook, Backdrop, Matcher, Shadow, light_gain, shades, weigh
from vision.bare import TYPICAL_HEIGHT_MM, Shown, see_bare
from vision.card import Card
from vision.frames import FloatArray, Frame
from vision.plane import table_homography
from vision.polar import DIRECTIONS, RINGS, Pixels, mirrored, ring_points, ring_radii, sample, through, turned

_HEIGHTS_MM = np.arange(0.25, 6.01, 0.25)
_HEIGHT_SPREAD_MM = 1.5
"""How much arrows' levels vary about the typical one: it matters only when symmetry says little."""
_ONE_COLOR, _ONE_MAKE_WEIGHT = 60, 0.25
_MARGIN = 60
_LEVEL_WEIGHT = 0.05
_SHADOW_LIKE = 30
_LEAST_SHADOW, _LEAST_SHADOW_SPREAD = 80, 0.08
_CORE_MM = 0.5
_CORE_RINGS = slice(0, 8)
_LEAST_SIGMA, _MOST_SIGMA = 10.0, 25.0
_LEAST_FIT, _MOST_ERROR_DEG = 0.05, 6.0


@dataclass(frozen=True, slots=True)
class _Step:
    """An arrow as it would be at one level.

    Attributes:
        look: its colour.
        balanced: the weight on both sides of its axis, the lesser of the two, shape (RINGS, DIRECTIONS).
        symmetric: all weight that both sides have.
        lopsided: all weight that one side has more than the other.
        clear: mean weight of the arrow's pixels.
    """

    look: ArrowLook
    balanced: Pixels
    symmetric: float
    lopsided: float
    clear: float


def learn_arrows(card: Card, picture: Frame, shown: Sequence[Shown]) -> list[ArrowLook]:
    """Learn the look of each dial's arrow.

    Args:
        card: the card.
        picture: the bare card, from `vision.bare.learn_bare`.
        shown: one picture or more.

    Returns:
        One look for each dial.

    Raises:
        BadInput: no arrow is seen where one was shown.
    """
    steps = _choose_levels(card, picture, shown, [None] * len(card.dials))
    # The first look tells where the shadow is; knowing its shade, the arrow is told from it more clearly.
    shadows = [_learn_shadow(card, index, picture, shown, step) for index, step in enumerate(steps)]
    steps = _choose_levels(card, picture, shown, shadows)
    return [_finish(card, index, picture, shown, step) for index, step in enumerate(steps)]


def _choose_levels(card: Card, picture: Frame, shown: Sequence[Shown], shadows: Sequence[Shadow | None]) -> list[_Step]:
    """Choose the level of each arrow, those of one card being much alike."""
    ladders = [
        [_look_at_level(card, index, picture, shown, (float(height), shadow)) for height in _HEIGHTS_MM]
        for index, shadow in enumerate(shadows)
    ]
    worths = [_worths(ladder) for ladder in ladders]
    chosen = []
    for index, ladder in enumerate(ladders):
        # What each level is worth together with the best level, not far away, of every other arrow.
        others = [k for k in range(len(ladders)) if k != index]
        together = [(worths[k] - _unlikeness(ladder, ladders[k])).max(axis=1) for k in others]
        chosen.append(ladder[int(np.argmax(worths[index] + sum(together)))])
    return chosen


def _unlikeness(ladder: Sequence[_Step], other: Sequence[_Step]) -> FloatArray:
    """Give how unlikely two arrows of a card lie at two levels, shape (levels, levels)."""
    apart_mm = np.subtract.outer(_HEIGHTS_MM, _HEIGHTS_MM)
    colors, others = (np.stack([step.look.color for step in steps]) for steps in (ladder, other))
    # Arrows of one colour are of one make, and so lie at one level.
    alike = np.linalg.norm(colors[:, None] - others[None], axis=-1) < _ONE_COLOR
    return np.asarray(np.where(alike, _ONE_MAKE_WEIGHT, _LEVEL_WEIGHT) * apart_mm**2)


def _learn_shadow(card: Card, index: int, picture: Frame, shown: Sequence[Shown], step: _Step) -> Shadow | None:
    """Learn how dark the arrow's shadow is; None when too little of it is seen."""
    outside = cv2.dilate(_cut_out(step.balanced), np.ones((3, 9), np.uint8)) < 0.05
    found = []
    for one in shown:
        shade, misfit = shades(*_see(card, index, picture, one, step.look.height_mm))
        shape = turned(outside.astype(np.float32), -one.angles_deg[index]) > 0.5
        found.append(shade[shape & (misfit < 4) & (shade < 0.8)])
    dark = np.concatenate(found)
    if len(dark) < _LEAST_SHADOW:
        return None
    middle = float(np.median(dark))
    return Shadow(middle, max(1.5 * float(np.median(np.abs(dark - middle))), _LEAST_SHADOW_SPREAD))


def _look_at_level(
    card: Card, index: int, picture: Frame, shown: Sequence[Shown], guess: tuple[float, Shadow | None]
) -> _Step:
    """See what the arrow would be, did it lie at one level and had it this shadow."""
    height_mm, shadow = guess
    dial = card.dials[index]
    radii = ring_radii(dial)
    views = [_see(card, index, picture, one, height_mm) for one in shown]
    core = np.concatenate(
        [_core(seen, one.angles_deg[index], radii) for (seen, _), one in zip(views, shown, strict=True)]
    )
    look = replace(_color_look(core, height_mm), shadow=shadow)
    weights = [weigh(seen, bare, look, shades(seen, bare)) for seen, bare in views]
    upright: Pixels = np.mean([turned(w, one.angles_deg[index]) for w, one in zip(weights, shown, strict=True)], axis=0)
    solid = _without_lines(upright)
    other = mirrored(solid)
    beside = np.abs((np.arange(DIRECTIONS) + 90) % 180 - 90) < 50
    area = radii[:, None]
    balanced = np.minimum(upright, mirrored(upright))
    shape = _cut_out(balanced) * area
    return _Step(
        look,
        balanced,
        symmetric=float((np.minimum(solid, other) * area).sum()),
        lopsided=float((np.abs(solid - other)[:, beside] * area).sum()) / 2,
        clear=float((balanced * shape).sum() / max(shape.sum(), 1.0)),
    )


def _without_lines(weights: Pixels) -> Pixels:
    """Drop thin lines of weight: at a dark shadow's edge every shade is seen, the arrow's too."""
    wrapped = _wrap(np.maximum(weights, 0))
    solid = cv2.morphologyEx(wrapped, cv2.MORPH_OPEN, np.ones((3, 5), np.uint8))
    return np.asarray(solid[:, _MARGIN:-_MARGIN], dtype=np.float32)


def _wrap(rings: Pixels) -> Pixels:
    """Repeat the last directions before the first and the first after the last."""
    return np.hstack((rings[:, -_MARGIN:], rings, rings[:, :_MARGIN]))


def _worths(ladder: Sequence[_Step]) -> FloatArray:
    """Give how much speaks for each level, shape (levels,): that it makes the arrow large, symmetric and clear."""
    most = max(step.symmetric for step in ladder) or 1.0
    clearest = max(step.clear for step in ladder) or 1.0
    worth = np.array([(step.symmetric - step.lopsided) / most + step.clear / clearest for step in ladder])
    return np.asarray(worth - _LEVEL_WEIGHT * ((_HEIGHTS_MM - TYPICAL_HEIGHT_MM) / _HEIGHT_SPREAD_MM) ** 2)


def _finish(card: Card, index: int, picture: Frame, shown: Sequence[Shown], step: _Step) -> ArrowLook:
    """Cut out the arrow's shape and measure how well it is found again in the pictures it was learnt from."""
    dial = card.dials[index]
    look = replace(step.look, shape=_cut_out(step.balanced))
    if look.shape[_CORE_RINGS].max() < 0.5:
        raise BadInput(
            say(
                "no arrow is seen on the dial ({dial}) where it was shown: look at its tip, middle and corners",
                dial=dial.name,
            )
        )
    views = [_see(card, index, picture, one, look.height_mm) for one in shown]
    if _is_like_shadow(look, views[0][1]):
        look = replace(look, smear=None)
    matcher = Matcher(look, ring_radii(dial))
    found = [matcher.find(*view) for view in views]
    for match, one in zip(found, shown, strict=True):
        error = abs((match.angle_deg - one.angles_deg[index] + 180) % 360 - 180)
        if error > _MOST_ERROR_DEG or match.fit < _LEAST_FIT:
            raise BadInput(
                say(
                    "the arrow ({dial}) was shown at {shown} degrees but looks to be at {seen}: look at its tip, or "
                    "show it in better light",
                    dial=dial.name,
                    shown=round(one.angles_deg[index]),
                    seen=round(match.angle_deg),
                )
            )
    smears = [match.smear for match in found if look.smear is not None]
    return replace(look, fit=float(np.mean([match.fit for match in found])), smear=max(smears, default=None))


def _is_like_shadow(look: ArrowLook, backdrop: Backdrop) -> bool:
    """Tell whether the arrow's colour is the dial's own, darkened, on most of the dial."""
    shade = np.clip(np.einsum("rdc,c->rd", backdrop.colors, look.color) / backdrop.square, 0, 1)
    off = np.linalg.norm(look.color - shade[..., None] * backdrop.colors, axis=-1)
    return bool(np.median(off) < _SHADOW_LIKE)


def _see(card: Card, index: int, picture: Frame, one: Shown, height_mm: float) -> tuple[Pixels, Backdrop]:
    """See a dial at a level: its colours in the light of the bare card, and the bare dial behind."""
    dial = card.dials[index]
    points = through(table_homography(one.plane, height_mm), ring_points(card, dial))
    backdrop = Backdrop(see_bare(card, picture, one.plane, points))
    seen = sample(one.frame, points)
    return seen / light_gain(seen, backdrop), backdrop


def _core(seen: Pixels, angle_deg: float, radii: FloatArray) -> Pixels:
    """Pick the colours that are the arrow's for certain: on its axis, in the head's and tail's inner parts."""
    off = np.radians(np.abs((np.arange(DIRECTIONS) - angle_deg + 180) % 360 - 180))
    head = (off * radii[:, None] < _CORE_MM) & (radii < 0.55 * radii[-1])[:, None]
    tail = ((np.pi - off) * radii[:, None] < _CORE_MM) & (radii < 0.3 * radii[-1])[:, None]
    return np.asarray(seen[head | tail])


def _color_look(core: Pixels, height_mm: float) -> ArrowLook:
    """Take the arrow's colour, and how much it varies, from its certain pixels, shape (N, 3)."""
    color = np.median(core, axis=0)
    off = core - color
    usual = off[np.abs(off).max(axis=1) < 40]
    spread = np.cov(usual.T) if len(usual) > 3 else np.eye(3) * _MOST_SIGMA**2
    values, axes = np.linalg.eigh(spread)
    # The bounds allow for other reflections than those shown, and keep a shadow from being taken for the arrow.
    whiten = axes / np.sqrt(np.clip(values + 64, _LEAST_SIGMA**2, _MOST_SIGMA**2))
    nowhere = np.zeros((RINGS, DIRECTIONS), dtype=np.float32)
    return ArrowLook(height_mm, color.astype(np.float32), whiten.astype(np.float32), nowhere)


def _cut_out(balanced: Pixels) -> Pixels:
    """Keep what hangs together with the arrow's axis, and soften its edge."""
    wrapped = _wrap(balanced) > 0
    _, parts = cv2.connectedComponents(wrapped.astype(np.uint8))
    axis = [_MARGIN + turn + step for turn in (0, 180, 360) for step in (-1, 0, 1)]
    kept = np.isin(parts, np.unique(parts[_CORE_RINGS][:, axis])) & wrapped
    soft = cv2.GaussianBlur(kept.astype(np.float32), (5, 1), 0)
    return np.asarray(soft[:, _MARGIN:-_MARGIN])
