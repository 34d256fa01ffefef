"""Venise: the edge cases and settings of docs/rules/venise.md, cited by number, and what always holds."""

import random

import golden_venise
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import BadInput, NotYours, Refused
from companion.events import Choice
from companion.game import Setup, step
from companion.games import venise
from companion.games.venise.state import CARDS, HAND_LIMIT, JOKERS, PLANKS, SHARE, Phase, Plank

NOW = {"end": "immediate"}
LATER = {"end": "finish_round"}


def table(**given):
    """A state in the words of the golden scripts; A, B, C, D are red, white, green and yellow."""
    return golden_venise.given(given)


def play(state, *items):
    """Play the steps of a golden script, written as "next" or (verb, argument)."""
    for item in items:
        verb, argument = (item, None) if isinstance(item, str) else item
        state = golden_venise.perform(state, verb, argument)
    return state


def facts(state):
    return golden_venise.facts(state)


def refusal(state, *item):
    with pytest.raises(Refused) as caught:
        play(state, item)
    return caught.value


# Set-up


def test_the_first_player_is_asked_and_the_given_order_kept_vn_r2():
    state = venise.start(Setup(("green", "red", "yellow")))
    assert state.phase is Phase.SETUP
    state = play(state, ("board", {"side": "night", "layout": "our own"}), ("start_with", {"who": "red"}), "next")
    view = venise.view(state, None)
    assert (view["active"], view["first"], view["side"], view["layout"]) == ("yellow", "red", "night", "our own")
    assert [player["seat"] for player in view["players"]] == ["green", "red", "yellow"]


@pytest.mark.parametrize(("players", "deck"), [(2, 34), (3, 28), (4, 22)])
def test_cards_are_dealt_and_planks_shared_vn_r1(players, deck):
    state = table(players="ABCD"[:players])
    assert state.deck == deck
    assert all(player.hand == 6 and player.planks == SHARE[players] for player in state.players)


@pytest.mark.parametrize(
    "data", [{"first": "yellow"}, {"first": 1}, {"side": "dusk"}, {"layout": 7}, {"layout": "x" * 81}]
)
def test_setup_data_of_another_form_is_bad_input(data):
    with pytest.raises(BadInput, match="expected"):
        venise.start(Setup(("red", "white"), {}, data))


# Playing cards


@pytest.mark.parametrize(
    ("card", "cost"),
    [("short", 1), ("long", 2), ("remove", 1), ("move", 2), ("step1", 1), ("step2", 2), ("step3", 3)],
)
def test_every_card_costs_its_hourglasses_and_a_joker_two_vn_r7_r8(card, cost):
    assert play(table(), ("play", card)).spent == cost
    assert play(table(jokers={"A": 1}), ("play", {"card": card, "joker": True})).spent == 2


def test_the_refusal_over_budget_tells_what_is_left_vn_r3():
    state = play(table(), ("play", "step3"))
    assert str(refusal(state, "play", "step2").say) == "rule VN-R3: this costs 2 hourglasses, and red has 1 left"


def test_passing_is_allowed_vn_q4():
    assert facts(play(table(), "next"))["active"] == "B"


def test_a_hand_of_jokers_alone_holds_no_card_and_a_hand_of_cards_no_joker_vn_r8():
    assert refusal(table(hand={"A": 1}, jokers={"A": 1}), "play", "step1").code == "NO_CARD"
    assert refusal(table(hand={"A": 0}), "play", "step1").code == "NO_CARD"
    assert refusal(table(), "play", {"card": "step1", "joker": True}).code == "NO_JOKER"


def test_tiles_cumulate_and_last_for_one_turn_vn_r12():
    state = play(table(tiles={"A": 2}), "tile", "tile", ("play", "step3"), ("play", "step3"))
    assert (state.budget, state.spent) == (6, 6)
    assert play(state, "next").budget == 4


def test_only_the_active_player_plays_vn_r2():
    with pytest.raises(NotYours):
        step(venise, table(), Choice("play", {"card": "step1"}, "white"))


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"card": "swim"},
        {"card": "step1", "plank": "long"},
        {"card": "remove", "plank": "broad"},
        {"card": "remove", "plank": "long", "fallen": ["broad"]},
        {"card": "step1", "joker": 1},
    ],
)
def test_a_card_that_cannot_be_read_is_refused(data):
    assert refusal(table(on_board={"long": 1}), "play", data).code == "BAD_DETAILS"


# Planks


def test_a_plank_that_is_not_on_the_board_is_neither_removed_nor_moved_vn_r14():
    state = table(on_board={"long": 1})
    for card in ("remove", "move"):
        assert refusal(state, "play", {"card": card, "plank": "short"}).code == "NO_PLANK"
        assert refusal(state, "play", {"card": card, "plank": "long", "fallen": ["long"]}).code == "NO_PLANK"


def test_moving_a_plank_changes_no_stock_but_what_falls_is_gone_vn_r15_q6():
    state = table(on_board={"long": 1, "short": 1})
    moved = play(state, ("play", {"card": "move", "plank": "long", "fallen": ["short"]}))
    assert facts(moved)["long"] == facts(state)["long"]
    assert facts(moved)["on_board"] == {"long": 1, "short": 0}
    assert facts(moved)["removed"] == {"long": 0, "short": 1}


def test_a_plank_under_a_pawn_stays_the_own_pawn_included_vn_r18_e7():
    for card in ("remove", "move"):
        refused = refusal(table(on_board={"long": 1}), "play", {"card": card, "plank": "long", "pawn_on_it": True})
        assert refused.code == "PAWN_ON_PLANK"


# Jokers and the end of a turn


def test_eight_cards_and_a_joker_taken_leave_three_to_discard_or_an_exchange_vn_e3():
    state = play(table(hand={"A": 8}), "take_joker", "next")
    assert facts(state)["hand"]["A"] == 11
    discarded = play(state, ("discard", 3))
    exchanged = play(state, "exchange4")
    assert facts(discarded)["hand"]["A"] == facts(exchanged)["hand"]["A"] == 8
    assert facts(discarded)["active"] == facts(exchanged)["active"] == "B"


def test_exchange_with_two_jokers_takes_a_joker_in_vn_e4():
    state = table(jokers={"A": 2})
    assert refusal(state, "exchange4", {"jokers": 0}).code == "JOKER_LIMIT"
    assert facts(play(state, ("exchange4", {"jokers": 2})))["jokers"]["A"] == 1
    assert facts(play(state, ("exchange4", {"jokers": 2})))["discard"] == 2


@pytest.mark.parametrize(("hand", "jokers", "given"), [(3, 0, 0), (6, 1, 2), (4, 1, 0), (6, 0, -1), (6, 2, 5)], ids=str)
def test_an_exchange_takes_four_cards_that_are_in_hand_vn_r10(hand, jokers, given):
    state = table(hand={"A": hand}, jokers={"A": jokers})
    assert refusal(state, "exchange4", {"jokers": given}).code == "NOT_ENOUGH"


def test_a_joker_from_an_exchange_is_played_straight_away_vn_r10():
    state = play(table(), "exchange4", ("play", {"card": "step3", "joker": True}))
    assert (facts(state)["hand"]["A"], state.spent) == (2, 2)


def test_after_taking_a_joker_nothing_is_played_but_an_exchange_is_made_vn_e8():
    state = play(table(tiles={"A": 1}), "take_joker", "exchange4")
    for item in [("play", {"card": "step1", "joker": True}), ("take_joker", None), ("tile", None)]:
        assert refusal(state, *item).code == "TOOK_JOKER"


def test_no_joker_is_taken_after_a_card_was_played_vn_r3():
    assert refusal(play(table(), ("play", "step1")), "take_joker", None).code == "ALREADY_PLAYED"


def test_discarded_jokers_go_back_to_their_stack_vn_r5():
    state = play(table(hand={"A": 8}, jokers={"A": 1}), "next", ("discard", {"number": 2, "jokers": 1}))
    assert (state.joker_stack, state.discard, facts(state)["active"]) == (8, 1, "B")


def test_no_more_is_discarded_than_down_to_eight_vn_q8():
    state = play(table(hand={"A": 8}), "next")
    assert refusal(state, "discard", 3).code == "NOT_ENOUGH"
    assert refusal(state, "discard", 0).code == "NOT_ENOUGH"


def test_the_stack_is_renewed_only_when_a_card_is_needed_vn_r6_e5():
    state = play(table(deck=2, discard=9), "next")
    assert (state.deck, state.discard, state.reshuffled) == (0, 9, False)
    state = play(state, "next")
    assert (state.deck, state.discard, state.reshuffled) == (7, 0, True)
    assert play(state, "next").reshuffled is False


def test_with_nothing_left_nothing_is_drawn_vn_e5():
    assert facts(play(table(deck=1, discard=0), "next"))["hand"]["A"] == 7


# Gems and the end


def test_the_last_gem_gives_no_tile_vn_r11():
    state = play(table(settings={"goal_gems": 2}), "gem")
    assert facts(state)["tiles"]["A"] == 1
    state = play(state, "gem")
    assert (facts(state)["tiles"]["A"], facts(state)["winner"], state.phase) == (1, ["A"], Phase.OVER)


def test_finish_round_lets_the_others_have_their_turn_vn_q1():
    state = play(table(players="ABC", gems={"A": 3, "B": 0, "C": 3}, settings=LATER), "gem", "next")
    assert (facts(state)["active"], facts(state)["winner"]) == ("B", None)
    state = play(state, "next", "gem")
    assert facts(state)["phase"] == "MAIN"
    assert refusal(state, "gem", None).code == "NOT_ENOUGH"
    state = play(state, "next")
    assert (facts(state)["phase"], facts(state)["winner"]) == ("OVER", ["A", "C"])


def test_finish_round_ends_before_the_first_player_whoever_that_is_vn_q1():
    state = play(table(players="ABC", first="C", active="B", gems={"B": 3}, settings=LATER), "gem", "next")
    assert (facts(state)["phase"], facts(state)["winner"]) == ("OVER", ["B"])


def test_the_others_play_on_for_the_places_vn_r23():
    state = table(players="ABC", gems={"A": 3, "B": 3}, settings={**NOW, "continue_for_places": True})
    state = play(state, "gem")
    assert (facts(state)["phase"], facts(state)["winner"], facts(state)["active"]) == ("MAIN", ["A"], "B")
    state = play(state, "next", "next")
    assert facts(state)["active"] == "B"
    state = play(state, "gem")
    assert (facts(state)["phase"], facts(state)["places"]) == ("OVER", [["A"], ["B"], ["C"]])
    assert [player["place"] for player in venise.view(state, None)["players"]] == [1, 2, 3]


def test_places_are_shared_in_a_round_that_is_played_to_its_end_vn_q1():
    settings = {**LATER, "continue_for_places": True}
    state = play(table(gems={"A": 3, "B": 3}, settings=settings), "gem", "next", "gem", "next", "next", "next")
    assert (facts(state)["active"], facts(state)["places"]) == ("C", [["A", "B"]])
    assert [player["place"] for player in venise.view(state, None)["players"]] == [1, 1, None, None]
    state = play(state, "gem", "gem", "gem", "gem", "next", ("discard", 2), "next", ("discard", 2))
    assert facts(state)["places"] == [["A", "B"], ["C"], ["D"]]
    assert venise.view(state, None)["players"][3]["place"] == 4


# What always holds


def walk(seed, steps):
    """Play by chance: yields every (state, next state)."""
    rng = random.Random(seed)
    settings = {name: rng.choice(setting.choices) for name, setting in venise.SETTINGS.items()}
    seats = tuple(rng.sample(venise.SEATS, rng.choice(list(venise.PLAYERS))))
    state = venise.start(Setup(seats, settings, {"first": rng.choice(seats)}))
    for _ in range(steps):
        # Gems come seldom, so that games last.
        awaited = [a for a in venise.awaits(state) if a.options and (a.verb != "gem" or rng.random() < 0.2)]
        if not awaited:
            return
        drawn = rng.choice(awaited)
        data = dict(rng.choice(drawn.options))
        if data.get("card") in ("remove", "move"):
            data["fallen"] = [kind for kind in Plank if state.on_board[kind] > 1 and rng.random() < 0.2]
        after = step(venise, state, Choice(drawn.verb, data, state.active))
        yield state, after
        state = after


seeds = st.integers(0, 2**32 - 1)


@given(seed=seeds)
def test_budget_hands_and_gems_keep_their_limits(seed):
    for before, after in walk(seed, 120):
        assert after.spent <= after.budget
        assert all(0 <= p.jokers <= 2 and p.jokers <= p.hand and p.gems <= after.goal for p in after.players)
        if after.active != before.active:
            # Whoever has a place already has left the game, with whatever he held.
            assert all(p.hand <= HAND_LIMIT for p in after.players if not after.has_place(p.seat))


@given(seed=seeds)
def test_planks_cards_and_jokers_keep_their_totals(seed):
    for _, after in walk(seed, 120):
        number = len(after.players)
        for kind in Plank:
            stocks = [player.planks[kind] for player in after.players]
            unused = PLANKS[kind] - SHARE[number][kind] * number
            assert min(*stocks, after.on_board[kind], after.removed[kind]) >= 0
            assert sum(stocks) + after.on_board[kind] + after.removed[kind] + unused == PLANKS[kind]
        assert after.deck + after.discard + sum(player.cards for player in after.players) == CARDS
        assert after.joker_stack + sum(player.jokers for player in after.players) == JOKERS


@given(seed=seeds)
def test_nothing_is_private(seed):
    for _, after in walk(seed, 30):
        views = [venise.view(after, seat) for seat in (None, *venise.SEATS)]
        assert all(view == views[0] for view in views)


@pytest.mark.slow
def test_a_thousand_games_end_or_go_on_without_an_error():
    ended = sum(any(after.phase is Phase.OVER for _, after in walk(seed, 1000)) for seed in range(1000))
    assert ended > 900
