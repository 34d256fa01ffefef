"""Sees where a card lies: where it lay, a little beside, or anywhere on the table; and only where that is certain."""

from collections.abc import Sequence
from dataclasses import replace

from vision.card import Shift
from vision.card_search import CardLook, Sighting, blurred, disc_mismatch, distance_mm, follow, pull, search
from vision.frames import Frame

UNMOVED = Shift()
SURE_AGREEMENT = 0.86
"""A card agrees with its picture so well only where it truly lies."""
LEAST_AGREEMENT = 0.8
"""So well it must agree, and clearly better than anywhere else."""
DOUBTFUL_AGREEMENT = 0.6
"""Below this nothing on the table looks like the card."""
STILL_MM = 0.3
"""A card that seems to have moved by less lies where it lay: the measure itself is not finer."""
_MOST = 0.75
"""So many landmarks must agree on where the card lies; see `vision.card_search.pull`."""
_LEAST_LEAD_IN_AGREEMENT = 0.05
"""So much better it must agree than anywhere else; or else its discs must match so much better."""
_MOST_MISMATCH = 0.7
_SAME_PLACE_MM = 6.0


def sight_card(frame: Frame, look: CardLook) -> Sighting:
    """See where the card lies: where it lay, or else anywhere on the table, which takes long.

    Args:
        frame: BGR, uint8, shape (H, W, 3).
        look: the bare card, and where it lay.

    Returns:
        Its likeliest place; less than `LEAST_AGREEMENT` where that is not certain.
    """
    here, is_sure = sight_near(frame, look)
    return here if is_sure else choose_place(frame, look, [*search(look, frame), here])


def sight_near(frame: Frame, look: CardLook, least: float = SURE_AGREEMENT) -> tuple[Sighting, bool]:
    """See the card where it lay, or a millimetre or so beside.

    Args:
        frame: BGR, uint8, shape (H, W, 3).
        look: the bare card, and where it lay.
        least: how well it must agree where it lay.

    Returns:
        Its likeliest place, and whether it surely lies there.
    """
    agreement, pulled = pull(look, frame, UNMOVED, look.fine, heeded=_MOST)
    here = Sighting(UNMOVED, agreement)
    is_there = agreement >= least and distance_mm(look.card, pulled, UNMOVED) < STILL_MM
    if is_there and look.is_alike_upside_down:
        # The rims of two dials may look much the same upside down.
        is_there = _is_likelier(frame, look, here, follow(look, frame, Shift(180.0), steps=0))
    if is_there:
        return here, True
    here = follow(look, frame, pulled)
    return here, _is_sure(frame, look, here)


def sight_about(frame: Frame, look: CardLook) -> tuple[Sighting, bool]:
    """See the card where it lay or up to some 4 mm beside, which takes several times as long as `sight_near`."""
    here = follow(look, frame, follow(look, blurred(look, frame), UNMOVED, coarse=True).shift)
    return here, _is_sure(frame, look, here)


def _is_sure(frame: Frame, look: CardLook, here: Sighting) -> bool:
    """Tell whether a card that was pulled to a place surely lies there, and not upside down."""
    agreement, pulled = pull(look, frame, here.shift, look.fine, heeded=_MOST)
    if agreement < SURE_AGREEMENT or distance_mm(look.card, pulled, here.shift) >= STILL_MM:
        return False
    upside_down = replace(here.shift, turn_deg=here.shift.turn_deg + 180)
    turned = follow(look, frame, follow(look, blurred(look, frame), upside_down, coarse=True).shift)
    return _is_likelier(frame, look, here, turned)


def choose_place(frame: Frame, look: CardLook, sightings: Sequence[Sighting]) -> Sighting:
    """Choose among the places where a card may lie; none is certain of those that can't be told apart."""
    best, *others = sightings
    for rival in others:
        if distance_mm(look.card, rival.shift, best.shift) < _SAME_PLACE_MM or _is_likelier(frame, look, best, rival):
            continue
        if not _is_likelier(frame, look, rival, best):
            return Sighting(best.shift, min(best.agreement, DOUBTFUL_AGREEMENT))
        best = rival
    _, pulled = pull(look, frame, best.shift, look.fine, heeded=_MOST)
    is_settled = distance_mm(look.card, pulled, best.shift) < STILL_MM
    return best if is_settled else Sighting(best.shift, min(best.agreement, DOUBTFUL_AGREEMENT))


def _is_likelier(frame: Frame, look: CardLook, one: Sighting, other: Sighting) -> bool:
    """Tell whether the card surely lies rather at the one place than at the other."""
    if abs(one.agreement - other.agreement) >= _LEAST_LEAD_IN_AGREEMENT:
        return one.agreement > other.agreement
    return disc_mismatch(look, frame, one.shift) < _MOST_MISMATCH * disc_mismatch(look, frame, other.shift)
