"""Where the picture changed since the table was empty, and which places of the table that concerns."""

import drawn_die as drawn
import numpy as np
from die_view import CUBE

from vision.find import SHRINK, find_changed, lay_grid, places_changed, shrink, split_places

EMPTY = shrink(drawn.draw(seed=99))
RED, BLUE = drawn.lie_of("red", "purple"), drawn.lie_of("blue", "green")


def places_of(*dice):
    grid = lay_grid(drawn.plane(), CUBE)
    change = find_changed(drawn.draw(*dice), EMPTY)
    return [grid.places[region] for region in split_places(grid, change, places_changed(grid, change))]


def test_a_piece_of_the_picture_changed_as_the_whole_did_there_and_nowhere_else():
    frame = drawn.draw((RED, -45, 30, -20), (BLUE, 60, -20, 5))
    x, y = (round(value) for value in drawn.project_one(-45, 30))
    around = x - 60, y - 50, x + 60, y + 50
    whole, piece = find_changed(frame, EMPTY).mask, find_changed(frame, EMPTY, around).mask
    inside = np.zeros_like(whole)
    inside[(y - 50) // SHRINK : -(-(y + 50) // SHRINK), (x - 60) // SHRINK : -(-(x + 60) // SHRINK)] = 1
    assert not piece[inside == 0].any()
    assert piece.sum() > 50
    assert (piece != whole * inside).sum() <= 3


def test_less_light_changes_nothing():
    assert find_changed(drawn.draw(light=0.7, seed=4), EMPTY).mask.sum() == 0


def test_the_places_that_changed_lie_round_the_die():
    (places,) = places_of((RED, -45, 30, -20))
    assert np.abs(places.mean(0) - [-45, 30]).max() < CUBE.size_mm / 2


def test_two_things_apart_are_two_regions():
    regions = places_of((RED, -45, 30, -20), (BLUE, 60, -20, 5))
    middles = sorted(tuple(region.mean(0).round(-1)) for region in regions)
    assert len(regions) == 2
    assert middles[0][0] < 0 < middles[1][0]
