"""Past evenings: the list, one evening's history and figures, exports, and what the host may do with them."""

import io
import secrets
import tempfile
from pathlib import Path

from flask import Blueprint, Response, current_app, redirect, render_template, send_file, url_for
from werkzeug.wrappers import Response as BaseResponse

from companion.archive import back_up
from companion.commands import Command, OpenSession
from companion.config import new_code, new_pin, save_installation
from companion.errors import BadInput
from companion.evenings import Evening, Line, list_evenings, retell
from companion.export import WRITERS
from companion.figures import figure_out
from companion.sessions import Session
from companion.table import Table
from companion.text import say
from web.bodies import form_fields
from web.chart import draw_chart
from web.visitors import change_keys, host_only, joined_only, visitor

views = Blueprint("evenings", __name__)

NUMBER = "int(max=9007199254740991)"
"""A number of the journal in an address."""

MIMETYPES = {"json": "application/json", "csv": "text/csv; charset=utf-8"}


def _table() -> Table:
    table: Table = current_app.extensions["table"]
    return table


@views.get("/history")
@joined_only
def now() -> BaseResponse | str:
    """Show the history of the game on the table."""
    session = _table().board().session
    if session is None:
        return redirect(url_for("evenings.all_evenings"))
    return redirect(url_for("evenings.one", number=session))


@views.get("/evenings")
@joined_only
def all_evenings() -> str:
    """List all evenings, the newest first."""
    table = _table()
    evenings = list_evenings(table.journal.entries())
    return render_template(
        "evenings.html", who=visitor(), evenings=evenings, games=table.games, current=table.board().session,
        command=secrets.token_hex(8),
    )  # fmt: skip


def _retell(number: int) -> tuple[Session, list[Line]]:
    table = _table()
    return retell(table.games, table.journal.entries(number))


@views.get(f"/evenings/<{NUMBER}:number>")
@joined_only
def one(number: int) -> str:
    """Show an evening: every turn with its picture, and the figures."""
    table = _table()
    session, lines = _retell(number)
    figures = figure_out(session)
    current, hidden = table.board().session, table.hidden_crops()
    pictures = {seq for seq in table.journal.pictured(number) if hidden is None or number != current or seq < hidden}
    return render_template(
        "evening.html", who=visitor(), session=session, lines=lines[::-1], figures=figures, names=session.names,
        chart=draw_chart(figures.scores), pictures=pictures, current=current, command=secrets.token_hex(8),
        view=session.game.view(session.state, None),
    )  # fmt: skip


@views.get(f"/evenings/<{NUMBER}:number>.<ending>")
@joined_only
def export(number: int, ending: str) -> Response:
    """Give an evening as CSV or JSON."""
    if ending not in WRITERS:
        raise BadInput(f"got .{ending[:10]}, but expected one of {', '.join(WRITERS)}")
    session, _ = _retell(number)
    out = io.StringIO()
    WRITERS[ending](out, session)
    name = f"{session.game.NAME}-{session.id}.{ending}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(out.getvalue(), content_type=MIMETYPES[ending], headers=headers)


@views.post(f"/evenings/<{NUMBER}:number>/resume")
@host_only
def resume(number: int) -> BaseResponse:
    """Put an evening on the table again."""
    form, who = form_fields("command"), visitor()
    command = Command(f"{who.phone}:{form['command']}", _table().board().seq, who.source, OpenSession(number))
    _table().asked(command)
    return redirect(url_for("play.table_page"), 303)


@views.post("/host/clear")
@host_only
def clear() -> BaseResponse:
    """Clear the table; the game stays among the evenings."""
    form, who = form_fields("command"), visitor()
    command = Command(f"{who.phone}:{form['command']}", _table().board().seq, who.source, OpenSession(None))
    _table().asked(command)
    return redirect(url_for("host.host_page"), 303)


@views.get(f"/evenings/<{NUMBER}:number>/delete")
@host_only
def confirm_delete(number: int) -> str:
    """Ask once more before an evening is deleted."""
    return render_template("delete.html", evening=_evening(number), games=_table().games)


def _evening(number: int) -> Evening:
    for evening in list_evenings(_table().journal.entries(number)):
        return evening
    raise BadInput(say("there is no such evening: it was deleted, or it never was"))


@views.post(f"/evenings/<{NUMBER}:number>/delete")
@host_only
def delete(number: int) -> BaseResponse:
    """Delete an evening for good, once that was said."""
    if form_fields("sure")["sure"] != "delete":
        raise BadInput(say("tick that you are sure: a deleted evening can't be brought back"))
    _table().delete(number)
    return redirect(url_for("evenings.all_evenings"), 303)


def _folder() -> Path:
    """The installation's folder, which is where its journal lies."""
    return _table().journal.path.parent


@views.get("/backup.zip")
@host_only
def backup() -> Response:
    """Give everything that was kept as one zip file, without keys, PIN and code."""
    with tempfile.TemporaryDirectory() as work:
        file = Path(work) / "backup.zip"
        back_up(_folder(), file)
        # The open file outlives its folder, so that it needn't fit into memory.
        return send_file(file.open("rb"), "application/zip", as_attachment=True, download_name="table-companion.zip")


@views.post("/host/keys")
@host_only
def keys() -> BaseResponse:
    """Make a new PIN, or the one entered, or a new table code."""
    form = form_fields("what", "pin")
    pin = form["pin"].strip()
    if form["what"] == "pin":
        if pin and not (len(pin) == 6 and pin.isascii() and pin.isdigit()):
            raise BadInput(say("a PIN has six digits; leave the field empty and one is made"))
        new = change_keys(pin=pin or new_pin())
    elif form["what"] == "code":
        new = change_keys(code=new_code())
    else:
        raise BadInput(f"got {form['what'][:10]!r}, but expected pin or code")
    save_installation(_folder(), new)
    _table().wake()
    return redirect(url_for("host.host_page"), 303)
