"""Venecitas' golden scripts: players A, B, C, D sit at S, W, N, E (two at S and N)."""

from dataclasses import replace

from companion.die import Colour
from companion.events import Choice, Outcome
from companion.game import Setup, step
from companion.games import venecitas
from companion.games.venecitas.state import Block, Combo, Phase

SEATS = {1: ("S",), 2: ("S", "N"), 3: ("S", "W", "N"), 4: ("S", "W", "N", "E")}


def given(script):
    seats = SEATS[len(script.get("players", "ABCD"))]
    seat = dict(zip("ABCD", seats, strict=False))
    state = venecitas.start(Setup(seats, script.get("settings", {}), {"first": "S"}))
    for letter, counts in script.get("counts", {}).items():
        marked = {Colour(item[0]): int(item[1:]) for item in counts.split()}
        player = state.player(seat[letter])
        state = state.with_player(replace(player, counts={**player.counts, **marked}))
    for letter, vp in script.get("vp", {}).items():
        state = state.with_player(replace(state.player(seat[letter]), vp=vp))
    for name, values in script.get("stack", {}).items():
        state = replace(state, stacks={**state.stacks, Combo(name): tuple(values)})
    if script.get("block"):
        block = Block(seat[script["block"]["owner"]], Colour(script["block"]["colour"]))
        state = replace(state, block=block)
    return replace(
        state,
        active=seat[script.get("active", "A")],
        phase=Phase(script.get("phase", "EXCHANGE")),
        turns=script.get("turns", 0),
    )


def perform(state, verb, argument):
    data = dict(argument or {})
    if verb == "exchange":
        data.setdefault("colours", [])
    if "owner" in data:
        data["owner"] = state.seats["ABCD".index(data["owner"])]
    event = Outcome(verb, data) if verb == "roll" else Choice(verb, data)
    return step(venecitas, state, event)


def facts(state):
    letter = dict(zip(state.seats, "ABCD", strict=False))
    straightened, lie = state.straightened, state.lie

    def block(value):
        return {"owner": letter[value.owner], "colour": str(value.colour)} if value else None

    return {
        "active": letter[state.active],
        "phase": state.phase.value,
        "block": block(state.block),
        "counts": {
            letter[p.seat]: {str(c): n for c, n in p.counts.items() if n} for p in state.players
        },
        "vp": {letter[p.seat]: p.vp for p in state.players},
        "tiles": {letter[p.seat]: p.tiles for p in state.players},
        "stack": {combo.value: list(values) for combo, values in state.stacks.items()},
        "die": lie and {
            "top": str(lie.top), "S": str(lie.south), "W": str(lie.west),
            "N": str(lie.north), "E": str(lie.east), "bottom": str(lie.bottom),
        },
        "straighten": straightened and [straightened.turn.value, straightened.angle_deg],
        "choice": state.choosing and {
            "who": letter[state.choosing], "options": [block(choice) for choice in state.choices],
        },
        "ending": state.ending,
        "winner": [letter[seat] for seat in state.winners],
        "lost": state.lost,
        "turns": state.turns,
    }  # fmt: skip


def read_expected(name, value):
    """Counts are written as text: "R3 Y1" lists all that are not zero."""
    if name != "counts":
        return value
    return {letter: {item[0]: int(item[1:]) for item in text.split()} for letter, text in value.items()}
