"""A table for Venezia's tests: positions by the golden adapter, events by the step of the game, games by chance."""

import random

import golden_venezia
from golden_venezia import Phase, at, facts, perform

from companion.errors import Refused
from companion.events import Choice, Outcome
from companion.game import Setup, step
from companion.games import venezia

HOMES = {"red": "Castello", "yellow": "Dorsoduro", "blue": "San Polo", "green": "Giudecca"}

__all__ = ["HOMES", "Phase", "at", "by_chance", "choose", "facts", "new_game", "perform", "position", "refused", "spin"]


def position(**script):
    """A position in the words of the golden scripts."""
    return golden_venezia.given(script)


def new_game(seats=("red", "yellow"), **settings):
    """A game whose set-up leaves nothing open."""
    homes = {seat: HOMES[seat] for seat in seats}
    return venezia.start(Setup(tuple(seats), settings, {"homes": homes, "campanile": "9B"}))


def choose(state, verb, seat=None, **data):
    return step(venezia, state, Choice(verb, data, seat))


def spin(state, verb, square):
    return step(venezia, state, Outcome(verb, {"square": square}))


def refused(state, verb, argument):
    """The refusal that a golden step gets."""
    try:
        perform(state, verb, argument)
    except Refused as refusal:
        return refusal
    raise AssertionError(f"{verb} {argument} was accepted")


def by_chance(seed, steps=3000, **chosen):
    """Play a game by chance until it is over: yields every (state, event, next state)."""
    rng = random.Random(seed)
    settings = {name: rng.choice(setting.choices) for name, setting in venezia.SETTINGS.items()} | chosen
    state = venezia.start(Setup(venezia.SEATS[: rng.choice(venezia.PLAYERS)], settings))
    for _ in range(steps):
        offers = [awaited for awaited in venezia.awaits(state) if awaited.options]
        if not offers:
            return
        awaited = rng.choice(offers)
        data = dict(rng.choice(awaited.options))
        event = Outcome(awaited.verb, data) if awaited.outcome else Choice(awaited.verb, data)
        after = step(venezia, state, event)
        yield state, event, after
        state = after
