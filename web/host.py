"""The host's page: a new game with its seats, names and house rules, the door, and who sits where."""

import secrets
from typing import Any

from flask import Blueprint, current_app, redirect, render_template, request, url_for
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response as BaseResponse

from companion.commands import Command, NewGame
from companion.errors import CompanionError
from companion.game import Game, Setup
from companion.table import Table
from web.visitors import Doors, visitor

views = Blueprint("host", __name__)

LONGEST_NAME = 40


@views.get("/host")
def host_page() -> str | tuple[str, int]:
    """Show the host's page."""
    return _page()


def _page(error: str | None = None, status: int = 200) -> tuple[str, int]:
    who = visitor()
    if not who.host:
        return render_template("door.html", error="This page is the host's: enter the PIN."), 403
    table: Table = current_app.extensions["table"]
    doors: Doors = current_app.extensions["doors"]
    chosen = request.values.get("game", next(iter(table.games)))
    game = table.games.get(chosen) or next(iter(table.games.values()))
    page = render_template(
        "host.html", who=who, board=table.board(), held=table.held(), game=game, games=table.games, error=error,
        code=doors.installation.code, address=current_app.extensions["address"], form=request.form,
        missing=current_app.extensions["equipment"].missing(), command=secrets.token_hex(8),
        pin=doors.installation.pin,
    )  # fmt: skip
    return page, status


@views.post("/host/new")
def new_game() -> str | BaseResponse | tuple[str, int]:
    """Start a game from the form."""
    who = visitor()
    if not who.host:
        return _page()
    table: Table = current_app.extensions["table"]
    game = table.games.get(request.form.get("game", ""))
    if game is None:
        return _page("Choose a game.", 400)
    try:
        act = _read_form(game, request.form)
        table.asked(Command(f"{who.phone}:{request.form.get('command', '')}", table.board().seq, who.source, act))
    except CompanionError as error:
        return _page(str(error), 400)
    return redirect(url_for("play.table_page"), 303)


def _read_form(game: Game, form: MultiDict[str, str]) -> NewGame:
    """Read seats, names, house rules and the game's own data; empty fields count as not said."""
    seats = tuple(seat for seat in game.SEATS if form.get(f"seat-{seat}"))
    names = {seat: form.get(f"name-{seat}", "").strip()[:LONGEST_NAME] for seat in seats}
    settings: dict[str, Any] = {}
    for name, setting in game.SETTINGS.items():
        said = form.get(f"rule-{name}")
        settings.update((name, choice) for choice in setting.choices if str(choice) == said)
    return NewGame(game.NAME, Setup(seats, settings, _data(game, form)), {s: n for s, n in names.items() if n})


def _data(game: Game, form: MultiDict[str, str]) -> dict[str, Any]:
    """The numbers of Venecitas' tiles and mat, when all of them were entered (VC-Q1)."""
    fields = {key: value.strip() for key, value in form.items() if key.startswith(("tile-", "mat-"))}
    if game.NAME != "venecitas" or not any(fields.values()):
        return {}
    combos = ("same4", "pair33", "six")
    tiles = {c: [_number(fields.get(f"tile-{c}-{i}", "")) for i in range(3)] for c in combos}
    return {"tiles": tiles, "mat": {combo: _number(fields.get(f"mat-{combo}", "")) for combo in combos}}


def _number(text: str) -> Any:
    return int(text) if text.isascii() and text.isdigit() else text
