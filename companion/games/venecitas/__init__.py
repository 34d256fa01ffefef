"""Venecitas, whole: the colour die, blocking, and the solo game with its turn counter.

Rules: docs/rules/venecitas.md. ``state`` holds the constants and the start, ``turn`` the events of a turn,
``marking`` the marking, block and end, ``sight`` what is awaited, seen and read.
"""

from collections.abc import Callable

from companion.events import Event
from companion.game import Setup, checked_settings
from companion.games.venecitas import turn
from companion.games.venecitas.sight import awaits, corrections, interpret, view
from companion.games.venecitas.state import SETTINGS, State, start_state

__all__ = [
    "NAME", "PLAYERS", "RULES_VERSION", "SEATS", "SETTINGS", "TITLE",
    "apply", "awaits", "corrections", "interpret", "start", "view",
]  # fmt: skip

NAME = "venecitas"
TITLE = "Venecitas"
RULES_VERSION = 1
SEATS: tuple[str, ...] = ("S", "W", "N", "E")
PLAYERS = range(1, 5)

_VERBS: dict[str, Callable[[State, Event], State]] = {
    "pick": turn.pick,
    "start_with": turn.start_with,
    "first_roll": turn.first_roll,
    "exchange": turn.exchange,
    "next": turn.next_step,
    "roll": turn.roll,
    "correct": turn.correct,
    "move": turn.pay_move,
    "choose_block": turn.choose_block,
}


def start(setup: Setup) -> State:
    """Make the state before the first event."""
    settings = checked_settings(setup, title=TITLE, seats=SEATS, players=PLAYERS, settings=SETTINGS)
    return start_state(setup, settings)


def apply(state: State, event: Event) -> State:
    """Make the next state of an awaited event."""
    return _VERBS[event.verb](state, event)
