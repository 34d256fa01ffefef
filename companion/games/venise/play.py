"""Venise: the main part of a turn: cards and jokers, hourglass tiles, or taking a joker.

Rules: VN-R3, VN-R7 to VN-R9 and VN-R12 to VN-R15.
"""

from collections import Counter
from dataclasses import dataclass, replace

from companion.errors import Refused
from companion.events import Event, Json
from companion.game import details
from companion.games.venise.state import COSTS, JOKER_COST, JOKER_LIMIT, Card, Plank, Player, State
from companion.text import Term, say

LAYS = {Card.SHORT: Plank.SHORT, Card.LONG: Plank.LONG}
"""The cards that lay a plank from the stock."""


@dataclass(frozen=True, slots=True)
class Played:
    """A card as it was said to be played.

    Attributes:
        joker: whether a joker replaces the card.
        plank: the plank removed or moved, None when not said.
        pawn_on_it: whether a pawn stands on that plank, or may fall.
        fallen: planks that fell with it.
    """

    card: Card
    joker: bool = False
    plank: Plank | None = None
    pawn_on_it: bool = False
    fallen: tuple[Plank, ...] = ()

    @property
    def cost(self) -> int:
        """Hourglasses it costs (VN-R7, VN-R8)."""
        return JOKER_COST if self.joker else COSTS[self.card]


def play(state: State, event: Event) -> State:
    """The active player plays a card or a joker (VN-R3, VN-R7, VN-R8).

    Details are ``card``; ``joker`` when a joker replaces it; and of a card that removes or moves a plank
    ``plank`` (its kind), ``pawn_on_it`` and ``fallen`` (kinds of the planks that fell), as far as known.
    """
    played = _read(event)
    _check_hand(state, played)
    _check_planks(state, played)
    me = replace(state.me, hand=state.me.hand - 1, jokers=state.me.jokers - played.joker)
    state = replace(
        state.with_player(me),
        spent=state.spent + played.cost,
        played=state.played + 1,
        discard=state.discard + (not played.joker),
        reshuffled=False,
    )
    words: dict[str, Term] = {"who": me.seat, "card": CARD_WORDS[played.card], "left": state.budget - state.spent}
    if played.joker:
        told = say("{who} plays {card} with a joker: {left} left", **words)
    else:
        told = say("{who} plays {card}: {left} left", **words)
    return replace(_with_planks(state, played), told=(told,))


CARD_WORDS = {
    Card.SHORT: "short plank",
    Card.LONG: "long plank",
    Card.REMOVE: "remove a plank",
    Card.MOVE: "move a plank",
    Card.STEP1: "1 move",
    Card.STEP2: "2 moves",
    Card.STEP3: "3 moves",
}
"""Terms for the cards, to be translated."""


def _read(event: Event) -> Played:
    """Read what was said of a card; everything but the card may be left out."""
    types: dict[str, type] = {"card": str, "joker": bool}
    if event.data.get("card") in (Card.REMOVE.value, Card.MOVE.value):
        types |= {"plank": str, "pawn_on_it": bool, "fallen": list}
    types = {name: kind for name, kind in types.items() if name == "card" or name in event.data}
    said = dict(zip(types, details(event, **types), strict=True))
    if said["card"] not in list(Card):
        raise Refused("BAD_DETAILS", "{got} is no card: expected one of {expected}", got=said["card"], expected=_CARDS)
    return Played(
        Card(said["card"]),
        joker=said.get("joker", False),
        plank=_as_plank(said["plank"]) if "plank" in said else None,
        pawn_on_it=said.get("pawn_on_it", False),
        fallen=tuple(_as_plank(kind) for kind in said.get("fallen", ())),
    )


_CARDS = ", ".join(Card)


def _as_plank(kind: Json) -> Plank:
    if kind not in list(Plank):
        raise Refused("BAD_DETAILS", "{got} is no plank: expected long or short", got=str(kind)[:80])
    return Plank(kind)


def _check_hand(state: State, played: Played) -> None:
    """Refuse a card that the turn or the hand doesn't allow."""
    me = state.me
    if state.took_joker:
        raise Refused("TOOK_JOKER", "rule VN-R3: {who} took a joker, so no card is played in this turn", who=me.seat)
    left = state.budget - state.spent
    if played.cost > left:
        raise Refused(
            "OVER_BUDGET",
            "rule VN-R3: this costs {cost} hourglasses, and {who} has {left} left",
            cost=played.cost,
            who=me.seat,
            left=left,
        )
    if played.joker and not me.jokers:
        raise Refused("NO_JOKER", "rule VN-R8: {who} has no joker", who=me.seat)
    if not played.joker and not me.cards:
        raise Refused("NO_CARD", "rule VN-R3: {who} has no card in hand but jokers", who=me.seat)


def _check_planks(state: State, played: Played) -> None:
    """Refuse a card for which there is no plank, or on whose plank a pawn stands (VN-R13, VN-R18)."""
    me, laid = state.me, LAYS.get(played.card)
    if laid and not me.planks[laid]:
        raise Refused("NO_PLANK", "rule VN-R13: {who} has no {plank} plank in stock", who=me.seat, plank=laid.value)
    if played.pawn_on_it:
        raise Refused("PAWN_ON_PLANK", "rule VN-R18: a pawn stands on that plank or may fall into the water")
    gone = Counter(played.fallen)
    if played.plank:
        gone[played.plank] += 1
    for kind, number in gone.items():
        if number > state.on_board[kind]:
            raise Refused(
                "NO_PLANK",
                "rule VN-R14: {number} {plank} planks are needed on the board, and {have} lie there",
                number=number,
                plank=kind.value,
                have=state.on_board[kind],
            )


def _with_planks(state: State, played: Played) -> State:
    """Count the planks after a card (VN-R13 to VN-R15)."""
    me, on_board, removed = state.me, Counter(state.on_board), Counter(state.removed)
    if played.card in LAYS:
        laid = LAYS[played.card]
        me = me.with_planks(laid, -1)
        on_board[laid] += 1
    if played.card is Card.REMOVE and played.plank:
        me = me.with_planks(played.plank, +1)
        on_board[played.plank] -= 1
    for kind, number in Counter(played.fallen).items():
        on_board[kind] -= number
        removed[kind] += number
    return replace(state.with_player(me), on_board=dict(on_board), removed=dict(removed))


def use_tile(state: State, event: Event) -> State:
    """The active player uses an hourglass tile (VN-R12)."""
    details(event)
    me = state.me
    if not me.tiles:
        raise Refused("NO_TILE", "rule VN-R12: {who} has no hourglass tile", who=me.seat)
    if state.took_joker:
        raise Refused("TOOK_JOKER", "rule VN-R3: {who} took a joker, so a tile would be lost", who=me.seat)
    state = replace(state.with_player(replace(me, tiles=me.tiles - 1)), used=state.used + 1, reshuffled=False)
    told = say("{who} uses an hourglass tile: {left} left", who=me.seat, left=state.budget - state.spent)
    return replace(state, told=(told,))


def take_joker(state: State, event: Event) -> State:
    """The active player takes a joker instead of playing cards (VN-R3, VN-R9)."""
    details(event)
    me = state.me
    if state.took_joker:
        raise Refused("TOOK_JOKER", "rule VN-R3: {who} took a joker in this turn already", who=me.seat)
    if state.played:
        raise Refused(
            "ALREADY_PLAYED", "rule VN-R3: {who} played a card, so no joker is taken in this turn", who=me.seat
        )
    check_jokers(me, me.jokers + 1)
    me = replace(me, hand=me.hand + 1, jokers=me.jokers + 1)
    told = (say("{who} takes a joker", who=me.seat),)
    return replace(state.with_player(me), took_joker=True, reshuffled=False, told=told)


def check_jokers(player: Player, jokers: int) -> None:
    """Refuse more jokers in a hand than allowed (VN-R9)."""
    if jokers > JOKER_LIMIT:
        raise Refused(
            "JOKER_LIMIT", "rule VN-R9: {who} would have more than {number} jokers", who=player.seat, number=JOKER_LIMIT
        )
