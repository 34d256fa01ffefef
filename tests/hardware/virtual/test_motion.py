import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.die import STANDARD, all_lies, turned_acw, turned_cw
from hardware.virtual.motion import SIZE_MM, Rest, about, pose_of, rest_at_yaw, tumble

CORNERS = SIZE_MM / 2 * np.array(list(itertools.product((-1, 1), repeat=3)))

rests = st.builds(Rest, st.sampled_from(all_lies()), st.floats(-45, 44.9), st.floats(-38, 38), st.floats(-28, 28))


@given(rests, st.floats(-150, 150), st.floats(-150, 150), st.floats(-220, 220))
def test_a_thrown_die_never_sinks_into_the_table_and_ends_at_rest(rest, x, y, spin):
    pose = tumble(rest, (x, y, 62.0), spin)
    for share in np.linspace(0, 1, 60):
        now = pose(float(share))
        lowest = float((now.centre + CORNERS @ now.rotation.T)[:, 2].min())
        assert lowest > -0.09 * SIZE_MM  # corners are rounded by so much
        np.testing.assert_allclose(now.rotation @ now.rotation.T, np.eye(3), atol=1e-4)
    end, final = pose(1.0), pose_of(rest)
    np.testing.assert_array_equal(end.centre, final.centre)
    np.testing.assert_array_equal(end.rotation, final.rotation)


@settings(max_examples=15)
@given(rests)
def test_a_thrown_die_moves_without_jumps(rest):
    pose = tumble(rest, (rest.x_mm + 20, rest.y_mm - 125, 62.0), 150)
    shares = np.linspace(0, 1, 400)
    poses = [pose(float(share)) for share in shares]
    places = np.array([now.centre + CORNERS @ now.rotation.T for now in poses])
    steps = np.linalg.norm(np.diff(places, axis=0), axis=-1).max(-1)
    assert steps.max() < 4


@given(st.sampled_from(all_lies()), st.floats(-400, 400))
def test_a_rest_is_named_by_the_smaller_angle(lie, yaw):
    rest = rest_at_yaw(lie, yaw, 0, 0)
    assert -45 <= rest.yaw_deg < 45
    quarters = round((yaw - rest.yaw_deg) / 90)
    for _ in range(abs(quarters)):
        lie = turned_cw(lie) if quarters > 0 else turned_acw(lie)
    assert rest.lie == lie


def test_yaw_is_clockwise_seen_from_above():
    rotation = pose_of(Rest(STANDARD, 30.0, 0, 0)).rotation
    south = rotation @ np.array([0, -1, 0])
    assert south[0] == pytest.approx(-0.5, abs=1e-6)  # it looks west of south


def test_a_cocked_die_stands_on_an_edge_and_leans_on_its_coin():
    pose = pose_of(Rest(STANDARD, 10.0, 3, 4, cocked=True))
    heights = sorted((pose.centre + CORNERS @ pose.rotation.T)[:, 2])
    assert heights[:2] == pytest.approx([0, 0], abs=1e-3)
    assert heights[2:4] == pytest.approx([5, 5], abs=1e-3)


def test_turning_about_an_axis_follows_the_right_hand():
    np.testing.assert_allclose(about((0, 0, 1), 90) @ [1, 0, 0], [0, 1, 0], atol=1e-6)
