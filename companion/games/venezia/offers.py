"""Venezia: what the game waits for, with examples that are legal.

Options of sealed plans and secret cards name only what its player may see.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import combinations

from companion.events import Json
from companion.game import Awaited
from companion.games.venezia.actions import ACTIONS, POISON_LIMIT, VATICAN_LIMIT, others_in
from companion.games.venezia.grid import Size, squares
from companion.games.venezia.piazza import movable
from companion.games.venezia.planning import room_on_piazza
from companion.games.venezia.scoring import MICHELE_LIMIT, to_uncover
from companion.games.venezia.state import (
    AREAS,
    DISTRICTS,
    GREY,
    SGM,
    First,
    Phase,
    Player,
    State,
)

Option = Mapping[str, Json]


def awaits(state: State) -> tuple[Awaited, ...]:
    """Tell what may happen next."""
    offers = tuple(_FULL[state.phase](state) if state.full else _awaits_score(state))
    if state.full and offers:
        # No example: changing the level is no move in the game, but it is always allowed (VZ-L3).
        return (*offers, Awaited("to_score", (), (), complete=False))
    return offers


def _some(verb: str, state: State, options: Iterator[Option] | tuple[Option, ...], *, complete: bool = True) -> Awaited:
    """Something that the active player is awaited to say."""
    return Awaited(verb, (state.active,), tuple(options), complete)


def _next(state: State) -> Iterator[Awaited]:
    yield Awaited("next", (state.active,) if state.active else ())


def _over(state: State) -> Iterator[Awaited]:
    yield from ()


def _setup(state: State) -> Iterator[Awaited]:
    if all(player.home is None for player in state.players):
        yield Awaited("start_with", (), tuple({"who": seat} for seat in state.seats))
    if state.active:
        taken = {player.home for player in state.players}
        homes = AREAS if state.settings["home_sgm"] else DISTRICTS
        yield _some("home", state, tuple({"district": home} for home in homes if home not in taken))
    if state.campanile is None:
        yield Awaited("campanile", (), tuple({"square": square} for square in squares(state.size)))


def _plan(state: State) -> Iterator[Awaited]:
    for player in state.players:
        # A plan may be told again until all are ready, but nobody is waited for to do so.
        ready = player.plan is not None
        if state.sealed:
            options = () if ready else tuple(_plans(state, player))
            yield Awaited("plan", (player.seat,), options, complete=False, private=True)
        else:
            options = () if ready else tuple(_layouts(player))
            yield Awaited("lay", (), options, complete=False)


def _plans(state: State, player: Player) -> Iterator[Option]:
    """Examples of plans, spread over the districts."""
    cards = player.hand if state.round > 1 else ()
    for at in range(len(AREAS)):
        reserve = player.pools["reserve"]
        first = min(at, reserve, max(0, room_on_piazza(state, player.seat)))
        share, rest = divmod(reserve - first, 3)
        areas = [AREAS[(at + step) % len(AREAS)] for step in (0, 2, 3)]
        counts = (share + rest, share, share)
        yield {
            "who": player.seat,
            "piazza": first if at % 4 else None,
            "ruse": None if at % 4 else first,
            "action": cards[at % len(cards)] if cards and at % 3 else None,
            "cards": [{"area": area, "pigeons": n} for area, n in zip(areas, counts, strict=True)],
        }


def _layouts(player: Player) -> Iterator[Option]:
    reserve = player.pools["reserve"]
    for first in range(min(reserve, 6) + 1):
        share, rest = divmod(reserve - first, 3)
        yield {"who": player.seat, "first": first, "cards": [share + rest, share, share]}
    yield {"who": player.seat, "first": 0, "cards": []}


def _place(state: State) -> Iterator[Awaited]:
    plan = state.player(state.active).plan
    if plan is None:
        return
    if plan.first is not First.RUSE:
        most = min(plan.on_first, room_on_piazza(state, state.active))
        free = state.free
        numbers = sorted({1, most}) if most > 0 else []
        puts = ({"squares": list(free[at : at + n])} for n in numbers for at in range(0, len(free) - n + 1, 3))
        yield _some("put", state, puts, complete=False)
    if plan.first is not First.PIAZZA:
        places = range(1, len(plan.slots) + 1)
        transfers = tuple({"cards": {str(place): plan.on_first}} for place in places)
        yield _some("ruse", state, ({"cards": {}}, *transfers), complete=False)
    yield _some("leave", state, ({},))


@lru_cache(maxsize=64)
def _squares_but(size: Size, taken: frozenset[str | None]) -> tuple[Option, ...]:
    return tuple({"square": square} for square in squares(size) if square not in taken)


def _spin(state: State) -> Iterator[Awaited]:
    taken = {state.campanile}
    if state.settings["respin_occupied"]:
        taken |= {*state.tourists, *state.hunters}
    free = _squares_but(state.size, frozenset(taken))
    if state.phase in (Phase.TOURIST, Phase.HUNTER):
        yield Awaited("tourist" if state.phase is Phase.TOURIST else "hunter", (), free, outcome=True)
    if state.tourists or state.hunters:
        yield Awaited("correct", (), free, complete=False)
    if state.phase is Phase.REMOVE:
        yield from _next(state)


def _move(state: State) -> Iterator[Awaited]:
    moves = ({"from": start, "to": way} for start, ways in movable(state).items() for way in ways.values())
    yield _some("move", state, moves, complete=False)
    yield from _next(state)


def _reveal(state: State) -> Iterator[Awaited]:
    if not (state.full and state.sealed):
        for player in state.players:
            if player.seat in state.revealed:
                yield Awaited("reveal", (), ({"who": player.seat, "card": None},), complete=False)
            else:
                yield Awaited("reveal", (), tuple({"who": player.seat, "card": card.value} for card in player.hand))
    yield from _next(state)


def _family(state: State) -> Iterator[Awaited]:
    yield _some("family", state, tuple({"district": district} for district in DISTRICTS))


def _home(state: State) -> Iterator[Awaited]:
    nest = state.player(state.active).pools["nest"]
    yield _some("reinforce", state, tuple({"number": number} for number in range(nest + 1)))


def _actions(state: State) -> Iterator[Awaited]:
    for verb, (card, _) in ACTIONS.items():
        if state.revealed.get(state.active) is card:
            yield _some(verb, state, _CARD_OPTIONS[verb](state), complete=verb not in ("vatican", "feud", "poison"))


def _vatican(state: State) -> Iterator[Option]:
    areas = AREAS if state.settings["vatican_feud_on_sgm"] else DISTRICTS
    yield {"add": {}, "move": []}
    for area in areas:
        for number in range(1, min(VATICAN_LIMIT, state.grey_at_edge) + 1):
            yield {"add": {area: number}, "move": []}
        if state.districts[area].get(GREY):
            yield from ({"add": {}, "move": [{"from": area, "to": other}]} for other in areas if other != area)


def _feud(state: State) -> Iterator[Option]:
    areas = AREAS if state.settings["vatican_feud_on_sgm"] else DISTRICTS
    everywhere = {
        area: [owner for owner in state.districts[area] if owner not in (state.active, GREY)] for area in areas
    }
    yield {"remove": {}}
    yield from ({"remove": {area: owner}} for area, owners in everywhere.items() for owner in owners)
    yield {"remove": {area: owners[0] for area, owners in everywhere.items() if owners}}


def _poison(state: State) -> Iterator[Option]:
    pigeons = list(state.piazza)
    yield {"squares": []}
    yield from ({"squares": [square]} for square in pigeons)
    yield from ({"squares": list(three)} for three in combinations(pigeons[:6], POISON_LIMIT))


def _purge(state: State) -> Iterator[Option]:
    return ({"district": place, "colour": owner} for place in DISTRICTS for owner in (*state.seats, GREY))


def _takeover(state: State) -> Iterator[Option]:
    pools = state.player(state.active).pools
    for district in DISTRICTS:
        needed = min(others_in(state, district), pools["reserve"] + pools["nest"])
        for nest in range(max(0, needed - pools["reserve"]), min(needed, pools["nest"]) + 1):
            yield {"district": district, "from_reserve": needed - nest, "from_nest": nest}


def _bird(state: State) -> Iterator[Option]:
    return ({"place": area} for area in AREAS)


def _san_michele(state: State) -> Iterator[Option]:
    yield {}


_CARD_OPTIONS = {
    "vatican": _vatican,
    "feud": _feud,
    "poison": _poison,
    "san_michele": _san_michele,
    "bird": _bird,
    "purge": _purge,
    "takeover": _takeover,
}


def _uncover(state: State) -> Iterator[Awaited]:
    waiting = to_uncover(state)
    if not waiting:
        yield from _next(state)
    for seat in waiting:
        plan = state.player(seat).plan
        number = 0 if plan is None else len(plan.slots)
        choices = combinations((*DISTRICTS[::2], *DISTRICTS[1::2], SGM), number)
        yield Awaited("uncover", (), tuple({"who": seat, "cards": list(cards)} for cards in choices), complete=False)


def _retrieve(state: State) -> Iterator[Awaited]:
    played = state.player(state.active).played
    yield _some("retrieve", state, tuple({"card": card} for card in (*(card.value for card in played), None)))


def _michele(state: State) -> Iterator[Awaited]:
    most = min(MICHELE_LIMIT, state.player(state.active).pools["michele"])
    yield _some("michele_take", state, tuple({"number": number} for number in range(most + 1)))


_FULL = {
    Phase.SETUP: _setup,
    Phase.PLAN: _plan,
    Phase.PLACE: _place,
    Phase.TOURIST: _spin,
    Phase.HUNTER: _spin,
    Phase.REMOVE: _spin,
    Phase.MOVE: _move,
    Phase.REVEAL: _reveal,
    Phase.FAMILY: _family,
    Phase.HOME: _home,
    Phase.ACTIONS: _actions,
    Phase.UNCOVER: _uncover,
    Phase.SCORE: _next,
    Phase.RETRIEVE: _retrieve,
    Phase.MICHELE: _michele,
    Phase.CHASE: _next,
    Phase.CLEANUP: _next,
    Phase.OVER: _over,
}


def _awaits_score(state: State) -> Iterator[Awaited]:
    """What is awaited at level "score" (VZ-L2)."""
    match state.phase:
        case Phase.SETUP | Phase.RETRIEVE | Phase.REVEAL | Phase.ACTIONS | Phase.OVER:
            yield from _FULL[state.phase](state)
        case Phase.TOURIST | Phase.HUNTER:
            yield from _spin(state)
            yield from _next(state)
        case Phase.MOVE:
            births = tuple({"who": seat, "number": number} for seat in state.seats for number in (0, 2, 5))
            yield from _spin(state)
            yield Awaited("births", (), births, complete=False)
            yield from _next(state)
        case _:
            holders = tuple({"place": area, "who": who} for area in AREAS for who in (*state.seats, None))
            yield Awaited("hold", (), holders)
            yield from _next(state)
