"""Venise's golden scripts: players A, B, C, D are red, white, green and yellow."""

from dataclasses import replace

from companion.events import Choice
from companion.game import Setup, step
from companion.games import venise
from companion.games.venise.state import Phase, Plank


def given(script):
    seats = venise.SEATS[: len(script.get("players", "ABCD"))]
    settings = {name: script[name] for name in venise.SETTINGS if name in script}
    settings |= script.get("settings", {})
    state = venise.start(Setup(seats, settings, {"first": seats[_at(script.get("first", "A"))]}))
    for letter, seat in zip("ABCD", seats, strict=False):
        player = state.player(seat)
        own = {
            name: script[name][letter] for name in ("hand", "jokers", "gems", "tiles") if letter in _of(script, name)
        }
        planks = {kind: _of(script, kind.value).get(letter, number) for kind, number in player.planks.items()}
        state = state.with_player(replace(player, planks=planks, **own))
    plain = {
        name: script[name] for name in ("deck", "discard", "round", "spent", "played", "took_joker") if name in script
    }
    if "budget" in script:
        plain["used"] = script["budget"] - 4
    if "active" in script:
        plain["active"] = seats[_at(script["active"])]
    laid = {name: {kind: _of(script, name).get(kind.value, 0) for kind in Plank} for name in ("on_board", "removed")}
    return replace(state, phase=Phase(script.get("phase", "MAIN")), **plain, **laid)


def _at(letter):
    return "ABCD".index(letter)


def _of(script, name):
    return script.get(name) or {}


def perform(state, verb, argument):
    return step(venise, state, Choice(verb, data(verb, argument)))


def data(verb, argument):
    """The details of one step of a script, which may be written in short."""
    match verb, argument:
        case "play", str():
            return {"card": argument, "joker": False}
        case "discard", int():
            return {"number": argument, "jokers": 0}
        case "discard", dict():
            return {"jokers": 0, **argument}
        case "exchange4", int():
            return {"jokers": argument}
        case "exchange4", _:
            return {"jokers": 0, **(argument or {})}
    return dict(argument or {})


def facts(state):
    letter = dict(zip(state.seats, "ABCD", strict=False))

    def of_each(value):
        return {letter[player.seat]: value(player) for player in state.players}

    def planks(values):
        return {kind.value: values[kind] for kind in Plank}

    return {
        "phase": state.phase.value,
        "active": letter[state.active],
        "round": state.round,
        "budget": state.budget,
        "spent": state.spent,
        "hand": of_each(lambda player: player.hand),
        "jokers": of_each(lambda player: player.jokers),
        "long": of_each(lambda player: player.planks[Plank.LONG]),
        "short": of_each(lambda player: player.planks[Plank.SHORT]),
        "gems": of_each(lambda player: player.gems),
        "tiles": of_each(lambda player: player.tiles),
        "deck": state.deck,
        "discard": state.discard,
        "joker_stack": state.joker_stack,
        "on_board": planks(state.on_board),
        "removed": planks(state.removed),
        "reshuffled": state.reshuffled,
        "took_joker": state.took_joker,
        "winner": [letter[seat] for seat in state.winners] or None,
        "places": [[letter[seat] for seat in place] for place in state.places],
        "over": state.phase is Phase.OVER,
    }


def read_expected(name, value):
    """Expected values are written as `facts` tells them; one winner may stand alone."""
    return [value] if name == "winner" and isinstance(value, str) else value
