"""What a game is, and the one way to move it forward.

A game is a module (or package) in `companion.games` with the names of the protocol `Game`: pure functions
over a frozen state. There is no clock, no chance and no I/O in a game. `step` checks an event against what
the game awaits and lets the game apply it; nothing else advances a game.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from companion.errors import BadInput, NotAwaited, NotYours, Refused
from companion.events import Choice, Event, Json, Outcome
from companion.inputs import DieReading, SpinnerReading
from companion.text import Say, say


@dataclass(frozen=True, slots=True)
class Setting:
    """One house rule, chosen before the game and frozen with it.

    Attributes:
        default: the value that holds when nobody chooses.
        choices: every value allowed.
        label: the question in words.
        rule: where the rules page discusses it, such as ``VC-Q4``.
    """

    default: Json
    choices: tuple[Json, ...]
    label: Say
    rule: str


@dataclass(frozen=True, slots=True)
class Setup:
    """Everything a game is started with.

    Attributes:
        seats: the seats taken, clockwise; each one of the game's ``SEATS``.
        settings: house rules that differ from their defaults.
        data: what the rulebook leaves to the set-up (numbers on tiles, cards dealt), see each game.
    """

    seats: tuple[str, ...]
    settings: Mapping[str, Json] = field(default_factory=dict)
    data: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Awaited:
    """One thing the game waits for.

    Attributes:
        verb: the event's verb.
        seats: who may say it; empty when anybody at the table may.
        options: details that are legal now, each a JSON object.
        complete: whether ``options`` lists every legal one; otherwise they are examples.
        outcome: whether chance is to speak (`Outcome`) rather than a person (`Choice`).
        private: whether the answer, or its refusal, tells what only this seat may know, so that nobody else
            (the host neither) may say it for a seat that has a phone.
    """

    verb: str
    seats: tuple[str, ...] = ()
    options: tuple[Mapping[str, Json], ...] = ({},)
    complete: bool = True
    outcome: bool = False
    private: bool = False


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a camera reading would mean for the game.

    One option and no question: it is accepted at once. Otherwise the question is put to ``seat``'s phone,
    with the likeliest option first.
    """

    options: tuple[tuple[Say, Event], ...]
    question: Say | None = None
    seat: str | None = None


class State(Protocol):
    """What every game's state has in common."""

    @property
    def told(self) -> tuple[Say, ...]:
        """What the last event led to, in words that everybody may hear."""


class Game(Protocol):
    """The names a game's module must have."""

    NAME: str
    TITLE: str
    RULES_VERSION: int
    SEATS: tuple[str, ...]
    PLAYERS: range
    SETTINGS: Mapping[str, Setting]

    def start(self, setup: Setup, /) -> Any:
        """Make the first state; `BadInput` when the set-up can't be played."""

    def awaits(self, state: Any, /) -> tuple[Awaited, ...]:
        """Tell what may happen next; empty when and only when the game is over."""

    def apply(self, state: Any, event: Event, /) -> Any:
        """Make the next state of an awaited event; `Refused` when its details break a rule."""

    def view(self, state: Any, seat: str | None, /) -> dict[str, Json]:
        """Tell what ``seat`` may see (None: a spectator), as JSON values."""

    def interpret(self, state: Any, reading: DieReading | SpinnerReading, /) -> Proposal | Say | None:
        """Tell what a reading means now: events, why it counts for nothing, or None where there is nothing to say."""

    def corrections(self, state: Any, reading: DieReading | SpinnerReading, /) -> tuple[tuple[Say, Event], ...]:
        """Tell what else the reading that was taken last may have been: events that put it right, likeliest first."""


def step(game: Game, state: Any, event: Event) -> Any:
    """Check an event against what the game awaits, then apply it.

    Raises:
        NotAwaited: the game waits for something else.
        NotYours: it waits for this, but from another seat.
        Refused: the event's details break a rule.
    """
    awaited = game.awaits(state)
    fits = [a for a in awaited if a.verb == event.verb and a.outcome == isinstance(event, Outcome)]
    if not fits:
        raise NotAwaited(event.verb, tuple(a.verb for a in awaited))
    if isinstance(event, Choice) and event.seat is not None:
        seats = tuple(seat for a in fits for seat in a.seats)
        if seats and event.seat not in seats:
            raise NotYours(event.verb, event.seat, seats)
    return game.apply(state, event)


def checked_settings(
    setup: Setup, *, title: str, seats: tuple[str, ...], players: range, settings: Mapping[str, Setting]
) -> dict[str, Json]:
    """Check seats and house rules of a set-up against what a game offers, and fill in the defaults.

    Returns:
        All settings of the game, by name.

    Raises:
        BadInput: a seat is unknown or taken twice, the number of players is wrong, or a setting is not offered.
    """
    taken = setup.seats
    if len(taken) not in players or len(set(taken)) != len(taken) or not set(taken) <= set(seats):
        raise BadInput(
            say(
                "{game} takes {least} to {most} players, each on a seat of the game, and got {number}",
                game=title,
                least=players.start,
                most=players.stop - 1,
                number=len(taken),
            )
        )
    values = {name: setting.default for name, setting in settings.items()}
    for name, value in setup.settings.items():
        if name not in settings:
            raise BadInput(f"got setting {name!r}, but {title} has only {', '.join(settings)}")
        # `True == 1` in Python, but not in a house rule.
        if not any(value == choice and type(value) is type(choice) for choice in settings[name].choices):
            raise BadInput(f"got {name} = {value!r}, but expected one of {list(settings[name].choices)}")
        values[name] = value
    return values


def details(event: Event, **types: type | tuple[type, ...]) -> tuple[Json, ...]:
    """Take exactly these details out of an event, in the order asked for.

    Raises:
        Refused: a detail is missing, unknown or of another type (code ``BAD_DETAILS``).
    """
    if set(event.data) != set(types) or not all(
        isinstance(event.data[name], kind) and not (kind is int and isinstance(event.data[name], bool))
        for name, kind in types.items()
    ):
        raise Refused(
            "BAD_DETAILS",
            "{verb} came with {got}, but expected {expected}",
            verb=event.verb,
            got=", ".join(sorted(event.data)) or "no details",
            expected=", ".join(types) or "no details",
        )
    return tuple(event.data[name] for name in types)
