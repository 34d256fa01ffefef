"""Vendetta's golden scripts: they start at PLACE, and every arrangement of the cards is passed over."""

from dataclasses import replace

from companion.errors import NotAwaited
from companion.events import Choice, Outcome
from companion.game import Setup, step
from companion.games import vendetta
from companion.games.vendetta.scoring import districts_of
from companion.games.vendetta.state import DISTRICTS, GANGSTERS, IN_HAND, Step


def given(script):
    seats = tuple(script.get("players", "ABC"))
    settings = {name: script[name] for name in vendetta.SETTINGS if name in script}
    state = vendetta.start(Setup(seats, {**settings, **script.get("settings", {})}))
    board = script.get("board", {})
    starter = script.get("starter", seats[0])
    before = seats.index(script.get("active", starter)) - seats.index(starter)
    players = []
    for player in state.players:
        there = tuple((board.get(district) or {}).get(player.seat, 0) for district in DISTRICTS)
        hand = script.get("hand", {}).get(player.seat, IN_HAND)
        box = script.get("box", {}).get(player.seat, GANGSTERS - hand - sum(there))
        points = script.get("points", {}).get(player.seat, 0)
        players.append(replace(player, board=there, hand=hand, box=box, points=points))
    return replace(
        state,
        players=tuple(players),
        trustee=script.get("trustee", seats[0]),
        starter=starter,
        round=script.get("round", 1),
        phase=script.get("phase", 1 + before % len(seats)),
        step=Step(script.get("step", "PLACE")),
        revealed=tuple(script.get("revealed", ())),
    )


def perform(state, verb, argument):
    if verb == "setup":
        state = vendetta.start(Setup(state.seats, state.settings))
    for event in events(state, verb, argument):
        state = step(vendetta, state, event)
        if state.step is Step.ARRANGE:
            state = step(vendetta, state, Choice("next"))
    return state


def events(state, verb, argument):
    """The events of one step of a script; a set-up is several."""
    match verb:
        case "setup":
            yield Choice("trustee", {"who": state.seats[0]})
            for seat, cards in argument.items():
                yield Outcome("deal", {"who": seat, "districts": cards})
            yield Choice("next")
        case "place":
            yield Choice("place", {"gangsters": {str(district): n for district, n in (argument or {}).items()}})
        case "reveal":
            yield Outcome("reveal", {"district": argument})
        case "raid":
            if state.step is not Step.RAID:
                raise NotAwaited("raid", tuple(awaited.verb for awaited in vendetta.awaits(state)))
            yield Choice("next")
        case _:
            yield Choice(verb, argument or {})


def facts(state):
    def of_each(value):
        return {player.seat: value(player) for player in state.players}

    return {
        "step": state.step.value,
        "round": state.round,
        "phase": state.phase,
        "active": state.active,
        "starter": state.starter,
        "trustee": state.trustee,
        "board": {
            district: {p.seat: p.there(district) for p in state.players if p.there(district)} for district in DISTRICTS
        },
        "onboard": of_each(lambda player: sum(player.board)),
        "hand": of_each(lambda player: player.hand),
        "box": of_each(lambda player: player.box),
        "points": of_each(lambda player: player.points),
        "revealed": list(state.revealed),
        "raided": list(state.raided),
        "loser": state.vendetta and state.vendetta.loser,
        "control": districts_of(state),
        "winner": list(state.winners) or None,
        "over": state.step is Step.OVER,
    }


def read_expected(name, value):
    """Expected values are written as `facts` tells them; one winner may stand alone."""
    return [value] if name == "winner" and isinstance(value, str) else value
