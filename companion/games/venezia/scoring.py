"""Venezia: district cards are uncovered, then phase 4: scoring, the ends, the chase and the next round.

Rules: VZ-R23 to VZ-R30, VZ-E12 to VZ-E14.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from companion.errors import Refused
from companion.events import Event
from companion.game import details
from companion.games.venezia.checks import as_area, as_count, as_seat
from companion.games.venezia.planning import begin_round
from companion.games.venezia.state import AREAS, DISTRICTS, GOAL, GREY, MAJORITIES, SGM, Card, Phase, State
from companion.text import say, say_number

POINTS = 3
POINTS_ABROAD = 6
MICHELE_LIMIT = 2


def begin_uncover(state: State) -> State:
    """The district cards are turned over, where there are any (VZ-R23)."""
    laid = any(player.plan is not None and player.plan.slots for player in state.players)
    return replace(state, phase=Phase.UNCOVER if laid else Phase.SCORE, active="", uncovered=())


def to_uncover(state: State) -> tuple[str, ...]:
    """Who has district cards that the companion doesn't know yet."""
    return tuple(
        player.seat
        for player in state.players
        if player.plan is not None
        and player.seat not in state.uncovered
        and any(slot.area is None for slot in player.plan.slots)
    )


def name_cards(state: State, event: Event) -> State:
    """Somebody's district cards were turned over: which they are, from the left (VZ-R23)."""
    seat, cards = details(event, who=str, cards=list)
    who = as_seat(state, seat)
    plan = state.player(who).plan
    areas = [as_area(card, sgm=True, rule="VZ-R23") for card in cards]
    if plan is None or who not in to_uncover(state) or len(areas) != len(plan.slots):
        number = 0 if plan is None or who in state.uncovered else len(plan.slots)
        due = say_number(
            "rule VZ-R23: {who} has {number} district card to turn over",
            "rule VZ-R23: {who} has {number} district cards to turn over",
            number,
            who=who,
        )
        raise Refused("NO_SUCH_CARD", due)
    if len(set(areas)) < len(areas):
        raise Refused("NO_SUCH_CARD", "rule VZ-R4: there is only one card of each district")
    slots = tuple(replace(slot, area=area) for slot, area in zip(plan.slots, areas, strict=True))
    state = replace(state.with_plan(who, replace(plan, slots=slots)), uncovered=(*state.uncovered, who))
    state = state.tell(say("{who} has turned over all district cards", who=who))
    return state if to_uncover(state) else uncover_all(state)


def uncover_all(state: State) -> State:
    """The pigeons go from the cards to their districts (VZ-R23)."""
    for player in state.players:
        if player.plan is None:
            continue
        for slot in player.plan.slots:
            assert slot.area is not None, "all cards are known before their pigeons move"
            state = state.put_in(slot.area, player.seat, slot.pigeons)
            number, area = slot.pigeons, slot.area
            state = state.tell(
                say("pigeons of {owner} that come to {place}: {number}", number=number, owner=player.seat, place=area)
            )
        state = state.with_plan(player.seat, replace(player.plan, slots=()))
    return replace(state, phase=Phase.SCORE)


def most_in(state: State, area: str) -> str | None:
    """Who has strictly most pigeons in an area; grey ones count only for the Vatican's player (VZ-R24, VZ-E13)."""
    pigeons = Counter({owner: number for owner, number in state.districts[area].items() if owner != GREY})
    if state.vatican is not None:
        pigeons[state.vatican] += state.districts[area].get(GREY, 0)
    return _single_most(pigeons)


def _single_most(pigeons: Counter[str]) -> str | None:
    best = max(pigeons.values(), default=0)
    leaders = [seat for seat, number in pigeons.items() if number == best]
    return leaders[0] if best and len(leaders) == 1 else None


def score_board(state: State) -> State:
    """Score what lies on the board (VZ-R24 to VZ-R27)."""
    holders = {area: seat for area in AREAS if (seat := most_in(state, area)) is not None}
    graves = Counter({player.seat: player.pools["michele"] for player in state.players})
    return score_holders(replace(state, holders=holders, michele_winner=_single_most(graves)))


def score_holders(state: State) -> State:
    """Score districts by who holds them, look for the end, then San Giorgio and San Michele (VZ-R25 to VZ-R28)."""
    held: Counter[str] = Counter()
    for district in DISTRICTS:
        who = state.holders.get(district)
        if who is None:
            continue
        if district != state.bird:
            state = _award(state, who, district)
        if district != state.bird or not state.settings["bird_blocks_majority"]:
            held[who] += 1
    sgm = None if state.bird == SGM else state.holders.get(SGM)
    state = replace(state, majority=dict(held), sgm_winner=sgm, cleared=(), active="")
    state = _look_for_end(state)
    return state if state.winners else begin_retrieve(state)


def _award(state: State, who: str, district: str) -> State:
    abroad = any(other.home == district and other.seat != who for other in state.players)
    points = POINTS_ABROAD if abroad else POINTS
    player = state.player(who)
    state = state.with_player(replace(player, score=player.score + points))
    return state.tell(say("{who} holds {place}: {points} points", who=who, place=district, points=points))


def _look_for_end(state: State) -> State:
    """Majorities in 5 districts or 50 points end the game (VZ-R28, VZ-Q9, VZ-Q10)."""
    by_districts = tuple(seat for seat, number in state.majority.items() if number >= MAJORITIES)
    best = max(player.score for player in state.players)
    by_points = tuple(player.seat for player in state.players if player.score == best) if best >= GOAL else ()
    districts_first = state.settings["end_precedence"] == "districts"
    winners = (by_districts or by_points) if districts_first else (by_points or by_districts)
    if not winners:
        return state
    state = replace(state, phase=Phase.OVER, winners=winners)
    return state.tell(*(say("{who} wins", who=seat) for seat in winners))


def begin_retrieve(state: State) -> State:
    """San Giorgio's holder may take a card back, where he has one to take (VZ-R26)."""
    who = state.sgm_winner
    if who is not None and state.player(who).played:
        return replace(state, phase=Phase.RETRIEVE, active=who)
    return _begin_michele(state)


def retrieve_card(state: State, event: Event) -> State:
    """San Giorgio's holder takes one of his removed action cards back, or none (VZ-R26)."""
    (value,) = details(event, card=(str, type(None)))
    player = state.player(state.active)
    if value is None:
        return _begin_michele(state)
    if value not in player.played:
        raise Refused(
            "NO_SUCH_CARD",
            "rule VZ-R26: {who} has played no card {card} that could be taken back",
            who=player.seat,
            card=value,
        )
    state = state.with_player(replace(player, played=tuple(card for card in player.played if card != value)))
    return _begin_michele(state.tell(say("{who} takes {card} back", who=player.seat, card=Card(value))))


def _begin_michele(state: State) -> State:
    if not state.full:
        return clean_up(state)
    if state.michele_winner is not None:
        return replace(state, phase=Phase.MICHELE, active=state.michele_winner)
    return replace(state, phase=Phase.CHASE, active="")


def take_from_michele(state: State, event: Event) -> State:
    """The one with most pigeons on San Michele takes up to 2 back into the reserve (VZ-R27)."""
    (value,) = details(event, number=int)
    number = as_count(value, "VZ-R27")
    who = state.active
    most = min(MICHELE_LIMIT, state.player(who).pools["michele"])
    if number > most:
        raise Refused("TOO_MANY", "rule VZ-R27: {who} may take at most {limit} pigeons back", who=who, limit=most)
    state = state.add(who, michele=-number, reserve=number)
    state = state.tell(say("{who} takes pigeons back from San Michele: {number}", who=who, number=number))
    return replace(state, phase=Phase.CHASE, active="")


def to_clear(state: State) -> tuple[str, ...]:
    """The areas with most pigeons in all, ties included (VZ-R29, VZ-Q4, VZ-Q15)."""
    totals = {
        area: sum(n for owner, n in pigeons.items() if owner != GREY or state.settings["chase_counts_grey"])
        for area, pigeons in state.districts.items()
        if area != SGM or state.settings["chase_sgm"]
    }
    most = max(totals.values())
    return tuple(area for area in AREAS if most and totals.get(area) == most)


def chase(state: State) -> State:
    """The city administration clears the fullest areas (VZ-R29)."""
    cleared = to_clear(state)
    for area in cleared:
        for owner, number in state.districts[area].items():
            if owner != GREY:
                state = state.add(owner, reserve=number)
        state = replace(state, districts={**state.districts, area: {}})
        state = state.tell(say("all pigeons are chased away from {place}", place=area))
    return replace(state, cleared=cleared, phase=Phase.CLEANUP, active="")


def clean_up(state: State) -> State:
    """Nests into reserves, tourists, hunters and bird off, the start player card passes on (VZ-R30)."""
    players = tuple(replace(player, plan=None, pools=_nest_to_reserve(player.pools)) for player in state.players)
    state = replace(
        state,
        players=players,
        tourists=(),
        hunters=(),
        bird=None,
        vatican=None,
        revealed={},
        acting=(),
        uncovered=(),
        moved=(),
        holders={},
        start=state.order()[1],
        round=state.round + 1,
    )
    state = state.tell(say("round {number}: {who} is start player", number=state.round, who=state.start))
    return begin_round(state)


def _nest_to_reserve(pools: Mapping[str, int]) -> dict[str, int]:
    return {**pools, "reserve": pools["reserve"] + pools["nest"], "nest": 0}
