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
    """See the card where it lay, or some mm beside.

    Args:
        frame: BGR, uint8, shape (H, W, 3).
        look: the bare card, and where it lay.
        least: how well it must agree where it lay.

    Returns:
        Its likeliest place, and whether it surely lies there.
    """
    agreement, pulled = pull(look, frame, UNMOVED, look.fine)
    here = Sighting(UNMOVED, agreement)
    is_there = agreement >= least and distance_mm(look.card, pulled, UNMOVED) < STILL_MM
    if is_there and look.is_alike_upside_down:
        # The rims of two dials may look much the same upside down.
        is_there = _is_likelier(frame, look, here, follow(look, frame, Shift(180.0), steps=0))
    if is_there:
        return here, True
    here = follow(look, frame, pulled)
    if here.agreement < SURE_AGREEMENT:
        return here, False
    upside_down = replace(here.shift, turn_deg=here.shift.turn_deg + 180)
    turned = follow(look, frame, follow(look, blurred(look, frame), upside_down, coarse=True).shift)
    return here, _is_likelier(frame, look, here, turned)


def choose_place(frame: Frame, look: CardLook, sightings: Sequence[Sighting]) -> Sighting:
    """Choose among the places where a card may lie; of places that can't be told apart none is certain."""
    best, *others = sightings
    for rival in others:
        if distance_mm(look.card, rival.shift, best.shift) < _SAME_PLACE_MM or _is_likelier(frame, look, best, rival):
            continue
        if not _is_likelier(frame, look, rival, best):
            return Sighting(best.shift, min(best.agreement, DOUBTFUL_AGREEMENT))
        best = rival
    return best


def _is_likelier(frame: Frame, look: CardLook, one: Sighting, other: Sighting) -> bool:
    """Tell whether the card surely lies rather at the one place than at the other."""
    if abs(one.agreement - other.agreement) >= _LEAST_LEAD_IN_AGREEMENT:
        return one.agreement > other.agreement
    return disc_mismatch(look, frame, one.shift) < _MOST_MISMATCH * disc_mismatch(look, frame, other.shift)
