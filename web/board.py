"""The board of one phone as HTML: one template serves the first load and every push."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any

from flask import current_app, render_template
from flask_babel import get_locale

from companion.commands import Board
from companion.events import Event
from companion.table import Table
from web.visitors import Visitor

KEPT_BOARDS = 64
"""How many rendered boards are remembered: more than a table has views, and less than a megabyte or two."""


class Rendered:
    """Remembers rendered boards, so that a change is rendered once for each view and not for each phone."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[Hashable, str] = OrderedDict()

    def get(self, key: Hashable, render: Callable[[], str]) -> str:
        """Take a board from memory, or render and remember it.

        Args:
            key: everything that the rendering looks at.
            render: makes the HTML; called under the lock, for two threads would only render the same twice.
        """
        with self._lock:
            if key not in self._kept:
                self._kept[key] = render()
                while len(self._kept) > KEPT_BOARDS:
                    self._kept.popitem(last=False)
            self._kept.move_to_end(key)
            return self._kept[key]


def render_board(table: Table, who: Visitor, seat: str | None = None) -> str:
    """Render what a phone may see now.

    Args:
        table: the table.
        who: whose phone it is.
        seat: which of its seats it looks from, when it holds several.
    """
    me = _looking_from(who, seat, table)
    board, held = table.board(me), table.held()
    missing = current_app.extensions["equipment"].missing()
    rendered: Rendered = current_app.extensions["rendered"]
    key = (board.tick, me, who.host, who.seats, who.screen, held, missing, str(get_locale()))
    return rendered.get(key, lambda: _render(table, board, who, me=me, held=held, missing=missing))


def _render(
    table: Table, board: Board, who: Visitor, *, me: str | None, held: frozenset[str], missing: tuple[str, ...]
) -> str:
    free = [seat for seat in board.seats if seat not in held]
    return render_template(
        "board.html", board=board, view=board.view, names=board.names, who=who, me=me, mine=who.seats,
        speaks=_speaks_for(board, who, free, host_for_all=not who.seats),
        owns=_speaks_for(board, who, free, host_for_all=False), acts=_acts(board, who), free=free, missing=missing,
        template=f"games/{board.game}.html", games=table.games, can_correct=_can_correct(board, who),
        my_turn=any(who.seats & set(awaited.seats) for awaited in board.awaits),
        asked_of_me=[s for s in board.askers if who.host or s in who.seats],
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


def _can_correct(board: Board, who: Visitor) -> list[tuple[Any, Event]]:
    """What else the last reading may have been, for a phone that may say so."""
    return list(board.corrections) if who.host or who.seats else []
