import pytest
from tables import Bench, die

from companion.commands import Seen
from companion.events import Choice
from companion.game import Awaited
from companion.games import GAMES
from companion.inputs import Button, DieReading, Status
from companion.signals import SEAT_COLOURS, Signal, Telling, lasting

ROLL = (Awaited("roll", ("S",), outcome=True),)
TURN = (Awaited("next", ("S",)),)


@pytest.fixture
def bench(tmp_path):
    bench = Bench(tmp_path / "journal.db")
    bench.table.sees(Seen("empty"))
    yield bench
    bench.journal.close()


@pytest.mark.parametrize(
    ("seen", "awaits", "told"),
    [
        pytest.param("empty", None, Telling(Signal.READY), id="no game"),
        pytest.param("offline", None, Telling(Signal.OFFLINE), id="no game and no camera"),
        pytest.param("rolling", ROLL, Telling(Signal.ROLLING), id="a rolling die"),
        pytest.param("settling", ROLL, Telling(Signal.READING), id="a die that comes to rest"),
        pytest.param("learning", None, Telling(Signal.READING), id="the camera learns the table"),
        pytest.param("empty", ROLL, Telling(Signal.YOUR_TURN, "S"), id="somebody rolls"),
        pytest.param("camera lost", ROLL, Telling(Signal.OFFLINE), id="a roll that no camera sees"),
        pytest.param("dark", ROLL, Telling(Signal.OFFLINE), id="a roll in the dark"),
        pytest.param("offline", TURN, Telling(Signal.YOUR_TURN, "S"), id="a step that needs no camera"),
        pytest.param("read", (Awaited("next"),), Telling(Signal.YOUR_TURN, "N"), id="anybody may say it"),
        pytest.param("read", (Awaited("plan", ("S", "W")),), Telling(Signal.READY), id="several at once"),
        pytest.param("read", (), Telling(Signal.READY), id="the end"),
    ],
)
def test_what_is_so_decides_what_is_told(seen, awaits, told):
    assert lasting(seen, awaits, "N", in_doubt=False) == told


def test_a_doubt_goes_before_everything_else():
    assert lasting("rolling", ROLL, "N", in_doubt=True) == Telling(Signal.UNSURE)


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_every_seat_has_a_colour_of_its_own(game):
    colours = [SEAT_COLOURS[seat] for seat in game.SEATS]
    apart = [max(abs(a - b) for a, b in zip(one, other, strict=True))
             for i, one in enumerate(colours) for other in colours[:i]]  # fmt: skip
    assert min(apart) >= 0.2


def told(bench):
    board = bench.table.board()
    return board.telling.signal, board.telling.seat


def passing(bench):
    """What the newest change told in passing."""
    board = bench.table.board()
    return board.passing.signal if board.passing and board.passing.tick == board.tick else None


def test_an_accepted_event_is_told_as_saved_and_whose_turn_it_is_after_it(bench):
    bench.venecitas()
    assert passing(bench) is Signal.SAVED
    assert told(bench) == (Signal.YOUR_TURN, "S")
    bench.table.pressed(Button.NEXT)
    assert passing(bench) is Signal.SAVED
    bench.table.sees(Seen("rolling"))
    assert passing(bench) is None
    assert told(bench) == (Signal.ROLLING, None)
    bench.table.sees(Seen("read"))
    bench.table.saw(die())
    assert passing(bench) is Signal.SAVED


def test_a_press_out_of_turn_is_told_as_not_yet(bench):
    bench.table.pressed(Button.UNDO)
    assert passing(bench) is Signal.NOT_YET
    bench.venecitas(first=None)
    bench.table.pressed(Button.NEXT)
    assert passing(bench) is Signal.NOT_YET


def test_what_could_not_be_saved_is_not_told_as_saved(bench, monkeypatch):
    from companion.errors import StorageError

    bench.venecitas()

    def full(**_):
        raise StorageError("the disk is full")

    monkeypatch.setattr(bench.journal, "append", full)
    bench.table.pressed(Button.NEXT)
    assert passing(bench) is Signal.NOT_YET


def test_an_unsure_die_is_told_until_somebody_says_what_it_is(bench):
    bench.venecitas()
    bench.say("next")
    bench.table.sees(Seen("unsure", "cocked"))
    bench.table.saw(DieReading(Status.UNSURE, reason="cocked"))
    assert told(bench) == (Signal.UNSURE, None)
    assert passing(bench) is None
    bench.chance("roll", top="Y", facing="R")
    assert told(bench)[0] is Signal.YOUR_TURN


def test_an_open_question_is_told_as_unsure_until_it_is_closed(bench):
    bench.venecitas()
    bench.say("next")
    bench.table.saw(die(yaw_deg=44.0))
    assert bench.table.board().proposal is not None
    assert told(bench)[0] is Signal.UNSURE
    bench.table.dismiss()
    assert told(bench)[0] is Signal.YOUR_TURN


def test_an_unsure_die_that_nobody_waits_for_is_not_told(bench):
    bench.table.sees(Seen("unsure", "cocked"))
    assert told(bench) == (Signal.READY, None)


def test_what_one_seat_may_see_does_not_change_what_is_told(bench):
    bench.venecitas()
    bench.ask(Choice("next"))
    assert {bench.table.board(seat).telling for seat in (None, "S", "N")} == {bench.table.board().telling}
