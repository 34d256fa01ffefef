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
    board = table.board(_looking_from(who, seat, table))
    held = table.held()
    return render_template(
        "board.html", board=board, view=board.view, names=board.names, who=who,
        me=_looking_from(who, seat, table), mine=who.seats, acts=_acts(board, who),
        free=[s for s in board.seats if s not in held], missing=current_app.extensions["equipment"].missing(),
        template=f"games/{board.game}.html", games=table.games,
    )  # fmt: skip


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
