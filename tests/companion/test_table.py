import threading
from dataclasses import replace

import pytest
from tables import Bench, die

from companion.commands import NewGame, OpenSession, Redo, Seen, Undo
from companion.errors import BadInput, NotAwaited, NotYours, Refused, Stale, StorageError
from companion.events import Choice
from companion.game import Setup
from companion.inputs import Button, DieReading, Status


@pytest.fixture
def bench(tmp_path):
    bench = Bench(tmp_path / "journal.db")
    yield bench
    bench.journal.close()


def test_an_empty_table_awaits_nothing_and_says_so(bench):
    assert bench.table.board().session is None
    with pytest.raises(Refused, match="no game"):
        bench.say("next")


def test_a_command_on_an_old_board_is_refused_and_changes_nothing(bench):
    seen = bench.venecitas()
    bench.say("next")
    before = bench.table.board()
    with pytest.raises(Stale, match="Look again"):
        bench.ask(Choice("next"), seen=seen)
    assert bench.table.board() == before


def test_the_same_command_twice_is_the_same_command_once(bench):
    seen = bench.venecitas()
    first = bench.ask(Choice("next"), seen=seen, command="same")
    assert bench.ask(Choice("next"), seen=seen, command="same") == first
    assert bench.view["phase"] == "ROLL"
    bench.restart()
    assert bench.ask(Choice("next"), seen=seen, command="same") == first


def test_two_phones_at_once_one_wins_and_the_other_is_told(bench):
    seen = bench.venecitas()
    results = []

    def tap(name):
        try:
            results.append(bench.ask(Choice("next"), seen=seen, command=name))
        except Stale:
            results.append("stale")

    threads = [threading.Thread(target=tap, args=(f"phone {n}",)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results.count("stale") == 7
    assert bench.view["phase"] == "ROLL"


def test_the_board_is_the_same_after_a_restart(bench):
    bench.venecitas()
    bench.say("next")
    bench.table.saw(die())
    bench.table.pressed(Button.NEXT)
    bench.ask(Undo())
    before = bench.table.board()
    bench.restart()
    after = bench.table.board()
    assert (after.seq, after.view, after.can_redo, after.names) == (before.seq, before.view, True, before.names)


def test_undo_and_redo_reach_every_event_and_are_kept_as_marks(bench):
    bench.venecitas()
    views = [bench.view]
    bench.say("next")
    views.append(bench.view)
    bench.table.saw(die())
    views.append(bench.view)
    kept = len(list(bench.journal.entries()))
    for expected in (views[1], views[0]):
        bench.ask(Undo())
        assert bench.view == expected
    for expected in (views[1], views[2]):
        bench.ask(Redo())
        assert bench.view == expected
    assert len(list(bench.journal.entries())) == kept + 4
    with pytest.raises(Refused, match="nothing to bring back"):
        bench.ask(Redo())


def test_a_new_event_after_undo_ends_what_could_be_redone(bench):
    bench.venecitas()
    bench.say("next")
    bench.ask(Undo())
    bench.say("next")
    assert not bench.table.board().can_redo


def test_undo_of_a_fresh_new_game_brings_the_game_before_back(bench):
    bench.venecitas()
    bench.say("next")
    before = bench.table.board()
    bench.venecitas("SWN")
    assert len(bench.view["players"]) == 3
    bench.ask(Undo())
    assert bench.view == before.view
    assert bench.table.board().session == before.session


def test_an_earlier_evening_can_be_opened_again(bench):
    first = bench.venecitas()
    bench.say("next")
    bench.venecitas("SWNE")
    bench.ask(OpenSession(first))
    assert bench.view["phase"] == "ROLL"
    bench.restart()
    assert bench.table.board().session == first
    bench.ask(OpenSession(None))
    assert bench.table.board().session is None
    with pytest.raises(BadInput, match="no entries"):
        bench.ask(OpenSession(999))


def test_a_new_game_that_cannot_be_played_leaves_the_old_one_on_the_table(bench):
    bench.venecitas()
    before = bench.table.board()
    with pytest.raises(BadInput):
        bench.ask(NewGame("venecitas", Setup(("S", "X")), {}))
    with pytest.raises(BadInput, match="expected one of"):
        bench.ask(NewGame("chess", Setup(("S",)), {}))
    assert bench.table.board() == before


def test_a_reading_that_is_awaited_becomes_an_event_with_its_picture(bench):
    bench.venecitas()
    bench.say("next")
    bench.table.saw(die("yellow", "red"), b"jpeg")
    board = bench.table.board()
    assert board.view["die"]["top"] == "Y"
    assert board.last.source == "camera"
    assert bench.journal.crop(board.last.seq) == b"jpeg"


def test_a_die_that_nobody_waits_for_changes_nothing(bench):
    bench.venecitas()
    seq = bench.table.board().seq
    bench.table.saw(die())
    assert bench.table.board().seq == seq
    assert "roll again" in str(bench.table.board().notice)


def test_an_unsure_reading_asks_people_to_tap(bench):
    bench.venecitas()
    bench.say("next")
    seq = bench.table.board().seq
    bench.table.saw(DieReading(Status.UNSURE, reason="cocked"))
    assert bench.table.board().seq == seq
    assert "cocked" in str(bench.table.board().notice)


def test_a_die_that_is_read_again_as_it_lies_is_no_news(bench):
    bench.venecitas()
    bench.say("next")
    bench.table.saw(die())
    before = bench.table.board()
    bench.table.saw(die())
    assert bench.table.board() == before


def test_an_unsure_reading_says_nothing_while_nothing_could_be_tapped(bench):
    bench.venecitas()
    before = bench.table.board()
    bench.table.saw(DieReading(Status.UNSURE, reason="cocked"))
    assert bench.table.board() == before


def test_a_die_at_45_degrees_is_asked_about_and_the_answer_keeps_the_picture(bench):
    bench.venecitas()
    bench.say("next")
    bench.table.saw(die(yaw_deg=44.0), b"jpeg")
    board = bench.table.board()
    assert board.view["phase"] == "ROLL"
    assert board.proposal.question is not None
    bench.table.pressed(Button.NEXT)
    assert bench.view["phase"] == "ROLL", "the button never answers a question with two answers"
    bench.ask(board.proposal.options[0][1])
    board = bench.table.board()
    assert board.view["phase"] == "ADJUST"
    assert board.proposal is None
    assert bench.journal.crop(board.last.seq) == b"jpeg"


@pytest.mark.parametrize("yaw_deg", [-41.0, -10.0, 0.0, 10.0, 41.0])
def test_the_camera_and_the_rules_straighten_the_die_alike(bench, yaw_deg):
    bench.venecitas()
    bench.say("next")
    bench.table.saw(die("yellow", "red", yaw_deg))
    assert bench.view["die"]["S"] == "R"
    assert bench.view["die"]["straightened"]["angle_deg"] == abs(yaw_deg)


def test_next_goes_on_only_where_the_step_lists_it(bench):
    bench.venecitas()
    bench.table.pressed(Button.NEXT)
    assert bench.view["phase"] == "ROLL"
    bench.table.pressed(Button.NEXT)
    assert bench.view["phase"] == "ROLL"
    assert str(bench.table.board().notice) == "not yet"


def test_undo_on_the_table_is_confirmed_on_a_phone(bench):
    bench.venecitas()
    bench.say("next")
    bench.table.pressed(Button.UNDO)
    assert bench.view["phase"] == "ROLL"
    assert bench.table.board().undo_asked
    bench.ask(Undo())
    assert bench.view["phase"] == "EXCHANGE"
    assert not bench.table.board().undo_asked


def test_a_seat_cannot_act_for_another(bench):
    bench.venecitas()
    with pytest.raises(NotYours):
        bench.say("next", seat="N")
    bench.say("next", seat="S")


def test_a_storage_failure_leaves_the_game_where_it_was(bench):
    bench.venecitas()
    before = bench.table.board()
    bench.journal.read_only = "the disk is read-only"
    with pytest.raises(StorageError, match="Nothing was changed"):
        bench.say("next")
    assert bench.table.board() == before
    bench.table.pressed(Button.NEXT)
    assert bench.view == before.view
    assert "read-only" in str(bench.table.board().notice)
    bench.journal.read_only = None
    bench.say("next")
    assert bench.view["phase"] == "ROLL"


def test_seats_belong_to_one_phone_until_they_are_freed(bench):
    bench.venecitas()
    bench.table.sit("phone 1", frozenset("S"), "seat S")
    with pytest.raises(Refused, match="isn't free"):
        bench.table.sit("phone 2", frozenset("SN"), "seat S")
    bench.restart()
    assert bench.table.seats_of("phone 1") == frozenset("S")
    bench.table.release("S", "host")
    bench.table.sit("phone 2", frozenset("SN"), "seat S")
    assert bench.table.held() == frozenset("SN")


def test_taking_a_seat_does_not_make_anybodys_board_stale(bench):
    seen = bench.venecitas()
    bench.table.sit("phone 1", frozenset("S"), "spectator")
    bench.ask(Choice("next"), seen=seen)


def test_whoever_waits_wakes_up_on_a_change_and_only_then(bench):
    tick = bench.table.board().tick
    assert bench.table.wait(tick, 0.01) == tick
    bench.table.sees(Seen("rolling"))
    assert bench.table.wait(tick, 5) != tick
    tick = bench.table.board().tick
    bench.table.sees(Seen("rolling"))
    assert bench.table.wait(tick, 0.01) == tick


def test_wrong_verbs_are_not_awaited(bench):
    bench.venecitas()
    with pytest.raises(NotAwaited, match="the game waits for"):
        bench.say("choose_block", owner="S", colour="R")


def test_what_is_undone_and_by_whom_is_told_until_something_happens(bench):
    bench.venecitas()
    bench.say("next")
    bench.table.saw(die("yellow", "red"))
    bench.ask(Undo(), source="seat N")
    change = bench.table.board().change
    assert (change.kind, change.source, change.turn.event.verb) == ("undo", "seat N", "roll")
    bench.restart()
    assert bench.table.board().change.source == "seat N"
    bench.ask(Redo(), source="seat S")
    assert (bench.table.board().change.kind, bench.table.board().change.source) == ("redo", "seat S")
    bench.say("next")
    assert bench.table.board().change is None


def test_a_finished_game_can_be_undone(bench):
    bench.venecitas("S")
    while not bench.view["over"]:
        bench.say("next")
        bench.table.saw(die("yellow", "red"))
        bench.say("next")
    assert bench.view["over"]
    bench.ask(Undo())
    assert not bench.view["over"]


def test_a_reading_offers_what_else_it_may_have_been_likeliest_first(bench):
    bench.venecitas()
    bench.say("next")
    read = replace(die("yellow", "red"), alternatives=(("blue", "purple"), ("yellow", "red"), ("green", "red")))
    bench.table.saw(read, b"jpeg")
    board = bench.table.board()
    assert board.reading == read
    assert [event.data["top"] for _, event in board.corrections] == ["B", "G"]
    bench.ask(board.corrections[0][1])
    assert bench.view["die"]["top"] == "B"
    assert bench.table.board().corrections == ()


def test_an_unsure_reading_with_a_guess_asks_and_takes_nothing(bench):
    bench.venecitas()
    bench.say("next")
    guess = DieReading(Status.UNSURE, "yellow", {"S": "red"}, reason="glare", alternatives=(("blue", "purple"),))
    bench.table.saw(guess, b"jpeg")
    board = bench.table.board()
    assert board.view["phase"] == "ROLL"
    assert "glare" in str(board.proposal.question)
    assert [event.data["top"] for _, event in board.proposal.options] == ["Y", "B"]
    bench.ask(board.proposal.options[1][1])
    assert bench.view["die"]["top"] == "B"
    assert bench.journal.crop(bench.table.board().last.seq) == b"jpeg"


def test_a_seat_is_handed_over_when_its_phone_or_the_host_agrees(bench):
    bench.venecitas()
    bench.table.sit("ana", frozenset("S"), "spectator")
    bench.table.sit("bruno", frozenset("N"), "spectator")
    with pytest.raises(Refused, match="take it"):
        bench.table.wish("ana", "S")
    bench.table.wish("bruno", "S")
    assert bench.table.board().askers == {"S": ("N",)}
    with pytest.raises(Refused, match="already"):
        bench.table.wish("chiara", "S")
    bench.table.hand_over("S", "seat S", agreed=False)
    assert bench.table.seats_of("ana") == frozenset("S")
    bench.table.wish("bruno", "S")
    bench.table.hand_over("S", "seat S", agreed=True)
    assert (bench.table.seats_of("ana"), bench.table.seats_of("bruno")) == (frozenset(), frozenset("SN"))
    bench.restart()
    assert bench.table.seats_of("bruno") == frozenset("SN")


def test_a_deleted_session_is_gone_and_its_numbers_and_commands_never_come_again(bench):
    first = bench.ask(NewGame("venecitas", Setup(("S",)), {"S": "Secret Name"}), command="the first")
    bench.say("next")
    bench.table.saw(die(), b"the picture")
    picture = bench.table.board().last.seq
    with pytest.raises(Refused, match="clear the table"):
        bench.table.delete(first)
    bench.ask(OpenSession(None))
    newest = bench.table.board().seq
    assert bench.table.delete(first)
    assert not bench.table.delete(first)
    assert bench.journal.crop(picture) is None
    assert bench.ask(NewGame("venecitas", Setup(("S",)), {}), command="the first") == first
    bench.restart()
    assert bench.table.board().session is None
    with pytest.raises(BadInput, match="no entries"):
        bench.ask(OpenSession(first))
    assert bench.venecitas() > newest
    for file in bench.path.parent.iterdir():
        assert b"Secret Name" not in file.read_bytes()
        assert b"the picture" not in file.read_bytes()


def test_deleting_an_evening_does_not_change_what_lies_on_the_table(bench):
    first = bench.venecitas()
    second = bench.venecitas("SWN")
    before = bench.table.board()
    bench.table.delete(first)
    assert bench.table.board() == before
    bench.restart()
    assert bench.table.board().session == second
