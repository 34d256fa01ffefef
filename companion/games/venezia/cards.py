"""Venezia: the action cards are turned over and collide, the families meet, homes are reinforced.

Rules: VZ-R18 to VZ-R21, VZ-E10, VZ-E11.
"""

from collections.abc import Sequence
from dataclasses import replace

from companion.errors import Refused
from companion.events import Event
from companion.game import details
from companion.games.venezia.actions import begin_actions
from companion.games.venezia.checks import as_area, as_card, as_count, as_seat
from companion.games.venezia.state import Card, Phase, State
from companion.text import say, say_number


def begin_cards(state: State) -> State:
    """Phase 3 begins: with the action cards, which round 1 doesn't have (VZ-R5)."""
    state = replace(state, active="", revealed={}, acting=())
    return begin_homes(state) if state.round == 1 else replace(state, phase=Phase.REVEAL)


def reveal_card(state: State, event: Event) -> State:
    """Somebody turned over an action card; None takes an entry back."""
    seat, value = details(event, who=str, card=(str, type(None)))
    who = as_seat(state, seat)
    revealed = {other: card for other, card in state.revealed.items() if other != who}
    if value is None:
        return replace(state, revealed=revealed).tell(say("{who} plays no action card", who=who))
    card = as_card(state, who, value)
    return replace(state, revealed={**revealed, who: card}).tell(say("{who} plays {card}", who=who, card=card))


def unseal_cards(state: State) -> State:
    """Turn over the action cards of sealed plans."""
    for player in state.players:
        if player.plan is not None and player.plan.action is not None:
            revealed = {**state.revealed, player.seat: player.plan.action}
            state = replace(state, revealed=revealed)
            state = state.tell(say("{who} plays {card}", who=player.seat, card=player.plan.action))
    return state


def resolve_cards(state: State) -> State:
    """Find who may exercise his card; those cards leave the game (VZ-R18, VZ-R19, VZ-R22)."""
    acting = [seat for seat in state.order() if _exercises(state, seat)]
    acting.sort(key=lambda seat: state.revealed[seat] is not Card.FAMILY)
    for seat in acting:
        player, card = state.player(seat), state.revealed[seat]
        state = state.with_player(replace(player, played=(*player.played, card)))
        state = state.tell(say("{who} exercises {card}", who=seat, card=card))
    for seat in state.order():
        if seat in state.revealed and seat not in acting:
            state = state.tell(say("{who} takes {card} back", who=seat, card=state.revealed[seat]))
    return replace(state, acting=tuple(acting))


def _exercises(state: State, seat: str) -> bool:
    """Whether somebody's card is his alone, or he has the single lowest score of its players (VZ-R18, VZ-E10)."""
    if seat not in state.revealed:
        return False
    score = state.player(seat).score
    rivals = [other for other, card in state.revealed.items() if card == state.revealed[seat] and other != seat]
    return all(score < state.player(rival).score for rival in rivals)


def after_reveal(state: State) -> State:
    """The Family Meeting comes first, if somebody exercises it (VZ-R20)."""
    if state.acting and state.revealed[state.acting[0]] is Card.FAMILY:
        return replace(state, phase=Phase.FAMILY, active=state.acting[0])
    return begin_homes(state)


def meet_family(state: State, event: Event) -> State:
    """All nests of all players are emptied into one district (VZ-R20)."""
    (value,) = details(event, district=str)
    district = as_area(value, sgm=False, rule="VZ-R20")
    for player in state.players:
        nest = player.pools["nest"]
        state = state.add(player.seat, nest=-nest).put_in(district, player.seat, nest)
    state = replace(state, acting=tuple(seat for seat in state.acting if seat != state.active))
    return begin_homes(state.tell(say("all nests are emptied into {place}", place=district)))


def begin_homes(state: State) -> State:
    """Everybody may now reinforce his home, the start player first (VZ-R21)."""
    return _home_next(state, state.order())


def _home_next(state: State, waiting: Sequence[str]) -> State:
    for seat in waiting:
        if state.player(seat).pools["nest"]:
            return replace(state, phase=Phase.HOME, active=seat)
    return begin_actions(state)


def reinforce_home(state: State, event: Event) -> State:
    """The active player moves pigeons from the nest to his home (VZ-R21)."""
    (value,) = details(event, number=int)
    number = as_count(value, "VZ-R21")
    who = state.active
    player = state.player(who)
    if number > player.pools["nest"]:
        have = say_number(
            "rule VZ-R21: {who} has {number} pigeon in the nest, not {wanted}",
            "rule VZ-R21: {who} has {number} pigeons in the nest, not {wanted}",
            player.pools["nest"],
            who=who,
            wanted=number,
        )
        raise Refused("NOT_IN_NEST", have)
    if player.home is not None:
        state = state.add(who, nest=-number).put_in(player.home, who, number)
        state = state.tell(say("{who} reinforces {place} with {number}", who=who, place=player.home, number=number))
    order = state.order()
    return _home_next(state, order[order.index(who) + 1 :])
