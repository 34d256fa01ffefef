"""Venezia: reading the details of an event; each helper refuses what can't be meant."""

from companion.errors import Refused
from companion.events import Choice, Event, Json
from companion.games.venezia.grid import squares
from companion.games.venezia.state import AREAS, DISTRICTS, GREY, Card, State


def as_seat(state: State, value: Json) -> str:
    """Read whose piece or decision it is; `Refused` (``BAD_DETAILS``) when nobody plays that colour."""
    if value not in state.seats:
        raise Refused(
            "BAD_DETAILS", "nobody plays {got}: use one of {expected}", got=str(value), expected=", ".join(state.seats)
        )
    return str(value)


def own_seat(state: State, event: Event, value: Json) -> str:
    """Read whose decision it is, and see that nobody else's phone says it (``NOT_YOURS``)."""
    who = as_seat(state, value)
    if isinstance(event, Choice) and event.seat not in (None, who):
        raise Refused("NOT_YOURS", "rule VZ-R3: nobody else decides for {who}", who=who)
    return who


def as_area(value: Json, *, sgm: bool, rule: str) -> str:
    """Read a district, or San Giorgio Maggiore besides where ``sgm`` says so (``NOT_A_DISTRICT``)."""
    if value not in (AREAS if sgm else DISTRICTS):
        raise Refused(
            "NOT_A_DISTRICT",
            "rule {rule}: {place} can't be chosen here: use one of {expected}",
            rule=rule,
            place=str(value),
            expected=", ".join(AREAS if sgm else DISTRICTS),
        )
    return str(value)


def as_square(state: State, value: Json) -> str:
    """Read a square of the Piazza (``OFF_BOARD``)."""
    if value not in squares(state.size):
        raise Refused(
            "OFF_BOARD",
            "rule VZ-R10: {square} is no square of the Piazza: the last one is {last}",
            square=str(value),
            last=squares(state.size)[-1],
        )
    return str(value)


def as_squares(state: State, values: Json) -> tuple[str, ...]:
    """Read a list of different squares."""
    if not isinstance(values, list):
        raise Refused("BAD_DETAILS", "a list of squares is expected, {got} came", got=str(values))
    read = tuple(as_square(state, value) for value in values)
    if len(set(read)) < len(read):
        raise Refused("SPACE_TAKEN", "rule VZ-R8: each square counts once, one was named twice")
    return read


def as_count(value: Json, rule: str) -> int:
    """Read a number of pigeons, 0 or more (``BAD_COUNT``)."""
    if type(value) is not int or value < 0:
        raise Refused(
            "BAD_COUNT", "rule {rule}: a number of pigeons is expected, {got} came", rule=rule, got=str(value)
        )
    return value


def as_counts(values: Json, *, sgm: bool, rule: str) -> dict[str, int]:
    """Read numbers of pigeons by area."""
    if not isinstance(values, dict):
        raise Refused("BAD_DETAILS", "numbers by district are expected, {got} came", got=str(values))
    return {as_area(area, sgm=sgm, rule=rule): as_count(number, rule) for area, number in values.items()}


def as_card(state: State, who: str, value: Json) -> Card:
    """Read an action card that somebody still has (``NO_SUCH_CARD``)."""
    hand = state.player(who).hand
    if value not in hand:
        raise Refused(
            "NO_SUCH_CARD",
            "rule VZ-R19: {who} has no card {card}: only {expected}",
            who=who,
            card=str(value),
            expected=", ".join(hand) or "none is left",
        )
    return Card(value)


def as_colour(state: State, value: Json, *, grey: bool) -> str:
    """Read a colour of pigeons, the priests' grey ones only where ``grey`` says so (``BAD_DETAILS``)."""
    if grey and value == GREY:
        return GREY
    return as_seat(state, value)
