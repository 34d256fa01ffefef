"""Venezia, whole: planning, the Piazza San Marco, action cards, districts and scoring, at two levels of detail.

Rules: docs/rules/venezia.md. ``state`` holds the constants, ``grid`` the squares, ``planning`` phase 1 and the
first cards, ``piazza`` phase 2, ``cards`` and ``actions`` the action cards, ``scoring`` the districts and phase
4, ``brief`` level "score", ``offers`` what is awaited, ``sight`` what is seen and read.
"""

from collections.abc import Callable
from dataclasses import replace

from companion.events import Event
from companion.game import Setup, checked_settings, details
from companion.games.venezia import actions, brief, cards, piazza, planning, scoring
from companion.games.venezia.offers import awaits
from companion.games.venezia.setting_up import start_state
from companion.games.venezia.sight import corrections, interpret, view
from companion.games.venezia.state import SETTINGS, Phase, State

__all__ = [
    "NAME", "PLAYERS", "RULES_VERSION", "SEATS", "SETTINGS", "TITLE",
    "apply", "awaits", "corrections", "interpret", "start", "view",
]  # fmt: skip

NAME = "venezia"
TITLE = "Venezia"
RULES_VERSION = 1
SEATS: tuple[str, ...] = ("red", "yellow", "blue", "green")
PLAYERS = range(2, 5)
"""Events whose details only their own seat may read as long as the round lasts."""

_NEXT: dict[Phase, Callable[[State], State]] = {
    Phase.REMOVE: piazza.remove_hunted,
    Phase.MOVE: piazza.end_movement,
    Phase.REVEAL: lambda state: cards.after_reveal(cards.resolve_cards(cards.unseal_cards(state))),
    Phase.UNCOVER: scoring.uncover_all,
    Phase.SCORE: scoring.score_board,
    Phase.CHASE: scoring.chase,
    Phase.CLEANUP: scoring.clean_up,
}


def _next(state: State, event: Event) -> State:
    """NEXT: what the table did is done; at level "full" the companion follows, at "score" it leads on."""
    details(event)
    return (_NEXT if state.full else brief.AFTER)[state.phase](state)


_VERBS: dict[str, Callable[[State, Event], State]] = {
    "start_with": planning.start_with,
    "home": planning.choose_home,
    "campanile": planning.set_campanile,
    "plan": planning.seal_plan,
    "lay": planning.lay_pigeons,
    "put": planning.put_on_piazza,
    "ruse": planning.transfer_ruse,
    "leave": planning.leave_rest,
    "tourist": piazza.spin,
    "hunter": piazza.spin,
    "correct": piazza.correct_spin,
    "move": piazza.move_pigeon,
    "next": _next,
    "reveal": cards.reveal_card,
    "family": cards.meet_family,
    "reinforce": cards.reinforce_home,
    **{verb: carry_out for verb, (_, carry_out) in actions.ACTIONS.items()},
    "uncover": scoring.name_cards,
    "retrieve": scoring.retrieve_card,
    "michele_take": scoring.take_from_michele,
    "births": brief.enter_births,
    "hold": brief.enter_holder,
    "to_score": brief.keep_score_only,
}


def start(setup: Setup) -> State:
    """Make the state before the first event."""
    settings = checked_settings(setup, title=TITLE, seats=SEATS, players=PLAYERS, settings=SETTINGS)
    return start_state(setup, settings)


def apply(state: State, event: Event) -> State:
    """Make the next state of an awaited event."""
    return _VERBS[event.verb](replace(state, told=()), event)
