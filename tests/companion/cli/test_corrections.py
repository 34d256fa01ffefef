import json

import drawn_die as drawn
import pytest
from tables import Bench, die

from companion.cli.corrections import NAME, Corrections
from companion.die import find_lie
from companion.games.venecitas.state import State
from companion.inputs import DieReading, Status
from vision.calibrate import Shown, learn_die
from vision.setup import to_json


@pytest.fixture(scope="module")
def setup():
    shown = []
    for number, names in enumerate((("yellow", "red"), ("blue", "green"))):
        lie = drawn.lie_of(*names)
        shown.append(Shown(drawn.draw((lie, 5, -5, 12), seed=number), *drawn.describe(lie), f"shown {number}"))
    return learn_die(drawn.CAMERA, drawn.table(), drawn.draw(seed=99), shown, die={"size_mm": 25})[0]


@pytest.fixture
def corrections(tmp_path, setup):
    (tmp_path / "die.json").write_text(json.dumps(to_json(setup)))
    corrections = Corrections(tmp_path, lambda job: job())
    corrections.told = []
    corrections.on_learnt = lambda: corrections.told.append("learnt")
    return corrections


def state_with(top, south):
    state = State.__new__(State)
    object.__setattr__(state, "lie", find_lie(top, south, "S"))
    return state


def reading(top="blue", south="green"):
    return DieReading(Status.READ, top, {"S": south}, 9.0, 0.9)


FRAME = drawn.draw((drawn.lie_of("yellow", "red"), -20, 15, 9), seed=4)


def test_a_corrected_reading_is_learnt_under_the_true_colours_and_used(corrections, setup, tmp_path):
    wrong = reading("yellow", "blue")
    corrections.note(wrong, FRAME, setup)
    corrections.corrected(wrong, state_with("Y", "R"))
    assert (corrections.count(), corrections.told) == (1, ["learnt"])
    better = corrections.refine(setup)
    assert {face.colour for face in better.shown[len(setup.shown) :]} >= {"yellow", "red"}
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_an_older_reading_is_not_learnt_from_a_newer_picture(corrections, setup):
    old = reading()
    corrections.note(old, FRAME, setup)
    corrections.note(reading("red", "green"), FRAME, setup)
    corrections.corrected(old, state_with("Y", "R"))
    assert corrections.count() == 0


def test_an_unbelievable_correction_changes_nothing(corrections, setup):
    right = reading("yellow", "red")
    corrections.note(right, FRAME, setup)
    corrections.corrected(right, state_with("K", "B"))
    assert (corrections.count(), corrections.told) == (0, [])


def test_what_was_learnt_can_be_forgotten(corrections, setup):
    wrong = reading()
    corrections.note(wrong, FRAME, setup)
    corrections.corrected(wrong, state_with("Y", "R"))
    corrections.forget()
    assert corrections.count() == 0
    assert corrections.refine(setup).shown == setup.shown
    corrections.forget()
    assert corrections.told == ["learnt", "learnt"]  # once learnt, once forgotten


def test_a_new_set_up_begins_without_old_corrections(corrections, setup, tmp_path):
    wrong = reading()
    corrections.note(wrong, FRAME, setup)
    corrections.corrected(wrong, state_with("Y", "R"))
    (tmp_path / "die.json").write_text(json.dumps(to_json(setup) | {"again": True}))
    assert corrections.refine(setup).shown == setup.shown


def test_a_damaged_file_is_passed_over(corrections, setup, tmp_path):
    (tmp_path / NAME).write_text("{")
    assert corrections.refine(setup).shown == setup.shown
    assert corrections.count() == 0


@pytest.fixture
def bench(tmp_path):
    bench = Bench(tmp_path / "journal.db")
    bench.venecitas()
    bench.say("next")
    bench.told = []
    bench.table.on_corrected = lambda reading, state: bench.told.append((reading, state.lie.south))
    yield bench
    bench.journal.close()


def test_a_correction_right_after_the_reading_is_told(bench):
    seen = die("yellow", "blue")
    bench.table.saw(seen)
    bench.say("correct", "S", top="Y", facing="R")
    assert bench.told == [(seen, "R")]


def test_a_correction_of_what_was_tapped_is_not_told(bench):
    bench.chance("roll", top="Y", facing="R")
    bench.say("correct", "S", top="Y", facing="B")
    assert bench.told == []


def test_a_second_correction_is_not_told_for_it_is_of_no_reading(bench):
    bench.table.saw(die("yellow", "blue"))
    bench.say("correct", "S", top="Y", facing="R")
    bench.say("correct", "S", top="Y", facing="B")
    assert len(bench.told) == 1
