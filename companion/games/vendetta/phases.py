"""Vendetta: the eleven phases of a round, each with a placement and a vendetta.

Rules: VD-R3 to VD-R15. What is told never says how many gangsters came into a hand: with the board that
would give the box away.
"""

from collections.abc import Mapping
from dataclasses import replace

from companion.errors import Refused
from companion.events import Event, Json
from companion.game import details
from companion.games.vendetta.state import DISTRICTS, PHASES, State, Step, Vendetta, check_district
from companion.text import Say, say

ALL = "all"
"""Stands for the number of all gangsters in hand."""
PROTECTION_MONEY = 1
"""What everybody still in the district gets after a vendetta (VD-R14)."""


def begin_round(state: State) -> State:
    """Start a round: the starter shuffles the cards and lays two of them on the Razzia field (VD-R5)."""
    told = (
        say("{who} starts round {number}", who=state.starter, number=state.round),
        say("{who} shuffles the cards: 2 go to the raid, 11 are the stack", who=state.starter),
    )
    step = Step.ARRANGE if state.full else Step.REVEAL
    state = replace(state, step=step, phase=1, revealed=(), vendetta=None, held={})
    return replace(state, told=(*state.told, *told))


def arranged(state: State, event: Event) -> State:
    """NEXT: the cards are arranged (VD-R5)."""
    details(event)
    return replace(state, step=Step.PLACE, told=())


def place_nothing(state: State, event: Event) -> State:
    """NEXT: the active player places no gangsters (VD-R6)."""
    details(event)
    return replace(state, step=Step.REVEAL, told=(say("{who} places no gangsters", who=state.active),))


def place(state: State, event: Event) -> State:
    """The active player places gangsters from the hand (VD-R6 to VD-R9).

    Details are ``gangsters``: how many go into which district, by the district's number as text; ``all`` is
    the whole hand. What everybody can see is checked before the hand, which is the player's secret: nobody
    learns of it by asking for a placement that is illegal anyway.
    """
    (written,) = details(event, gangsters=dict)
    player = state.player(state.active)
    said = _read_gangsters(written)
    _check_districts(state, len(said))
    gangsters = {district: player.hand if number == ALL else int(number) for district, number in said.items()}
    for district, number in gangsters.items():
        _check_minimum(state, district, number)
    if sum(gangsters.values()) > player.hand:
        raise Refused("NOT_IN_HAND", "rule VD-R6: {who} has not so many gangsters in hand", who=player.seat)
    told: list[Say] = []
    for district, number in gangsters.items():
        if number:
            player, name = player.placing(district, number), state.called(district)
            told.append(
                say("{who} places {number} in district {district}", who=player.seat, number=number, district=name)
            )
    told = told or [say("{who} places no gangsters", who=player.seat)]
    return replace(state.with_player(player), step=Step.REVEAL, told=tuple(told))


def _read_gangsters(written: Mapping[str, Json]) -> dict[int, int | str]:
    """Read a placement; districts with none are left out."""
    gangsters: dict[int, int | str] = {}
    for name, number in written.items():
        district: Json = _BY_TEXT.get(name, name)
        check_district(district)
        if number != ALL and (type(number) is not int or number < 0):
            raise Refused("BAD_DETAILS", "rule VD-R6: got {got}, but expected how many gangsters", got=str(number)[:80])
        if number:
            gangsters[district] = number
    return gangsters


_BY_TEXT = {str(district): district for district in DISTRICTS}


def _check_districts(state: State, number: int) -> None:
    most = state.most_districts
    if number <= most:
        return
    if most == 1:
        raise Refused(
            "TOO_MANY_DISTRICTS",
            "rule VD-R7: {who} starts the round and may place in one district only",
            who=state.active,
        )
    raise Refused(
        "TOO_MANY_DISTRICTS", "rule VD-R7: {who} may place in at most {number} districts", who=state.active, number=most
    )


def minimum(state: State, district: int) -> int:
    """How many gangsters the active player must at least place in a district, 0 where that is free (VD-R9)."""
    there = [player for player in state.players if player.there(district)]
    return there[0].there(district) if len(there) == 1 and there[0].seat != state.active else 0


def _check_minimum(state: State, district: int, number: int) -> None:
    least = minimum(state, district)
    if number < least:
        raise Refused(
            "BELOW_SOLE_OCCUPANT",
            "rule VD-R9: one other player holds district {district} with {have} gangsters; you need at least {need}",
            district=state.called(district),
            have=least,
            need=least,
        )


def reveal(state: State, event: Event) -> State:
    """The top card is turned, and the vendetta fought (VD-R10 to VD-R15)."""
    (district,) = details(event, district=int)
    check_district(district)
    if district in state.revealed:
        raise Refused(
            "CARD_ALREADY_SEEN",
            "rule VD-R10: the card of district {district} was turned in this round already",
            district=state.called(district),
        )
    told = say("{who} turns district {district}", who=state.active, district=state.called(district))
    state = replace(state, revealed=(*state.revealed, district), told=(told,))
    return _next_phase(_fight(state, district) if state.full else state)


def pass_card(state: State, event: Event) -> State:
    """NEXT, at score detail: the vendetta was fought at the table, the card isn't noted."""
    details(event)
    return _next_phase(replace(state, told=()))


def _fight(state: State, district: int) -> State:
    order = state.clockwise_after(state.active)
    there = {player.seat: player.there(district) for player in order if player.there(district)}
    fought = Vendetta(district, there, find_loser(there))
    name = state.called(district)
    if fought.loser:
        lost = state.player(fought.loser).cleared(district)
        number = there[fought.loser]
        told = [say("{who} loses {number} in district {district}", who=lost.seat, number=number, district=name)]
        state = state.with_player(lost)
    elif there:
        told = [say("{who} is alone in district {district}: no vendetta", who=next(iter(there)), district=name)]
    else:
        told = [say("nobody is in district {district}", district=name)]
    stay = [seat for seat in there if seat != fought.loser]
    if stay:
        told.append(say("each player in district {district} takes 1 from the box", district=name))
    players = tuple(
        player.paid(PROTECTION_MONEY) if player.seat in stay else replace(player, received=0)
        for player in state.players
    )
    return replace(state, players=players, vendetta=fought, told=(*state.told, *told))


def find_loser(there: Mapping[str, int]) -> str | None:
    """Find who loses a vendetta: the fewest, among equals the first (VD-R11 to VD-R13).

    Args:
        there: how many gangsters each has there, clockwise from the active player's left neighbour, so that the
            active player comes last.
    """
    if len(there) < 2:
        return None
    # `min` takes the first of several.
    return min(there, key=there.__getitem__)


def _next_phase(state: State) -> State:
    """Go on to the next phase, or after the last to the raid (VD-R4, VD-R16)."""
    if state.phase < PHASES:
        step = Step.PLACE if state.full else Step.REVEAL
        return replace(state, step=step, phase=state.phase + 1)
    told = tuple(say("the raid hits district {district}", district=state.called(raided)) for raided in state.raided)
    return replace(state, step=Step.RAID if state.full else Step.CONTROL, told=(*state.told, *told))
