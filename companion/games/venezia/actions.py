"""Venezia: the action cards that are carried out one after another.

Rules: VZ-R22, VZ-R31, VZ-Q16, VZ-E16.
"""

from collections.abc import Callable
from dataclasses import replace

from companion.errors import Refused
from companion.events import Event, Json
from companion.game import details
from companion.games.venezia.checks import as_area, as_colour, as_count, as_counts, as_squares
from companion.games.venezia.scoring import begin_uncover
from companion.games.venezia.state import GREY, Card, Phase, State
from companion.text import say, say_number

VATICAN_LIMIT = 3
POISON_LIMIT = 3


def begin_actions(state: State) -> State:
    """The next player who may exercise his card; after the last the district cards are uncovered."""
    if not state.acting:
        return begin_uncover(state)
    return replace(state, phase=Phase.ACTIONS, active=state.acting[0])


def _done(state: State) -> State:
    return begin_actions(replace(state, acting=state.acting[1:]))


def vatican(state: State, event: Event) -> State:
    """Up to 3 grey pigeons are added or moved; in this scoring all grey ones count for the player."""
    add, move = details(event, add=dict, move=list)
    sgm = bool(state.settings["vatican_feud_on_sgm"])
    added = as_counts(add, sgm=sgm, rule="VZ-R22")
    moves = [_grey_move(pair, sgm=sgm) for pair in move]
    if sum(added.values()) + len(moves) > VATICAN_LIMIT:
        raise Refused("TOO_MANY", "rule VZ-R22: at most {limit} grey pigeons are added or moved", limit=VATICAN_LIMIT)
    if sum(added.values()) > state.grey_at_edge:
        left = say_number(
            "rule VZ-R22: only {number} grey pigeon is at the edge",
            "rule VZ-R22: only {number} grey pigeons are at the edge",
            state.grey_at_edge,
        )
        raise Refused("BAD_COUNT", left)
    for origin, target in moves:
        if not state.districts[origin].get(GREY, 0):
            raise Refused("BAD_COUNT", "rule VZ-R22: there is no grey pigeon in {place} to be moved", place=origin)
        state = state.put_in(origin, GREY, -1).put_in(target, GREY, 1)
    for area, number in added.items():
        state = state.put_in(area, GREY, number)
    state = replace(state, vatican=state.active)
    return _done(state.tell(say("all grey pigeons count for {who} in this scoring", who=state.active)))


def _grey_move(pair: Json, *, sgm: bool) -> tuple[str, str]:
    if not isinstance(pair, dict) or set(pair) != {"from", "to"}:
        raise Refused("BAD_DETAILS", "each move is told as from and to, {got} came", got=str(pair))
    return as_area(pair["from"], sgm=sgm, rule="VZ-R22"), as_area(pair["to"], sgm=sgm, rule="VZ-R22")


def feud(state: State, event: Event) -> State:
    """Up to one opponent's pigeon in each district goes back to its supply."""
    (remove,) = details(event, remove=dict)
    sgm = bool(state.settings["vatican_feud_on_sgm"])
    for name, colour in remove.items():
        area = as_area(name, sgm=sgm, rule="VZ-R22")
        owner = as_colour(state, colour, grey=False)
        if owner == state.active:
            raise Refused("OWN_PIGEON", "rule VZ-R22: a feud removes pigeons of others, not your own")
        if not state.districts[area].get(owner, 0):
            raise Refused("BAD_COUNT", "rule VZ-R22: {owner} has no pigeon in {place}", owner=owner, place=area)
        state = state.put_in(area, owner, -1).add(owner, supply=1)
        state = state.tell(say("{owner} loses a pigeon in {place}", owner=owner, place=area))
    return _done(state)


def poison(state: State, event: Event) -> State:
    """Up to 3 pigeons go from the Piazza to San Michele."""
    (listed,) = details(event, squares=list)
    gone = as_squares(state, listed)
    if len(gone) > POISON_LIMIT:
        raise Refused("TOO_MANY", "rule VZ-R22: at most {limit} pigeons are poisoned", limit=POISON_LIMIT)
    for square in gone:
        if square not in state.piazza:
            raise Refused("BAD_COUNT", "rule VZ-R22: there is no pigeon on {square}", square=square)
    return _done(state.to_san_michele(gone))


def san_michele(state: State, event: Event) -> State:
    """All own pigeons come from San Michele to the reserve."""
    details(event)
    who = state.active
    number = state.player(who).pools["michele"]
    state = state.add(who, michele=-number, reserve=number)
    return _done(state.tell(say("{who} takes pigeons back from San Michele: {number}", who=who, number=number)))


def bird(state: State, event: Event) -> State:
    """The robber bird sits down: nothing is scored there this round (VZ-E12)."""
    (value,) = details(event, place=str)
    place = as_area(value, sgm=True, rule="VZ-R22")
    return _done(replace(state, bird=place).tell(say("the robber bird sits in {place}", place=place)))


def purge(state: State, event: Event) -> State:
    """One colour leaves one district; grey pigeons go to the board's edge."""
    value, colour = details(event, district=str, colour=str)
    district = as_area(value, sgm=False, rule="VZ-R22")
    owner = as_colour(state, colour, grey=True)
    number = state.districts[district].get(owner, 0)
    state = _send_off(state, district, owner)
    return _done(
        state.tell(say("pigeons of {colour} that leave {place}: {number}", number=number, colour=owner, place=district))
    )


def _send_off(state: State, area: str, owner: str) -> State:
    number = state.districts[area].get(owner, 0)
    state = state.put_in(area, owner, -number)
    return state if owner == GREY else state.add(owner, supply=number)


def takeover(state: State, event: Event) -> State:
    """All others in one district are replaced by own pigeons, as far as they go (VZ-Q16, VZ-E16)."""
    value, from_reserve, from_nest = details(event, district=str, from_reserve=int, from_nest=int)
    district = as_area(value, sgm=False, rule="VZ-R22")
    reserve, nest = as_count(from_reserve, "VZ-R22"), as_count(from_nest, "VZ-R22")
    who = state.active
    pools = state.player(who).pools
    needed = min(others_in(state, district), pools["reserve"] + pools["nest"])
    if reserve + nest != needed or reserve > pools["reserve"] or nest > pools["nest"]:
        raise Refused(
            "BAD_COUNT",
            "rule VZ-R22: exactly {number} come to {place}: there are {reserve} in the reserve and {nest} in the nest",
            number=needed,
            place=district,
            reserve=pools["reserve"],
            nest=pools["nest"],
        )
    for owner in state.districts[district]:
        if owner != who:
            state = _send_off(state, district, owner)
    state = state.add(who, reserve=-reserve, nest=-nest).put_in(district, who, needed)
    return _done(
        state.tell(say("{who} takes over {place}; pigeons brought: {number}", who=who, place=district, number=needed))
    )


def others_in(state: State, district: str) -> int:
    """How many pigeons the active player doesn't own in a district, grey ones included."""
    return sum(number for owner, number in state.districts[district].items() if owner != state.active)


ACTIONS: dict[str, tuple[Card, Callable[[State, Event], State]]] = {
    "vatican": (Card.VATICAN, vatican),
    "feud": (Card.FEUD, feud),
    "poison": (Card.POISON, poison),
    "san_michele": (Card.SAN_MICHELE, san_michele),
    "bird": (Card.BIRD, bird),
    "purge": (Card.PURGE, purge),
    "takeover": (Card.TAKEOVER, takeover),
}
"""The card that each verb carries out, and how."""
