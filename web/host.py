"""The host's page: a new game with its seats, names and house rules, the door, and who sits where."""

import secrets

from flask import Blueprint, current_app, redirect, render_template, request, url_for
from flask_babel import gettext
from werkzeug.wrappers import Response as BaseResponse

from companion.commands import Command
from companion.errors import CompanionError
from companion.table import Table
from web.bodies import form_fields
from web.forms import read_new_game
from web.visitors import Doors, host_only, visitor
from web.words import plain_sentence

views = Blueprint("host", __name__)


@views.get("/host")
def host_page() -> str | tuple[str, int]:
    """Show the host's page."""
    return _page()


def _page(error: str | None = None, status: int = 200) -> tuple[str, int]:
    who = visitor()
    if not who.host:
        return render_template("door.html", error=gettext("This page is the host’s: enter the PIN.")), 403
    table: Table = current_app.extensions["table"]
    doors: Doors = current_app.extensions["doors"]
    chosen = request.values.get("game", next(iter(table.games)))
    game = table.games.get(chosen) or next(iter(table.games.values()))
    page = render_template(
        "host.html", who=who, board=table.board(), held=table.held(), game=game, games=table.games, error=error,
        code=doors.installation.code, address=current_app.extensions["address"](), form=request.form,
        missing=current_app.extensions["equipment"].missing(), command=secrets.token_hex(8),
        pin=doors.installation.pin, lessons=current_app.extensions["equipment"].lessons,
        corrections=current_app.extensions["equipment"].corrections(),
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
        return _page(gettext("Choose a game."), 400)
    try:
        act = read_new_game(game, request.form)
        table.asked(Command(f"{who.phone}:{request.form.get('command', '')}", table.board().seq, who.source, act))
    except CompanionError as error:
        return _page(plain_sentence(error.say, {}) if error.say else str(error), 400)
    return redirect(url_for("play.table_page"), 303)


@views.post("/host/forget")
@host_only
def forget() -> BaseResponse:
    """Forget what the camera learnt from corrected readings."""
    form_fields()
    current_app.extensions["equipment"].forget_corrections()
    return redirect(url_for("host.host_page"), 303)
