"""What holds in every game of Venezia, whatever is played (cross-game 5.4)."""

import pytest
from venezia_table import Phase, by_chance

from companion.events import Choice, Outcome
from companion.game import step
from companion.games import venezia
from companion.games.venezia.grid import zone
from companion.games.venezia.state import GREYS, PIAZZA_LIMIT, PIGEONS

SEEDS = range(25)


def pigeons(state, player):
    """All pigeons of one colour, wherever they are."""
    on_mat = player.plan.pigeons if player.plan is not None else 0
    in_districts = sum(owners.get(player.seat, 0) for owners in state.districts.values())
    return sum(player.pools.values()) + on_mat + state.on_piazza(player.seat) + in_districts


@pytest.mark.parametrize("seed", SEEDS)
def test_no_pigeon_is_lost_and_none_is_where_it_may_not_be(seed):
    for _, _, state in by_chance(seed, detail="full"):
        for player in state.players:
            assert pigeons(state, player) == PIGEONS
            assert min(player.pools.values()) >= 0
            assert state.on_piazza(player.seat) <= PIAZZA_LIMIT
        assert 0 <= state.grey_at_edge <= GREYS
        assert state.campanile not in state.piazza
        if state.phase is Phase.MOVE:
            assert not state.piazza.keys() & zone(state.size, state.hunters)


@pytest.mark.parametrize("detail", ["full", "score"])
@pytest.mark.parametrize("seed", SEEDS)
def test_scores_grow_by_threes_and_the_start_player_passes_on_each_round(detail, seed):
    for before, event, after in by_chance(seed, detail=detail):
        for old, new in zip(before.players, after.players, strict=True):
            assert new.score >= old.score
            assert (new.score - old.score) % 3 == 0
        if after.round != before.round:
            assert after.round == before.round + 1
            assert after.start == before.order()[1]
        elif event.verb != "start_with":
            assert after.start == before.start


@pytest.mark.parametrize("detail", ["full", "score"])
def test_games_by_chance_come_to_an_end(detail):
    for seed in SEEDS:
        *_, (_, _, last) = by_chance(seed, detail=detail)
        assert last.phase is Phase.OVER
        assert last.winners
        assert venezia.awaits(last) == ()


@pytest.mark.parametrize("seed", SEEDS)
def test_the_action_cards_of_a_player_are_in_the_hand_or_out_of_the_game(seed):
    for before, event, after in by_chance(seed):
        for old, new in zip(before.players, after.players, strict=True):
            assert len(set(new.played)) == len(new.played)
            if event.verb == "retrieve":
                assert set(new.played) <= set(old.played)
            else:
                assert set(old.played) <= set(new.played)


@pytest.mark.parametrize("seed", range(8))
def test_everything_that_is_offered_is_legal(seed):
    for number, (state, _, _) in enumerate(by_chance(seed)):
        if number % 4:
            continue
        for awaited in venezia.awaits(state):
            kind = Outcome if awaited.outcome else Choice
            for option in awaited.options:
                assert step(venezia, state, kind(awaited.verb, option)) is not state


@pytest.mark.slow
def test_a_thousand_games_at_full_detail_end_without_an_error():
    for seed in range(1000):
        *_, (_, _, last) = by_chance(seed, detail="full")
        assert last.phase is Phase.OVER
