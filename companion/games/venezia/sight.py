"""Venezia: what a seat may see, and what a reading of the dials would mean.

Private to a player until it is turned over: which card lies in each place of his mat A. Everybody sees how
many pigeons lie on each face-down card, once all have planned.
Rules: section "State" of docs/rules/venezia.md, VZ-R10, VZ-E6.
"""

from itertools import product

from companion.events import Choice, Event, Json, Outcome
from companion.game import Proposal
from companion.games.venezia.piazza import hunted, movable
from companion.games.venezia.scoring import to_clear, to_uncover
from companion.games.venezia.state import AREAS, DISTRICTS, Phase, Plan, Player, State
from companion.inputs import DialReading, Reading, SpinnerReading, Status
from companion.text import Say, say


def view(state: State, seat: str | None) -> dict[str, Json]:
    """Tell what a seat may see."""
    return {
        "phase": state.phase.value,
        "detail": state.settings["detail"],
        "sealed_plans": state.sealed,
        "round": state.round,
        "start": state.start,
        "active": state.active or None,
        "waiting": list(_waiting(state)),
        "over": state.phase is Phase.OVER,
        "winners": list(state.winners),
        "scores": {player.seat: player.score for player in state.players},
        "players": [_player(state, player, seat) for player in state.players],
        "piazza": _piazza(state),
        "districts": _districts(state),
        "grey_at_edge": state.grey_at_edge if state.full else None,
        "bird": state.bird,
        "vatican": state.vatican,
        "revealed": {who: card.value for who, card in state.revealed.items()},
        "acting": [{"who": who, "card": state.revealed[who].value} for who in state.acting],
        "born": dict(state.born),
        "majority": dict(state.majority),
        "sgm_winner": state.sgm_winner,
        "michele_winner": state.michele_winner,
        "to_clear": list(to_clear(state)) if state.full and state.phase is Phase.CHASE else [],
        "cleared": list(state.cleared),
    }


def _waiting(state: State) -> tuple[str, ...]:
    """The seats that still have something to enter."""
    if state.phase is Phase.PLAN:
        return tuple(player.seat for player in state.players if player.plan is None)
    if state.phase is Phase.UNCOVER:
        return to_uncover(state)
    return (state.active,) if state.active else ()


def _player(state: State, player: Player, seat: str | None) -> dict[str, Json]:
    own = player.seat == seat
    pools: dict[str, Json] = dict.fromkeys(player.pools)
    if state.full:
        pools = dict(player.pools)
        if player.plan is not None and state.phase is Phase.PLAN and not own:
            # Until all are ready nobody sees how another one plans.
            pools["reserve"] = player.pools["reserve"] + player.plan.pigeons
    return {
        "seat": player.seat,
        "home": player.home,
        "score": player.score,
        **pools,
        "on_piazza": state.on_piazza(player.seat) if state.full else None,
        "ready": player.plan is not None,
        "mat": _mat(state, player.plan, own=own),
        "played": [card.value for card in player.played],
        "hand": [card.value for card in player.hand],
    }


def _mat(state: State, plan: Plan | None, *, own: bool) -> dict[str, Json] | None:
    if plan is None or (state.phase is Phase.PLAN and not own):
        return None
    # Action and district cards are told by `revealed` and `districts` once they are turned over.
    return {
        "first": {
            "card": plan.first.value if plan.first is not None and (own or plan.turned) else None,
            "pigeons": plan.on_first,
            "turned": plan.turned,
        },
        "action": plan.action.value if plan.action is not None and own else None,
        "cards": [{"area": slot.area if own else None, "pigeons": slot.pigeons} for slot in plan.slots],
    }


def _piazza(state: State) -> dict[str, Json]:
    columns, rows = state.size
    return {
        "columns": columns,
        "rows": rows,
        "campanile": state.campanile,
        "pigeons": dict(state.piazza),
        "tourists": list(state.tourists),
        "hunters": list(state.hunters),
        "tourists_due": state.settings["tourists"],
        "hunters_due": state.settings["hunters"],
        "to_remove": list(hunted(state)) if state.phase is Phase.REMOVE else [],
        "removed": list(state.removed),
        "pinched": list(state.pinched),
        "moved": list(state.moved),
        "targets": movable(state) if state.full and state.phase is Phase.MOVE else {},
    }


def _districts(state: State) -> dict[str, Json]:
    return {
        area: {
            "pigeons": dict(state.districts[area]) if state.full else None,
            "home": next((player.seat for player in state.players if player.home == area), None),
            "holder": state.holders.get(area),
            "district": area in DISTRICTS,
            "bird": state.bird == area,
        }
        for area in AREAS
    }


def interpret(state: State, reading: Reading) -> Proposal | Say | None:
    """Tell what the arrows mean now; None when no spin is awaited, or they can't be read.

    The dials are ``number`` (the column) and ``letter`` (the row). Near a line the phone asks. Both arrows must have
    been spun (VZ-R10).
    """
    if not isinstance(reading, SpinnerReading) or reading.status is not Status.READ:
        return None
    if state.phase not in (Phase.TOURIST, Phase.HUNTER):
        return None
    dials = {dial.name: dial for dial in reading.dials}
    if not {"number", "letter"} <= dials.keys():
        return None
    if reading.unspun:
        return _spin_again(reading)
    columns, rows = (_labels(state, dials[name]) for name in ("number", "letter"))
    options = tuple(_propose(state, column + row) for column, row in product(columns, rows))
    if len(options) == 1:
        return Proposal(options)
    return Proposal(options, question=_ask_line(columns, rows), seat=state.start)


def _spin_again(reading: SpinnerReading) -> Say:
    """Say which arrow was not spun."""
    if len(reading.unspun) == len(reading.dials):
        return say("rule VZ-R10: that spin was not seen to its end: spin both again")
    if "number" in reading.unspun:
        return say("rule VZ-R10: the number’s arrow was not spun, or a hand stopped it: spin both again")
    return say("rule VZ-R10: the letter’s arrow was not spun, or a hand stopped it: spin both again")


def _ask_line(columns: tuple[str, ...], rows: tuple[str, ...]) -> Say:
    """Ask on which side of a line an arrow points, or both of them."""
    if len(columns) > 1 and len(rows) > 1:
        return say(
            "both arrows are near a line: column {one} or {two}, row {row} or {other_row}?",
            one=columns[0], two=columns[1], row=rows[0], other_row=rows[1],
        )  # fmt: skip
    if len(columns) > 1:
        return say("the arrow is near a line: column {one} or {two}?", one=columns[0], two=columns[1])
    return say("the arrow is near a line: row {row} or {other_row}?", row=rows[0], other_row=rows[1])


def corrections(state: State, reading: Reading) -> tuple[tuple[Say, Event], ...]:
    """Tell on which square else the arrows that were just read may stand: beyond the line they are near."""
    if not isinstance(reading, SpinnerReading) or not (state.tourists or state.hunters):
        return ()
    dials = {dial.name: dial for dial in reading.dials}
    if not {"number", "letter"} <= dials.keys():
        return ()
    pairs = product(*([d.label, d.near_border] for d in (dials["number"], dials["letter"])))
    squares = [column + row for column, row in pairs if column and row]
    now = (state.hunters or state.tourists)[-1]
    return tuple(
        (say("{square}", square=square), Choice("correct", {"square": square}))
        for square in squares
        if square not in (now, state.campanile)
    )


def _labels(state: State, dial: DialReading) -> tuple[str, ...]:
    """What an arrow may show, likeliest first."""
    if dial.near_border is None or not state.settings["line_band_deg"]:
        return (dial.label,)
    return (dial.label, dial.near_border)


def _propose(state: State, square: str) -> tuple[Say, Event]:
    if square == state.campanile:
        # The game refuses it with the rule in words: spin again.
        label = say("{square}, the Campanile: spin again", square=square)
    elif state.phase is Phase.TOURIST:
        label = say("a tourist on {square}", square=square)
    else:
        label = say("the hunter on {square}", square=square)
    return label, Outcome("tourist" if state.phase is Phase.TOURIST else "hunter", {"square": square})
