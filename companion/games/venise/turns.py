"""Venise: the set-up, gems, the exchange, the end of a turn, and the end of the game with its places.

Rules: VN-R2, VN-R4 to VN-R6, VN-R10, VN-R11 and VN-R23.
"""

from dataclasses import replace

from companion.errors import Refused
from companion.events import Event
from companion.game import details
from companion.games.venise.play import check_jokers
from companion.games.venise.state import (
    DRAWN,
    HAND_LIMIT,
    JOKER_PRICE,
    LONGEST_NAME,
    Phase,
    Player,
    State,
    is_layout,
    is_side,
)
from companion.text import say, say_number


def board(state: State, event: Event) -> State:
    """Somebody says which side and layout is played; for the record only (VN-Q7)."""
    side, layout = details(event, side=str, layout=str)
    if not is_side(side) or not is_layout(layout):
        raise Refused(
            "BAD_DETAILS", "expected day or night and a name of at most {number} letters", number=LONGEST_NAME
        )
    return replace(state, side=side, layout=layout, told=())


def start_with(state: State, event: Event) -> State:
    """The table settles who starts (VN-R2)."""
    (who,) = details(event, who=str)
    if who not in state.seats:
        raise Refused("BAD_DETAILS", "rule VN-R2: nobody plays {place}", place=who)
    return replace(state, phase=Phase.MAIN, first=who, active=who, told=(say("{who} starts", who=who),))


def take_gem(state: State, event: Event) -> State:
    """The active player reached an own gem (VN-R11, VN-R23)."""
    details(event)
    me = state.me
    if me.gems >= state.goal:
        raise Refused("NOT_ENOUGH", "rule VN-R23: {who} has all {number} gems already", who=me.seat, number=me.gems)
    me = replace(me, gems=me.gems + 1)
    told = say("{who} takes gem {number}", who=me.seat, number=me.gems)
    if me.gems < state.goal:
        # The last gem gives no tile: it ends the game, and the box holds only three for each player.
        state = state.with_player(replace(me, tiles=me.tiles + 1))
        return replace(state, reshuffled=False, told=(told, say("{who} gets an hourglass tile", who=me.seat)))
    state = replace(state.with_player(me), reshuffled=False, told=(told,))
    if state.settings["end"] == "finish_round":
        last = say("{who} has all gems: the round is played to its end", who=me.seat)
        return replace(state, told=(told, last))
    return _next_player(_with_place(state, (me.seat,)))


def exchange4(state: State, event: Event) -> State:
    """The active player exchanges four cards for a joker (VN-R10).

    Details are ``jokers``: how many of the four are jokers.
    """
    (given,) = details(event, jokers=int)
    me = _without(state.me, JOKER_PRICE, given)
    check_jokers(me, me.jokers + 1)
    me = replace(me, hand=me.hand + 1, jokers=me.jokers + 1)
    told = (say("{who} exchanges {number} cards for a joker", who=me.seat, number=JOKER_PRICE),)
    discard = state.discard + JOKER_PRICE - given
    state = replace(state.with_player(me), discard=discard, reshuffled=False, told=told)
    return _next_player(state) if state.phase is Phase.DISCARD and me.hand <= HAND_LIMIT else state


def _without(player: Player, number: int, jokers: int) -> Player:
    """Take cards out of a hand, of which some are jokers; these go back to their stack (VN-E4)."""
    if not 0 <= jokers <= number or jokers > player.jokers or number - jokers > player.cards:
        raise Refused(
            "NOT_ENOUGH",
            "rule VN-R10: {who} has {have} cards and {jokers} jokers in hand",
            who=player.seat,
            have=player.cards,
            jokers=player.jokers,
        )
    return replace(player, hand=player.hand - number, jokers=player.jokers - jokers)


def end_main(state: State, event: Event) -> State:
    """NEXT: the main part is over, the active player draws (VN-R4, VN-R6)."""
    details(event)
    me, deck, discarded, reshuffled = state.me, state.deck, state.discard, False
    drawn = 0
    while drawn < DRAWN and deck + discarded > 0:
        if not deck:
            deck, discarded, reshuffled = discarded, 0, True
        take = min(deck, DRAWN - drawn)
        deck, drawn = deck - take, drawn + take
    me = replace(me, hand=me.hand + drawn)
    told = [say_number("{who} draws {number} card", "{who} draws {number} cards", drawn, who=me.seat)]
    if reshuffled:
        told.append(say("the stack ran out: the discarded cards are shuffled into a new one"))
    state = replace(state.with_player(me), deck=deck, discard=discarded, reshuffled=reshuffled, told=tuple(told))
    if me.hand <= HAND_LIMIT:
        return _next_player(state)
    surplus = me.hand - HAND_LIMIT
    told.append(
        say_number("{who} has {number} card too many", "{who} has {number} cards too many", surplus, who=me.seat)
    )
    return replace(state, phase=Phase.DISCARD, told=tuple(told))


def discard(state: State, event: Event) -> State:
    """The active player discards, down to 8 (VN-R5).

    Details are ``number`` and ``jokers``: how many cards go, and how many of them are jokers.
    """
    number, jokers = details(event, number=int, jokers=int)
    surplus = state.me.hand - HAND_LIMIT
    if not 1 <= number <= surplus:
        raise Refused(
            "NOT_ENOUGH",
            "rule VN-R5: from 1 to {number} cards are discarded now, not {got}",
            number=surplus,
            got=number,
        )
    me = _without(state.me, number, jokers)
    told = (say("{who} discards {number}", who=me.seat, number=number),)
    state = replace(state.with_player(me), discard=state.discard + number - jokers, reshuffled=False, told=told)
    return state if me.hand > HAND_LIMIT else _next_player(state)


def _next_player(state: State) -> State:
    """Pass the turn clockwise; at the end of a round see who has all gems (VN-R2, VN-R23)."""
    at = state.seats.index(state.first)
    order = state.seats[at:] + state.seats[:at]
    later = [seat for seat in order[order.index(state.active) + 1 :] if not state.has_place(seat)]
    if not later:
        there = tuple(p.seat for p in state.players if p.gems >= state.goal and not state.has_place(p.seat))
        state = _with_place(state, there) if there else state
    playing = [seat for seat in order if not state.has_place(seat)]
    if state.places and (len(playing) < 2 or not state.settings["continue_for_places"]):
        if playing and state.settings["continue_for_places"]:
            state = _with_place(state, tuple(playing))
        return replace(state, phase=Phase.OVER)
    return replace(
        state,
        phase=Phase.MAIN,
        active=(later or playing)[0],
        round=state.round + (not later),
        used=0,
        spent=0,
        played=0,
        took_joker=False,
    )


def _with_place(state: State, seats: tuple[str, ...]) -> State:
    """Give the next place to these seats, or share it among them."""
    number = 1 + sum(len(place) for place in state.places)
    if number == 1:
        told = tuple(say("{who} wins", who=seat) for seat in seats)
    else:
        told = tuple(say("{who} takes place {number}", who=seat, number=number) for seat in seats)
    return replace(state, places=(*state.places, seats), told=(*state.told, *told))
