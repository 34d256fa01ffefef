"""Vendetta: what the game waits for and what a seat may see.

Private to its owner, unless the house rule opens hands: the hand, the box and what came into the hand.
They are in the owner's view and nowhere else: what is awaited is made from what everybody sees.
"""

from collections.abc import Iterator
from itertools import combinations

from companion.events import Json
from companion.game import Awaited
from companion.games.vendetta.opening import CARDS_EACH, is_ready
from companion.games.vendetta.phases import ALL, minimum
from companion.games.vendetta.scoring import controllers, districts_of
from companion.games.vendetta.state import DISTRICTS, PHASES, Player, State, Step


def awaits(state: State) -> tuple[Awaited, ...]:
    """Tell what may happen next.

    Names and the change of detail may come at any time; they have no options, because nobody but the
    players knows the names, and because nobody should change the detail by tapping what is offered first.
    """
    if state.step is Step.OVER:
        return ()
    names = (Awaited("colour", (), (), complete=False), Awaited("name_district", (), (), complete=False))
    less = (Awaited("to_score", (), (), complete=False),) if state.full else ()
    return (*_awaits_step(state), *names, *less)


def _awaits_step(state: State) -> Iterator[Awaited]:
    match state.step:
        case Step.SETUP:
            yield from _awaits_setup(state)
        case Step.ARRANGE:
            yield Awaited("next", (state.starter,))
        case Step.PLACE:
            yield Awaited("next", (state.active,))
            yield Awaited("place", (state.active,), tuple(_placements(state)), complete=False, private=True)
        case Step.REVEAL:
            yield Awaited("reveal", (), tuple({"district": number} for number in state.unseen), outcome=True)
            if not state.full:
                yield Awaited("next")
        case Step.RAID:
            yield Awaited("next", (state.trustee,))
        case Step.CONTROL:
            yield Awaited("next")
            yield Awaited("control", (), tuple(_controls(state)))


def _awaits_setup(state: State) -> Iterator[Awaited]:
    yield Awaited("trustee", (), tuple({"who": seat} for seat in state.seats))
    if state.full:
        for player in state.players:
            taken = {card for other in state.players if other is not player for card in other.dealt}
            free = [district for district in DISTRICTS if district not in taken]
            pairs = tuple({"who": player.seat, "districts": list(pair)} for pair in combinations(free, CARDS_EACH))
            yield Awaited("deal", (player.seat,), pairs, complete=False, outcome=True)
    if is_ready(state):
        yield Awaited("next")


def _placements(state: State) -> Iterator[dict[str, Json]]:
    """Examples of a placement, made from what everybody sees: the whole hand, where there is no minimum."""
    for district in DISTRICTS:
        if not minimum(state, district):
            yield {"gangsters": {str(district): ALL}}


def _controls(state: State) -> Iterator[dict[str, Json]]:
    for district in DISTRICTS:
        if district not in state.raided and (district in state.held or len(state.held) < PHASES):
            for seat in state.seats:
                yield {"district": district, "who": seat}
        yield {"district": district, "who": None}


def view(state: State, seat: str | None) -> dict[str, Json]:
    """Tell what a seat may see; another seat's hand and box are None."""
    controlled, districts = controllers(state), districts_of(state)
    return {
        "phase": state.step.value,
        "detail": state.settings["detail"],
        "secret_hands": state.settings["secret_hands"],
        "round": state.round,
        "phase_number": state.phase,
        "phases": PHASES,
        "active": _active(state),
        "starter": state.starter or None,
        "trustee": state.trustee or None,
        "goal": {"districts": state.goal.districts, "points": state.goal.points},
        "income": state.settings["income"],
        "players": [_family(state, player, seat, districts) for player in state.players],
        "scores": {player.seat: player.points for player in state.players},
        "districts": [
            {
                "number": district,
                "name": state.names[district - 1],
                "gangsters": {p.seat: p.there(district) for p in state.players} if state.full else None,
                "revealed": district in state.revealed,
                "raided": district in state.raided,
                "control": controlled.get(district),
            }
            for district in DISTRICTS
        ],
        "revealed": list(state.revealed),
        "raid": list(state.raided) or None,
        "placement": _placement(state),
        "vendetta": _vendetta(state),
        "scored": {s.seat: {"districts": s.districts, "points": s.points} for s in state.scored} or None,
        "ready": is_ready(state),
        "over": state.step is Step.OVER,
        "winners": list(state.winners),
    }


def _active(state: State) -> str | None:
    """Who has to act: the phase's player, or the trustee for raid and scoring."""
    match state.step:
        case Step.SETUP | Step.OVER:
            return None
        case Step.RAID | Step.CONTROL:
            return state.trustee
    return state.active


def _family(state: State, player: Player, seat: str | None, districts: dict[str, int]) -> dict[str, Json]:
    shown = state.full and (player.seat == seat or not state.settings["secret_hands"])
    return {
        "seat": player.seat,
        "colour": player.colour,
        "dealt": list(player.dealt),
        "points": player.points,
        "districts": districts[player.seat],
        "on_board": sum(player.board) if state.full else None,
        "hand": player.hand if shown else None,
        "box": player.box if shown else None,
        "received": player.received if shown else None,
    }


def _placement(state: State) -> dict[str, Json] | None:
    """How the active player may place: in how many districts, and at least how many in each."""
    if state.step is not Step.PLACE and (state.full or state.step is not Step.REVEAL):
        return None
    least = {str(district): minimum(state, district) for district in DISTRICTS} if state.full else None
    return {"most_districts": state.most_districts, "least": least}


def _vendetta(state: State) -> dict[str, Json] | None:
    fought = state.vendetta
    if fought is None:
        return None
    return {"district": fought.district, "there": dict(fought.there), "loser": fought.loser}
