"""Vendetta: the raid, control, points and victory, and what comes before a new round.

Rules: VD-R16 to VD-R21.
"""

from collections.abc import Mapping
from dataclasses import replace
from types import NoneType

from companion.errors import Refused
from companion.events import Event
from companion.game import details
from companion.games.vendetta.phases import begin_round
from companion.games.vendetta.state import (
    DISTRICTS,
    PHASES,
    POINTS,
    Player,
    Score,
    State,
    Step,
    check_district,
)
from companion.text import Say, say, say_number


def raid(state: State, event: Event) -> State:
    """NEXT: the two cards of the raid are turned, their districts cleared, the round scored (VD-R16)."""
    details(event)
    players = state.players
    for district in state.raided:
        players = tuple(player.cleared(district) for player in players)
    told = tuple(say("district {district} is cleared", district=state.called(raided)) for raided in state.raided)
    return _score(replace(state, players=players, told=told))


def control(state: State, event: Event) -> State:
    """At score detail: somebody says who controls a district, or that nobody does (VD-R17)."""
    district, who = details(event, district=int, who=(str, NoneType))
    check_district(district)
    if who is not None and who not in state.seats:
        raise Refused("BAD_DETAILS", "nobody sits at {place}: expected a player or nobody", place=who)
    held = {number: seat for number, seat in state.held.items() if number != district}
    name = state.called(district)
    if who is None:
        return replace(state, held=held, told=(say("nobody controls district {district}", district=name),))
    if district in state.raided:
        raise Refused(
            "NOT_AN_OPTION", "rule VD-R16: district {district} was raided, so nobody controls it", district=name
        )
    if len(held) >= PHASES:
        raise Refused(
            "NOT_AN_OPTION", "rule VD-R16: two districts were raided, so at most {number} are controlled", number=PHASES
        )
    told = (say("{who} controls district {district}", who=who, district=name),)
    return replace(state, held={**held, district: who}, told=told)


def control_done(state: State, event: Event) -> State:
    """NEXT, at score detail: control is entered, the round is scored."""
    details(event)
    return _score(replace(state, told=()))


def to_score(state: State, event: Event) -> State:
    """The table leaves the pieces to the board from now on; what was counted of them is forgotten."""
    details(event)
    players = tuple(Player(p.seat, p.colour, p.dealt, points=p.points) for p in state.players)
    steps = {Step.ARRANGE: Step.REVEAL, Step.PLACE: Step.REVEAL, Step.RAID: Step.CONTROL}
    told = say("from now on the pieces stay on the board: the companion counts districts and points only")
    return replace(
        state,
        players=players,
        settings={**state.settings, "detail": "score"},
        step=steps.get(state.step, state.step),
        vendetta=None,
        told=(told,),
    )


def controllers(state: State) -> dict[int, str]:
    """Who controls which district: strictly more gangsters there than anybody else (VD-R17)."""
    if not state.full:
        return dict(sorted(state.held.items()))
    controlled = {}
    for district in DISTRICTS:
        first, second = sorted(state.players, key=lambda player: player.there(district), reverse=True)[:2]
        if first.there(district) > second.there(district):
            controlled[district] = first.seat
    return controlled


def districts_of(state: State) -> dict[str, int]:
    """How many districts each player controls."""
    seats = list(controllers(state).values())
    return {seat: seats.count(seat) for seat in state.seats}


def _score(state: State) -> State:
    """See to victory by control, then to points, then to victory by points (VD-R18 to VD-R20)."""
    controlled = districts_of(state)
    winners = _winners(state, controlled, state.goal.districts)
    if winners:
        scored = tuple(Score(seat, number, 0) for seat, number in controlled.items())
        told = tuple(_controls(seat, controlled[seat]) for seat in winners)
        return _finish(replace(state, scored=scored, told=(*state.told, *told)), winners)
    scored = tuple(Score(seat, number, POINTS[min(number, len(POINTS) - 1)]) for seat, number in controlled.items())
    for score in scored:
        player = state.player(score.seat)
        state = state.with_player(replace(player, points=player.points + score.points))
    told = tuple(
        say("{who} controls {number} and scores {points}", who=s.seat, number=s.districts, points=s.points)
        for s in scored
    )
    state = replace(state, scored=scored, told=(*state.told, *told))
    winners = _winners(state, {player.seat: player.points for player in state.players}, state.goal.points)
    return _finish(state, winners) if winners else _new_round(state)


def _winners(state: State, values: Mapping[str, int], goal: int) -> tuple[str, ...]:
    """Who is at a goal; of several, those who are furthest, unless all shall share (VD-Q4)."""
    there = {seat: value for seat, value in values.items() if value >= goal}
    if state.settings["victory_tie"] == "all_share":
        return tuple(there)
    return tuple(seat for seat, value in there.items() if value == max(there.values()))


def _finish(state: State, winners: tuple[str, ...]) -> State:
    told = tuple(say("{who} wins", who=seat) for seat in winners)
    players = tuple(replace(player, received=0) for player in state.players)
    return replace(state, players=players, step=Step.OVER, winners=winners, told=(*state.told, *told))


def _new_round(state: State) -> State:
    """Everybody gets new gangsters; who would have been next starts (VD-R21)."""
    following = next(state.clockwise_after(state.active)).seat
    income = state.settings["income"]
    if state.full:
        state = replace(state, players=tuple(player.paid(income) for player in state.players))
    told = (*state.told, say("each player takes {number} from the box", number=income))
    return begin_round(replace(state, starter=following, round=state.round + 1, told=told))


def _controls(seat: str, number: int) -> Say:
    return say_number("{who} controls {number} district", "{who} controls {number} districts", number, who=seat)
