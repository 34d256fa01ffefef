"""A top that mirrors a window is told by its rims; a sticker's die has none that tell."""

import json

import drawn_die as drawn
import numpy as np
import pytest
from die_view import pose_of, view_of

from vision.calibrate import Shown, learn_die
from vision.die import MARGIN
from vision.faces import find_faces
from vision.observing import USUAL, observe
from vision.rims import Rim, weigh_rims
from vision.seen_face import Seen
from vision.setup import from_json, to_json
from vision.sketch import FLOOR, MEAN

YAW_DEG = 33
"""Turned so far, both sides are seen well."""

PLACE = (58, -20, 3)
"""Here the die shows one side only, so that the top has to tell."""

LIES = [drawn.lie_of(*names.split()) for names in ("yellow red", "green black", "red purple", "black blue")]
BLACK, WHITE = (40, 40, 40), (235, 235, 235)


@pytest.fixture(scope="module")
def painted():
    return drawn.learn(YAW_DEG)


def judge(setup, lie, **drawing):
    """Judge a die where it truly lies; where it is found depends on more than its rims."""
    view = view_of(drawn.draw((lie, *PLACE), seed=7, **drawing), setup.cube)
    faces = find_faces(view, pose_of(*PLACE))
    assert [face.name for face in faces] == ["top", "S"]
    return setup.palette.judge([face.seen for face in faces], ["top", "S"], faces[0].rims)


@pytest.mark.parametrize("lie", LIES, ids=lambda lie: lie.top)
def test_a_top_burnt_white_but_for_its_rim_is_told(painted, lie):
    assert painted.cube.painted
    verdict = judge(painted, lie, glare=0.82)
    assert verdict.margin > MARGIN
    assert verdict.lies[0] == lie


@pytest.mark.parametrize("lie", LIES, ids=lambda lie: lie.top)
def test_without_its_rim_it_is_not(painted, lie):
    assert judge(painted, lie, glare=1.0).margin < MARGIN


@pytest.mark.parametrize("body", [BLACK, WHITE], ids=["black", "white"])
def test_the_body_round_a_burnt_sticker_is_not_taken_for_its_colour(body):
    setup = drawn.learn(YAW_DEG, body=body)
    assert not setup.cube.painted
    assert all(judge(setup, lie, glare=0.8, body=body).margin < MARGIN for lie in LIES)


def test_a_colour_shown_burnt_is_learnt_from_its_rim():
    shown = []
    for number, names in enumerate((("yellow", "red"), ("blue", "green"), ("purple", "yellow"))):
        lie = drawn.lie_of(*names)
        frame = drawn.draw((lie, 5, -5, YAW_DEG), seed=number, glare=0.82)
        shown.append(Shown(frame, *drawn.describe(lie), f"shown {number}"))
    setup = learn_die(drawn.CAMERA, drawn.table(), drawn.draw(seed=99), shown, die={"size_mm": drawn.SIZE_MM})[0]
    again = from_json(json.loads(json.dumps(to_json(setup))))
    assert again.cube.painted
    rims = [face for face in again.shown if face.veils]
    assert {face.colour for face in rims} == {"yellow", "blue", "purple"}
    for face in rims:
        blue, green, red = face.linear
        assert {"yellow": blue < green < red, "blue": red < green < blue, "purple": green < min(blue, red)}[face.colour]


def make_rim(mixed, own=(0.3, 0.03, 0.02), inside=(1.0, 1.0, 1.0), beyond=(0.02, 0.02, 0.3)):
    inside, beyond = np.array(inside), np.array(beyond)
    linear = mixed[0] * inside + mixed[1] * beyond + (1 - sum(mixed)) * np.array(own)
    return Rim(linear, inside, beyond, np.array([0.0, 0.0, 1.0]))


COLOURS = [
    (0.3, 0.03, 0.02),
    (0.02, 0.02, 0.3),
    (0.1, 0.3, 0.1),
    (0.02, 0.3, 0.4),
    (0.05, 0.05, 0.05),
    (0.15, 0.03, 0.1),
]


def expect(number, normal):
    return np.log(np.array(COLOURS[number]) + FLOOR) - MEAN, 0.2**2 * np.eye(3)


@pytest.mark.parametrize("mixed", [(0.0, 0.0), (0.25, 0.05), (0.08, 0.3), (0.4, 0.15)], ids=str)
def test_what_is_mixed_into_a_rim_from_both_sides_does_not_hide_its_colour(mixed):
    scores = weigh_rims([make_rim(mixed)], expect)
    assert scores.argmax() == 0


def test_one_odd_rim_can_not_outvote_two():
    odd = make_rim((0.0, 0.0), own=(0.1, 0.3, 0.1))
    assert weigh_rims([odd, make_rim((0.1, 0.1)), make_rim((0.2, 0.0))], expect).argmax() == 0


def test_veiled_colours_are_less_sure_towards_white_only():
    plain, rim = (Seen((0.0, 0.4, 0.9), (0.2, 0.2, 0.2), veils=veils) for veils in ((), ((0.1, 0.1, 0.1),)))
    more = (observe([rim], USUAL).noise - observe([plain], USUAL).noise)[0]
    white, blue = np.ones(3) / 3**0.5, np.array([2.0, -1.0, -1.0]) / 6**0.5
    assert white @ more @ white > 3 * (blue @ more @ blue)
