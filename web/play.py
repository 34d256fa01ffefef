"""Playing: the page of the table, what a phone says, and the pictures that belong to it."""

import json
from typing import Any

from flask import Blueprint, Response, current_app, redirect, render_template, request, url_for
from flask_babel import gettext
from werkzeug.wrappers import Response as BaseResponse

from companion.commands import Act, Command, OpenSession, Redo, Undo
from companion.errors import BadInput, NotYours, Refused
from companion.events import Choice, Outcome
from companion.game import Awaited
from companion.inputs import Button
from companion.table import Table
from web.board import render_board
from web.bodies import json_object
from web.visitors import Visitor, visitor

views = Blueprint("play", __name__)

ALLOWED_KEYS = {"id", "seen", "verb", "data", "outcome", "act", "seat"}


@views.get("/play")
def table_page() -> str | BaseResponse:
    """Show the table to this phone."""
    who = visitor()
    if not who.joined or who.screen:
        return redirect(url_for("doors.enter"))
    table: Table = current_app.extensions["table"]
    return render_template(
        "play.html", who=who, board_html=render_board(table, who, request.args.get("seat")),
        toy=who.host and bool(current_app.extensions["equipment"].table_toy),
        board=table.board(), title=table.board().title or gettext("The table"),
    )  # fmt: skip


@views.post("/do")
def do() -> tuple[dict[str, Any], int]:
    """Take a phone's command, a JSON object.

    It has ``id`` (made by the phone), ``seen`` (the sequence number of its board) and either ``act`` (``undo``,
    ``redo``, ``close``, ``dismiss``) or ``verb`` with ``data``; ``outcome`` when chance spoke, ``seat`` when
    the phone holds several.
    """
    who = visitor()
    table: Table = current_app.extensions["table"]
    command = _command(json_object(), who, table)
    if command is None:
        table.dismiss()
        return {"seq": table.board().seq}, 200
    return {"seq": table.asked(command)}, 200


def _command(body: Any, who: Visitor, table: Table) -> Command | None:
    """Read a command; None stands for closing the open question.

    Raises:
        BadInput: it has not the form that `do` describes.
        Refused: this phone may not say so.
    """
    if not isinstance(body, dict) or set(body) - ALLOWED_KEYS or ("act" in body) == ("verb" in body):
        raise BadInput(f"got {json.dumps(body)[:80]}, but expected id, seen and either act or verb")
    if not isinstance(body.get("id"), str) or not 8 <= len(body["id"]) <= 64 or type(body.get("seen")) is not int:
        raise BadInput("got no id of 8 to 64 letters or no seen number; both are needed")
    if not who.seats and not who.host:
        raise Refused("SPECTATOR", "spectators only watch: take a seat first")
    seat, seats = body.get("seat"), table.board().seats
    if "seat" in body and not (isinstance(seat, str) and (seat in who.seats or (who.host and seat in seats))):
        raise NotYours(str(body.get("verb", "")), str(seat)[:20], tuple(sorted(who.seats)) or seats or ("",))
    if body.get("act") == "dismiss":
        return None
    # Another phone can't use up a command's id, nor learn what came of it.
    return Command(f"{who.phone}:{body['id']}", body["seen"], who.source, _act(body, who, table))


def _act(body: dict[str, Any], who: Visitor, table: Table) -> Act:
    match body.get("act"):
        case "undo":
            return Undo()
        case "redo":
            return Redo()
        case "close" if who.host:
            return OpenSession(None)
        case None:
            pass
        case other:
            raise BadInput(f"got act {str(other)[:40]!r}, but expected undo, redo, dismiss or (the host's) close")
    verb, data = body["verb"], body.get("data", {})
    if not isinstance(verb, str) or not isinstance(data, dict):
        raise BadInput(f"got verb {str(verb)[:40]!r} with data {json.dumps(data)[:60]}; expected a word and an object")
    awaited = [a for a in table.board().awaits if a.verb == verb and a.outcome == bool(body.get("outcome"))]
    speaker = _speaker(verb, awaited, body.get("seat"), who, table)
    return Outcome(verb, data) if body.get("outcome") else Choice(verb, data, speaker)


def _speaker(verb: str, awaited: list[Awaited], said: object, who: Visitor, table: Table) -> str | None:
    """The seat for which a phone speaks; None when the host speaks for the table.

    Raises:
        NotYours: chance is told from a seat that isn't asked, or the host answers what is private to a phone.
    """
    allowed = {seat for a in awaited for seat in a.seats}
    if who.host and isinstance(said, str) and said in set(table.board().seats) - table.held():
        return None
    mine = sorted(who.seats & allowed) or ([] if allowed else sorted(who.seats))
    if mine:
        return said if isinstance(said, str) and said in mine else mine[0]
    if not who.host:
        if any(a.outcome for a in awaited):
            raise NotYours(verb, sorted(who.seats)[0], tuple(sorted(allowed)))
        return sorted(who.seats)[0]
    private = sorted(table.held().intersection(seat for a in awaited if a.private for seat in a.seats))
    if private:
        raise Refused("NOT_YOURS", "{who} tells this on the own phone, nobody else can", who=private[0])
    return None


@views.post("/press/<button>")
def press(button: str) -> tuple[str, int]:
    """Press the on-screen twin of a button at the table."""
    who = visitor()
    if not (who.seats or who.host):
        return "spectators only watch", 403
    if button not in list(Button):
        return f"there is no button {button[:20]!r}", 404
    equipment = current_app.extensions["equipment"]
    if button == Button.UNDO:
        equipment.hold_undo()
    else:
        equipment.press(Button(button))
    return "", 204


@views.get("/crop/<int(max=9007199254740991):seq>.jpg")
def crop(seq: int) -> Response | tuple[str, int]:
    """The picture that was read for an event."""
    table = _table()
    hidden = table.hidden_crops()
    return _picture(None if hidden is not None and seq >= hidden else table.journal.crop(seq))


@views.get("/question.jpg")
def question() -> Response | tuple[str, int]:
    """The picture that belongs to the open question."""
    table = _table()
    return _picture(None if table.hidden_crops() is not None else table.asked_crop())


def _table() -> Table:
    table: Table = current_app.extensions["table"]
    return table


def _picture(jpeg: bytes | None) -> Response | tuple[str, int]:
    if not visitor().joined:
        return "come in first", 403
    if jpeg is None:
        return "there is no picture, or it would show what the rules hide now", 404
    return Response(jpeg, mimetype="image/jpeg")
