"""Vendetta: the set-up, from data or from events, and the names that the players give.

Rules: VD-R1, VD-R2. Colours and district names are the players' own words, never invented here.
"""

from collections.abc import Mapping
from dataclasses import replace

from companion.errors import BadInput, Refused
from companion.events import Event, Json
from companion.game import Setup, details
from companion.games.vendetta.phases import begin_round
from companion.games.vendetta.state import DISTRICTS, IN_HAND, Player, State, check_district
from companion.text import say

CARDS_EACH = 2
GARRISON = 2
"""Gangsters in each district at the start, but for the districts on the own cards (VD-R2)."""
LONGEST_NAME = 40


def start_state(setup: Setup, settings: Mapping[str, Json]) -> State:
    """Make the state before the first event (VD-R1, VD-R2).

    ``setup.data`` may hold ``trustee`` (a seat), ``colours`` (a text for each seat), ``districts`` (13 names
    in order, null where none) and ``dealt`` (two district numbers for each seat). What is missing is asked;
    when nothing is, the first round begins at once.

    Raises:
        BadInput: data of another form.
    """
    unknown = set(setup.data) - {"trustee", "colours", "districts", "dealt"}
    if unknown:
        raise BadInput(f"got set-up data {sorted(unknown)}, but Vendetta knows trustee, colours, districts and dealt")
    state = State(tuple(Player(seat) for seat in setup.seats), settings)
    try:
        state = _enter(state, setup.data)
    except Refused as refused:
        raise BadInput(refused.say) from refused
    return begin_round(_garrisoned(state)) if is_ready(state) else state


def _enter(state: State, data: Mapping[str, Json]) -> State:
    """Take in set-up data, with the same checks as the events of the set-up."""
    if "trustee" in data:
        state = _with_trustee(state, data["trustee"])
    for who, text in _entries(data, "colours"):
        state = _with_colour(state, who, text)
    for who, cards in _entries(data, "dealt"):
        state = _with_cards(state, who, cards)
    names = data.get("districts", [None] * len(DISTRICTS))
    if not isinstance(names, list) or len(names) != len(DISTRICTS):
        raise BadInput(f"got districts {names!r}, but expected a list of {len(DISTRICTS)} names, null where none")
    for district, name in zip(DISTRICTS, names, strict=True):
        if name is not None:
            state = _with_name(state, district, name)
    return state


def _entries(data: Mapping[str, Json], name: str) -> list[tuple[Json, Json]]:
    entries = data.get(name, {})
    if not isinstance(entries, dict):
        raise BadInput(f"got {name} {entries!r}, but expected an entry for each seat")
    return list(entries.items())


def is_ready(state: State) -> bool:
    """Whether nothing more has to be asked before the first round."""
    return bool(state.trustee) and (not state.full or all(player.dealt for player in state.players))


def trustee(state: State, event: Event) -> State:
    """The table says who is the oldest (VD-R1)."""
    (who,) = details(event, who=str)
    state = _with_trustee(state, who)
    return replace(state, told=(say("{who} is the trustee", who=who),))


def deal(state: State, event: Event) -> State:
    """Two district cards were dealt to a player (VD-R2)."""
    who, cards = details(event, who=str, districts=list)
    state = _with_cards(state, who, cards)
    told = say(
        "{who} has no gangsters in districts {first} and {second}",
        who=who,
        first=state.called(state.player(who).dealt[0]),
        second=state.called(state.player(who).dealt[1]),
    )
    return replace(state, told=(told,))


def colour(state: State, event: Event) -> State:
    """Somebody says which colour a player has."""
    who, text = details(event, who=str, colour=str)
    state = _with_colour(state, who, text)
    return replace(state, told=(say("{who} plays {colour}", who=who, colour=text.strip()),))


def name_district(state: State, event: Event) -> State:
    """Somebody says what is printed on a district's card."""
    district, name = details(event, district=int, name=str)
    state = _with_name(state, district, name)
    return replace(state, told=(say("district {number} is {district}", number=district, district=name.strip()),))


def begin(state: State, event: Event) -> State:
    """NEXT: the set-up is done, the first round begins."""
    details(event)
    return begin_round(_garrisoned(state))


def _garrisoned(state: State) -> State:
    """Put gangsters on the board and in the hands; the trustee starts (VD-R1, VD-R2)."""
    if state.full:
        players = []
        for player in state.players:
            board = tuple(0 if district in player.dealt else GARRISON for district in DISTRICTS)
            box = player.box - sum(board) - IN_HAND
            players.append(replace(player, board=board, hand=IN_HAND, box=box))
        state = replace(state, players=tuple(players))
    return replace(state, starter=state.trustee, told=())


def _seated(state: State, who: Json) -> Player:
    if who not in state.seats:
        raise Refused(
            "BAD_DETAILS",
            "nobody sits at {place}: expected one of {seats}",
            place=str(who),
            seats=" ".join(state.seats),
        )
    return state.player(who)


def _with_trustee(state: State, who: Json) -> State:
    return replace(state, trustee=_seated(state, who).seat)


def _with_colour(state: State, who: Json, text: Json) -> State:
    player = _seated(state, who)
    taken = [other.colour for other in state.players if other.seat != player.seat]
    return state.with_player(replace(player, colour=_own_words(text, taken)))


def _with_name(state: State, district: int, name: Json) -> State:
    check_district(district)
    before, after = state.names[: district - 1], state.names[district:]
    return replace(state, names=(*before, _own_words(name, before + after), *after))


def _own_words(text: Json, taken: list[str | None] | tuple[str | None, ...]) -> str:
    """Check a name in the players' own words."""
    if not isinstance(text, str) or not text.isprintable() or not 1 <= len(text.strip()) <= LONGEST_NAME:
        raise Refused(
            "BAD_DETAILS", "got {text}, but a name has 1 to {number} letters", text=str(text)[:80], number=LONGEST_NAME
        )
    name: str = text.strip()
    if name.casefold() in (other.casefold() for other in taken if other):
        raise Refused("BAD_DETAILS", "{text} is taken: expected a name of its own", text=name)
    return name


def _with_cards(state: State, who: Json, cards: Json) -> State:
    player = _seated(state, who)
    if not isinstance(cards, list) or len(cards) != CARDS_EACH:
        raise Refused("BAD_DETAILS", "rule VD-R2: {number} cards are dealt to each player", number=CARDS_EACH)
    seen = [card for other in state.players if other.seat != player.seat for card in other.dealt]
    for card in cards:
        check_district(card)
        if card in seen:
            raise Refused(
                "CARD_ALREADY_SEEN",
                "rule VD-R2: the card of district {district} was dealt already",
                district=state.called(card),
            )
        seen.append(card)
    return state.with_player(replace(player, dealt=tuple(sorted(cards))))
