"""Venezia at level "full", rule by rule. What the golden scripts play isn't repeated here."""

from dataclasses import replace

import pytest
from venezia_table import Phase, at, choose, facts, new_game, perform, position, refused, spin

from companion.errors import BadInput, NotAwaited, NotYours, Refused
from companion.game import Setup
from companion.games import venezia
from companion.games.venezia.grid import place_of
from companion.games.venezia.state import Card


def sealed(who, cards, **rest):
    listed = [{"area": area, "pigeons": n} for area, n in cards.items()]
    return {"who": who, "piazza": None, "ruse": None, "action": None, "cards": listed} | rest


# Set-up and planning


def test_homes_are_chosen_clockwise_from_the_start_player_r1():
    state = venezia.start(Setup(("green", "red", "blue"), {}, {"start": "red", "campanile": "9B"}))
    for seat, home in (("red", "Castello"), ("blue", "San Polo"), ("green", "Giudecca")):
        assert state.active == seat
        state = choose(state, "home", seat, district=home)
    assert state.phase is Phase.PLAN


def test_the_table_may_say_who_is_the_youngest_before_the_first_home_r1():
    state = choose(venezia.start(Setup(("green", "red", "blue"))), "start_with", who="blue")
    assert (state.start, state.active) == ("blue", "blue")
    state = choose(state, "home", "blue", district="Castello")
    with pytest.raises(NotAwaited):
        choose(state, "start_with", who="red")


def test_round_1_waits_until_the_campanile_is_known():
    state = venezia.start(Setup(("red", "blue"), {}, {"homes": {"red": "Castello", "blue": "San Polo"}}))
    assert [awaited.verb for awaited in venezia.awaits(state)] == ["campanile", "to_score"]
    assert choose(state, "campanile", square="9B").phase is Phase.PLAN


def test_san_giorgio_may_be_a_home_if_the_table_wants_q1():
    state = venezia.start(Setup(("red", "blue"), {"home_sgm": True}))
    assert choose(state, "home", district="SGM").player("red").home == "SGM"


@pytest.mark.parametrize(
    "data",
    [
        {"start": "green"},
        {"campanile": "11A"},
        {"homes": {"red": "SGM"}},
        {"homes": {"red": "Castello", "blue": "Castello"}},
        {"homes": ["Castello"]},
        {"homes": {"red": []}},
        {"campanile": []},
    ],
    ids=str,
)
def test_set_up_data_that_make_no_sense_are_refused(data):
    with pytest.raises(BadInput, match="expected"):
        venezia.start(Setup(("red", "blue"), {}, data))


def test_the_piazza_is_as_large_as_the_setting_says():
    homes = {"red": "Castello", "blue": "San Polo"}
    data = {"homes": homes, "campanile": "6H"}
    state = venezia.start(Setup(("red", "blue"), {"columns": 6, "rows": 10}, data))
    assert venezia.view(state, None)["piazza"]["columns"] == 6
    state = at(state, Phase.TOURIST)
    assert spin(state, "tourist", "6J").tourists == ("6J",)
    with pytest.raises(Refused, match="OFF_BOARD"):
        spin(state, "tourist", "7A")


@pytest.mark.parametrize("text", ["", "0A", "4", "C4", "4c", "4C ", "100A"])
def test_a_square_is_a_number_and_a_letter(text):
    with pytest.raises(ValueError, match="expected"):
        place_of(text)


@pytest.mark.parametrize(
    ("said", "code"),
    [
        pytest.param({"cards": {}}, "FIRST_CARD", id="no first card"),
        pytest.param({"piazza": 1, "ruse": 1, "cards": {}}, "FIRST_CARD", id="two first cards"),
        pytest.param({"ruse": 0, "cards": {"Rialto": 1}}, "NOT_A_DISTRICT", id="no district of Venice"),
        pytest.param({"ruse": 0, "cards": {"Castello": -1}}, "BAD_COUNT", id="fewer than none"),
        pytest.param({"ruse": 0, "action": "Feud", "cards": {}}, "NO_SUCH_CARD", id="a card that left the game"),
    ],
)
def test_a_plan_against_the_rules_is_refused_r4(said, code):
    state = position(reserve={"red": 5}, played={"red": ["Feud"]})
    assert refused(state, "plan", {"red": said}).code == code


def test_a_plan_may_be_told_again_until_all_are_ready():
    state = choose(new_game(sealed_plans=True), "plan", "red", **sealed("red", {"Castello": 9}, ruse=0))
    state = choose(state, "plan", "red", **sealed("red", {"San Polo": 2}, piazza=3))
    assert facts(state)["mat"]["red"] == {"San Polo": 2}
    assert facts(state)["reserve"]["red"] == 7
    state = choose(state, "plan", "yellow", **sealed("yellow", {}, ruse=0))
    with pytest.raises(NotAwaited):
        choose(state, "plan", "red", **sealed("red", {}, ruse=0))


def test_nobody_elses_phone_can_tell_a_sealed_plan():
    with pytest.raises(Refused, match="NOT_YOURS"):
        choose(new_game(sealed_plans=True), "plan", "yellow", **sealed("red", {}, ruse=0))


def test_one_district_card_cannot_be_laid_twice():
    cards = [{"area": "Castello", "pigeons": 1}] * 2
    with pytest.raises(Refused, match="NO_SUCH_CARD"):
        choose(new_game(sealed_plans=True), "plan", **sealed("red", {}, ruse=0) | {"cards": cards})


def test_open_plans_are_entered_as_they_lie_and_named_when_they_are_turned_over():
    state = new_game()
    state = choose(state, "lay", who="red", first=2, cards=[4, 0])
    state = choose(state, "lay", who="yellow", first=3, cards=[1])
    assert (state.phase, state.active) == (Phase.PLACE, "red")
    state = choose(state, "put", squares=["1A", "2A"])
    state = choose(state, "ruse", cards={"1": 2})
    assert facts(state)["reserve"] == {"red": 6, "yellow": 9}
    assert state.phase is Phase.TOURIST
    state = at(state, Phase.UNCOVER)
    with pytest.raises(Refused, match="2 district cards"):
        choose(state, "uncover", who="red", cards=["Castello"])
    with pytest.raises(Refused, match="only one card of each"):
        choose(state, "uncover", who="red", cards=["Castello", "Castello"])
    state = choose(state, "uncover", who="red", cards=["Castello", "SGM"])
    state = choose(state, "uncover", who="yellow", cards=["Dorsoduro"])
    assert state.phase is Phase.SCORE
    assert state.districts["Castello"] == {"red": 4}
    assert state.districts["Dorsoduro"] == {"yellow": 3}


@pytest.mark.parametrize(
    ("first", "cards", "code"),
    [(13, [], "NOT_IN_RESERVE"), (0, [1, 1, 1, 1], "TOO_MANY_DISTRICT_CARDS"), (-1, [], "BAD_COUNT")],
)
def test_open_plans_keep_to_the_reserve_and_to_three_cards_r4_r6(first, cards, code):
    with pytest.raises(Refused, match=code):
        choose(new_game(), "lay", who="red", first=first, cards=cards)


def test_surplus_on_the_piazza_card_returns_to_the_reserve_e15():
    state = position(reserve={"red": 5}, piazza={f"{n}A": "red" for n in range(1, 9)})
    state = at(state, Phase.PLAN)
    for seat, first in (("red", 5), ("yellow", 0), ("blue", 0), ("green", 0)):
        state = choose(state, "lay", who=seat, first=first, cards=[])
    with pytest.raises(Refused, match="PIAZZA_LIMIT"):
        choose(state, "put", squares=["1B", "2B", "3B"])
    state = choose(state, "put", squares=["1B", "2B"])
    assert state.active == "red"
    state = choose(state, "leave")
    assert facts(state)["reserve"]["red"] == 3
    assert state.phase is Phase.TOURIST


@pytest.mark.parametrize("squares", [["9B"], ["1A", "1A"]], ids=["the Campanile", "one square twice"])
def test_pigeons_are_put_on_different_open_squares_r8(squares):
    state = perform(position(campanile="9B", reserve={"red": 2}), "plan", {"red": {"piazza": 2, "cards": {}}})
    assert refused(state, "put", {"red": squares}).code == "SPACE_TAKEN"


def test_a_sealed_first_card_stays_what_it_is_r4():
    state = perform(position(reserve={"red": 2}), "plan", {"red": {"piazza": 2, "cards": {"Castello": 0}}})
    assert refused(state, "ruse", {"red": {"Castello": 1}}).code == "WRONG_PHASE"


# Phase 2


def test_a_jump_over_a_tourist_on_the_corner_of_the_zone_is_allowed_e1():
    state = position(hunters=["5D"], tourists=["4C"], piazza={"3D": "red"})
    assert perform(state, "move", {"who": "red", "from": "3D", "to": "5B"}).piazza == {"5B": "red"}


def test_landing_in_the_zone_on_the_way_is_refused_r15():
    state = position(hunters=["5D"], piazza={"2B": "red", "3C": "blue", "4E": "blue"})
    assert refused(state, "move", {"who": "red", "from": "2B", "to": ["4D", "4F"]}).code == "HUNTER_ZONE"


@pytest.mark.parametrize(
    ("hunter", "gone"),
    [("1A", 4), ("10A", 4), ("1H", 4), ("10H", 4), ("1D", 6), ("5A", 6), ("5D", 9)],
)
def test_edges_clip_the_hunters_zone_e2(hunter, gone):
    everywhere = {f"{column}{row}": "red" for column in range(1, 11) for row in "ABCDEFGH"}
    state = perform(perform(position(piazza=everywhere), "hunter", hunter), "remove", None)
    assert facts(state)["michele"]["red"] == gone


def test_a_tourist_in_the_zone_cannot_be_stepped_on_but_pigeons_beside_it_breed_e3():
    state = position(hunters=["5D"], tourists=["4C"], piazza={"3B": "red"})
    assert refused(state, "move", {"who": "red", "from": "3B", "to": "4C"}).code == "HUNTER_ZONE"
    assert facts(perform(state, "end_move", "red"))["born"]["red"] == 2


def test_a_pigeon_on_a_tourist_is_removed_and_the_tourist_stays_e4():
    state = perform(position(tourists=["4C"], piazza={"4C": "red"}), "hunter", "5D")
    state = perform(state, "remove", None)
    assert (state.piazza, state.tourists) == ({}, ("4C",))
    assert facts(state)["michele"]["red"] == 1


@pytest.mark.parametrize("births", ["per_pigeon", "per_tourist"])
def test_two_tourists_on_one_square_do_not_double_births_e5(births):
    state = position(settings={"births": births}, tourists=["4C", "4C"], piazza={"4C": "red", "5C": "red"})
    assert facts(perform(state, "end_move", "red"))["born"]["red"] == 7


def test_a_hunter_may_come_where_a_tourist_stands_e5():
    state = perform(position(tourists=["4C", "1A"]), "hunter", "4C")
    assert (state.tourists, state.hunters) == (("4C", "1A"), ("4C",))


def test_the_campanile_is_spun_again_e6():
    state = at(new_game(), Phase.TOURIST)
    with pytest.raises(Refused, match="rule VZ-E6: 9B is the Campanile: spin again"):
        spin(state, "tourist", "9B")
    assert spin(state, "tourist", "8B").tourists == ("8B",)


def test_a_taken_square_is_spun_again_if_the_table_wants_q13():
    state = position(settings={"respin_occupied": True}, tourists=["4C"])
    assert refused(state, "tourist", "4C").code == "OCCUPIED"


@pytest.mark.parametrize(("births", "born"), [("per_pigeon", 5), ("per_tourist", 7)])
def test_on_one_tourist_and_beside_the_other_e7(births, born):
    state = position(settings={"births": births}, tourists=["4C", "5C"], piazza={"4C": "red"})
    assert facts(perform(state, "end_move", "red"))["born"]["red"] == born


def test_births_end_where_the_supply_ends_e8():
    state = position(michele={"red": 36}, tourists=["4C"], piazza={"4C": "red"})
    state = perform(state, "end_move", "red")
    assert facts(state)["born"]["red"] == 3
    assert facts(state)["supply"]["red"] == 0
    assert "2 more can't be born" in " ".join(map(str, state.told))


def test_a_pinched_pigeon_that_walks_away_in_time_is_safe_e9():
    state = position(piazza={"8B": "green", "9B": "red", "10B": "green"})
    state = perform(perform(state, "end_move", "red"), "move", {"who": "green", "from": "8B", "to": "8C"})
    state = perform(state, "end_move", "green")
    assert state.piazza["9B"] == "red"


def test_pliers_on_diagonals_can_be_switched_off_q8():
    state = position(settings={"pliers_diagonal": False}, piazza={"3C": "red", "4D": "yellow", "5E": "red"})
    assert perform(state, "end_move", "red").pinched == ()


def test_a_pigeon_may_jump_in_a_ring_past_its_own_start_r14():
    state = position(piazza={"3C": "red", "4C": "blue", "5D": "blue", "4E": "blue", "3D": "blue", "2C": "blue"})
    ring = ["5C", "5E", "3E", "3C", "1C"]
    assert perform(state, "move", {"who": "red", "from": "3C", "to": ring}).piazza["1C"] == "red"


@pytest.mark.parametrize("to", [[], "3C", "11C", "6G", "9B"])
def test_moves_to_nowhere_are_refused_r13(to):
    state = position(campanile="9B", piazza={"3C": "red"})
    refusal = refused(state, "move", {"who": "red", "from": "3C", "to": to})
    assert refusal.code in ("BAD_MOVE", "OFF_BOARD")


def test_every_target_shown_is_legal_and_every_legal_step_is_shown_r14():
    state = position(
        hunters=["5D"],
        tourists=["4C", "9G"],
        campanile="2G",
        piazza={"2D": "red", "3D": "blue", "1H": "red", "2H": "blue", "4G": "yellow", "7G": "red", "8G": "green"},
    )
    state = at(state, Phase.MOVE, "red")
    shown = venezia.view(state, None)["piazza"]["targets"]
    squares = {f"{column}{row}" for column in range(1, 11) for row in "ABCDEFGH"}
    for start, ways in shown.items():
        for target, way in ways.items():
            after = choose(state, "move", **{"from": start, "to": way})
            assert after.piazza[target] == "red"
        for target in squares - ways.keys():
            with pytest.raises(Refused):
                choose(state, "move", **{"from": start, "to": target})


def test_the_last_spin_can_be_corrected_until_pigeons_are_removed():
    state = at(new_game(), Phase.TOURIST)
    state = choose(spin(state, "tourist", "4C"), "correct", square="5C")
    state = spin(spin(state, "tourist", "1A"), "hunter", "2B")
    state = choose(state, "correct", square="3B")
    assert (state.tourists, state.hunters) == (("5C", "1A"), ("3B",))
    with pytest.raises(NotAwaited):
        choose(choose(state, "next"), "correct", square="1A")


def test_only_the_active_player_ends_his_movement_r3():
    state = at(new_game(), Phase.MOVE, "red")
    with pytest.raises(NotYours):
        choose(state, "next", "yellow")


# Phase 3


def test_a_tie_of_the_lowest_lets_nobody_act_though_a_third_is_higher_e10():
    state = position(score={"red": 3, "yellow": 3, "blue": 9})
    state = perform(state, "reveal", {"red": "Feud", "yellow": "Feud", "blue": "Feud"})
    assert state.acting == ()
    assert Card.FEUD in state.player("blue").hand


def test_a_tied_family_meeting_leaves_the_nests_for_the_homes_e11():
    state = position(nest={"red": 3}, home={"red": "Castello"})
    state = perform(state, "reveal", {"red": "Family Meeting", "blue": "Family Meeting"})
    assert (state.phase, state.active) == (Phase.HOME, "red")
    state = choose(state, "reinforce", number=2)
    assert facts(state)["nest"]["red"] == 1
    assert state.districts["Castello"] == {"red": 2}


def test_the_family_does_not_meet_on_san_giorgio_r20():
    state = perform(position(nest={"red": 3}), "reveal", {"red": "Family Meeting"})
    assert refused(state, "family", "SGM").code == "NOT_A_DISTRICT"


def test_actions_follow_the_start_player_clockwise_r22():
    state = position(start="blue")
    state = perform(state, "reveal", {"red": "Purge", "green": "Robbery Bird", "blue": "Poison in the Fodder"})
    order = []
    while state.phase is Phase.ACTIONS:
        order.append(state.active)
        (awaited, _) = venezia.awaits(state)
        state = choose(state, awaited.verb, state.active, **awaited.options[0])
    assert order == ["blue", "green", "red"]


def test_a_sealed_action_card_is_turned_over_by_next_r18():
    state = perform(position(), "plan", {"red": {"ruse": 0, "action": "Purge", "cards": {}}})
    state = perform(state, "reveal", None)
    assert state.revealed == {"red": Card.PURGE}


@pytest.mark.parametrize(
    ("verb", "argument", "code"),
    [
        ("vatican", {"who": "red", "add": {"Castello": 4}}, "TOO_MANY"),
        ("vatican", {"who": "red", "add": {"SGM": 1}}, "NOT_A_DISTRICT"),
        ("vatican", {"who": "red", "add": {"Castello": 3}}, "BAD_COUNT"),
        ("vatican", {"who": "red", "move": [["Castello", "San Polo"]]}, "BAD_COUNT"),
        ("feud", {"who": "red", "remove": {"Castello": "blue"}}, "BAD_COUNT"),
        ("poison", ["5E"], "BAD_COUNT"),
        ("poison", ["11A"], "OFF_BOARD"),
        ("bird", "Rialto", "NOT_A_DISTRICT"),
        ("purge", {"district": "SGM", "colour": "red"}, "NOT_A_DISTRICT"),
        ("takeover", {"who": "red", "district": "SGM"}, "NOT_A_DISTRICT"),
        ("takeover", {"who": "red", "district": "San Polo", "from_reserve": 4}, "BAD_COUNT"),
    ],
)
def test_actions_against_the_rules_are_refused_r22(verb, argument, code):
    state = position(reserve={"red": 3}, districts={"San Polo": {"grey": 4, "blue": 2}})
    assert refused(state, verb, argument).code == code


def test_vatican_adds_and_moves_up_to_three_in_all_r22():
    state = position(districts={"San Polo": {"grey": 2}})
    argument = {"who": "red", "add": {"Castello": 1}, "move": [["San Polo", "Castello"], ["San Polo", "Giudecca"]]}
    state = perform(state, "vatican", argument)
    assert {area: owners for area, owners in state.districts.items() if owners} == {
        "Castello": {"grey": 2},
        "Giudecca": {"grey": 1},
    }


def test_vatican_and_feud_reach_san_giorgio_in_the_variant_r31():
    variant = {"vatican_feud_on_sgm": True}
    state = position(settings=variant, districts={"SGM": {"blue": 2}})
    state = perform(state, "vatican", {"who": "red", "add": {"SGM": 2}})
    state = perform(state, "feud", {"who": "yellow", "remove": {"SGM": "blue"}})
    assert state.districts["SGM"] == {"blue": 1, "grey": 2}


def test_purge_sends_a_colour_to_the_supply_and_grey_to_the_edge_r22():
    state = position(districts={"San Polo": {"red": 3, "grey": 2, "blue": 1}})
    state = perform(state, "purge", {"district": "San Polo", "colour": "grey"})
    state = perform(state, "purge", {"district": "San Polo", "colour": "red"})
    assert state.districts["San Polo"] == {"blue": 1}
    assert (facts(state)["supply"]["red"], state.grey_at_edge) == (40, 6)


def test_a_takeover_drives_out_all_others_though_too_few_come_e16():
    state = position(reserve={"green": 3}, districts={"San Polo": {"red": 3, "yellow": 1, "grey": 1}})
    state = perform(state, "takeover", {"who": "green", "district": "San Polo", "from_reserve": 3})
    assert state.districts["San Polo"] == {"green": 3}


def test_a_takeover_brings_no_more_than_were_there_e16():
    state = position(reserve={"green": 9}, districts={"San Polo": {"red": 2}})
    state = perform(state, "takeover", {"who": "green", "district": "San Polo", "from_reserve": 2})
    assert facts(state)["reserve"]["green"] == 7


# Phase 4


@pytest.mark.parametrize(("blocks", "winner"), [(True, None), (False, ["red"])])
def test_the_birds_district_is_none_of_the_five_e12_q14(blocks, winner):
    five = {area: {"red": 1} for area in ("Cannaregio", "Castello", "Dorsoduro", "Giudecca", "San Marco")}
    state = perform(position(settings={"bird_blocks_majority": blocks}, districts=five), "bird", "Castello")
    state = perform(state, "score", None)
    assert facts(state)["score"]["red"] == 12
    assert facts(state)["winner"] == winner


def test_the_birds_district_is_cleared_as_usual_e12():
    state = perform(position(districts={"Castello": {"red": 5}}), "bird", "Castello")
    assert perform(perform(state, "score", None), "chase", None).cleared == ("Castello",)


@pytest.mark.parametrize(("counts", "cleared"), [(True, ("Castello",)), (False, ("San Polo",))])
def test_grey_pigeons_belong_to_nobody_but_count_for_the_chase_e13_q15(counts, cleared):
    districts = {"Castello": {"red": 1, "grey": 3}, "San Polo": {"blue": 2}}
    state = perform(position(settings={"chase_counts_grey": counts}, districts=districts), "score", None)
    assert facts(state)["score"]["red"] == 3
    assert perform(state, "chase", None).cleared == cleared


def test_five_districts_win_before_the_chase_clears_one_e14():
    five = {area: {"red": 1} for area in ("Cannaregio", "Castello", "Dorsoduro", "Giudecca", "San Marco")}
    state = perform(position(districts=five | {"San Marco": {"red": 9}}), "score", None)
    assert facts(state)["winner"] == ["red"]
    assert venezia.awaits(state) == ()


@pytest.mark.parametrize(("precedence", "winner"), [("districts", ["red"]), ("points", ["blue"])])
def test_which_end_counts_first_is_a_setting_q9(precedence, winner):
    five = {area: {"red": 1} for area in ("Cannaregio", "Castello", "Dorsoduro", "Giudecca", "San Marco")}
    state = position(settings={"end_precedence": precedence}, score={"blue": 60}, districts=five)
    assert facts(perform(state, "score", None))["winner"] == winner


def test_a_tie_at_fifty_or_more_is_shared_q10():
    state = perform(position(score={"red": 51, "blue": 51, "green": 50}), "score", None)
    assert state.winners == ("red", "blue")


def test_san_giorgio_can_be_left_out_of_the_chase_q4():
    districts = {"SGM": {"red": 9}, "Castello": {"red": 1}}
    state = position(settings={"chase_sgm": False}, districts=districts)
    assert perform(state, "chase", None).cleared == ("Castello",)


def test_nothing_is_chased_from_an_empty_town_r29():
    assert perform(position(), "chase", None).cleared == ()


def test_ties_on_san_giorgio_and_san_michele_give_nothing_q17():
    state = position(michele={"red": 2, "blue": 2}, districts={"SGM": {"red": 1, "blue": 1}}, played={"red": ["Feud"]})
    state = perform(state, "score", None)
    assert (state.sgm_winner, state.michele_winner, state.phase) == (None, None, Phase.CHASE)


def test_san_giorgios_holder_may_leave_his_cards_r26():
    state = position(districts={"SGM": {"red": 1}}, played={"red": ["Feud"]})
    assert refused(perform(state, "score", None), "retrieve", "Purge").code == "NO_SUCH_CARD"
    state = perform(perform(state, "score", None), "retrieve", None)
    assert state.player("red").played == (Card.FEUD,)


def test_san_michele_may_be_left_as_it_is_r27():
    state = perform(perform(position(michele={"red": 1}), "score", None), "michele_take", 0)
    assert facts(state)["michele"]["red"] == 1
    assert state.phase is Phase.CHASE


# What makes no sense


@pytest.mark.parametrize(
    ("phase", "card", "verb", "data"),
    [
        (Phase.PLAN, None, "plan", sealed("red", {}, ruse=0) | {"cards": ["Castello"]}),
        (Phase.PLAN, None, "plan", sealed("purple", {}, ruse=0)),
        (Phase.ACTIONS, Card.VATICAN, "vatican", {"add": {}, "move": ["Castello"]}),
        (Phase.ACTIONS, Card.VATICAN, "vatican", {"add": {"Castello": 1}}),
        (Phase.ACTIONS, Card.POISON, "poison", {"squares": "1A"}),
        (Phase.ACTIONS, Card.PURGE, "purge", {"district": "Castello", "colour": "purple"}),
    ],
)
def test_details_of_another_form_are_refused_in_words(phase, card, verb, data):
    state = replace(new_game(sealed_plans=True), phase=phase, active="red", acting=("red",))
    state = replace(state, revealed={"red": card} if card else {})
    with pytest.raises(Refused, match="BAD_DETAILS"):
        choose(state, verb, **data)


def test_a_list_by_district_is_expected_for_a_plan_that_is_laid_open():
    with pytest.raises(Refused, match="BAD_COUNT"):
        choose(new_game(), "lay", who="red", first=0, cards=["Castello"])


def test_no_more_pigeons_leave_the_ruse_than_lie_on_it_r9():
    state = perform(position(reserve={"red": 3}), "plan", {"red": {"ruse": 2, "cards": {"Castello": 1}}})
    assert refused(state, "ruse", {"red": {"Castello": 3}}).code == "NOT_ON_CARD"


def test_the_page_knows_whose_district_cards_are_still_to_be_named_r23():
    state = choose(new_game(), "lay", who="red", first=0, cards=[2])
    state = at(choose(state, "lay", who="yellow", first=0, cards=[]), Phase.UNCOVER)
    assert venezia.view(state, None)["waiting"] == ["red"]
