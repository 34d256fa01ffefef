"""The board of one phone as HTML: one template serves the first load and every push."""

from typing import Any

from flask import current_app, render_template

from companion.commands import Board
from companion.table import Table
from web.visitors import Visitor


def render_board(table: Table, who: Visitor, seat: str | None = None) -> str:
    """Render what a phone may see now.

    Args:
        table: the table.
        who: whose phone it is.
        seat: which of its seats it looks from, when it holds several.
    """
    me = _looking_from(who, seat, table)
    board = table.board(me)
    held = table.held()
    free = [s for s in board.seats if s not in held]
    return render_template(
        "board.html", board=board, view=board.view, names=board.names, who=who, me=me, mine=who.seats,
        speaks=_speaks_for(board, who, free, host_for_all=not who.seats),
        owns=_speaks_for(board, who, free, host_for_all=False), acts=_acts(board, who), free=free,
        missing=current_app.extensions["equipment"].missing(), template=f"games/{board.game}.html", games=table.games,
    )  # fmt: skip


def _speaks_for(board: Board, who: Visitor, free: list[str], *, host_for_all: bool) -> list[str]:
    """The seats for which a phone enters things, its own first: the host also speaks for seats without a phone.

    A host who doesn't play speaks for everybody where that is no secret (``host_for_all``).
    """
    others = (board.seats if host_for_all else free) if who.host else ()
    return [s for s in board.seats if s in who.seats] + [s for s in others if s not in who.seats]


def _looking_from(who: Visitor, seat: str | None, table: Table) -> str | None:
    """The seat from which a phone looks: the one asked for, else the one whose turn it is, else the first."""
    if not who.seats:
        return None
    if seat in who.seats:
        return seat
    awaited = {s for a in table.board().awaits for s in a.seats}
    return sorted(who.seats & awaited or who.seats)[0]


def _acts(board: Board, who: Visitor) -> dict[str, list[dict[str, Any]]]:
    """What this phone may say now: for each verb the options, each a JSON object."""
    acts: dict[str, list[dict[str, Any]]] = {}
    for awaited in board.awaits:
        if who.host or (who.seats and (not awaited.seats or who.seats & set(awaited.seats))):
            acts.setdefault(awaited.verb, []).extend(dict(option) for option in awaited.options)
    return acts
