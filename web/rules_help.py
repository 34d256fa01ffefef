"""The rules help: each game's rules page, opened at the rule in question."""

from flask import Blueprint, abort, current_app, redirect, render_template, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response as BaseResponse

from companion.table import Table
from web.rulebook import rules_page
from web.visitors import visitor

views = Blueprint("rules", __name__)


@views.get("/rules/<game>")
def page(game: str) -> str | BaseResponse:
    """Show a game's rules; the anchor of a rule is its number, such as ``#VZ-R15``."""
    if not visitor().joined:
        return redirect(url_for("doors.enter"))
    table: Table = current_app.extensions["table"]
    html = rules_page(game) if game in table.games else None
    if html is None:
        abort(404, f"there is no rules page of {game[:40]!r}")
    # The page is our own; raw HTML in it is escaped.
    return render_template("rules.html", title=table.games[game].TITLE, rules=Markup(html))
