"""Venise: what the game waits for and what a seat may see.

Nothing here is private: which cards a hand holds isn't known to the companion, only how many (VN-Q10).
"""

from collections.abc import Iterator, Mapping

from companion.events import Json
from companion.game import Awaited
from companion.games.venise.play import LAYS
from companion.games.venise.state import (
    COSTS,
    HAND_LIMIT,
    JOKER_COST,
    JOKER_LIMIT,
    JOKER_PRICE,
    Card,
    Phase,
    Plank,
    Player,
    State,
)


def awaits(state: State) -> tuple[Awaited, ...]:
    """Tell what may happen next."""
    match state.phase:
        case Phase.SETUP:
            starts = tuple({"who": seat} for seat in state.seats)
            sides = tuple({"side": side, "layout": state.layout} for side in ("day", "night"))
            return (Awaited("start_with", (), starts), Awaited("board", (), sides, complete=False))
        case Phase.MAIN:
            return tuple(_awaits_main(state))
        case Phase.DISCARD:
            return tuple(_awaits_discard(state))
        case Phase.OVER:
            return ()


def _awaits_main(state: State) -> Iterator[Awaited]:
    me, active = state.me, (state.active,)
    once: tuple[dict[str, Json], ...] = ({},)
    yield Awaited("next", active)
    yield Awaited("play", active, tuple(_plays(state)), complete=False)
    yield Awaited("gem", active, once if me.gems < state.goal else ())
    yield Awaited("tile", active, once if me.tiles and not state.took_joker else ())
    may_take = not state.took_joker and not state.played and me.jokers < JOKER_LIMIT
    yield Awaited("take_joker", active, once if may_take else ())
    yield Awaited("exchange4", active, tuple(_exchanges(me)))


def _awaits_discard(state: State) -> Iterator[Awaited]:
    me, active = state.me, (state.active,)
    numbers = range(me.hand - HAND_LIMIT, 0, -1)
    discards = ({"number": n, "jokers": j} for n in numbers for j in _jokers_among(me, n))
    yield Awaited("discard", active, tuple(discards))
    yield Awaited("exchange4", active, tuple(_exchanges(me)))


def _jokers_among(player: Player, number: int) -> range:
    """How many jokers there may be among so many cards of a hand."""
    return range(max(0, number - player.cards), min(number, player.jokers) + 1)


def _exchanges(player: Player) -> Iterator[dict[str, Json]]:
    for jokers in _jokers_among(player, JOKER_PRICE):
        if player.jokers - jokers < JOKER_LIMIT:
            yield {"jokers": jokers}


def _plays(state: State) -> Iterator[dict[str, Json]]:
    """What may be played; of removing and moving one example for each kind of plank on the board."""
    me, left = state.me, state.budget - state.spent
    if state.took_joker:
        return
    for joker in (False, True):
        if not (me.jokers if joker else me.cards):
            continue
        for card in Card:
            if (JOKER_COST if joker else COSTS[card]) > left:
                continue
            if card in (Card.REMOVE, Card.MOVE):
                for plank in Plank:
                    if state.on_board[plank]:
                        yield {"card": card.value, "joker": joker, "plank": plank.value}
            elif card not in LAYS or me.planks[LAYS[card]]:
                yield {"card": card.value, "joker": joker}


def view(state: State, seat: str | None) -> dict[str, Json]:
    """Tell what a seat may see, which is the same for everybody."""
    over = state.phase is Phase.OVER
    return {
        "phase": state.phase.value,
        "round": state.round,
        "active": None if over or not state.active else state.active,
        "first": state.first or None,
        "goal": state.goal,
        "end": state.settings["end"],
        "side": state.side,
        "layout": state.layout,
        "budget": state.budget,
        "spent": state.spent,
        "left": state.budget - state.spent,
        "played": state.played,
        "took_joker": state.took_joker,
        "players": [_player(state, player) for player in state.players],
        "scores": {player.seat: player.gems for player in state.players},
        "deck": state.deck,
        "discard": state.discard,
        "joker_stack": state.joker_stack,
        "reshuffled": state.reshuffled,
        "on_board": _planks(state.on_board),
        "removed": _planks(state.removed),
        "costs": {**{card.value: cost for card, cost in COSTS.items()}, "joker": JOKER_COST},
        "hand_limit": HAND_LIMIT,
        "surplus": state.me.hand - HAND_LIMIT if state.phase is Phase.DISCARD else 0,
        "places": [list(place) for place in state.places],
        "over": over,
        "winners": list(state.winners),
    }


def _player(state: State, player: Player) -> dict[str, Json]:
    ahead = 0
    place = None
    for seats in state.places:
        if player.seat in seats:
            place = ahead + 1
        ahead += len(seats)
    return {
        "seat": player.seat,
        "hand": player.hand,
        "jokers": player.jokers,
        "planks": _planks(player.planks),
        "gems": player.gems,
        "tiles": player.tiles,
        "place": place,
    }


def _planks(planks: Mapping[Plank, int]) -> dict[str, Json]:
    return {plank.value: planks[plank] for plank in Plank}
