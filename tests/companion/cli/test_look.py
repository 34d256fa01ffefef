import time

import cv2
import numpy as np
import pytest
from tables import Bench

from companion.capture import capture_of
from companion.cli import look
from companion.commands import NewGame
from companion.errors import BadInput
from companion.game import Setup
from companion.inputs import DialReading, DieReading, SpinnerReading, Status
from hardware.virtual.table import VirtualTable
from vision.card_watch import CardSeen, CardState
from vision.seen import Seen as DieSeen
from vision.seen import State
from vision.spinner_file import learn_card, save_spinner

FRAME = np.full((720, 1280, 3), 90, np.uint8)
BOX = (400, 200, 800, 500)


@pytest.fixture
def bench(tmp_path):
    bench = Bench(tmp_path / "journal.db")
    yield bench
    bench.journal.close()


def venezia(bench):
    setup = Setup(
        ("red", "yellow"), {"detail": "score"}, {"homes": {"red": "Castello", "yellow": "San Polo"}, "campanile": "9B"}
    )
    bench.ask(NewGame("venezia", setup, {}))
    return bench


def arrows(number="7", letter="F", near=None, unspun=()):
    dials = (DialReading("number", 1.0, 0, number, near), DialReading("letter", 1.0, 0, letter))
    return SpinnerReading(Status.READ, dials, unspun=unspun)


@pytest.fixture
def card(bench, monkeypatch):
    """Show the table readings of the card as the watcher would."""
    told = []
    monkeypatch.setattr(look, "watching_card", lambda setup, on_seen: (lambda frame: on_seen(told[-1]), lambda: None))
    venezia(bench)
    eyes = look.card_eyes(bench.table, None, bench.table.sees)

    def show(reading):
        told.append(CardSeen(CardState.READ, reading=reading, box=BOX))
        eyes.look(capture_of(FRAME))

    return show


def test_a_spin_is_taken_for_whoever_is_due_with_its_picture(card, bench):
    for number, letter in (("4", "C"), ("5", "D"), ("8", "H")):
        card(arrows(number, letter))
    piazza = bench.view["piazza"]
    assert (piazza["tourists"], piazza["hunters"]) == (["4C", "5D"], ["8H"])
    crop = cv2.imdecode(np.frombuffer(bench.journal.crop(bench.table.board().last.seq), np.uint8), cv2.IMREAD_COLOR)
    assert crop.shape == (300 + 2 * look.CROP_MARGIN_PX, 400 + 2 * look.CROP_MARGIN_PX, 3)
    assert bench.table.board().last.source == "camera"


def test_a_spin_that_nobody_waits_for_changes_nothing(card, bench):
    for _ in range(3):
        card(arrows("4", "C"))
    seq = bench.table.board().seq
    card(arrows("5", "D"))
    assert bench.table.board().seq == seq
    assert bench.table.board().notice is None


def test_near_a_line_the_page_asks_with_the_picture(card, bench):
    card(arrows(near="8"))
    board = bench.table.board()
    assert "column 7 or 8?" in str(board.proposal.question)
    assert [event.data["square"] for _, event in board.proposal.options] == ["7F", "8F"]
    assert bench.table.asked_crop().startswith(b"\xff\xd8")
    bench.ask(board.proposal.options[1][1])
    assert bench.view["piazza"]["tourists"] == ["8F"]
    assert bench.journal.crop(bench.table.board().last.seq).startswith(b"\xff\xd8")


def test_an_arrow_that_was_not_spun_is_told_and_places_nobody(card, bench):
    card(arrows(unspun=("letter",)))
    assert "spin both again" in str(bench.table.board().notice)
    assert bench.view["piazza"]["tourists"] == []


@pytest.fixture
def die(bench, monkeypatch):
    """Show the table what the watcher of the die tells, one thing a frame."""
    told = []

    def watching(look_, on_seen):
        return lambda frame: on_seen(told[-1])

    monkeypatch.setattr(look, "watching", watching)
    monkeypatch.setattr(look, "looker", lambda setup: None)
    bench.venecitas()
    bench.say("next", "S")
    eyes = look.die_eyes(bench.table, None, bench.table.sees)

    def show(state, reading=None):
        told.append(DieSeen(state, reading, box=BOX if reading else None))
        eyes.look(capture_of(FRAME))
        return bench.view["phase"]

    show.eyes = eyes
    return show


DIE = DieReading(Status.READ, "yellow", {"N": "blue", "E": "black", "S": "red", "W": "purple"}, 3.0, 0.99)


def test_a_die_that_lay_there_all_along_was_rolled_by_nobody(die, bench):
    assert die(State.READ, DIE) == "ROLL"
    assert bench.table.board().seen.state == "read"
    die(State.ROLLING)
    assert die(State.READ, DIE) == "ADJUST"


def test_a_die_that_lay_there_all_along_is_read_when_asked(die):
    die(State.READ, DIE)
    die.eyes.again()
    assert die(State.READ, DIE) == "ADJUST"


def test_what_is_seen_is_told_again_once_the_camera_is_back(die, bench):
    die(State.EMPTY)
    bench.table.sees(look.Seen("camera lost"))
    die.eyes.resume()
    assert bench.table.board().seen.state == "empty"


@pytest.mark.parametrize(
    ("load", "words"),
    [
        (look.load_die, "this table yet: set it up on the host's page"),
        (look.load_card, "the card with the arrows yet: set it up on the host's page"),
    ],
)
def test_what_was_not_set_up_says_what_to_do(tmp_path, load, words):
    with pytest.raises(BadInput, match=words):
        load(tmp_path)


def test_real_eyes_take_the_card_from_its_file_while_the_program_runs(bench, tmp_path):
    table = VirtualTable()
    table.lay("card")
    venezia(bench)
    told = []
    eyes = look.real_eyes(bench.table, tmp_path, told.append)

    def watch_until(is_so):
        for _ in range(600):
            eyes.look(capture_of(table.draw()))
            if is_so():
                return
            time.sleep(0.05)
        raise AssertionError(told)

    watch_until(eyes.trouble)
    assert "set it up on the host's page" in eyes.trouble()
    save_spinner(learn_card(table.card_frames(), lambda image: image), tmp_path / "spinner.json")
    eyes.set_up_changed("card")
    watch_until(lambda: told[-1].state == "waiting")
    assert eyes.trouble() is None
    assert [seen.state for seen in told] == ["learning", "not set up", "learning", "waiting"]
