import io
import json

import pytest
from tables import Bench, die

from companion.commands import Redo, Undo
from companion.errors import BadInput
from companion.evenings import list_evenings, retell
from companion.export import write_csv, write_json
from companion.figures import figure_out
from companion.games import GAMES


@pytest.fixture
def bench(tmp_path):
    bench = Bench(tmp_path / "journal.db")
    yield bench
    bench.journal.close()


def told(bench, session):
    return retell(GAMES, bench.journal.entries(session))


def test_evenings_are_listed_newest_first_with_the_events_that_count(bench):
    first = bench.venecitas("SWNE")
    bench.say("next")
    bench.ask(Undo())
    second = bench.venecitas("SN")
    bench.say("next")
    evenings = list_evenings(bench.journal.entries())
    assert [(e.id, e.events, e.seats) for e in evenings] == [
        (second, 1, ("S", "N")),
        (first, 0, ("S", "W", "N", "E")),
    ]
    assert evenings[0].names["S"] == "Ana"


def test_a_retold_evening_holds_what_was_taken_back_too(bench):
    session = bench.venecitas()
    bench.say("next")
    bench.table.saw(die())
    bench.ask(Undo(), source="seat N")
    bench.ask(Redo(), source="seat S")
    bench.ask(Undo(), source="seat S")
    _, lines = told(bench, session)
    assert [(line.entry.kind, line.turn.event.verb, line.counts) for line in lines] == [
        ("event", "next", True),
        ("event", "roll", False),
        ("undo", "roll", False),
        ("redo", "roll", False),
        ("undo", "roll", False),
    ]


def test_an_evening_that_never_was_is_told_as_such(bench):
    with pytest.raises(BadInput, match="no such evening"):
        told(bench, 99)


def test_figures_count_tops_scores_tiles_and_blocks(bench):
    session = bench.venecitas("SN")
    for top, south in [("yellow", "red"), ("yellow", "red"), ("blue", "purple")]:
        bench.say("next")
        bench.table.saw(die(top, south))
        bench.say("next")
    figures = figure_out(told(bench, session)[0])
    assert figures.tops == (("Y", 2), ("B", 1))
    assert figures.rolls == 3
    assert figures.scores == {"S": (0,) * 10, "N": (0,) * 10}
    assert figures.tiles == {"S": 0, "N": 0}
    assert figures.blocks == {"S": 0, "N": 0}


def test_exports_hold_every_event_and_no_details_while_the_game_lasts(bench):
    session = bench.venecitas("S")
    bench.say("next")
    bench.table.saw(die())
    out = io.StringIO()
    write_json(out, told(bench, session)[0])
    rows = json.loads(out.getvalue())["events"]
    assert [row["verb"] for row in rows] == ["next", "roll"]
    assert all(row["event"] is None for row in rows)
    out = io.StringIO()
    write_csv(out, told(bench, session)[0])
    assert out.getvalue().splitlines()[0] == "seq,at,source,verb,told,score S"
