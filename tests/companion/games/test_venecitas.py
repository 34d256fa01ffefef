"""Venecitas, rule by rule; the whole turns are in the golden scripts."""

import random
from dataclasses import replace

import pytest
from golden_venecitas import given as table
from hypothesis import given
from hypothesis import strategies as st
from tables import die
from walks import walk

from companion.die import Colour, Move, find_lie, moved
from companion.errors import BadInput, NotAwaited, Refused
from companion.events import Choice, Outcome
from companion.game import Setup, step
from companion.games import venecitas
from companion.games.venecitas.state import GOALS, Block, Combo, Mark, Phase

R, B, K, Y, G, V = (Colour(letter) for letter in "RBKYGV")


def say(state, verb, seat=None, **data):
    return step(venecitas, state, Choice(verb, data, seat))


def roll(state, top="Y", facing="R"):
    return step(venecitas, say(state, "next"), Outcome("roll", {"top": top, "facing": facing}))


def turn(state, top="Y", facing="R"):
    return say(roll(state, top, facing), "next")


def code(call, *args, **data):
    with pytest.raises(Refused) as refused:
        call(*args, **data)
    return refused.value.code


def exchange(state, combo, *colours):
    return say(state, "exchange", combo=combo, colours=list(colours))


# Set-up: VC-R1 to VC-R5


def test_r1_two_to_four_sides_and_solo_are_played():
    for number, goal in GOALS.items():
        assert venecitas.start(Setup(tuple("SWNE"[:number]))).goal == goal


def test_r2_everything_starts_at_zero_without_a_block():
    state = venecitas.start(Setup(("S", "N")))
    assert all(player.venecitas == 0 and player.vp == 0 for player in state.players)
    assert state.block is None


def test_r3_the_first_player_is_whose_colour_comes_up():
    state = venecitas.start(Setup(("S", "W", "N")))
    for seat, colour in (("S", "R"), ("W", "B"), ("N", "K")):
        state = say(state, "pick", seat, who=seat, colour=colour)
    state = step(venecitas, state, Outcome("first_roll", {"top": "Y"}))
    assert state.phase is Phase.FIRST_PLAYER
    state = step(venecitas, state, Outcome("first_roll", {"top": "B"}))
    assert (state.first, state.active, state.phase) == ("W", "W", Phase.EXCHANGE)


def test_r3_colours_are_distinct_and_chosen_by_each_for_themselves():
    state = say(venecitas.start(Setup(("S", "N"))), "pick", "S", who="S", colour="R")
    assert code(say, state, "pick", "N", who="N", colour="R") == "NOT_AN_OPTION"
    assert code(say, state, "pick", "N", who="S", colour="B") == "NOT_AN_OPTION"
    assert say(state, "pick", "S", who="S", colour="B").picks == {"S": B}


def test_r3_nobody_rolls_before_all_have_chosen():
    state = say(venecitas.start(Setup(("S", "N"))), "pick", "S", who="S", colour="R")
    with pytest.raises(NotAwaited):
        step(venecitas, state, Outcome("first_roll", {"top": "R"}))


def test_r3_solo_needs_no_draw():
    assert venecitas.start(Setup(("W",))).phase is Phase.EXCHANGE


def test_r4_turns_go_clockwise():
    state = table({"players": "ABCD"})
    order = []
    for _ in range(5):
        order.append(state.active)
        state = turn(state)
    assert order == ["S", "W", "N", "E", "S"]


@pytest.mark.parametrize(("removed", "left"), [(0, (5, 3, 4)), (1, (3, 4)), (2, (3,))])
def test_r5_the_highest_tiles_are_removed_in_whatever_order_they_lie(removed, left):
    tiles = {combo.value: [5, 3, 4] for combo in Combo}
    state = venecitas.start(Setup(("S", "N"), {"tiles_removed": removed}, {"tiles": tiles}))
    assert state.stacks[Combo.SAME4] == left


@pytest.mark.parametrize(
    "data",
    [
        pytest.param({"tiles": {"same4": [3, 3, 3]}}, id="a combination is missing"),
        pytest.param({"tiles": {"same4": [3, 3, 3, 3], "pair33": [], "six": []}}, id="four tiles"),
        pytest.param({"mat": {"same4": -1, "pair33": 1, "six": 1}}, id="a negative number"),
        pytest.param({"mat": {"same4": "3", "pair33": 1, "six": 1}}, id="a text"),
        pytest.param({"first": "E"}, id="an empty side starts"),
    ],
)
def test_q1_numbers_of_another_form_are_refused_in_one_line(data):
    with pytest.raises(BadInput, match=r"^got .* but expected"):
        venecitas.start(Setup(("S", "N"), {}, data))


# Exchanges: VC-R6 to VC-R10


def test_r6_nothing_is_exchanged_after_the_roll():
    state = roll(table({"counts": {"A": "G4"}}))
    assert code(exchange, state, "same4", "G") == "WRONG_PHASE"


def test_r7_only_what_the_combination_costs_is_taken():
    state = table({"settings": {"track_max": 6}, "counts": {"A": "G6 K1"}})
    state = exchange(state, "same4", "G")
    assert state.player("S").counts[G] == 2


@pytest.mark.parametrize(
    ("combo", "colours"),
    [("same4", []), ("same4", ["G", "B"]), ("pair33", ["G"]), ("pair33", ["G", "G"]), ("six", ["G"]), ("five", [])],
)
def test_r7_other_combinations_are_refused(combo, colours):
    assert code(exchange, table({"counts": {"A": "G4 B4"}}), combo, *colours) == "BAD_COMBO"


def test_r8_nobody_but_the_owner_exchanges_six_while_a_colour_is_blocked():
    one_each = "K1 G1 B1 R1 Y1 V1"
    block = {"owner": "A", "colour": "B"}
    other = table({"active": "B", "counts": {"A": "B4", "B": one_each}, "block": block})
    assert code(exchange, other, "six") == "BLOCKED_COLOUR"
    owner = table({"counts": {"A": one_each.replace("B1", "B4")}, "block": block})
    assert exchange(owner, "six").player("S").vp == 5


def test_r9_r10_e12_tiles_in_the_order_entered_then_the_mat():
    tiles = {"same4": [7, 6], "pair33": [5], "six": [5]}
    data = {"tiles": tiles, "mat": {"same4": 1, "pair33": 2, "six": 3}, "first": "S"}
    state = venecitas.start(Setup(("S", "N"), {"track_max": 10}, data))
    board = replace(state.player("S"), counts={**state.player("S").counts, G: 10, R: 4})
    state = state.with_player(board)
    points = []
    for colour in "GGR":
        before = state.player("S").vp
        state = exchange(state, "same4", colour)
        points.append(state.player("S").vp - before)
    assert points == [7, 6, 1]
    assert state.player("S").tiles == 2


def test_q1_what_a_tile_says_is_taken_while_the_numbers_are_unknown():
    state = say(table({"counts": {"A": "G4"}}), "exchange", combo="same4", colours=["G"], vp=6)
    assert state.player("S").vp == 6
    numbers = {"tiles": {c.value: [3, 3, 3] for c in Combo}, "mat": {c.value: 1 for c in Combo}, "first": "S"}
    known = venecitas.start(Setup(("S", "N"), {}, numbers))
    assert code(say, known, "exchange", combo="same4", colours=["G"], vp=6) == "BAD_DETAILS"


def test_q6_exchanges_may_be_limited():
    state = table({"settings": {"exchanges_per_turn": 1}, "counts": {"A": "G4 R4"}})
    state = exchange(state, "same4", "G")
    assert code(exchange, state, "same4", "R") == "LIMIT"
    after_a_round = turn(turn(turn(turn(state))))
    assert after_a_round.exchanges == 0


# Paying: VC-R12 to VC-R14


def test_r12_e10_paying_needs_a_venecita_that_is_not_blocked():
    block = {"owner": "B", "colour": "B"}
    state = roll(table({"counts": {"A": "B2", "B": "B4"}, "block": block}))
    assert code(say, state, "move", kind="cw", pay="B") == "BLOCKED_COLOUR"
    assert code(say, state, "move", kind="cw", pay="G") == "NOT_ENOUGH"
    assert code(say, state, "move", kind="spin", pay="G") == "BAD_DETAILS"


def test_q5_paid_moves_may_be_limited():
    state = roll(table({"settings": {"adjust_per_turn": 1}, "counts": {"A": "G3"}}))
    state = say(state, "move", kind="cw", pay="G")
    assert code(say, state, "move", kind="cw", pay="G") == "LIMIT"


def test_e7_q8_the_blocking_cone_paid_below_four():
    block, counts = {"owner": "A", "colour": "B"}, {"A": "B4"}
    states = {
        name: roll(table({"settings": {"pay_below_four": name}, "counts": counts, "block": block}))
        for name in ("keep", "release", "forbid")
    }
    assert say(states["keep"], "move", kind="cw", pay="B").block == Block("S", B)
    assert say(states["release"], "move", kind="cw", pay="B").block is None
    assert code(say, states["forbid"], "move", kind="cw", pay="B") == "BLOCKED_COLOUR"


# Marking and blocking: VC-R15 to VC-R24


def test_r15_r17_e15_empty_sides_mark_nothing():
    state = turn(table({"players": "AB"}))
    assert {p.seat: dict(p.counts) for p in state.players} == {
        "S": dict.fromkeys(Colour, 0) | {R: 1, Y: 1},
        "N": dict.fromkeys(Colour, 0) | {B: 1},
    }


def test_r16_e11_a_full_track_loses_the_venecita_and_says_so():
    state = turn(table({"counts": {"A": "R4"}, "block": {"owner": "A", "colour": "R"}}))
    assert state.player("S").counts[R] == 4
    assert Mark("S", R, moved=False, why_not="full") in state.marks


def test_r18_e1_the_old_block_holds_while_everybody_marks():
    state = turn(table({"counts": {"A": "R3", "B": "V4"}, "block": {"owner": "B", "colour": "V"}}))
    assert Mark("W", V, moved=False, why_not="full") in state.marks
    assert state.block == Block("S", R)


def test_r22_e2_the_roller_blocks_first_then_clockwise():
    state = turn(table({"active": "B", "counts": {"A": "V3", "D": "B3"}}), "Y", "R")
    # B rolls at W: red faces W, violet N, blue E, black S. Only D at E reaches 4.
    assert state.block == Block("E", B)
    two = turn(table({"counts": {"B": "V3", "D": "K3"}}))
    assert two.block == Block("W", V)
    assert two.player("E").counts[K] == 4


def test_e3_the_roller_chooses_between_two_of_his_own():
    state = turn(table({"counts": {"A": "R3 Y3"}}))
    assert state.phase is Phase.BLOCK_CHOICE
    assert state.choosing == "S"
    with pytest.raises(NotAwaited):
        say(state, "next")
    assert say(state, "choose_block", owner="S", colour="Y").active == "W"


@pytest.mark.parametrize(("setting", "block"), [("keep", Block("S", B)), ("move", Block("S", R)), ("choose", None)])
def test_e4_q7_the_owner_alone_reaches_a_second_four(setting, block):
    given_ = {"settings": {"self_second_four": setting}, "counts": {"A": "B4 R3"},
              "block": {"owner": "A", "colour": "B"}}  # fmt: skip
    state = turn(table(given_))
    if block is None:
        assert [choice.colour for choice in state.choices] == [B, R]
        state, block = say(state, "choose_block", owner="S", colour="B"), Block("S", B)
    assert state.block == block
    assert state.active == "W"


def test_e4_another_player_at_four_moves_the_cone_and_the_roller_owner_has_priority():
    state = turn(table({"counts": {"A": "B4 R3", "B": "V3"}, "block": {"owner": "A", "colour": "B"}}))
    assert state.block == Block("S", R)


def test_r23_e5_e6_exchanging_the_blocked_colour_frees_it():
    block = {"owner": "A", "colour": "B"}
    freed = exchange(table({"counts": {"A": "B4 G3"}, "block": block}), "pair33", "B", "G")
    assert freed.block is None
    kept = exchange(table({"counts": {"A": "B4 G4"}, "block": block}), "same4", "G")
    assert kept.block == Block("S", B)


def test_e5_a_long_track_may_leave_the_same_colour_as_a_candidate():
    given_ = {"settings": {"track_max": 8}, "counts": {"A": "B8", "C": "R4"}, "block": {"owner": "A", "colour": "B"}}
    state = exchange(table(given_), "same4", "B")
    assert state.choices == (Block("S", B), Block("N", R))
    assert say(state, "choose_block", owner="S", colour="B").block == Block("S", B)


def test_r23_a_single_candidate_takes_the_cone_without_asking():
    state = exchange(table({"counts": {"A": "B4", "C": "R4"}, "block": {"owner": "A", "colour": "B"}}), "same4", "B")
    assert (state.block, state.phase, state.active) == (Block("N", R), Phase.EXCHANGE, "S")


def test_e8_standing_at_four_claims_nothing():
    state = turn(table({"counts": {"A": "R4", "C": "K4"}, "block": {"owner": "C", "colour": "K"}}))
    assert state.block == Block("N", K)


def test_e9_another_one_at_four_is_blocked_too():
    block = {"owner": "A", "colour": "B"}
    state = table({"active": "B", "counts": {"A": "B4", "B": "B4"}, "block": block})
    assert code(exchange, state, "same4", "B") == "BLOCKED_COLOUR"


# The end: VC-R25, VC-R26, VC-Q9, and solo: VC-R27 to VC-R29


def test_r25_e13_the_first_player_at_the_goal_gives_everybody_one_more_turn():
    state = exchange(table({"vp": {"A": 16}, "counts": {"A": "G4"}}), "same4", "G")
    turns = 0
    while state.phase is not Phase.OVER:
        state = turn(state)
        turns += 1
    assert turns == 4
    assert state.winners == ("S",)


def test_e13_the_last_player_at_the_goal_ends_it_with_his_own_turn():
    state = exchange(table({"active": "D", "vp": {"D": 16}, "counts": {"D": "G4"}}), "same4", "G")
    assert turn(state).winners == ("E",)


@pytest.mark.parametrize(
    ("given_", "winners"),
    [
        pytest.param({"counts": {"A": "K1", "B": "K2"}}, ("W",), id="more Venecitas, not more points"),
        pytest.param({"counts": {"A": "K2", "B": "K2"}}, ("S", "W"), id="shared"),
    ],
)
def test_r26_q9_ties(given_, winners):
    state = table({"active": "D", "vp": {"A": 20, "B": 17, "C": 16}, **given_})
    state = replace(state, ending=True)
    # D's last roll gives A and B one Venecita each.
    assert turn(state).winners == winners


def test_r26_tiles_decide_after_venecitas():
    state = replace(table({"active": "D", "vp": {"A": 17, "B": 17}}), ending=True)
    state = state.with_player(replace(state.player("W"), tiles=1))
    assert turn(state).winners == ("W",)


def test_r27_solo_scores_the_mat_and_takes_no_tile():
    mat = {"same4": 1, "pair33": 2, "six": 3}
    tiles = {combo.value: [9, 9, 9] for combo in Combo}
    state = venecitas.start(Setup(("S",), {}, {"mat": mat, "tiles": tiles}))
    state = state.with_player(replace(state.player("S"), counts={**state.player("S").counts, G: 4}))
    state = exchange(state, "same4", "G")
    assert (state.player("S").vp, state.player("S").tiles, state.stacks[Combo.SAME4]) == (1, 0, (9, 9, 9))


def test_r28_e14_q10_the_25th_turn():
    at_24 = {"players": "A", "turns": 24, "vp": {"A": 7}, "counts": {"A": "G4"}}
    assert exchange(table(at_24), "same4", "G").winners == ("S",)
    strict = exchange(table({**at_24, "settings": {"solo_strict": True}}), "same4", "G")
    assert strict.phase is Phase.EXCHANGE
    lost = turn(strict)
    assert (lost.phase, lost.lost, lost.winners) == (Phase.OVER, True, ())


def test_r27_r29_solo_marks_facing_and_top_and_blocks_nothing():
    state = turn(table({"players": "A", "counts": {"A": "R3"}}))
    assert state.block is None
    assert state.turns == 1
    assert state.player("S").venecitas == 5


# What is hidden


def test_the_far_face_and_the_bottom_are_hidden_until_the_colours_are_marked():
    state = roll(table({"counts": {"A": "G1"}}))
    for seat in (None, "S", "W", "N", "E"):
        shown = venecitas.view(state, seat)["die"]
        assert shown["N"] is None
        assert shown["bottom"] is None
        assert (shown["top"], shown["S"], shown["W"], shown["E"]) == ("Y", "R", "V", "K")
    after = venecitas.view(say(state, "next"), None)["die"]
    assert (after["N"], after["bottom"]) == ("B", "G")


def test_previews_of_moves_do_not_tell_hidden_faces():
    previews = {move["kind"]: move for move in venecitas.view(roll(table({})), "S")["moves"]}
    assert previews["cw"] == {"kind": "cw", "top": "Y", "facing": "K", "left": "R", "right": None}
    assert previews["flip_h"] == {"kind": "flip_h", "top": None, "facing": "R", "left": "K", "right": "V"}
    assert previews["flip_v"] == {"kind": "flip_v", "top": None, "facing": None, "left": "V", "right": "K"}
    assisted = venecitas.view(roll(table({"settings": {"assist_show_hidden": True}})), "S")
    assert assisted["die"]["bottom"] == "G"


@given(seed=st.integers(0, 10_000), hidden=st.sampled_from(["Y", "G"]))
def test_nothing_that_is_told_before_the_marks_names_a_hidden_face(seed, hidden):
    facing = random.Random(seed).choice(["R", "V", "B", "K"])
    state = roll(table({}), hidden, facing)
    far = state.lie.towards("N")
    words = " ".join(map(str, state.told)) + " ".join(map(str, venecitas.awaits(state)[0].options))
    assert far.name.lower() not in words
    assert state.lie.bottom.name.lower() not in words


# Readings


def test_a_reading_is_a_roll_only_when_one_is_awaited():
    state = table({})
    assert "roll again" in str(venecitas.interpret(state, die()))
    proposal = venecitas.interpret(say(state, "next"), die())
    ((_, event),) = proposal.options
    assert proposal.question is None
    assert step(venecitas, say(state, "next"), event).lie == find_lie("Y", "R", "S")


@pytest.mark.parametrize("yaw_deg", [42.5, -42.5, 44.9, -45.0])
def test_near_45_degrees_the_clockwise_reading_comes_first(yaw_deg):
    state = say(table({}), "next")
    proposal = venecitas.interpret(state, die("yellow", "red", yaw_deg))
    lies = [step(venecitas, state, event).lie for _, event in proposal.options]
    left = find_lie("Y", "R", "S") if yaw_deg > 0 else moved(find_lie("Y", "R", "S"), Move.ACW, "S")
    assert lies == [moved(left, Move.CW, "S"), left]


def test_a_turned_die_is_charged_when_only_one_colour_can_pay():
    state = roll(table({"counts": {"A": "G1"}}))
    proposal = venecitas.interpret(state, die("yellow", "black"))
    assert proposal.question is None
    ((_, event),) = proposal.options
    assert event == Choice("move", {"kind": "cw", "pay": "G"}, "S")


def test_a_turned_die_is_asked_about_when_several_colours_can_pay():
    state = roll(table({"counts": {"A": "G1 K2"}}))
    proposal = venecitas.interpret(state, die("yellow", "black"))
    pays = [event.data.get("pay") for _, event in proposal.options]
    assert pays == ["K", "G", None], "the last option is that the roll was read wrongly"


def test_a_flip_of_another_reading_is_offered_as_a_change_of_the_house_rule():
    state = roll(table({"counts": {"A": "G1"}}))
    proposal = venecitas.interpret(state, die("yellow", "blue"))
    _, event = proposal.options[0]
    assert event.data == {"kind": "flip_h", "pay": "G", "flip": "B1"}
    after = step(venecitas, state, event)
    assert after.settings["flip"] == "B1"
    assert after.lie.towards("S") == B


def test_a_die_that_did_not_move_means_nothing_neither_after_the_roll_nor_in_the_next_turn():
    state = roll(table({}))
    assert venecitas.interpret(state, die()) is None
    assert venecitas.interpret(say(state, "next"), die()) is None


def test_a_correction_changes_the_lie_and_nothing_else():
    state = say(roll(table({"counts": {"A": "G1"}})), "move", kind="cw", pay="G")
    corrected = say(state, "correct", top="B", facing="K")
    assert corrected.lie == find_lie("B", "K", "S")
    assert corrected.players == state.players


# Properties: cross-game 5.4, 1


@given(seed=st.integers(0, 2**32 - 1))
def test_properties_of_random_games(seed):
    for before, event, after in walk(venecitas, random.Random(seed), 120):
        maximum = after.settings["track_max"]
        for old, new in zip(before.players, after.players, strict=True):
            assert all(0 <= count <= maximum for count in new.counts.values())
            assert new.vp >= old.vp
            if before.block == after.block is not None and new.seat != after.block.owner:
                assert new.counts[after.block.colour] == old.counts[after.block.colour]
        if event.verb == "next" and before.phase is Phase.ADJUST:
            marked = sum(p.venecitas for p in after.players) - sum(p.venecitas for p in before.players)
            assert 0 <= marked <= len(after.players) + 1


@pytest.mark.slow
def test_a_thousand_random_games_end_or_come_to_the_limit_without_an_error():
    ended = 0
    for seed in range(1000):
        *_, (_, _, last) = walk(venecitas, random.Random(seed), 400)
        ended += last.phase is Phase.OVER
    assert ended > 100
