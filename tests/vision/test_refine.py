import json

import drawn_die as drawn
import pytest

from companion.errors import BadInput
from vision.die import find_dice
from vision.refine import MOST_PICTURES, from_json, refined, see_corrected, to_json

FADED = drawn.BGR | {"purple": (165, 75, 100), "red": (70, 60, 175)}
"""The same die by evening: its purple has come near to blue."""


@pytest.fixture(scope="module")
def setup():
    return drawn.learn()


def frame(top, south, seed=4):
    return drawn.draw((drawn.lie_of(top, south), -20, 15, 9), seed=seed, colours=FADED)


def lead(setup, top, south):
    """By how much the true way of lying leads the best other one, as a natural logarithm."""
    verdict = find_dice(frame(top, south, seed=8), setup)[0].verdict
    true = verdict.scores[verdict.lies.index(drawn.lie_of(top, south))]
    return true - max(score for lie, score in zip(verdict.lies, verdict.scores, strict=True)
                      if lie != drawn.lie_of(top, south))  # fmt: skip


def test_a_correction_makes_the_next_reading_surer(setup):
    faces = see_corrected(frame("purple", "red"), setup, drawn.lie_of("purple", "red"))
    assert {"purple", "red"} <= {face.colour for face in faces}
    better = refined(setup, [faces])
    assert lead(better, "purple", "red") > lead(setup, "purple", "red")
    assert lead(better, "purple", "blue") > 0


def test_a_correction_that_can_not_be_is_not_learnt(setup):
    with pytest.raises(BadInput, match="can't be believed"):
        see_corrected(frame("purple", "red"), setup, drawn.lie_of("yellow", "blue"))


def test_without_a_die_there_is_nothing_to_learn(setup):
    with pytest.raises(BadInput, match="no die is found"):
        see_corrected(drawn.draw(seed=3), setup, drawn.STANDARD)


def test_a_die_that_lies_across_teaches_nothing(setup):
    across = drawn.draw((drawn.STANDARD, 0, 0, 42), seed=3)
    with pytest.raises(BadInput, match="lies across"):
        see_corrected(across, setup, drawn.STANDARD)


def test_many_corrections_never_outnumber_a_few_and_the_shown_faces_stay(setup):
    faces = see_corrected(frame("purple", "red"), setup, drawn.lie_of("purple", "red"))
    many = refined(setup, [faces] * 50)
    assert many.shown[: len(setup.shown)] == setup.shown
    assert len(many.shown) == len(setup.shown) + MOST_PICTURES * len(faces)
    assert len({face.picture for face in many.shown}) == len({face.picture for face in setup.shown}) + MOST_PICTURES


def test_what_was_learnt_comes_back_from_its_file_and_only_for_its_set_up(setup):
    faces = see_corrected(frame("purple", "red"), setup, drawn.lie_of("purple", "red"))
    data = json.loads(json.dumps(to_json([faces], "one")))
    assert to_json(from_json(data, "one", setup), "one") == data
    assert from_json(data, "another", setup) == []
    assert from_json(data | {"version": 0}, "one", setup) == []


@pytest.mark.parametrize("pictures", [3, [[{"colour": "pink"}]], [[3]], None], ids=repr)
def test_a_damaged_file_is_refused(setup, pictures):
    with pytest.raises(BadInput, match="forget it"):
        from_json(to_json([], "one") | {"pictures": pictures}, "one", setup)
