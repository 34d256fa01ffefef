"""Venise, whole: the budget of hourglasses, cards by type, jokers, gems, planks in stock, and the places.

Rules: docs/rules/venise.md. ``state`` holds the constants and the start, ``play`` what a player does in a
turn, ``turns`` the end of a turn and of the game, ``sight`` what is awaited and seen. The board isn't
modelled: how planks may lie and pawns may walk (VN-R16 to VN-R22) stays with the players.
"""

from collections.abc import Callable

from companion.events import Event
from companion.game import Proposal, Setup, checked_settings
from companion.games.venise import play, turns
from companion.games.venise.sight import awaits, view
from companion.games.venise.state import SEATS, SETTINGS, State, start_state
from companion.inputs import Reading
from companion.text import Say

__all__ = [
    "NAME", "PLAYERS", "RULES_VERSION", "SEATS", "SETTINGS", "TITLE",
    "apply", "awaits", "corrections", "interpret", "start", "view",
]  # fmt: skip

NAME = "venise"
TITLE = "Venise"
RULES_VERSION = 1
PLAYERS = range(2, 5)

_VERBS: dict[str, Callable[[State, Event], State]] = {
    "board": turns.board,
    "start_with": turns.start_with,
    "play": play.play,
    "tile": play.use_tile,
    "gem": turns.take_gem,
    "take_joker": play.take_joker,
    "exchange4": turns.exchange4,
    "next": turns.end_main,
    "discard": turns.discard,
}


def start(setup: Setup) -> State:
    """Make the state before the first event; `BadInput` when the set-up can't be played."""
    settings = checked_settings(setup, title=TITLE, seats=SEATS, players=PLAYERS, settings=SETTINGS)
    return start_state(setup, settings)


def apply(state: State, event: Event) -> State:
    """Make the next state of an awaited event."""
    return _VERBS[event.verb](state, event)


def interpret(state: State, reading: Reading) -> Proposal | None:
    """Tell what a reading means: nothing, for Venise has neither die nor dial."""
    return None


def corrections(state: State, reading: Reading) -> tuple[tuple[Say, Event], ...]:
    """Tell what else a reading may have been: nothing, for none is ever taken."""
    return ()
