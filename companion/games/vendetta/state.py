"""Vendetta: its constants, its house rules and its state.

Rules: docs/rules/vendetta.md, its first three sections and the table VD-Q.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from companion.errors import Refused
from companion.events import Json
from companion.game import Setting
from companion.text import Say, Term, say

SEATS: tuple[str, ...] = ("A", "B", "C", "D", "E")
DISTRICTS = range(1, 14)
GANGSTERS = 50
"""Gangsters of one colour: on the board, in the hand and in the box."""
IN_HAND = 10
"""Gangsters in the hand at the start (VD-R2)."""
PHASES = 11
"""Phases of a round, each of which turns one card; the other two cards are raided (VD-R4)."""
POINTS = (0, 1, 5, 20, 75, 250, 800, 1000)
"""Points by the number of districts controlled; more count as the last (VD-Q9)."""


@dataclass(frozen=True, slots=True)
class Goal:
    """What wins the game: so many districts controlled, or else so many points."""

    districts: int
    points: int


GOALS = {3: Goal(6, 800), 4: Goal(5, 250), 5: Goal(4, 75)}
"""What wins, by the number of players."""


class Step(StrEnum):
    """Where a round stands. At score detail there is neither ARRANGE nor PLACE nor RAID."""

    SETUP = "SETUP"
    ARRANGE = "ARRANGE"
    PLACE = "PLACE"
    REVEAL = "REVEAL"
    RAID = "RAID"
    CONTROL = "CONTROL"
    OVER = "OVER"


SETTINGS: Mapping[str, Setting] = {
    "detail": Setting(
        "full", ("full", "score"), say("Every gangster is entered (full), or they stay on the board (score)"), "VD-L1"
    ),
    "income": Setting(3, (3, 2), say("New gangsters for everybody before a new round"), "VD-Q1"),
    "starter_scope": Setting(
        "round", ("round", "phase1"), say("Where the starting player may place in one district only"), "VD-Q2"
    ),
    "victory_tie": Setting(
        "higher_then_shared", ("higher_then_shared", "all_share"), say("Several players reach the goal"), "VD-Q4"
    ),
    "secret_hands": Setting(True, (True, False), say("Hands and boxes are shown to their owner only"), "VD-R6"),
}


@dataclass(frozen=True, slots=True)
class Player:
    """One player's family. The hand, the box and what was received are private to the player.

    Attributes:
        seat: where the player sits.
        colour: the gangsters' colour in the players' own words, if said.
        dealt: the two district cards of the set-up, in ascending order.
        board: gangsters in districts 1 to 13.
        hand: gangsters that may be placed.
        box: gangsters in the game box.
        received: gangsters that the last vendetta or raid put from the box into the hand.
        points: points written on the pad.
    """

    seat: str
    colour: str | None = None
    dealt: tuple[int, ...] = ()
    board: tuple[int, ...] = (0,) * len(DISTRICTS)
    hand: int = 0
    box: int = GANGSTERS
    received: int = 0
    points: int = 0

    def there(self, district: int) -> int:
        """Gangsters in a district."""
        return self.board[district - 1]

    def placing(self, district: int, number: int) -> "Player":
        """The same family with gangsters put from the hand into a district."""
        board = (*self.board[: district - 1], self.there(district) + number, *self.board[district:])
        return replace(self, board=board, hand=self.hand - number)

    def cleared(self, district: int) -> "Player":
        """The same family with its gangsters in a district gone to the box."""
        there = self.there(district)
        if not there:
            return self
        board = (*self.board[: district - 1], 0, *self.board[district:])
        return replace(self, board=board, box=self.box + there)

    def paid(self, number: int) -> "Player":
        """The same family with gangsters from the box in the hand, as far as the box holds them (VD-R15)."""
        number = min(number, self.box)
        return replace(self, hand=self.hand + number, box=self.box - number, received=number)


@dataclass(frozen=True, slots=True)
class Vendetta:
    """The last vendetta: where, how many gangsters each had there, and who lost them (None: nobody)."""

    district: int
    there: Mapping[str, int]
    loser: str | None


@dataclass(frozen=True, slots=True)
class Score:
    """What the last scoring gave one player."""

    seat: str
    districts: int
    points: int


@dataclass(frozen=True, slots=True)
class State:
    """A game of Vendetta between two events. Mappings are never changed in place.

    Attributes:
        players: clockwise as they sit.
        settings: every house rule; ``detail`` may change to ``score`` in mid-game.
        names: names of districts 1 to 13 in the players' own words, None where none was said.
        trustee: the oldest player, "" until said.
        starter: who plays the first phase of this round.
        phase: 1 to 11.
        revealed: cards turned in this round, in order.
        held: at score detail, who controls which district, as entered so far.
    """

    players: tuple[Player, ...]
    settings: Mapping[str, Json]
    names: tuple[str | None, ...] = (None,) * len(DISTRICTS)
    step: Step = Step.SETUP
    trustee: str = ""
    starter: str = ""
    round: int = 1
    phase: int = 1
    revealed: tuple[int, ...] = ()
    vendetta: Vendetta | None = None
    held: Mapping[int, str] = field(default_factory=dict)
    scored: tuple[Score, ...] = ()
    winners: tuple[str, ...] = ()
    told: tuple[Say, ...] = ()

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats taken, clockwise."""
        return tuple(player.seat for player in self.players)

    @property
    def full(self) -> bool:
        """Whether every gangster is entered."""
        return bool(self.settings["detail"] == "full")

    @property
    def goal(self) -> Goal:
        """What wins the game."""
        return GOALS[len(self.players)]

    @property
    def active(self) -> str:
        """Whose phase it is (VD-R3), "" before the first round."""
        if not self.starter:
            return ""
        return self.seats[(self.seats.index(self.starter) + self.phase - 1) % len(self.players)]

    @property
    def unseen(self) -> tuple[int, ...]:
        """Cards not turned in this round."""
        return tuple(district for district in DISTRICTS if district not in self.revealed)

    @property
    def raided(self) -> tuple[int, ...]:
        """The two districts of the raid, once the other eleven cards are known; else none."""
        return self.unseen if len(self.revealed) == PHASES else ()

    @property
    def most_districts(self) -> int:
        """In how many districts the active player may place (VD-R7)."""
        bound = self.settings["starter_scope"] == "round" or self.phase == 1
        return 1 if bound and self.active == self.starter else 2

    def player(self, seat: str) -> Player:
        """The family of a seat."""
        return next(player for player in self.players if player.seat == seat)

    def with_player(self, changed: Player) -> "State":
        """The same state with one family replaced."""
        players = tuple(changed if player.seat == changed.seat else player for player in self.players)
        return replace(self, players=players)

    def clockwise_after(self, seat: str) -> Iterator[Player]:
        """All families clockwise from the left neighbour of ``seat``; ``seat`` itself comes last."""
        at = self.seats.index(seat) + 1
        yield from self.players[at:] + self.players[:at]

    def called(self, district: int) -> Term:
        """A district's name, or its number as long as it has none."""
        return self.names[district - 1] or district


def check_district(district: Json) -> None:
    """Refuse what is no district's number (``BAD_DETAILS``)."""
    if type(district) is not int or district not in DISTRICTS:
        raise Refused(
            "BAD_DETAILS", "{got} is no district: expected 1 to {last}", got=str(district)[:80], last=DISTRICTS[-1]
        )
