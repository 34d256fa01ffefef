"""Venezia at level "score": pieces stay on the board, the companion leads, remembers cards and scores.

A round takes the spins (which the camera reads, or nobody enters), the action cards, who holds each
district, and three times NEXT. Rules: VZ-L1 to VZ-L3.
"""

from collections.abc import Callable
from dataclasses import replace

from companion.errors import Refused
from companion.events import Event
from companion.game import details
from companion.games.venezia.cards import resolve_cards
from companion.games.venezia.checks import as_area, as_count, as_seat
from companion.games.venezia.scoring import clean_up, score_holders
from companion.games.venezia.state import AREAS, PIGEONS, POOLS, Card, Phase, State
from companion.text import say


def enter_births(state: State, event: Event) -> State:
    """How many births a player has; not needed for the score (VZ-R17)."""
    seat, value = details(event, who=str, number=int)
    who, number = as_seat(state, seat), as_count(value, "VZ-R17")
    if number > PIGEONS:
        raise Refused("BAD_COUNT", "rule VZ-R17: nobody has more than {limit} pigeons", limit=PIGEONS)
    state = replace(state, born={**state.born, who: number})
    return state.tell(say("births of {who}: {number}", who=who, number=number))


def enter_holder(state: State, event: Event) -> State:
    """Who has the majority in an area; None when nobody has (VZ-R24)."""
    name, seat = details(event, place=str, who=(str, type(None)))
    place = as_area(name, sgm=True, rule="VZ-R24")
    holders = {area: who for area, who in state.holders.items() if area != place}
    if seat is None:
        return replace(state, holders=holders).tell(say("nobody holds {place}", place=place))
    who = as_seat(state, seat)
    return replace(state, holders={**holders, place: who}).tell(say("{who} holds {place}", who=who, place=place))


def after_spins(state: State) -> State:
    """The spins are over, whether they were entered or not."""
    return replace(state, phase=Phase.MOVE, active="")


def after_moves(state: State) -> State:
    """Movement and births are over: action cards, which round 1 doesn't have (VZ-R5)."""
    return replace(state, phase=Phase.SCORE if state.round == 1 else Phase.REVEAL, revealed={}, acting=())


def after_cards(state: State) -> State:
    """The cards are carried out on the board; only the bird's place matters for the score (VZ-R18, VZ-E12)."""
    return _ask_for_bird(resolve_cards(state))


def _ask_for_bird(state: State) -> State:
    birds = tuple(seat for seat in state.acting if state.revealed[seat] is Card.BIRD)
    state = replace(state, acting=birds, active=birds[0] if birds else "")
    return replace(state, phase=Phase.ACTIONS if birds else Phase.SCORE)


def score_entered(state: State) -> State:
    """Score by the holders entered, and say what is left to be done on the board (VZ-R27, VZ-R29)."""
    state = score_holders(state)
    if state.winners:
        return state
    return state.tell(
        say("who has most pigeons on San Michele may take 2 back"),
        say("clear the fullest district, then move the nests into the reserves"),
    )


AFTER: dict[Phase, Callable[[State], State]] = {
    Phase.TOURIST: after_spins,
    Phase.HUNTER: after_spins,
    Phase.MOVE: after_moves,
    Phase.REVEAL: after_cards,
    Phase.SCORE: score_entered,
}
"""What NEXT does at level "score"."""


def keep_score_only(state: State, event: Event) -> State:
    """The table changes from level "full" to "score": the pieces are no longer known (VZ-L3)."""
    details(event)
    for player in state.players:
        state = state.with_player(replace(player, plan=None, pools=dict.fromkeys(POOLS, 0)))
    state = replace(
        state,
        settings={**state.settings, "detail": "score"},
        piazza={},
        districts={area: {} for area in AREAS},
        moved=(),
        removed=(),
        pinched=(),
        cleared=(),
        vatican=None,
        uncovered=(),
        michele_winner=None,
    )
    state = state.tell(say("from now on only the score is kept, and the pieces stay on the board"))
    match state.phase:
        case Phase.SETUP | Phase.TOURIST | Phase.HUNTER | Phase.RETRIEVE:
            return state
        case Phase.PLAN | Phase.PLACE:
            return replace(state, phase=Phase.TOURIST, active="")
        case Phase.REMOVE | Phase.MOVE:
            return after_spins(state)
        case Phase.REVEAL:
            return replace(state, active="")
        case Phase.FAMILY | Phase.HOME | Phase.ACTIONS:
            return _ask_for_bird(state)
        case Phase.UNCOVER | Phase.SCORE:
            return replace(state, phase=Phase.SCORE, active="", holders={})
        case _:
            return clean_up(state)
