"""Vendetta, whole: eleven phases and the raid, in full detail or with the pieces left to the table.

Rules: docs/rules/vendetta.md. ``state`` holds the constants, ``opening`` the set-up, ``phases`` the eleven
phases, ``scoring`` the raid, control, points and victory, ``sight`` what is awaited and seen.
"""

from collections.abc import Callable

from companion.events import Event
from companion.game import Proposal, Setup, checked_settings
from companion.games.vendetta import opening, phases, scoring
from companion.games.vendetta.sight import awaits, view
from companion.games.vendetta.state import SEATS, SETTINGS, State, Step
from companion.inputs import Reading
from companion.text import Say

__all__ = [
    "NAME", "PLAYERS", "RULES_VERSION", "SEATS", "SETTINGS", "TITLE",
    "apply", "awaits", "corrections", "interpret", "start", "view",
]  # fmt: skip

NAME = "vendetta"
TITLE = "Vendetta"
RULES_VERSION = 1
PLAYERS = range(3, 6)

_VERBS: dict[str, Callable[[State, Event], State]] = {
    "trustee": opening.trustee,
    "deal": opening.deal,
    "colour": opening.colour,
    "name_district": opening.name_district,
    "place": phases.place,
    "reveal": phases.reveal,
    "control": scoring.control,
    "to_score": scoring.to_score,
}
_NEXT: dict[Step, Callable[[State, Event], State]] = {
    Step.SETUP: opening.begin,
    Step.ARRANGE: phases.arranged,
    Step.PLACE: phases.place_nothing,
    Step.REVEAL: phases.pass_card,
    Step.RAID: scoring.raid,
    Step.CONTROL: scoring.control_done,
}


def start(setup: Setup) -> State:
    """Make the state before the first event; `BadInput` when the set-up can't be played."""
    settings = checked_settings(setup, title=TITLE, seats=SEATS, players=PLAYERS, settings=SETTINGS)
    return opening.start_state(setup, settings)


def apply(state: State, event: Event) -> State:
    """Make the next state of an awaited event."""
    return (_NEXT[state.step] if event.verb == "next" else _VERBS[event.verb])(state, event)


def interpret(state: State, reading: Reading) -> Proposal | None:
    """Tell what a reading means: nothing, for Vendetta has neither die nor dial."""
    return None


def corrections(state: State, reading: Reading) -> tuple[tuple[Say, Event], ...]:
    """Tell what else a reading may have been: nothing, for none is ever taken."""
    return ()
