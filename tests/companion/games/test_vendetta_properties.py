"""Vendetta: what holds in every game at full detail (cross-game rules, section 5.4), and who learns what."""

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import Refused
from companion.events import Choice, Outcome
from companion.game import Setup, step
from companion.games import vendetta
from companion.games.vendetta.scoring import controllers
from companion.games.vendetta.state import DISTRICTS, GANGSTERS, PHASES, Step

LONGEST = 2000
seeds = st.integers(0, 2**32 - 1)


def new_game(rng, **fixed):
    """A game at full detail, ready to place."""
    seats = rng.sample(vendetta.SEATS, rng.choice(list(vendetta.PLAYERS)))
    cards = rng.sample(DISTRICTS, 2 * len(seats))
    dealt = {seat: cards[2 * at : 2 * at + 2] for at, seat in enumerate(seats)}
    settings = {name: rng.choice(setting.choices) for name, setting in vendetta.SETTINGS.items()}
    setup = Setup(tuple(seats), settings | {"detail": "full"} | fixed, {"trustee": rng.choice(seats), "dealt": dealt})
    return vendetta.start(setup)


def draw_event(state, rng):
    awaited = rng.choice([a for a in vendetta.awaits(state) if a.options])
    data = dict(rng.choice(awaited.options))
    if awaited.verb == "place" and rng.random() < 0.9:
        data = {"gangsters": draw_placement(vendetta.view(state, state.active), rng)}
    return Outcome(awaited.verb, data) if awaited.outcome else Choice(awaited.verb, data)


def draw_placement(own_view, rng):
    """A legal placement, made from nothing but what the active player sees."""
    hand = next(player["hand"] for player in own_view["players"] if player["seat"] == own_view["active"])
    rules, gangsters = own_view["placement"], {}
    for district in rng.sample(list(rules["least"]), rules["most_districts"]):
        if max(rules["least"][district], 1) <= hand:
            gangsters[district] = rng.randint(max(rules["least"][district], 1), hand)
            hand -= gangsters[district]
    return gangsters


def walk(seed, steps):
    """Play by chance at full detail: yields every (state, next state)."""
    rng = random.Random(seed)
    state = new_game(rng)
    for _ in range(steps):
        if not vendetta.awaits(state):
            return
        after = step(vendetta, state, draw_event(state, rng))
        yield state, after
        state = after


@given(seed=seeds)
def test_gangsters_of_a_colour_stay_50_and_grow_only_out_of_the_box(seed):
    for before, after in walk(seed, 120):
        for old, new in zip(before.players, after.players, strict=True):
            assert sum(new.board) + new.hand + new.box == GANGSTERS
            assert min(*new.board, new.hand, new.box) >= 0
            assert sum(new.board) + new.hand - sum(old.board) - old.hand == old.box - new.box


@given(seed=seeds)
def test_every_round_turns_11_different_cards_and_at_most_11_districts_are_controlled(seed):
    for before, after in walk(seed, 120):
        assert len(set(after.revealed)) == len(after.revealed) <= PHASES
        if before.step is Step.RAID:
            assert len(before.revealed) == PHASES
            assert len(controllers(after)) <= PHASES


@given(seed=seeds)
def test_points_never_fall_and_recorded_rows_stay_below_control_victory(seed):
    for before, after in walk(seed, 120):
        for old, new in zip(before.players, after.players, strict=True):
            assert new.points >= old.points
        if before.step is Step.RAID and after.step is not Step.OVER:
            assert all(score.districts < after.goal.districts for score in after.scored)


@given(seed=seeds)
def test_exactly_one_player_leaves_after_a_vendetta_of_two_or_more(seed):
    for before, after in walk(seed, 120):
        if before.step is not Step.REVEAL:
            continue
        district = after.vendetta.district
        there = {player.seat for player in before.players if player.there(district)}
        still = {player.seat for player in after.players if player.there(district)}
        assert len(there - still) == (1 if len(there) > 1 else 0)
        assert there - still == ({after.vendetta.loser} - {None})


@pytest.mark.slow
def test_a_thousand_games_at_full_detail_end_or_go_on_without_an_error():
    ended = 0
    for seed in range(1000):
        ended += any(after.step is Step.OVER for _, after in walk(seed, LONGEST))
    assert ended > 900


# Privacy


def seen_by(state, seat):
    return vendetta.view(state, seat), state.told, vendetta.awaits(state)


def answer(state, event):
    """What somebody hears who sends an event: the refusal, or what everybody hears."""
    try:
        return step(vendetta, state, event).told
    except Refused as refused:
        return refused.code, refused.say


def with_other_secrets(state, seat, rng):
    """The same game, but for one player's hand, box and last income."""
    player = state.player(seat)
    hand = rng.randint(0, player.hand + player.box)
    changed = replace(player, hand=hand, box=player.hand + player.box - hand, received=rng.randint(0, 3))
    return state.with_player(changed)


def spoilt(state, seat, rng):
    """Some events that another seat may send, legal or not."""
    districts = {str(rng.choice(DISTRICTS)): rng.randint(0, 12) for _ in range(rng.randint(0, 3))}
    yield Choice("place", {"gangsters": districts}, seat)
    yield Choice("next", {}, seat)
    yield Choice("control", {"district": rng.choice(DISTRICTS), "who": seat}, seat)
    yield Choice("name_district", {"district": rng.choice(DISTRICTS), "name": "Harbour"}, seat)
    yield Choice("to_score", {}, seat)
    yield Outcome("reveal", {"district": rng.choice(DISTRICTS)})


@given(seed=seeds)
def test_nobody_else_can_tell_two_games_apart_that_differ_in_one_players_hand_and_box(seed):
    rng = random.Random(seed)
    one = new_game(rng, secret_hands=True)
    for _ in range(rng.randint(0, 60)):
        if not vendetta.awaits(one):
            return
        one = step(vendetta, one, draw_event(one, rng))
    owner = rng.choice(one.seats)
    other = with_other_secrets(one, owner, rng)
    for _ in range(12):
        for seat in (None, *(seat for seat in vendetta.SEATS if seat != owner)):
            assert seen_by(one, seat) == seen_by(other, seat)
            if seat is not None:
                for event in spoilt(one, seat, rng):
                    assert answer(one, event) == answer(other, event)
        if not vendetta.awaits(one):
            return
        # The games go on alike, so the owner only places what both hands hold, and never all of them.
        event = draw_event(one, rng)
        if one.active == owner and "all" in event.data.get("gangsters", {}).values():
            event = Choice("next")
        try:
            one, other = step(vendetta, one, event), step(vendetta, other, event)
        except Refused as refused:
            assert refused.code == "NOT_IN_HAND"
            assert one.active == owner
            one, other = (step(vendetta, state, Choice("next", {}, owner)) for state in (one, other))


@given(seed=seeds)
def test_what_a_placement_is_refused_for_never_tells_a_number_of_the_hand(seed):
    rng = random.Random(seed)
    state = new_game(rng)
    state = step(vendetta, state, Choice("next"))
    active = state.player(state.active)
    few, many = (state.with_player(replace(active, hand=hand)) for hand in (3, 9))
    event = Choice("place", {"gangsters": {"1": 10}}, state.active)
    assert answer(few, event) == answer(many, event)
    assert answer(few, event)[0] == "NOT_IN_HAND"
