"""Venezia at level "score": what the companion asks, remembers and scores while the pieces stay on the board."""

import pytest
from venezia_table import Phase, at, by_chance, choose, new_game, perform, position, spin

from companion.errors import NotAwaited, Refused
from companion.events import Choice
from companion.game import step
from companion.games import venezia
from companion.games.venezia.state import Card


def play(state, *said):
    for verb, data in said:
        state = choose(state, verb, **data)
    return state


def scoring(**settings):
    """A game in which the districts of round 1 are to be scored."""
    state = play(new_game(detail="score", **settings), ("next", {}), ("next", {}))
    assert state.phase is Phase.SCORE
    return state


def held(*pairs):
    return [("hold", {"place": place, "who": who}) for place, who in pairs]


def test_a_round_needs_no_more_taps_than_a_pencil_needs_strokes_l2():
    state = new_game(seats=("red", "yellow", "blue", "green"), detail="score")
    state = play(state, ("next", {}), ("next", {}), ("next", {}))
    holders = held(("Castello", "red"), ("San Polo", "red"), ("Giudecca", "blue"), ("Cannaregio", "green"))
    cards = [("reveal", {"who": "red", "card": "Feud"}), ("reveal", {"who": "blue", "card": "Purge"})]
    for verb, square in (("tourist", "4C"), ("tourist", "7F"), ("hunter", "5D")):
        state = spin(state, verb, square)  # the camera's, nobody taps
    taps = [("next", {}), *cards, ("next", {}), *holders, ("next", {})]
    state = play(state, *taps)
    assert state.round == 3
    # A pencil marks each district held, crosses out each card and writes a total for each of three who scored.
    strokes = len(holders) + len(cards) + len({"red", "blue", "green"})
    assert len(taps) <= strokes


def test_spins_may_be_left_out_l2():
    state = spin(new_game(detail="score"), "tourist", "4C")
    assert choose(state, "next").phase is Phase.MOVE


def test_homes_count_three_for_their_owner_and_six_for_others_r25():
    state = play(scoring(), *held(("Castello", "red"), ("Dorsoduro", "red"), ("San Marco", "yellow")), ("next", {}))
    assert venezia.view(state, None)["scores"] == {"red": 9, "yellow": 3}


def test_a_holder_entered_wrongly_is_taken_back_r24():
    state = play(scoring(), *held(("Castello", "red"), ("Castello", "yellow"), ("San Polo", "red"), ("San Polo", None)))
    assert state.holders == {"Castello": "yellow"}


@pytest.mark.parametrize(
    ("data", "code"),
    [({"place": "Rialto", "who": "red"}, "NOT_A_DISTRICT"), ({"place": "Castello", "who": "green"}, "BAD_DETAILS")],
)
def test_only_players_hold_only_places_of_venice(data, code):
    with pytest.raises(Refused, match=code):
        choose(scoring(), "hold", **data)


def test_holders_are_asked_anew_each_round():
    state = play(scoring(), *held(("Castello", "red")), ("next", {}))
    assert state.holders == {}


def test_collisions_are_resolved_and_cards_remembered_r18_r19():
    state = play(scoring(), *held(("Castello", "red")), *[("next", {})] * 3)
    assert state.phase is Phase.REVEAL
    state = play(state, *[("reveal", {"who": who, "card": "Feud"}) for who in ("red", "yellow")], ("next", {}))
    assert state.player("yellow").played == (Card.FEUD,)
    assert state.player("red").played == ()
    assert state.phase is Phase.SCORE


def test_only_the_birds_place_is_asked_and_nothing_is_scored_there_e12():
    state = at(new_game(detail="score"), Phase.REVEAL)
    state = play(
        state, ("reveal", {"who": "red", "card": "Purge"}), ("reveal", {"who": "yellow", "card": "Robbery Bird"})
    )
    state = choose(state, "next")
    assert (state.phase, state.active) == (Phase.ACTIONS, "yellow")
    state = play(state, ("bird", {"place": "Castello"}), *held(("Castello", "yellow"), ("SGM", "red")), ("next", {}))
    assert venezia.view(state, None)["scores"] == {"red": 0, "yellow": 0}
    assert (state.phase, state.active) == (Phase.RETRIEVE, "red")
    state = choose(state, "retrieve", card="Purge")
    assert state.player("red").played == ()
    assert (state.round, state.start, state.bird) == (2, "yellow", None)


def test_the_end_is_found_by_points_and_by_districts_r28():
    five = ("Cannaregio", "Castello", "Dorsoduro", "Giudecca", "San Marco")
    state = play(scoring(), *held(*[(place, "yellow") for place in five]), ("next", {}))
    assert state.winners == ("yellow",)
    assert venezia.awaits(state) == ()


def test_births_are_noted_as_a_number_r17():
    state = choose(new_game(detail="score"), "next")
    state = choose(state, "births", who="red", number=7)
    assert venezia.view(state, None)["born"] == {"red": 7}
    with pytest.raises(Refused, match="BAD_COUNT"):
        choose(state, "births", who="red", number=41)


# From full to score


def test_the_level_can_be_lowered_at_any_moment_and_the_game_goes_on_to_its_end_l3():
    phases = set()
    for seed in range(12):
        for number, (state, _, _) in enumerate(by_chance(seed, detail="full")):
            if number % 3 or not venezia.awaits(state):
                continue
            phases.add(state.phase)
            low = step(venezia, state, Choice("to_score"))
            assert str(low.told[0]).startswith("from now on only the score is kept")
            assert [p.score for p in low.players] == [p.score for p in state.players]
            assert not low.full
            assert venezia.awaits(low)
            assert venezia.view(low, None)["players"][0]["reserve"] is None
    assert phases == set(Phase) - {Phase.OVER}


def test_the_level_cannot_be_raised_again_l3():
    state = choose(new_game(), "to_score")
    with pytest.raises(NotAwaited):
        choose(state, "to_score")


def test_lowering_the_level_keeps_spins_cards_bird_and_homes_l3():
    state = position(home={"red": "Castello"}, tourists=["4C", "7F"], played={"blue": ["Feud"]}, score={"red": 9})
    state = perform(state, "bird", "San Marco")
    low = choose(at(state, Phase.UNCOVER), "to_score")
    assert (low.phase, low.bird, low.tourists) == (Phase.SCORE, "San Marco", ("4C", "7F"))
    assert low.player("red").home == "Castello"
    assert low.player("blue").played == (Card.FEUD,)


def test_a_bird_that_is_still_due_is_asked_after_lowering_the_level_l3():
    state = perform(position(), "reveal", {"red": "Purge", "blue": "Robbery Bird"})
    low = choose(state, "to_score")
    assert (low.phase, low.active) == (Phase.ACTIONS, "blue")


def test_a_round_that_was_scored_is_not_scored_twice_l3():
    state = perform(position(districts={"Castello": {"red": 1}}), "score", None)
    low = choose(state, "to_score")
    assert (low.round, low.phase) == (3, Phase.TOURIST)
    assert low.player("red").score == 3
