"""Venezia: set-up, planning, and what the first cards bring onto the Piazza.

Plans are either *sealed*, told to the companion by each player in secret (``plan``), or open: then only the
pigeons on the face-down cards, which everybody can see, are entered (``lay``), and each card when it is
turned over. Either way they leave the reserve at once.

Rules: VZ-R1, VZ-R2, VZ-R4 to VZ-R9, VZ-E15.
"""

from collections.abc import Sequence
from dataclasses import replace

from companion.errors import Refused
from companion.events import Event, Json
from companion.game import details
from companion.games.venezia.checks import as_area, as_card, as_count, as_seat, as_square, as_squares, own_seat
from companion.games.venezia.state import DISTRICT_CARDS, PIAZZA_LIMIT, SGM, First, Phase, Plan, Slot, State
from companion.text import say


def start_with(state: State, event: Event) -> State:
    """The table says who is the youngest, before the first home is chosen (VZ-R1)."""
    (seat,) = details(event, who=str)
    who = as_seat(state, seat)
    return begin_when_ready(replace(state, start=who).tell(say("{who} is start player", who=who)))


def choose_home(state: State, event: Event) -> State:
    """The player whose turn it is takes his home district (VZ-R1, VZ-R2)."""
    (name,) = details(event, district=str)
    if name == SGM and not state.settings["home_sgm"]:
        raise Refused("HOME_SGM", "rule VZ-R2: San Giorgio Maggiore can't be a home: choose one of the 7 districts")
    home = as_area(name, sgm=True, rule="VZ-R2")
    for other in state.players:
        if other.home == home:
            raise Refused(
                "HOME_TAKEN", "rule VZ-R1: {place} is the home of {other}: choose another", place=home, other=other.seat
            )
    player = replace(state.player(state.active), home=home)
    state = state.with_player(player).tell(say("{who} is at home in {place}", who=player.seat, place=home))
    return begin_when_ready(state)


def set_campanile(state: State, event: Event) -> State:
    """The table says which square the Campanile closes."""
    (value,) = details(event, square=str)
    square = as_square(state, value)
    state = replace(state, campanile=square).tell(say("the Campanile stands on {square}", square=square))
    return begin_when_ready(state)


def begin_when_ready(state: State) -> State:
    """Go on with the next player's home, or with round 1 once nothing is missing."""
    homeless = [seat for seat in state.order() if state.player(seat).home is None]
    if homeless or state.campanile is None:
        return replace(state, active=homeless[0] if homeless else "")
    return begin_round(state)


def begin_round(state: State) -> State:
    """Start a round: with planning, or at level "score" with the first spin."""
    return replace(state, phase=Phase.PLAN if state.full else Phase.TOURIST, active="")


def seal_plan(state: State, event: Event) -> State:
    """Somebody tells his plan in secret; it may be told again until all are ready (VZ-R4 to VZ-R7)."""
    data = details(
        event,
        who=str,
        piazza=(int, type(None)),
        ruse=(int, type(None)),
        action=(str, type(None)),
        cards=list,
    )
    seat, piazza, ruse, action, cards = data
    who = own_seat(state, event, seat)
    state = _take_back(state, who)
    if action is not None and state.round == 1:
        raise Refused("NO_ACTION_IN_ROUND_1", "rule VZ-R5: no action card can be played in the first round")
    card = None if action is None else as_card(state, who, action)
    first = First.RUSE if piazza is None else First.PIAZZA
    on_first = as_count((ruse if piazza is None else piazza) or 0, "VZ-R6")
    plan = Plan(first, on_first, card, _named_slots(cards))
    _check_pigeons(state, who, plan)
    if (piazza is None) == (ruse is None):
        raise Refused("FIRST_CARD", "rule VZ-R4: the first card must be either Piazza San Marco or Ruse")
    if first is First.PIAZZA and on_first > room_on_piazza(state, who):
        raise piazza_limit(state, who)
    return _laid(state, who, plan)


def _named_slots(cards: list[Json]) -> tuple[Slot, ...]:
    slots = []
    for item in cards:
        if not isinstance(item, dict) or set(item) != {"area", "pigeons"}:
            raise Refused("BAD_DETAILS", "each card is told as area and pigeons, {got} came", got=str(item))
        slots.append(Slot(as_area(item["area"], sgm=True, rule="VZ-R4"), as_count(item["pigeons"], "VZ-R6")))
    if len({slot.area for slot in slots}) < len(slots):
        raise Refused("NO_SUCH_CARD", "rule VZ-R4: there is only one card of each district")
    return tuple(slots)


def lay_pigeons(state: State, event: Event) -> State:
    """Somebody laid his cards face down: only the pigeons on them are entered (VZ-R4, VZ-R6)."""
    seat, first, cards = details(event, who=str, first=int, cards=list)
    who = as_seat(state, seat)
    state = _take_back(state, who)
    slots = tuple(Slot(None, as_count(number, "VZ-R6")) for number in cards)
    plan = Plan(None, as_count(first, "VZ-R6"), None, slots)
    _check_pigeons(state, who, plan)
    return _laid(state, who, plan)


def _take_back(state: State, who: str) -> State:
    plan = state.player(who).plan
    return state if plan is None else state.with_plan(who, None).add(who, reserve=plan.pigeons)


def _check_pigeons(state: State, who: str, plan: Plan) -> None:
    if len(plan.slots) > DISTRICT_CARDS:
        raise Refused(
            "TOO_MANY_DISTRICT_CARDS",
            "rule VZ-R4: {number} district cards were laid, and at most {limit} may be",
            number=len(plan.slots),
            limit=DISTRICT_CARDS,
        )
    have = state.player(who).pools["reserve"]
    if plan.pigeons > have:
        raise Refused(
            "NOT_IN_RESERVE",
            "rule VZ-R6: the plan takes {number}, and {who} has {have} in reserve",
            number=plan.pigeons,
            who=who,
            have=have,
        )


def room_on_piazza(state: State, who: str) -> int:
    """How many more pigeons somebody may have on the Piazza (VZ-R7, VZ-E15)."""
    return min(PIAZZA_LIMIT - state.on_piazza(who), state.room)


def piazza_limit(state: State, who: str) -> Refused:
    """The refusal of too many pigeons on the Piazza."""
    return Refused(
        "PIAZZA_LIMIT",
        "rule VZ-R7: {who} has {have} pigeons on the Piazza and may put at most {room} more there",
        who=who,
        have=state.on_piazza(who),
        room=room_on_piazza(state, who),
    )


def _laid(state: State, who: str, plan: Plan) -> State:
    state = state.with_plan(who, plan).add(who, reserve=-plan.pigeons)
    state = state.tell(say("{who} is ready", who=who))
    if any(player.plan is None for player in state.players):
        return state
    return place_next(state, state.order())


def place_next(state: State, waiting: Sequence[str]) -> State:
    """The next of those waiting turns over his first card; after the last come the tourists (VZ-R8)."""
    for seat in waiting:
        plan = state.player(seat).plan
        if plan is not None:
            state = state.with_plan(seat, replace(plan, turned=True))
        if plan is not None and plan.on_first:
            return replace(state, phase=Phase.PLACE, active=seat)
    return replace(state, phase=Phase.TOURIST, active="")


def _after_active(state: State) -> State:
    order = state.order()
    return place_next(state, order[order.index(state.active) + 1 :])


def _turned(state: State, first: First) -> Plan:
    """The active mat with its first card turned over; which one it is was awaited, or is seen now (VZ-R4)."""
    return replace(state.player(state.active).plan or Plan(first, 0), first=first, turned=True)


def put_on_piazza(state: State, event: Event) -> State:
    """Pigeons go from the card Piazza San Marco onto empty squares (VZ-R7, VZ-R8)."""
    (listed,) = details(event, squares=list)
    who = state.active
    plan = _turned(state, First.PIAZZA)
    put = as_squares(state, listed)
    for square in put:
        if square not in state.free:
            raise Refused("SPACE_TAKEN", "rule VZ-R8: {square} is not free: choose an empty square", square=square)
    if len(put) > plan.on_first:
        raise Refused(
            "NOT_ON_CARD",
            "rule VZ-R8: {number} were put, and {have} lie on the card",
            number=len(put),
            have=plan.on_first,
        )
    if len(put) > room_on_piazza(state, who):
        raise piazza_limit(state, who)
    plan = replace(plan, on_first=plan.on_first - len(put))
    state = replace(state.with_plan(who, plan), piazza={**state.piazza, **dict.fromkeys(put, who)})
    state = state.tell(say("{who} puts pigeons on the Piazza: {number}", who=who, number=len(put)))
    return state if plan.on_first else _after_active(state)


def transfer_ruse(state: State, event: Event) -> State:
    """Pigeons go from the card Ruse onto the own district cards, the rest to the reserve (VZ-R9, VZ-Q19).

    Cards are told by their place, "1" to "3" from the left: which districts they are stays hidden.
    """
    (cards,) = details(event, cards=dict)
    who = state.active
    plan = _turned(state, First.RUSE)
    moved = {_place(plan, name): as_count(number, "VZ-R9") for name, number in cards.items()}
    total = sum(moved.values())
    if total > plan.on_first:
        raise Refused(
            "NOT_ON_CARD",
            "rule VZ-R9: {number} were moved, and {have} lie on the card",
            number=total,
            have=plan.on_first,
        )
    slots = tuple(replace(slot, pigeons=slot.pigeons + moved.get(at, 0)) for at, slot in enumerate(plan.slots))
    state = state.with_plan(who, replace(plan, on_first=0, slots=slots))
    state = state.add(who, reserve=plan.on_first - total)
    return _after_active(
        state.tell(say("{who} turns over Ruse; pigeons moved to district cards: {number}", who=who, number=total))
    )


def _place(plan: Plan, name: Json) -> int:
    places = [str(at + 1) for at in range(len(plan.slots))]
    if name not in places:
        raise Refused(
            "NO_SUCH_CARD",
            "rule VZ-R9: there is no district card at place {place}: {number} lie on the mat",
            place=str(name),
            number=len(places),
        )
    return places.index(name)


def leave_rest(state: State, event: Event) -> State:
    """What still lies on the first card goes back to the reserve (VZ-Q19, VZ-E15)."""
    details(event)
    who = state.active
    plan = state.player(who).plan
    rest = 0 if plan is None else plan.on_first
    if plan is not None:
        state = state.with_plan(who, replace(plan, on_first=0)).add(who, reserve=rest)
    return _after_active(state.tell(say("{who} takes pigeons back into the reserve: {number}", who=who, number=rest)))
