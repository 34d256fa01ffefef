"""What every game must keep to; a new game is covered by its line in GAMES."""

import copy
import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from walks import draw_event, draw_setup, spoil, walk

from companion.errors import BadInput, Refused
from companion.events import event_from_json, event_to_json
from companion.game import Setup, step
from companion.games import GAMES

LONG_WALK = 400

games = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
seeds = st.integers(0, 2**32 - 1)


@games
@given(seed=seeds)
def test_no_state_gets_stuck_and_only_a_finished_game_awaits_nothing(game, seed):
    for _, _, after in walk(game, random.Random(seed), 60):
        offers = game.awaits(after)
        assert bool(game.view(after, None)["over"]) == (not offers)
        assert not offers or any(awaited.options for awaited in offers)


@games
@given(seed=seeds)
def test_every_view_is_plain_json(game, seed):
    for _, _, after in walk(game, random.Random(seed), 25):
        for seat in (None, *game.SEATS):
            view = game.view(after, seat)
            assert json.loads(json.dumps(view)) == view
            assert {"phase", "active", "over", "winners", "scores"} <= set(view)


@games
@given(seed=seeds)
def test_replay_of_the_written_events_gives_the_same_state(game, seed):
    rng = random.Random(seed)
    setup = draw_setup(game, rng)
    live = replayed = game.start(setup)
    for _ in range(60):
        if not game.awaits(live):
            break
        event = draw_event(game, live, rng)
        written = json.dumps(event_to_json(event))
        live = step(game, live, event)
        replayed = step(game, replayed, event_from_json(json.loads(written)))
        assert replayed == live


@games
@given(seed=seeds)
def test_a_spoilt_event_is_refused_or_applied_but_never_half_done(game, seed):
    rng = random.Random(seed)
    for state, event, _ in walk(game, rng, 30):
        before = copy.deepcopy(state)
        try:
            step(game, state, spoil(event, rng))
        except Refused as refused:
            assert refused.code.isupper()
            assert str(refused.say)
        assert state == before


@games
def test_long_games_end_or_go_on_without_an_error(game):
    for seed in range(20):
        for _ in walk(game, random.Random(seed), LONG_WALK):
            pass


@games
def test_a_setup_that_cannot_be_played_is_refused(game):
    seats = tuple(game.SEATS[: game.PLAYERS.start])
    for setup in (
        Setup(()),
        Setup((*seats[:-1], "zzz")),
        Setup((seats[0],) * len(seats) + seats[:1]),
        Setup(seats, {"no_such_rule": 1}),
        Setup(seats, dict.fromkeys(game.SETTINGS, "zzz")),
        Setup(seats, {}, {"no_such_data": 1}),
    ):
        with pytest.raises(BadInput, match=r"expected|takes|has only|knows"):
            game.start(setup)
