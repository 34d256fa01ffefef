import dial_drawing
import numpy as np
import pytest

from vision.card import pivot_mm
from vision.card_fit import fit_to_rims
from vision.plane import project


def _pivots_px(plane):
    card = dial_drawing.card()
    return project(plane, [[*pivot_mm(card, dial), 0.0] for dial in card.dials])


@pytest.mark.parametrize("seed", range(4))
def test_carelessly_tapped_corners_are_drawn_to_the_rims(seed):
    taps = np.array(dial_drawing.CORNERS_PX) + np.random.default_rng(seed).choice([-5.0, 5.0], (4, 2))
    tapped, true = dial_drawing.plane(taps.tolist()), dial_drawing.plane()
    fitted = fit_to_rims(tapped, dial_drawing.card(), dial_drawing.draw((100.0, 215.0)))
    assert np.abs(_pivots_px(tapped) - _pivots_px(true)).max() > 1.5
    assert np.abs(_pivots_px(fitted) - _pivots_px(true)).max() < 1.0


def test_corners_that_the_rims_confirm_are_kept():
    plane = dial_drawing.plane()
    assert fit_to_rims(plane, dial_drawing.card(), dial_drawing.draw((100.0, 215.0))) is plane


def test_without_rims_the_taps_are_kept():
    plane = dial_drawing.plane()
    assert fit_to_rims(plane, dial_drawing.card(), np.full((720, 1280, 3), 90, np.uint8)) is plane
