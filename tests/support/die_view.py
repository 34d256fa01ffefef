"""The drawn die as the reader looks at it: a piece of the picture, and a cube fitted there."""

import drawn_die as drawn
import numpy as np

from vision.cube import Cube
from vision.find import find_changed, lay_grid, look, places_changed, shrink
from vision.outline import fit

CUBE = Cube(drawn.SIZE_MM, 0.25, 0.5)
PLACES = [(0, 0, 10), (-45, 30, -20), (50, -20, 33)]


def view_of(frame, cube=CUBE):
    grid = lay_grid(drawn.plane(), cube)
    change = find_changed(frame, shrink(drawn.draw(seed=99)))
    return look(frame, grid, places_changed(grid, change), change)


def pose_of(x_mm, y_mm, yaw_deg):
    return np.array([x_mm, y_mm, np.deg2rad(yaw_deg)])


def fit_near(frame, place):
    start = pose_of(*place) + np.array([1.5, -1.0, np.deg2rad(4)])
    return fit(view_of(frame), start[None], 5.0)[0]
