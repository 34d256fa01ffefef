"""Reads the spinner's card: where the arrows of its dials stopped, from one still frame."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

import numpy as np

from companion.errors import BadInput
from companion.inputs import DialReading, SpinnerReading, Status
from companion.text import say
from vision.arrow import ArrowLook, Backdrop, Match, Matcher, light_gain
from vision.arrow_learning import learn_arrows
from vision.bare import Shown, learn_bare, see_bare
from vision.card import Card, Dial, Shift, find_sector, move_plane
from vision.card_fit import fit_to_rims
from vision.card_search import CardLook, Sighting
from vision.card_sight import DOUBTFUL_AGREEMENT, LEAST_AGREEMENT, UNMOVED, sight_card
from vision.frames import FloatArray, Frame, check_frame
from vision.plane import Plane, table_homography
from vision.polar import ring_points, ring_radii, sample, through

_LEAST_FIT, _LEAST_SHARE_OF_FIT, _HOPELESS_SHARE_OF_FIT = 0.2, 0.5, 0.35
_GOOD_SHARE_OF_FIT, _LEVEL_STEP_MM = 0.72, 0.7
_LEAST_LEAD = 0.1
_MOST_STRANGE = 0.15
_MOST_SMEAR, _MOST_ADDED_SMEAR = 1.05, 0.1


class _Doubt(StrEnum):
    """Why a dial can't be read."""

    TURNING = "the arrow is turning"
    COVERED = "something covers the dial"
    ALIKE = "the arrow's head and tail can't be told apart"


@dataclass(frozen=True)
class SpinnerSetup:
    """What reading a card needs, learnt once.

    Attributes:
        look: the bare card and the camera's pose over it.
        arrows: the look of each dial's arrow.
    """

    look: CardLook
    arrows: tuple[ArrowLook, ...]

    @cached_property
    def matchers(self) -> tuple[Matcher, ...]:
        """What finds each arrow."""
        return tuple(
            Matcher(arrow, ring_radii(dial)) for arrow, dial in zip(self.arrows, self.look.card.dials, strict=True)
        )

    @cached_property
    def views(self) -> "dict[tuple[int, int], DialView]":
        """The dials as seen when the card lies where it lay at set-up, by dial and level; filled when needed."""
        return {}


@dataclass(frozen=True, slots=True)
class DialView:
    """Where the camera sees a dial's rings at its arrow's level, and the bare dial there.

    Attributes:
        points_px: [x, y], shape (RINGS, DIRECTIONS, 2).
        backdrop: the bare dial.
    """

    points_px: FloatArray
    backdrop: Backdrop


def laid(setup: SpinnerSetup, shift: Shift) -> SpinnerSetup:
    """Give the set-up of a card that was moved, as if it had been shown where it lies now."""
    moved = SpinnerSetup(setup.look.moved(shift), setup.arrows)
    vars(moved).update(matchers=setup.matchers)  # they know nothing of the place
    return moved


def learn_spinner(card: Card, plane: Plane, shown: Sequence[tuple[Frame, Sequence[float]]]) -> SpinnerSetup:
    """Learn a card and its arrows from pictures whose angles are known.

    Args:
        card: the card's measures.
        plane: the camera's pose over the card in the first picture, from its tapped corners.
        shown: pictures, BGR, uint8, shape (H, W, 3), and where each arrow points in them, in degrees clockwise from
            the card's top. One will do; with three, and the arrows elsewhere in each, no print stays hidden.

    Raises:
        BadInput: no picture was shown, the card can't be found in one, or an arrow is not where it was shown.
    """
    if not shown:
        raise BadInput("no picture was shown; expected one or more with the arrows' angles")
    pictures: list[Shown] = []
    for frame, angles_deg in shown:
        check_frame(frame, plane.size_wh, name="the shown picture")
        if not pictures:
            plane = fit_to_rims(plane, card, frame)
        if len(angles_deg) != len(card.dials) or not np.isfinite(np.asarray(angles_deg, dtype=float)).all():
            raise BadInput(f"angles_deg is {list(angles_deg)!r}; expected one for each of {len(card.dials)} dials")
        at = plane
        if pictures:
            place = find_card(frame, CardLook(card, learn_bare(card, pictures), plane))
            if place is None:
                raise BadInput(
                    say("the card is not found in every shown picture: leave it where it is while showing it")
                )
            at = move_plane(plane, place)
        pictures.append(Shown(frame, at, tuple(float(angle) for angle in angles_deg)))
    picture = learn_bare(card, pictures)
    return SpinnerSetup(CardLook(card, picture, plane), tuple(learn_arrows(card, picture, pictures)))


def find_card(frame: Frame, look: CardLook) -> Shift | None:
    """Find where the card lies now: it may have been moved since set-up.

    Args:
        frame: BGR, uint8, shape (H, W, 3).
        look: the bare card.

    Returns:
        How it was moved, or None when it is not found for certain.
    """
    best = sight_card(frame, look)
    return best.shift if best.agreement >= LEAST_AGREEMENT else None


def read_spinner(frame: Frame, setup: SpinnerSetup) -> SpinnerReading | None:
    """Read where the arrows of all dials stopped, from one still frame.

    Args:
        frame: BGR, uint8, shape (H, W, 3), of the set-up's size.
        setup: from `learn_spinner`.

    Returns:
        The reading, unsure with a reason where an arrow turns, is covered or can't be told; None without a card.

    Raises:
        BadInput: the frame is no picture of the set-up's size.
    """
    check_frame(frame, setup.look.plane.size_wh)
    return read_at(frame, setup, sight_card(frame, setup.look))


def read_at(frame: Frame, setup: SpinnerSetup, sighting: Sighting) -> SpinnerReading | None:
    """Read the arrows of a card that was sighted; see `read_spinner`."""
    if sighting.agreement < DOUBTFUL_AGREEMENT:
        return None
    if sighting.agreement < LEAST_AGREEMENT:
        return SpinnerReading(
            Status.UNSURE, reason="the card is partly covered, or can't be told from its surroundings"
        )
    card = setup.look.card
    sure: list[DialReading] = []
    doubts: dict[str, _Doubt] = {}
    for index, dial in enumerate(card.dials):
        found = _read_dial(frame, setup, index, sighting.shift)
        if isinstance(found, _Doubt):
            doubts[dial.name] = found
        else:
            sure.append(_name_sector(dial, found.angle_deg))
    if not doubts:
        return SpinnerReading(Status.READ, tuple(sure))
    return SpinnerReading(
        Status.UNSURE,
        tuple(sure),
        "; ".join(f"{name}: {doubt}" for name, doubt in doubts.items()),
        tuple(name for name, doubt in doubts.items() if doubt is _Doubt.TURNING),
    )


def _read_dial(frame: Frame, setup: SpinnerSetup, index: int, shift: Shift) -> Match | _Doubt:
    """Match one arrow at its level, and, when that fits poorly, at levels near by; or say what is doubtful.

    The level is known only as well as the parallax in the shown pictures told it: an arrow that points along the line
    of sight tells little.
    """
    usual = _view_dial(setup, (index, 0), shift)
    matcher, arrow = setup.matchers[index], setup.arrows[index]
    seen = sample(frame, usual.points_px)
    gain = light_gain(seen, usual.backdrop)
    best = matcher.find(seen / gain, usual.backdrop)
    if _HOPELESS_SHARE_OF_FIT * arrow.fit < best.fit < _GOOD_SHARE_OF_FIT * arrow.fit:
        for way in (1, -1):
            for steps in (way, 2 * way):
                view = _view_dial(setup, (index, steps), shift)
                match = matcher.find(sample(frame, view.points_px) / gain, view.backdrop)
                if match.fit <= best.fit:
                    break
                best = match
    if best.fit < max(_LEAST_FIT, _LEAST_SHARE_OF_FIT * arrow.fit):
        covered = matcher.strange_share(seen / gain, usual.backdrop) > _MOST_STRANGE
        return _Doubt.COVERED if covered else _Doubt.TURNING
    if arrow.smear is not None and best.smear > max(_MOST_SMEAR, arrow.smear + _MOST_ADDED_SMEAR):
        return _Doubt.TURNING
    return _Doubt.ALIKE if best.lead < _LEAST_LEAD else best


def _view_dial(setup: SpinnerSetup, where: tuple[int, int], shift: Shift) -> DialView:
    """See one dial: ``where`` is its index and how many steps above the arrow's level."""
    if shift == UNMOVED and where in setup.views:
        return setup.views[where]
    index, steps = where
    look = setup.look
    plane = move_plane(look.plane, shift)
    level_mm = max(setup.arrows[index].height_mm + steps * _LEVEL_STEP_MM, 0.0)
    points_px = through(table_homography(plane, level_mm), ring_points(look.card, look.card.dials[index]))
    view = DialView(points_px, Backdrop(see_bare(look.card, look.picture, plane, points_px)))
    if shift == UNMOVED:
        setup.views[where] = view
    return view


def _name_sector(dial: Dial, angle_deg: float) -> DialReading:
    rounded = round(angle_deg, 2) % 360
    sector, neighbour = find_sector(dial, rounded)
    near = None if neighbour is None else dial.labels[neighbour]
    return DialReading(dial.name, float(rounded), sector, dial.labels[sector], near)
