"""Where a level cube's faces and edges are seen, against its geometry and numeric derivatives."""

import drawn_die as drawn
import numpy as np
import pytest

from vision.contours import LINES, contours, line_normals, line_points, line_slopes, points_within
from vision.cube import Cube, face_points, stand
from vision.plane import project

CUBE = Cube(25.0, 2.5, 1.25)
SHARP = Cube(25.0, 0.0, 0.0)
ALONG = np.array([-0.4, 0.0, 0.3])
POSES = np.array([[0.0, 0.0, 0.2], [-45.0, 30.0, -0.6], [60.0, -20.0, 0.7]])


def lines_of(poses, insets, cube=CUBE):
    return contours(stand(drawn.plane(), cube, poses), insets)


def test_the_top_and_the_two_sides_towards_the_camera_are_looked_at():
    stance = stand(drawn.plane(), CUBE, np.array([[0.0, 0.0, 0.0]]))
    assert stance.faces.tolist() == [[0, 3, 2]]  # top, S, E: the camera stands south, a little east
    assert (np.diff(stance.facing[0, 1:]) < 0).all()


def test_the_middle_of_the_top_is_seen_where_the_table_s_geometry_puts_it():
    pixels = face_points(stand(drawn.plane(), CUBE, POSES), np.zeros((1, 2)))[:, 0, :, 0]
    middles = np.column_stack((POSES[:, :2], np.full(3, CUBE.size_mm)))
    assert pytest.approx(project(drawn.plane(), middles), abs=1e-3) == pixels.T


def test_a_sharp_cube_s_own_colours_end_at_its_edges():
    corner = [[12.5, -12.5, 25.0]]  # of the top, towards the south-east
    lines = lines_of(np.zeros((1, 3)), np.zeros(1), SHARP)
    ends = line_points(lines, np.array([-0.5, 0.5]))[:, :, 0, :4].reshape(2, -1).T
    apart = np.linalg.norm(ends - project(drawn.plane(), corner), axis=1)
    assert np.sort(apart)[:2] == pytest.approx([0, 0], abs=1e-3)  # two of the top's edges meet there


def test_a_colour_that_ends_earlier_lies_inside_the_outline():
    near, far = (lines_of(POSES, np.full(3, inset)) for inset in (1.0, 3.0))
    across = line_normals(near)[:2]
    moved = ((line_points(far, ALONG) - line_points(near, ALONG)) * across[:, None]).sum(0)
    assert (moved[..., : LINES // 2][..., near.inner[:, : LINES // 2]] < -0.5).all()
    assert np.abs(moved[..., LINES // 2 :]).max() < 1e-3  # the outline stays


def test_points_within_lie_on_the_inner_side_of_their_lines():
    lines = lines_of(POSES, np.full(3, 1.0))
    inwards = (points_within(lines, ALONG) - line_points(lines, ALONG)) * line_normals(lines)[:2, None]
    assert (inwards.sum(0)[:, lines.seen] < -0.5).all()


@pytest.mark.parametrize("column", range(4))
def test_slopes_agree_with_numeric_derivatives(column):
    step = np.zeros(4)
    step[column] = 1e-2 if column != 2 else 1e-3
    insets = np.full(3, 3.0)  # more than where the rounded edges turn away, so that it counts everywhere
    middle = lines_of(POSES, insets)
    ahead, behind = (lines_of(POSES + sign * step[:3], insets + sign * step[3]) for sign in (1, -1))
    moved = (line_points(ahead, ALONG) - line_points(behind, ALONG)) / (2 * step.sum())
    planes = line_normals(middle)
    numeric = (moved * planes[:2, None]).sum(0)[:, middle.seen]
    # By a radian of yaw the rounded edges' outline also wanders a little round them.
    slack = 0.3 if column == 2 else 0.05
    assert line_slopes(middle, planes, ALONG)[column][:, middle.seen] == pytest.approx(numeric, abs=slack, rel=0.02)


def test_a_larger_cube_s_lines_lie_where_the_slope_by_size_says():
    small, large = (lines_of(POSES, np.full(3, 0.12 * size), Cube(size, 0.1 * size, 0)) for size in (25.0, 25.1))
    planes = line_normals(small)
    moved = ((line_points(large, ALONG) - line_points(small, ALONG)) * planes[:2, None]).sum(0) / 0.1
    slopes = line_slopes(small, planes, ALONG, loose=True)[4]
    assert slopes[:, small.seen] == pytest.approx(moved[:, small.seen], abs=0.05, rel=0.05)
