"""Venezia: its constants, its house rules and its state.

Rules: docs/rules/venezia.md, sections "Components" and "State" and the table VZ-Q.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from companion.events import Json
from companion.game import Setting
from companion.games.venezia.grid import Size, squares
from companion.text import Say, say

DISTRICTS = ("Cannaregio", "Castello", "Dorsoduro", "Giudecca", "San Marco", "San Polo", "Santa Croce")
SGM = "SGM"
"""San Giorgio Maggiore: it has a card and a majority, but is no district."""
AREAS = (*DISTRICTS, SGM)
GREY = "grey"
PIGEONS = 40
RESERVE = 12
GREYS = 6
PIAZZA_LIMIT = 10
DISTRICT_CARDS = 3
GOAL = 50
MAJORITIES = 5
"""A majority in so many of the seven districts ends the game (VZ-R28)."""
POOLS = ("supply", "reserve", "nest", "michele")


class Card(StrEnum):
    """The eight action cards (VZ-R20, VZ-R22)."""

    VATICAN = "Instructions from the Vatican"
    FAMILY = "Family Meeting"
    FEUD = "Feud"
    POISON = "Poison in the Fodder"
    SAN_MICHELE = "San Michele"
    BIRD = "Robbery Bird"
    PURGE = "Purge"
    TAKEOVER = "Hostile Takeover"


class First(StrEnum):
    """What the first card of a plan can be (VZ-R4)."""

    PIAZZA = "Piazza"
    RUSE = "Ruse"


class Phase(StrEnum):
    """Where a round stands."""

    SETUP = "SETUP"
    PLAN = "PLAN"
    PLACE = "PLACE"
    TOURIST = "TOURIST"
    HUNTER = "HUNTER"
    REMOVE = "REMOVE"
    MOVE = "MOVE"
    REVEAL = "REVEAL"
    FAMILY = "FAMILY"
    HOME = "HOME"
    ACTIONS = "ACTIONS"
    UNCOVER = "UNCOVER"
    SCORE = "SCORE"
    RETRIEVE = "RETRIEVE"
    MICHELE = "MICHELE"
    CHASE = "CHASE"
    CLEANUP = "CLEANUP"
    OVER = "OVER"


_ON_OFF = (True, False)

SETTINGS: Mapping[str, Setting] = {
    "detail": Setting("full", ("full", "score"), say("How much is entered: every piece, or the score alone"), "VZ-L1"),
    "sealed_plans": Setting(False, _ON_OFF, say("Plans are entered in secret before they are revealed"), "VZ-R4"),
    "tourists": Setting(2, (2, 3), say("Tourists (three make it easier)"), "VZ-R31"),
    "hunters": Setting(1, (1, 2), say("Pigeon hunters (two make it harder)"), "VZ-R31"),
    "vatican_feud_on_sgm": Setting(False, _ON_OFF, say("Vatican and Feud also on San Giorgio Maggiore"), "VZ-R31"),
    "home_sgm": Setting(False, _ON_OFF, say("San Giorgio Maggiore may be a home"), "VZ-Q1"),
    "chase_sgm": Setting(True, _ON_OFF, say("The chase looks at San Giorgio Maggiore too"), "VZ-Q4"),
    "births": Setting(
        "per_pigeon", ("per_pigeon", "per_tourist"), say("Births are counted for each pigeon or each tourist"), "VZ-Q7"
    ),
    "pliers_diagonal": Setting(True, _ON_OFF, say("Pliers work on diagonals"), "VZ-Q8"),
    "end_precedence": Setting(
        "districts", ("districts", "points"), say("What counts first when both ends come together"), "VZ-Q9"
    ),
    "jump_corner": Setting(True, _ON_OFF, say("A tourist in the hunter's zone may be jumped"), "VZ-Q11"),
    "respin_occupied": Setting(False, _ON_OFF, say("Spin again on a square with a tourist or hunter"), "VZ-Q13"),
    "bird_blocks_majority": Setting(True, _ON_OFF, say("The bird's district is none of the five"), "VZ-Q14"),
    "chase_counts_grey": Setting(True, _ON_OFF, say("Grey pigeons count for the chase"), "VZ-Q15"),
    "columns": Setting(10, (6, 7, 8, 9, 10, 11, 12), say("Columns of the Piazza"), "VZ-R10"),
    "rows": Setting(8, (6, 7, 8, 9, 10), say("Rows of the Piazza"), "VZ-R10"),
    "line_band_deg": Setting(3, (0, 3), say("Degrees from a line within which the phone asks (0: never)"), "VZ-R10"),
}


@dataclass(frozen=True, slots=True)
class Slot:
    """A district card on mat A; ``area`` is None as long as only the table knows it."""

    area: str | None
    pigeons: int


@dataclass(frozen=True, slots=True)
class Plan:
    """What lies on one mat A.

    Attributes:
        first: the first card; None as long as only the table knows it.
        on_first: pigeons on it.
        action: the action card, if one was entered.
        slots: the district cards, from the left.
        turned: whether the first card lies face up.
    """

    first: First | None
    on_first: int
    action: Card | None = None
    slots: tuple[Slot, ...] = ()
    turned: bool = False

    @property
    def pigeons(self) -> int:
        """All pigeons on the mat."""
        return self.on_first + sum(slot.pigeons for slot in self.slots)


@dataclass(frozen=True, slots=True)
class Player:
    """One player: his home, score, pools of pigeons, mat and the action cards that left the game."""

    seat: str
    home: str | None = None
    score: int = 0
    pools: Mapping[str, int] = field(default_factory=lambda: dict.fromkeys(POOLS, 0))
    plan: Plan | None = None
    played: tuple[Card, ...] = ()

    @property
    def hand(self) -> tuple[Card, ...]:
        """The action cards still in the game."""
        return tuple(card for card in Card if card not in self.played)


@dataclass(frozen=True, slots=True)
class State:
    """A game of Venezia between two events. Mappings are never changed in place.

    Attributes:
        players: clockwise.
        settings: every house rule.
        campanile: the closed square; None until it is known.
        start: the round's start player.
        active: who acts; empty when all act at once or chance does.
        piazza: the pigeons, by square.
        moved: squares of the pigeons that have moved in the active player's movement.
        districts: pigeons by area and owner (``grey`` for the priests' pigeons), zeros left out.
        revealed: action cards turned over this round.
        acting: who may exercise his action card, in order; the first is next.
        bird: where the robber bird sits.
        vatican: for whom the grey pigeons count in this scoring.
        uncovered: who has turned over his district cards.
        holders: who holds which area; entered at level "score", found out at level "full".
        born, pinched, removed, cleared: what the last births, pliers, hunter and chase did.
        majority: districts held, as the end of the game counts them.
    """

    players: tuple[Player, ...]
    settings: Mapping[str, Json]
    start: str
    campanile: str | None = None
    phase: Phase = Phase.SETUP
    round: int = 1
    active: str = ""
    piazza: Mapping[str, str] = field(default_factory=dict)
    tourists: tuple[str, ...] = ()
    hunters: tuple[str, ...] = ()
    moved: tuple[str, ...] = ()
    districts: Mapping[str, Mapping[str, int]] = field(default_factory=lambda: {area: {} for area in AREAS})
    revealed: Mapping[str, Card] = field(default_factory=dict)
    acting: tuple[str, ...] = ()
    bird: str | None = None
    vatican: str | None = None
    uncovered: tuple[str, ...] = ()
    holders: Mapping[str, str] = field(default_factory=dict)
    born: Mapping[str, int] = field(default_factory=dict)
    pinched: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    cleared: tuple[str, ...] = ()
    majority: Mapping[str, int] = field(default_factory=dict)
    sgm_winner: str | None = None
    michele_winner: str | None = None
    winners: tuple[str, ...] = ()
    told: tuple[Say, ...] = ()

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats taken, clockwise."""
        return tuple(player.seat for player in self.players)

    @property
    def full(self) -> bool:
        """Whether every piece is entered, rather than the score alone."""
        return bool(self.settings["detail"] == "full")

    @property
    def sealed(self) -> bool:
        """Whether plans are entered in secret."""
        return bool(self.settings["sealed_plans"])

    @property
    def size(self) -> Size:
        """Columns and rows of the Piazza."""
        return self.settings["columns"], self.settings["rows"]

    @property
    def free(self) -> tuple[str, ...]:
        """Squares without a pigeon, row by row, the Campanile left out."""
        return tuple(s for s in squares(self.size) if s != self.campanile and s not in self.piazza)

    @property
    def room(self) -> int:
        """How many squares have no pigeon, the Campanile left out."""
        columns, rows = self.size
        return columns * rows - len(self.piazza) - (self.campanile is not None)

    @property
    def grey_at_edge(self) -> int:
        """Grey pigeons that are in no district."""
        return GREYS - sum(pigeons.get(GREY, 0) for pigeons in self.districts.values())

    def player(self, seat: str) -> Player:
        """The player at a seat."""
        return next(player for player in self.players if player.seat == seat)

    def on_piazza(self, seat: str) -> int:
        """How many pigeons somebody has on the Piazza."""
        return sum(owner == seat for owner in self.piazza.values())

    def order(self, first: str | None = None) -> tuple[str, ...]:
        """All seats clockwise, from the start player unless said otherwise (VZ-R3)."""
        at = self.seats.index(first or self.start)
        return self.seats[at:] + self.seats[:at]

    def with_player(self, changed: Player) -> "State":
        """The same state with one player replaced."""
        return replace(self, players=tuple(changed if p.seat == changed.seat else p for p in self.players))

    def with_plan(self, seat: str, plan: Plan | None) -> "State":
        """The same state with one mat A replaced."""
        return self.with_player(replace(self.player(seat), plan=plan))

    def add(self, seat: str, **changes: int) -> "State":
        """The same state with pigeons added to (or taken from) pools of a player."""
        player = self.player(seat)
        pools = {**player.pools, **{name: player.pools[name] + change for name, change in changes.items()}}
        return self.with_player(replace(player, pools=pools))

    def put_in(self, area: str, owner: str, change: int) -> "State":
        """The same state with pigeons of one owner added to (or taken from) an area."""
        pigeons = {**self.districts[area], owner: self.districts[area].get(owner, 0) + change}
        pigeons = {owner: number for owner, number in pigeons.items() if number}
        return replace(self, districts={**self.districts, area: pigeons})

    def to_san_michele(self, gone: Collection[str]) -> "State":
        """The same state with the pigeons on these squares of the Piazza gone to San Michele."""
        state = self
        for square in gone:
            owner = self.piazza[square]
            state = state.add(owner, michele=1)
            state = state.tell(say("{owner} loses the pigeon on {square} to San Michele", owner=owner, square=square))
        left = {square: owner for square, owner in self.piazza.items() if square not in gone}
        return replace(state, piazza=left)

    def tell(self, *said: Say) -> "State":
        """The same state with more to tell."""
        return replace(self, told=(*self.told, *said))
