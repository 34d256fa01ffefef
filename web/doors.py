"""Coming in and sitting down: the table's code, the host's PIN, seats; and the two answers for machines."""

import io

import segno
from flask import Blueprint, Response, current_app, redirect, render_template, request, url_for
from flask_babel import gettext
from werkzeug.wrappers import Response as BaseResponse

from companion.errors import BadInput, Refused
from companion.table import Table
from web.bodies import form_fields
from web.visitors import Doors, address, forget, joined_only, let_in, make_host, phone_only, visitor
from web.words import plain_sentence

views = Blueprint("doors", __name__)


@views.get("/")
def enter() -> str | BaseResponse:
    """Send a phone to the table, or show it the door."""
    who = visitor()
    if who.joined:
        return redirect(url_for("screen.show" if who.screen else "play.table_page"))
    return _door()


@views.get("/join/<code>")
def join_by_code(code: str) -> BaseResponse | tuple[str, int]:
    """Come in by the QR code; the code leaves the address bar at once."""
    return _try_code(code)


@views.post("/join")
def join() -> BaseResponse | tuple[str, int]:
    """Come in by typing the table's code."""
    return _try_code(form_fields("code")["code"])


def _try_code(code: str) -> BaseResponse | tuple[str, int]:
    doors: Doors = current_app.extensions["doors"]
    opened = doors.opens(code.strip().upper(), doors.installation.code, address())
    if opened is None:
        return _closed()
    if not opened:
        return render_template(
            "door.html", error=gettext("That is not this table’s code. The host’s page shows it.")
        ), 403
    let_in()
    return redirect(url_for("play.table_page"), 303)


@views.post("/host")
def become_host() -> BaseResponse | tuple[str, int]:
    """Become the host by PIN."""
    doors: Doors = current_app.extensions["doors"]
    opened = doors.opens(form_fields("pin")["pin"].strip(), doors.installation.pin, address())
    if opened is None:
        return _closed()
    if not opened:
        return render_template(
            "door.html", error=gettext("That is not the PIN. The command “companion pin” shows it.")
        ), 403
    make_host()
    return redirect(url_for("play.table_page"), 303)


def _closed() -> tuple[str, int]:
    return _door(gettext("Too many wrong tries. Wait a minute and try again.")), 429


def _door(error: str | None = None) -> str:
    return render_template("door.html", error=error)


@views.post("/leave")
def leave() -> BaseResponse:
    """Forget this phone; its seats become free."""
    form_fields()
    who = visitor()
    table: Table = current_app.extensions["table"]
    for seat in who.seats:
        table.release(seat, who.source)
    forget()
    return redirect(url_for("doors.enter"), 303)


@views.post("/sit")
@phone_only
def sit() -> BaseResponse:
    """Take the seats ticked in the form, and no others."""
    if unknown := sorted(set(request.form) - {"seat"}):
        raise BadInput(f"got field {unknown[0][:40]!r}, but expected only seat")
    who = visitor()
    table: Table = current_app.extensions["table"]
    table.sit(who.phone or "", frozenset(request.form.getlist("seat")), who.source)
    return redirect(url_for("play.table_page"), 303)


@views.get("/seats")
@phone_only
def seats() -> str:
    """Show who sits where, to take, give up, ask for and hand over seats."""
    return _seats_page()


def _seats_page(error: str | None = None) -> str:
    who = visitor()
    table: Table = current_app.extensions["table"]
    return render_template(
        "seats.html", who=who, board=table.board(), held=table.held(), wished=table.wished(who.phone or ""), error=error
    )


@views.post("/seats/<act>")
@phone_only
def change_seat(act: str) -> str | BaseResponse | tuple[str, int]:
    """Take or give up a seat, ask for one that is held, or answer such a wish.

    A seat is given up and a wish answered by whoever holds the seat, or by the host.
    """
    seat = form_fields("seat")["seat"]
    who = visitor()
    table: Table = current_app.extensions["table"]
    if act in ("free", "give", "keep") and not (who.host or seat in who.seats):
        return _seats_page(gettext("Only its phone or the host can give this seat away.")), 403
    try:
        match act:
            case "take":
                table.sit(who.phone or "", who.seats | {seat}, who.source)
            case "free":
                table.release(seat, who.source)
            case "ask":
                table.wish(who.phone or "", seat)
            case "give" | "keep":
                table.hand_over(seat, who.source, agreed=act == "give")
            case _:
                raise BadInput(f"got {act[:20]!r}, but expected take, free, ask, give or keep")
    except Refused as refused:
        return _seats_page(plain_sentence(refused.say, table.board().names)), 409
    return redirect(url_for("doors.seats" if act in ("ask", "free") else "play.table_page"), 303)


@views.get("/qr.svg")
@joined_only
def qr() -> Response:
    """The QR code that brings a phone in; for those who are in already."""
    doors: Doors = current_app.extensions["doors"]
    picture = io.BytesIO()
    link = f"{current_app.extensions['address']()}/join/{doors.installation.code}"
    segno.make(link, error="m").save(picture, kind="svg", scale=4, border=3, light="#ffffff", svgclass=None)
    return Response(picture.getvalue(), mimetype="image/svg+xml")


@views.get("/healthz")
def healthz() -> str:
    """Tell that the process answers."""
    return "alive"


@views.get("/readyz")
def readyz() -> tuple[dict[str, str], int]:
    """Tell for camera, journal and buttons "ok" or why not."""
    checks = current_app.extensions["equipment"].checks
    answers = {name: check() for name, check in checks.items()}
    return answers, 200 if all(answer == "ok" for answer in answers.values()) else 503
