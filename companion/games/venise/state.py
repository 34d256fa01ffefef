"""Venise: its constants, its house rules, its state and how a game starts.

Rules: docs/rules/venise.md, VN-R1, VN-R2, its table of components and the table VN-Q.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from companion.errors import BadInput
from companion.events import Json
from companion.game import Setting, Setup
from companion.text import Say, say

SEATS: tuple[str, ...] = ("red", "white", "green", "yellow")
"""The players, called by the colour of their pawn and gems."""
BUDGET = 4
"""Hourglasses of a turn, before tiles (VN-R3)."""
DRAWN = 2
"""Cards drawn at the end of a turn (VN-R4)."""
HAND_LIMIT = 8
JOKER_LIMIT = 2
"""Jokers in one hand at most (VN-R9)."""
JOKERS = 8
JOKER_COST = 2
JOKER_PRICE = 4
"""Cards exchanged for one joker (VN-R10)."""
CARDS = 46
"""Cards that are no jokers."""
DEALT = 6
LONGEST_NAME = 80


class Plank(StrEnum):
    """The two kinds of plank."""

    LONG = "long"
    SHORT = "short"


PLANKS = {Plank.LONG: 8, Plank.SHORT: 12}
"""Planks in the game box."""
SHARE = {
    2: {Plank.LONG: 3, Plank.SHORT: 4},
    3: {Plank.LONG: 2, Plank.SHORT: 4},
    4: {Plank.LONG: 2, Plank.SHORT: 3},
}
"""Planks for each player, by the number of players."""


class Card(StrEnum):
    """What a card lets its player do."""

    SHORT = "short"
    LONG = "long"
    REMOVE = "remove"
    MOVE = "move"
    STEP1 = "step1"
    STEP2 = "step2"
    STEP3 = "step3"


COSTS = {
    Card.SHORT: 1,
    Card.LONG: 2,
    Card.REMOVE: 1,
    Card.MOVE: 2,
    Card.STEP1: 1,
    Card.STEP2: 2,
    Card.STEP3: 3,
}
"""Hourglasses that a card costs; a joker costs `JOKER_COST` whatever it replaces (VN-R7, VN-R8)."""


class Phase(StrEnum):
    """Where a turn stands; drawing is part of ending the main phase."""

    SETUP = "SETUP"
    MAIN = "MAIN"
    DISCARD = "DISCARD"
    OVER = "OVER"


SETTINGS: Mapping[str, Setting] = {
    "goal_gems": Setting(4, (4, 3, 2, 1), say("Own gems that win"), "VN-Q1"),
    "end": Setting("immediate", ("immediate", "finish_round"), say("When a player has all gems"), "VN-Q1"),
    "continue_for_places": Setting(False, (False, True), say("The others play on for the places"), "VN-Q1"),
}


@dataclass(frozen=True, slots=True)
class Player:
    """What one player has.

    Attributes:
        seat: the colour of pawn and gems.
        hand: cards in hand, jokers included.
        jokers: jokers among them.
        planks: planks in stock.
        gems: own gems on the tent.
        tiles: hourglass tiles not yet used.
    """

    seat: str
    planks: Mapping[Plank, int]
    hand: int = DEALT
    jokers: int = 0
    gems: int = 0
    tiles: int = 0

    @property
    def cards(self) -> int:
        """Cards in hand that are no jokers."""
        return self.hand - self.jokers

    def with_planks(self, kind: Plank, change: int) -> "Player":
        """The same player with planks taken from or put into the stock."""
        return replace(self, planks={**self.planks, kind: self.planks[kind] + change})


@dataclass(frozen=True, slots=True)
class State:
    """A game of Venise between two events. Mappings are never changed in place.

    Attributes:
        players: clockwise as they sit.
        settings: every house rule.
        deck: cards face down in the stack.
        discard: cards face up beside it.
        on_board: planks laid.
        removed: planks that fell into the water.
        side: ``day`` or ``night``, None until said.
        layout: the board's name in the players' own words, "" until said.
        used: hourglass tiles used in this turn.
        spent: hourglasses spent in this turn.
        played: cards played in this turn.
        took_joker: whether this turn's main part was to take a joker.
        reshuffled: whether the last event had the discarded cards shuffled into a new stack.
        places: who reached the goal, the first place first; several seats share a place.
    """

    players: tuple[Player, ...]
    settings: Mapping[str, Json]
    deck: int
    on_board: Mapping[Plank, int]
    removed: Mapping[Plank, int]
    phase: Phase = Phase.SETUP
    discard: int = 0
    side: str | None = None
    layout: str = ""
    first: str = ""
    active: str = ""
    round: int = 1
    used: int = 0
    spent: int = 0
    played: int = 0
    took_joker: bool = False
    reshuffled: bool = False
    places: tuple[tuple[str, ...], ...] = ()
    told: tuple[Say, ...] = ()

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats taken, clockwise."""
        return tuple(player.seat for player in self.players)

    @property
    def goal(self) -> int:
        """Own gems that win."""
        return int(self.settings["goal_gems"])

    @property
    def budget(self) -> int:
        """Hourglasses of this turn (VN-R12)."""
        return BUDGET + self.used

    @property
    def joker_stack(self) -> int:
        """Jokers in nobody's hand."""
        return JOKERS - sum(player.jokers for player in self.players)

    @property
    def winners(self) -> tuple[str, ...]:
        """Who won, as soon as it is known."""
        return self.places[0] if self.places else ()

    @property
    def me(self) -> Player:
        """The active player."""
        return self.player(self.active)

    def player(self, seat: str) -> Player:
        """What the player of a seat has."""
        return next(player for player in self.players if player.seat == seat)

    def with_player(self, changed: Player) -> "State":
        """The same state with one player replaced."""
        players = tuple(changed if player.seat == changed.seat else player for player in self.players)
        return replace(self, players=players)

    def has_place(self, seat: str) -> bool:
        """Whether a player has finished and plays no more."""
        return any(seat in place for place in self.places)


def start_state(setup: Setup, settings: Mapping[str, Json]) -> State:
    """Make the state before the first event (VN-R1, VN-R2).

    ``setup.data`` may hold ``first`` (the seat that starts; asked when missing), ``side`` (``day`` or
    ``night``) and ``layout`` (the board's name, any text).

    Raises:
        BadInput: data of another form.
    """
    unknown = set(setup.data) - {"first", "side", "layout"}
    if unknown:
        raise BadInput(f"got set-up data {sorted(unknown)}, but Venise knows first, side and layout")
    first, side, layout = (setup.data.get(name) for name in ("first", "side", "layout"))
    if first is not None and first not in setup.seats:
        raise BadInput(f"got first player {first!r}, but expected one of {list(setup.seats)}")
    if side is not None and not is_side(side):
        raise BadInput(f"got side {side!r}, but expected day or night")
    if layout is not None and not is_layout(layout):
        raise BadInput(f"got layout {layout!r}, but expected a text of at most {LONGEST_NAME} letters")
    number = len(setup.seats)
    return State(
        players=tuple(Player(seat, SHARE[number]) for seat in setup.seats),
        settings=settings,
        deck=CARDS - DEALT * number,
        on_board=dict.fromkeys(Plank, 0),
        removed=dict.fromkeys(Plank, 0),
        phase=Phase.MAIN if first else Phase.SETUP,
        side=side,
        layout=layout or "",
        first=first or "",
        active=first or "",
    )


def is_side(side: Json) -> bool:
    """Whether this names a side of the board."""
    return side in ("day", "night")


def is_layout(layout: Json) -> bool:
    """Whether this may be the name of a layout."""
    return isinstance(layout, str) and layout.isprintable() and len(layout) <= LONGEST_NAME
