"""Venecitas: its constants, its house rules, its state and how a game starts.

Rules: docs/rules/venecitas.md, VC-R1 to VC-R5 and the table VC-Q.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from companion.die import Colour, Lie, Straightening
from companion.errors import BadInput
from companion.events import Json
from companion.game import Setting, Setup
from companion.text import Say, say

SOLO_TURNS = 25
"""The solo game is lost when the turn counter gets here (VC-R28)."""
GOALS = {1: 8, 2: 25, 3: 21, 4: 17}
"""Victory points to reach, by number of players."""
BLOCKING = 4
"""The position at which a cone takes the decorated cone (VC-R19)."""
TILES_EACH = 3
"""Tiles of each combination."""


class Combo(StrEnum):
    """The three combinations that are worth victory points (VC-R7)."""

    SAME4 = "same4"
    PAIR33 = "pair33"
    SIX = "six"


FLAT = {Combo.SAME4: 3, Combo.PAIR33: 4, Combo.SIX: 5}
"""What every tile and the mat count as long as nobody has entered their numbers (VC-Q1)."""


class Phase(StrEnum):
    """Where a turn stands."""

    FIRST_PLAYER = "FIRST_PLAYER"
    EXCHANGE = "EXCHANGE"
    ROLL = "ROLL"
    ADJUST = "ADJUST"
    BLOCK_CHOICE = "BLOCK_CHOICE"
    OVER = "OVER"


SETTINGS: Mapping[str, Setting] = {
    "track_max": Setting(4, (4, 5, 6, 7, 8, 9, 10), say("Last position of the colour tracks"), "VC-Q2"),
    "tiles_removed": Setting(0, (0, 1, 2), say("Tiles taken out of each pile for a longer game"), "VC-R5"),
    "flip": Setting("A", ("A", "A_swapped", "B1", "B2"), say("What flipping the die means"), "VC-Q4"),
    "adjust_per_turn": Setting(0, (0, 1, 2, 3), say("Paid die moves in a turn (0: no limit)"), "VC-Q5"),
    "exchanges_per_turn": Setting(0, (0, 1, 2, 3), say("Exchanges in a turn (0: no limit)"), "VC-Q6"),
    "self_second_four": Setting(
        "keep", ("keep", "move", "choose"), say("The blocking player alone reaches a second 4"), "VC-Q7"
    ),
    "pay_below_four": Setting(
        "keep", ("keep", "release", "forbid"), say("The blocking cone is paid down below 4"), "VC-Q8"
    ),
    "solo_strict": Setting(False, (False, True), say("Solo: 8 points must be there before the 25th turn"), "VC-Q10"),
    "assist_show_hidden": Setting(False, (False, True), say("Show the hidden faces of the die"), "VC-Q4"),
    "straighten_tie_band_deg": Setting(
        3, (0, 1, 2, 3, 4, 5), say("Degrees about 45 that count as exactly 45"), "VC-R11"
    ),
}


@dataclass(frozen=True, slots=True)
class Block:
    """A colour blocked for everybody but its owner; also a place where the decorated cone could go."""

    owner: str
    colour: Colour


@dataclass(frozen=True, slots=True)
class Player:
    """One player's board: cones on the colour tracks, points, tiles taken."""

    seat: str
    counts: Mapping[Colour, int] = field(default_factory=lambda: dict.fromkeys(Colour, 0))
    vp: int = 0
    tiles: int = 0

    def with_count(self, colour: Colour, change: int) -> "Player":
        """The same board with one cone moved."""
        return replace(self, counts={**self.counts, colour: self.counts[colour] + change})

    @property
    def venecitas(self) -> int:
        """All Venecitas marked on the board (VC-R26)."""
        return sum(self.counts.values())


@dataclass(frozen=True, slots=True)
class Mark:
    """What happened to one colour in a marking: moved, or why not (``blocked`` or ``full``)."""

    seat: str
    colour: Colour
    moved: bool
    why_not: str | None = None


@dataclass(frozen=True, slots=True)
class State:
    """A game of Venecitas between two events. Mappings are never changed in place.

    Attributes:
        players: clockwise from the lowest side in the order S, W, N, E.
        settings: every house rule.
        stacks: values of the tiles left of each combination, the visible one first.
        mat: values printed on the mat.
        numbers_known: whether somebody entered the numbers on tiles and mat.
        picks: colours chosen for the first player's draw, by seat.
        lie: how the die lies, once rolled.
        straightened: how it was turned straight.
        revealed: whether all faces may be shown, the colours being marked.
        choices: where the decorated cone may go, while ``choosing`` has to say.
        choice_ends_turn: whether the next player's turn follows the choice.
        marks: the last marking.
    """

    players: tuple[Player, ...]
    settings: Mapping[str, Json]
    stacks: Mapping[Combo, tuple[int, ...]]
    mat: Mapping[Combo, int]
    numbers_known: bool
    phase: Phase
    picks: Mapping[str, Colour] = field(default_factory=dict)
    first: str = ""
    active: str = ""
    round: int = 1
    turns: int = 0
    lie: Lie | None = None
    straightened: Straightening | None = None
    revealed: bool = False
    exchanges: int = 0
    moves_paid: int = 0
    block: Block | None = None
    choosing: str | None = None
    choices: tuple[Block, ...] = ()
    choice_ends_turn: bool = False
    ending: bool = False
    winners: tuple[str, ...] = ()
    lost: bool = False
    marks: tuple[Mark, ...] = ()
    told: tuple[Say, ...] = ()

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats taken, clockwise."""
        return tuple(player.seat for player in self.players)

    @property
    def solo(self) -> bool:
        """Whether one player plays against the turn counter."""
        return len(self.players) == 1

    @property
    def goal(self) -> int:
        """Victory points to reach."""
        return GOALS[len(self.players)]

    def player(self, seat: str) -> Player:
        """The board of a seat."""
        return next(player for player in self.players if player.seat == seat)

    def with_player(self, changed: Player) -> "State":
        """The same state with one board replaced."""
        players = tuple(changed if player.seat == changed.seat else player for player in self.players)
        return replace(self, players=players)

    def clockwise(self, start: str) -> Iterator[Player]:
        """All boards clockwise, beginning with ``start``."""
        at = self.seats.index(start)
        yield from self.players[at:] + self.players[:at]

    def blocked_for(self, seat: str, colour: Colour) -> bool:
        """Whether somebody else blocks this colour (VC-R19)."""
        return self.block is not None and self.block.colour == colour and self.block.owner != seat


def start_state(setup: Setup, settings: Mapping[str, Json]) -> State:
    """Make the state before the first event (VC-R1, VC-R2, VC-R5).

    ``setup.data`` may hold ``tiles`` (three numbers for each combination, the visible one first), ``mat``
    (a number for each combination) and ``first`` (the seat that starts, when it was settled by hand).

    Raises:
        BadInput: data of another form.
    """
    unknown = set(setup.data) - {"tiles", "mat", "first"}
    if unknown:
        raise BadInput(f"got set-up data {sorted(unknown)}, but Venecitas knows tiles, mat and first")
    seats = tuple(side for side in ("S", "W", "N", "E") if side in setup.seats)
    first = setup.data.get("first", seats[0] if len(seats) == 1 else "")
    if first and first not in seats:
        raise BadInput(f"got first player {first!r}, but expected one of {list(seats)}")
    return State(
        players=tuple(Player(seat) for seat in seats),
        settings=settings,
        stacks=_stacks(setup.data.get("tiles"), settings["tiles_removed"]),
        mat=_mat(setup.data.get("mat")),
        numbers_known="tiles" in setup.data and "mat" in setup.data,
        phase=Phase.EXCHANGE if first else Phase.FIRST_PLAYER,
        first=first,
        active=first,
    )


def _stacks(tiles: Json, removed: int) -> dict[Combo, tuple[int, ...]]:
    if tiles is None:
        tiles = {combo: [value] * TILES_EACH for combo, value in FLAT.items()}
    if not isinstance(tiles, dict) or set(tiles) != set(Combo):
        raise BadInput(f"got tiles {tiles!r}, but expected numbers for {', '.join(Combo)}")
    stacks = {}
    for combo in Combo:
        values = tiles[combo]
        if not isinstance(values, list) or len(values) > TILES_EACH or not all(_is_points(v) for v in values):
            raise BadInput(
                say(
                    "got {got} as tiles for {combo}, but expected up to {number} numbers from 0 to 99",
                    got=str(values),
                    combo=combo.value,
                    number=TILES_EACH,
                )
            )
        # VC-R5: the highest go, whatever order the pile lies in.
        for value in sorted(values, reverse=True)[:removed]:
            at = len(values) - 1 - values[::-1].index(value)
            values = values[:at] + values[at + 1 :]
        stacks[combo] = tuple(values)
    return stacks


def _mat(mat: Json) -> dict[Combo, int]:
    if mat is None:
        return dict(FLAT)
    if not isinstance(mat, dict) or set(mat) != set(Combo) or not all(_is_points(v) for v in mat.values()):
        raise BadInput(
            say(
                "got {got} as mat, but expected a number from 0 to 99 for each of {expected}",
                got=", ".join(map(str, mat.values())) if isinstance(mat, dict) else str(mat),
                expected=tuple(combo.value for combo in Combo),
            )
        )
    return {combo: mat[combo] for combo in Combo}


def _is_points(value: Json) -> bool:
    return type(value) is int and 0 <= value <= 99
