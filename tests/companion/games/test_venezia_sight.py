"""What Venezia shows to whom, and what it makes of the dials."""

import json
from dataclasses import replace

import pytest
from venezia_table import Phase, at, choose, new_game, perform, position, spin

from companion.errors import Refused
from companion.events import Outcome
from companion.game import step
from companion.games import venezia
from companion.inputs import DialReading, DieReading, SpinnerReading, Status


def sealed(who, first, action, cards):
    listed = [{"area": area, "pigeons": n} for area, n in cards]
    return {"who": who, "piazza": None, "ruse": None, "action": action, "cards": listed} | first


SECRETS = {
    "plain": sealed("yellow", {"piazza": 2}, None, [("Castello", 3), ("San Polo", 1)]),
    "other": sealed("yellow", {"ruse": 2}, "Feud", [("SGM", 3), ("Cannaregio", 1)]),
}
FILLER = {"red": sealed("red", {"ruse": 1}, None, [("Castello", 1)]), "blue": sealed("blue", {"ruse": 0}, None, [])}
RESERVE = {"red": 9, "yellow": 9, "blue": 9}


def games_that_differ_in_yellows_secret():
    """Two games side by side, after each event up to yellow's turn to turn over a card."""
    settings = {"sealed_plans": True}
    pair = [position(players=["red", "yellow", "blue"], settings=settings, reserve=RESERVE)] * 2
    for seat in ("yellow", "red", "blue"):
        secrets = SECRETS.values() if seat == "yellow" else [FILLER[seat]] * 2
        pair = [choose(state, "plan", seat, **secret) for state, secret in zip(pair, secrets, strict=True)]
        yield pair
    assert pair[0].active == "red"


def test_nobody_elses_page_shows_a_sealed_plan():
    for one, other in games_that_differ_in_yellows_secret():
        for seat in ("red", "blue", "green", None):
            assert venezia.view(one, seat) == venezia.view(other, seat)
        assert venezia.view(one, "yellow") != venezia.view(other, "yellow")
        assert venezia.awaits(one) == venezia.awaits(other)
        assert one.told == other.told


def test_nobody_elses_refusal_tells_of_a_sealed_plan():
    for pair in games_that_differ_in_yellows_secret():
        said = []
        for state in pair:
            with pytest.raises(Refused) as caught:
                choose(state, "plan", "red", **sealed("red", {"piazza": 99}, None, []))
            said.append(str(caught.value))
        assert said[0] == said[1]
        assert "Castello" not in said[0]


def test_while_others_plan_a_reserve_does_not_tell_how_many_were_laid():
    (one, _), *_ = games_that_differ_in_yellows_secret()
    players = {player["seat"]: player for player in venezia.view(one, "red")["players"]}
    assert (players["yellow"]["reserve"], players["yellow"]["mat"], players["yellow"]["ready"]) == (9, None, True)
    own = {player["seat"]: player for player in venezia.view(one, "yellow")["players"]}["yellow"]
    assert own["reserve"] == 3
    assert own["mat"]["cards"] == [{"area": "Castello", "pigeons": 3}, {"area": "San Polo", "pigeons": 1}]


def test_once_all_are_ready_pigeons_on_face_down_cards_are_seen_by_all():
    *_, (one, _) = games_that_differ_in_yellows_secret()
    mat = {player["seat"]: player["mat"] for player in venezia.view(one, None)["players"]}["yellow"]
    assert mat["first"] == {"card": None, "pigeons": 2, "turned": False}
    assert mat["cards"] == [{"area": None, "pigeons": 3}, {"area": None, "pigeons": 1}]


def test_a_first_card_is_seen_from_its_players_turn_on_r8():
    *_, (one, _) = games_that_differ_in_yellows_secret()
    state = choose(one, "ruse", "red", cards={"1": 1})
    mat = {player["seat"]: player["mat"] for player in venezia.view(state, "red")["players"]}["yellow"]
    assert mat["first"]["card"] == "Piazza"
    assert mat["cards"][0]["area"] is None
    assert [awaited.verb for awaited in venezia.awaits(state)][:2] == ["put", "leave"]


def test_a_sealed_action_card_is_seen_when_it_is_turned_over_r18():
    *_, (_, other) = games_that_differ_in_yellows_secret()
    state = at(other, Phase.REVEAL)
    assert "Feud" not in json.dumps([venezia.view(state, "red")["revealed"], venezia.view(state, "red")["acting"]])
    state = choose(state, "next")
    assert venezia.view(state, "red")["revealed"] == {"yellow": "Feud"}


def test_a_sealed_plan_is_awaited_as_private_and_nothing_else_is():
    state = new_game(sealed_plans=True)
    assert {awaited.verb for awaited in venezia.awaits(state) if awaited.private} == {"plan"}


def test_the_view_lists_what_hunter_and_chase_will_take():
    state = perform(position(piazza={"4C": "red"}, districts={"Castello": {"red": 2}}), "hunter", "5D")
    assert venezia.view(at(state, Phase.REMOVE), None)["piazza"]["to_remove"] == ["4C"]
    assert venezia.view(at(state, Phase.CHASE), None)["to_clear"] == ["Castello"]


# The dials


def dials(number="7", letter="F", number_near=None, letter_near=None):
    read = (DialReading("number", 1.0, 0, number, number_near), DialReading("letter", 1.0, 0, letter, letter_near))
    return SpinnerReading(Status.READ, read)


@pytest.mark.parametrize("phase", [Phase.TOURIST, Phase.HUNTER])
def test_the_arrows_place_whoever_is_due_r10_r11(phase):
    state = at(new_game(), phase)
    proposal = venezia.interpret(state, dials())
    assert [event for _, event in proposal.options] == [Outcome(phase.value.lower(), {"square": "7F"})]
    assert proposal.question is None
    assert step(venezia, state, proposal.options[0][1]).told


@pytest.mark.parametrize(
    ("reading", "squares"),
    [
        (dials(number_near="8"), ["7F", "8F"]),
        (dials(letter_near="E"), ["7F", "7E"]),
        (dials(number_near="8", letter_near="G"), ["7F", "7G", "8F", "8G"]),
    ],
)
def test_an_arrow_near_a_line_asks_with_both_squares(reading, squares):
    proposal = venezia.interpret(at(new_game(), Phase.TOURIST), reading)
    assert [event.data["square"] for _, event in proposal.options] == squares
    assert proposal.question is not None
    assert proposal.seat == "red"


@pytest.mark.parametrize(
    ("reading", "words"),
    [
        (dials(number_near="8"), "the arrow is near a line: column 7 or 8?"),
        (dials(letter_near="G"), "the arrow is near a line: row F or G?"),
        (dials(number_near="8", letter_near="G"), "near a line: column 7 or 8, row F or G?"),
    ],
)
def test_the_question_names_what_is_doubtful(reading, words):
    assert words in str(venezia.interpret(at(new_game(), Phase.TOURIST), reading).question)


@pytest.mark.parametrize(
    ("unspun", "words"),
    [
        (("number",), "the number’s arrow was not spun"),
        (("letter",), "the letter’s arrow was not spun"),
        (("number", "letter"), "not seen to its end"),
    ],
)
def test_both_arrows_must_be_spun_r10(unspun, words):
    said = venezia.interpret(at(new_game(), Phase.HUNTER), replace(dials(), unspun=unspun))
    assert words in str(said)
    assert "VZ-R10" in str(said)
    assert "spin both again" in str(said)


def test_an_arrow_near_a_line_is_taken_as_read_if_the_table_wants():
    proposal = venezia.interpret(at(new_game(line_band_deg=0), Phase.TOURIST), dials(number_near="8"))
    assert len(proposal.options) == 1


def test_arrows_on_the_campanile_mean_spin_again_e6():
    state = at(new_game(), Phase.TOURIST)
    proposal = venezia.interpret(state, dials("9", "B"))
    assert "spin again" in str(proposal.options[0][0])
    with pytest.raises(Refused, match="spin again"):
        step(venezia, state, proposal.options[0][1])


@pytest.mark.parametrize(
    ("phase", "reading"),
    [
        (Phase.PLAN, dials()),
        (Phase.MOVE, dials()),
        (Phase.MOVE, replace(dials(), unspun=("letter",))),
        (Phase.TOURIST, SpinnerReading(Status.UNSURE, reason="moving")),
        (Phase.TOURIST, SpinnerReading(Status.READ, dials().dials[:1])),
        (Phase.TOURIST, DieReading(Status.READ, "red")),
    ],
)
def test_readings_that_nobody_waits_for_mean_nothing(phase, reading):
    assert venezia.interpret(at(new_game(), phase), reading) is None


def test_spins_go_on_to_the_hunter_and_end_with_the_last_one_r31():
    state = at(new_game(tourists=3, hunters=2), Phase.TOURIST)
    phases = []
    while state.phase in (Phase.TOURIST, Phase.HUNTER):
        phases.append(state.phase.value)
        state = spin(state, state.phase.value.lower(), "1A")
    assert phases == ["TOURIST"] * 3 + ["HUNTER"] * 2
