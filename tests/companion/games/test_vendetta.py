"""Vendetta: the edge cases and settings of docs/rules/vendetta.md, cited by number."""

from dataclasses import replace

import golden_vendetta
import pytest

from companion.errors import BadInput, NotAwaited, NotYours, Refused
from companion.events import Choice, Outcome
from companion.game import Setup, step
from companion.games import vendetta
from companion.games.vendetta.state import DISTRICTS, Step

ELEVEN = list(range(1, 12))


def table(**given):
    """A state in the words of the golden scripts."""
    return golden_vendetta.given(given)


def play(state, *items):
    """Play events written as "next" or (verb, details, seat)."""
    for item in items:
        verb, data, seat = (item, {}, None) if isinstance(item, str) else (*item, None)[:3]
        event = Outcome(verb, data) if verb in ("reveal", "deal") else Choice(verb, data, seat)
        state = step(vendetta, state, event)
    return state


def reveal(district):
    return ("reveal", {"district": district})


def place(**gangsters):
    return ("place", {"gangsters": {name[1:]: number for name, number in gangsters.items()}})


def at_raid(**given):
    return table(phase=11, step="RAID", revealed=ELEVEN, **given)


def facts(state):
    return golden_vendetta.facts(state)


def refusal(state, item):
    with pytest.raises(Refused) as caught:
        play(state, item)
    return caught.value


def scored_table(players=3, **data):
    seats = vendetta.SEATS[:players]
    return vendetta.start(Setup(seats, {"detail": "score"}, {"trustee": "A", **data}))


# Set-up


def test_setup_asks_for_trustee_and_cards_then_begins_with_the_trustee_vd_r1_r2():
    state = vendetta.start(Setup(("A", "B", "C")))
    assert {a.verb for a in vendetta.awaits(state)} == {"trustee", "deal", "colour", "name_district", "to_score"}
    state = play(
        state,
        ("trustee", {"who": "B"}),
        ("deal", {"who": "A", "districts": [1, 2]}),
        ("deal", {"who": "B", "districts": [3, 4]}),
        ("deal", {"who": "C", "districts": [13, 5]}),
        "next",
    )
    assert (state.step, state.starter, state.active) == (Step.ARRANGE, "B", "B")
    assert [player.there(13) for player in state.players] == [2, 2, 0]
    assert all((p.hand, p.box, sum(p.board)) == (10, 18, 22) for p in state.players)


def test_setup_data_that_leaves_nothing_to_ask_begins_the_first_round_vd_r2():
    data = {
        "trustee": "C",
        "dealt": {"A": [1, 2], "B": [3, 4], "C": [5, 6]},
        "colours": {"A": "sand"},
        "districts": ["Harbour", *[None] * 12],
    }
    state = vendetta.start(Setup(("A", "B", "C"), {}, data))
    view = vendetta.view(state, None)
    assert view["phase"] == "ARRANGE"
    assert view["active"] == "C"
    assert view["players"][0]["colour"] == "sand"
    assert [d["name"] for d in view["districts"][:2]] == ["Harbour", None]


def test_a_card_cannot_be_dealt_twice_but_a_player_may_correct_his_own_vd_r2():
    state = play(vendetta.start(Setup(("A", "B", "C"))), ("deal", {"who": "A", "districts": [1, 2]}))
    assert refusal(state, ("deal", {"who": "B", "districts": [2, 3]})).code == "CARD_ALREADY_SEEN"
    assert refusal(state, ("deal", {"who": "B", "districts": [3, 3]})).code == "CARD_ALREADY_SEEN"
    state = play(state, ("deal", {"who": "A", "districts": [3, 2]}))
    assert state.player("A").dealt == (2, 3)


@pytest.mark.parametrize(
    "data",
    [
        {"trustee": "E"},
        {"trustee": ["A"]},
        {"dealt": {"A": [1, 14]}},
        {"dealt": {"A": [1, 2], "B": [2, 3]}},
        {"dealt": [1, 2]},
        {"colours": {"A": "red", "B": "Red"}},
        {"colours": {"A": ""}},
        {"districts": ["Harbour"]},
        {"districts": ["x" * 41, *[None] * 12]},
    ],
)
def test_setup_data_of_another_form_is_bad_input(data):
    with pytest.raises(BadInput, match=r"expected|dealt already|a name has"):
        vendetta.start(Setup(("A", "B", "C"), {}, data))


def test_the_given_order_of_seats_is_kept_vd_r3():
    state = vendetta.start(Setup(("D", "A", "C"), {"detail": "score"}, {"trustee": "A"}))
    state = play(state, "next")
    assert (state.seats, state.active) == (("D", "A", "C"), "C")


def test_a_district_is_called_by_its_name_once_it_has_one():
    state = play(table(board={5: {"B": 3}}), ("name_district", {"district": 5, "name": " Harbour "}))
    assert str(refusal(state, place(d5=2)).say) == (
        "rule VD-R9: one other player holds district Harbour with 3 gangsters; you need at least 3"
    )
    assert refusal(state, ("name_district", {"district": 6, "name": "harbour"})).code == "BAD_DETAILS"


# Placement


def test_the_refusal_of_a_small_placement_names_the_rule_in_words_vd_r9():
    assert str(refusal(table(board={5: {"B": 3}}), place(d5=2)).say) == (
        "rule VD-R9: one other player holds district 5 with 3 gangsters; you need at least 3"
    )


@pytest.mark.parametrize(
    ("board", "minimum"),
    [
        pytest.param({}, 0, id="empty district"),
        pytest.param({"A": 4}, 0, id="own district"),
        pytest.param({"B": 4}, 4, id="one other player"),
        pytest.param({"A": 1, "B": 4}, 0, id="own gangster and one other player, VD-E6"),
        pytest.param({"B": 4, "C": 4}, 0, id="two other players"),
    ],
)
def test_only_a_sole_other_occupant_sets_a_minimum_vd_r9(board, minimum):
    state = table(board={5: board})
    assert vendetta.view(state, None)["placement"]["least"]["5"] == minimum
    assert play(state, place(d5=max(minimum, 1))).step is Step.REVEAL
    if minimum:
        assert refusal(state, place(d5=minimum - 1)).code == "BELOW_SOLE_OCCUPANT"


def test_too_few_in_hand_to_enter_vd_e4():
    state = table(board={5: {"B": 4}}, hand={"A": 3})
    assert refusal(state, place(d5=3)).code == "BELOW_SOLE_OCCUPANT"
    assert refusal(state, place(d5=4)).code == "NOT_IN_HAND"
    assert facts(play(table(board={5: {"B": 4}}, hand={"A": 4}), place(d5=4)))["board"][5] == {"A": 4, "B": 4}


def test_each_of_two_districts_satisfies_the_minimum_by_itself_vd_e5():
    state = table(starter="C", phase=2, board={5: {"B": 3}, 6: {"B": 3}})
    assert refusal(state, place(d5=3, d6=2)).code == "BELOW_SOLE_OCCUPANT"
    assert facts(play(state, place(d5=3, d6=3)))["hand"]["A"] == 4


def test_districts_with_none_placed_do_not_count_vd_r6():
    state = play(table(board={5: {"B": 3}}), place(d1=1, d2=0, d5=0))
    assert facts(state)["board"][1] == {"A": 1}
    assert facts(play(table(), place()))["hand"]["A"] == 10


def test_all_stands_for_the_whole_hand_vd_r6():
    state = table(board={5: {"B": 3}}, hand={"A": 4})
    assert facts(play(state, place(d5="all")))["board"][5] == {"A": 4, "B": 3}
    assert facts(play(table(hand={"A": 0}), place(d5="all")))["board"][5] == {}
    assert refusal(table(board={5: {"B": 3}}, hand={"A": 2}), place(d5="all")).code == "BELOW_SOLE_OCCUPANT"


def test_what_everybody_sees_is_checked_before_the_hand_vd_r6():
    state = table(board={5: {"B": 30}})
    for hand in (0, 10, 20):
        asked = state.with_player(replace(state.player("A"), hand=hand))
        assert refusal(asked, place(d5=15)).code == "BELOW_SOLE_OCCUPANT"
        assert refusal(asked, place(d1=15, d2=1)).code == "TOO_MANY_DISTRICTS"


def test_only_the_active_player_places_vd_r4():
    with pytest.raises(NotYours):
        step(vendetta, table(), Choice("place", {"gangsters": {"1": 1}}, "B"))


@pytest.mark.parametrize("gangsters", [{"0": 1}, {"14": 1}, {"x": 1}, {"1": -1}, {"1": True}, {"1": "2"}])
def test_a_placement_that_cannot_be_read_is_refused(gangsters):
    assert refusal(table(), ("place", {"gangsters": gangsters})).code == "BAD_DETAILS"


# Vendetta


def test_first_tied_player_from_the_left_of_the_active_one_loses_vd_e1():
    state = play(table(players="ABCD", board={3: {"A": 1, "C": 1, "D": 3}}), "next", reveal(3))
    assert state.vendetta.loser == "C"


def test_the_active_player_survives_a_tie_of_all_vd_e2():
    state = play(table(board={3: {"A": 2, "B": 2, "C": 2}}), "next", reveal(3))
    assert state.vendetta.loser == "B"
    assert facts(state)["hand"] == {"A": 11, "B": 10, "C": 11}


def test_the_active_player_loses_with_fewest_vd_r11():
    state = play(table(board={3: {"A": 1, "B": 2}}), "next", reveal(3))
    assert state.vendetta.loser == "A"
    assert facts(state)["board"][3] == {"B": 2}


def test_nobody_there_nothing_happens_vd_r13():
    before = table()
    state = play(before, "next", reveal(3))
    assert state.players == before.players
    assert state.vendetta.loser is None


def test_round_income_is_limited_by_the_box_vd_e7():
    state = play(at_raid(board={1: {"A": 38}, 2: {"B": 40}}), "next")
    assert facts(state)["hand"] == {"A": 12, "B": 10, "C": 13}
    assert facts(state)["box"] == {"A": 0, "B": 0, "C": 37}


# Scoring and victory


def test_exactly_75_points_win_with_5_players_vd_e8():
    board = {1: {"A": 1}, 2: {"A": 1}, 3: {"A": 1}, 4: {"B": 1}}
    state = play(at_raid(players="ABCDE", points={"A": 55, "B": 73}, board=board), "next")
    assert facts(state)["points"]["A"] == 75
    assert facts(state)["winner"] == ["A"]


def test_control_wins_over_points_and_nothing_is_recorded_vd_e9():
    board = {district: {"A": 1} for district in range(1, 7)} | {7: {"B": 1}}
    state = play(at_raid(points={"B": 900}, board=board), "next")
    assert facts(state)["winner"] == ["A"]
    assert facts(state)["points"] == {"A": 0, "B": 900, "C": 0}


@pytest.mark.parametrize(
    ("tie", "winners"), [("higher_then_shared", ["A"]), ("all_share", ["A", "B"])], ids=["higher", "share"]
)
def test_two_control_winners_vd_q4(tie, winners):
    board = {d: {"A": 1} for d in range(1, 6)} | {d: {"B": 1} for d in range(6, 10)}
    state = play(at_raid(players="ABCDE", settings={"victory_tie": tie}, board=board), "next")
    assert facts(state)["winner"] == winners


@pytest.mark.parametrize(
    ("tie", "points", "winners"),
    [
        ("higher_then_shared", {"A": 800, "B": 900}, ["B"]),
        ("higher_then_shared", {"A": 900, "B": 900}, ["A", "B"]),
        ("all_share", {"A": 800, "B": 900}, ["A", "B"]),
    ],
)
def test_two_winners_by_points_vd_q4(tie, points, winners):
    state = play(at_raid(settings={"victory_tie": tie}, points=points), "next")
    assert facts(state)["winner"] == winners
    assert vendetta.awaits(state) == ()


def test_a_tie_for_most_gives_control_to_nobody_vd_r17():
    state = play(at_raid(board={1: {"A": 2, "B": 2, "C": 1}, 2: {"A": 2, "B": 1}}), "next")
    assert facts(state)["control"] == {"A": 1, "B": 0, "C": 0}
    assert facts(state)["points"] == {"A": 1, "B": 0, "C": 0}


def test_the_trustee_confirms_the_raid_which_is_told_only_after_the_last_card_vd_r16():
    state = table(phase=11, revealed=ELEVEN[:10], step="REVEAL")
    assert vendetta.view(state, None)["raid"] is None
    state = play(state, reveal(11))
    assert vendetta.view(state, None)["raid"] == [12, 13]
    assert [str(line) for line in state.told][-2:] == ["the raid hits district 12", "the raid hits district 13"]
    assert vendetta.view(state, None)["active"] == "A"


@pytest.mark.parametrize(("players", "starts"), [("ABC", "ACBA"), ("ABCD", "ADCB"), ("ABCDE", "ABCD")])
def test_starters_of_the_first_rounds_vd_r21(players, starts):
    state = table(players=players)
    seen = [state.starter]
    while len(seen) < 4:
        for district in ELEVEN:
            state = play(state, "next", reveal(district))
        state = play(state, "next", "next")
        seen.append(state.starter)
    assert "".join(seen) == starts


# Score detail


def test_at_score_detail_a_round_takes_one_tap_a_card_and_one_a_district_vd_l2():
    state = scored_table(4)
    assert state.step is Step.REVEAL
    for district in ELEVEN:
        state = play(state, reveal(district))
    view = vendetta.view(state, None)
    assert (view["phase"], view["raid"], view["active"]) == ("CONTROL", [12, 13], "A")
    state = play(
        state,
        ("control", {"district": 1, "who": "A"}),
        ("control", {"district": 2, "who": "A"}),
        ("control", {"district": 3, "who": "D"}),
        "next",
    )
    view = vendetta.view(state, None)
    assert view["scores"] == {"A": 5, "B": 0, "C": 0, "D": 1}
    assert (view["phase"], view["round"], view["starter"]) == ("REVEAL", 2, "D")
    assert view["scored"]["A"] == {"districts": 2, "points": 5}
    assert all(district["control"] is None for district in view["districts"])


def test_at_score_detail_the_button_alone_leads_through_the_phases_vd_l2():
    state = scored_table()
    played_by = []
    while state.step is Step.REVEAL:
        played_by.append(state.active)
        state = play(state, "next")
    assert "".join(played_by) == "ABCABCABCAB"
    for district in ELEVEN:
        state = play(state, ("control", {"district": district, "who": "A"}))
    refused = refusal(state, ("control", {"district": 12, "who": "B"}))
    assert str(refused.say) == "rule VD-R16: two districts were raided, so at most 11 are controlled"
    assert play(state, ("control", {"district": 1, "who": "B"})).held[1] == "B"


def test_at_score_detail_a_raided_district_has_no_owner_and_a_tap_is_taken_back_vd_r16():
    state = scored_table()
    for district in ELEVEN:
        state = play(state, reveal(district))
    assert refusal(state, ("control", {"district": 12, "who": "A"})).code == "NOT_AN_OPTION"
    state = play(state, ("control", {"district": 1, "who": "A"}), ("control", {"district": 1, "who": None}), "next")
    assert vendetta.view(state, None)["scores"] == {"A": 0, "B": 0, "C": 0}


def test_at_score_detail_victory_is_found_in_its_order_vd_r18():
    state = scored_table(5)
    for _ in ELEVEN:
        state = play(state, "next")
    for district in range(1, 5):
        state = play(state, ("control", {"district": district, "who": "C"}))
    state = play(state, "next")
    assert vendetta.view(state, None)["winners"] == ["C"]
    assert vendetta.view(state, None)["scores"]["C"] == 0


def test_at_score_detail_a_card_comes_once_a_round_vd_r10():
    state = play(scored_table(), reveal(3))
    assert refusal(state, reveal(3)).code == "CARD_ALREADY_SEEN"


def test_at_score_detail_no_pieces_are_counted_vd_l2():
    view = vendetta.view(scored_table(), "A")
    assert all(player["hand"] is player["box"] is player["on_board"] is None for player in view["players"])
    assert all(district["gangsters"] is None for district in view["districts"])
    with pytest.raises(NotAwaited):
        play(scored_table(), place(d1=1))


@pytest.mark.parametrize(
    ("before", "after"),
    [("ARRANGE", "REVEAL"), ("PLACE", "REVEAL"), ("REVEAL", "REVEAL"), ("RAID", "CONTROL"), ("SETUP", "SETUP")],
)
def test_a_game_changes_to_score_detail_where_it_stands_vd_l3(before, after):
    revealed = ELEVEN if before == "RAID" else [4, 9]
    state = table(step=before, phase=3, round=2, revealed=revealed, points={"B": 20}, board={1: {"A": 3}})
    state = play(state, ("to_score", {}, "C"))
    assert (state.step.value, state.phase, state.round, state.active) == (after, 3, 2, "C")
    assert list(state.revealed) == revealed
    assert state.player("B").points == 20
    assert "pieces stay on the board" in str(state.told[0])
    assert "to_score" not in {a.verb for a in vendetta.awaits(state)}
    assert vendetta.view(state, None)["detail"] == "score"


# What is seen


def test_hands_and_boxes_are_shown_to_their_owner_only_vd_r6():
    state = table(hand={"B": 7})
    shown = {seat: vendetta.view(state, seat)["players"][1]["hand"] for seat in (None, "A", "B", "C", "E")}
    assert shown == {None: None, "A": None, "B": 7, "C": None, "E": None}
    open_hands = table(hand={"B": 7}, settings={"secret_hands": False})
    assert vendetta.view(open_hands, None)["players"][1]["hand"] == 7


def test_a_player_sees_what_came_into_the_own_hand_vd_r14():
    state = play(table(board={7: {"A": 2, "B": 3, "C": 1}}), "next", reveal(7))
    own = {seat: next(p for p in vendetta.view(state, seat)["players"] if p["seat"] == seat) for seat in "ABC"}
    assert {seat: player["received"] for seat, player in own.items()} == {"A": 1, "B": 1, "C": 0}


def test_every_district_is_numbered_from_1_to_13():
    assert [d["number"] for d in vendetta.view(table(), None)["districts"]] == list(DISTRICTS) == list(range(1, 14))
