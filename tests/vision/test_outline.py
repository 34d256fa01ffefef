"""Cubes fitted to drawn pictures: where they lie, where their colours end, and how sure that is."""

from dataclasses import replace

import cv2
import drawn_die as drawn
import numpy as np
import pytest
from die_view import CUBE, PLACES, fit_near, pose_of, view_of

from vision.cube import face_points, stand
from vision.outline import find_insets
from vision.score import choose


@pytest.mark.parametrize("place", PLACES)
def test_a_fit_recovers_the_drawn_pose(place):
    found = fit_near(drawn.draw((drawn.lie_of("red", "purple"), *place), seed=4), place)
    assert found.pose[:2] == pytest.approx(place[:2], abs=0.5)
    assert np.rad2deg(found.pose[2]) == pytest.approx(place[2], abs=1.5)
    assert found.size_mm == pytest.approx(drawn.SIZE_MM, rel=0.03)


def test_a_blurred_die_s_yaw_is_less_sure():
    sharp = drawn.draw((drawn.lie_of("red", "purple"), *PLACES[0]), noise=0)
    blurs = (0.1, 2.0, 4.0)
    errors = [fit_near(cv2.GaussianBlur(sharp, (0, 0), sigma), PLACES[0]).yaw_error for sigma in blurs]
    assert errors == sorted(errors)
    assert errors[-1] > 1.5 * errors[0]


def draw_stickers(frame, pose, share):
    """Lay a black body with stickers over a drawn die: what is left of each face's side is ``share`` of it."""
    body, colours = [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)], ((0, 0, 230), (40, 200, 220), (190, 90, 40))
    scale = 8
    big = cv2.resize(frame, None, fx=scale, fy=scale, interpolation=cv2.INTER_NEAREST)
    stance = stand(drawn.plane(), replace(CUBE, round_mm=0.0), pose[None])
    for size, paint in ((1.0, ((25, 25, 25),) * 3), (share, colours)):
        corners = face_points(stance, size * np.array(body))[:, :, 0]
        for face in range(3):
            outline = ((corners[:, :, face].T + 0.5) * scale).round().astype(np.int32)
            cv2.fillConvexPoly(big, outline, paint[face], cv2.LINE_AA)
    return cv2.resize(big, (drawn.WIDTH, drawn.HEIGHT), interpolation=cv2.INTER_AREA)


def test_the_borders_of_stickers_are_found():
    pose, insets = pose_of(0, 0, 30), np.array([0.04, 0.1, 0.16])
    table = drawn.draw(seed=1, noise=0)
    found = [np.median(find_insets(view_of(draw_stickers(table, pose, 1 - 2 * inset)), pose)) for inset in insets]
    # The blur of so small a picture shows them all a pixel and a half, 0.04 of the size, further in.
    assert found == pytest.approx(insets + 0.04, abs=0.02)


def test_poses_that_found_the_same_cube_are_chosen_once():
    poses = np.array([[0.0, 0, 0], [0.5, 0, 0], [40, 0, 0], [0, 0, 0.4]])
    assert choose(poses, np.array([3.0, 4.0, 2.0, 1.0]), 3, 25.0).tolist() == [1, 2, 3]


def test_one_place_does_not_use_up_the_choice():
    poses = np.array([[0.0, 0, yaw] for yaw in (0.0, 0.3, 0.6, -0.3)] + [[50.0, 0, 0]])
    assert choose(poses, np.array([5.0, 4, 3, 2, 1]), 5, 25.0).tolist() == [0, 1, 2, 4]
