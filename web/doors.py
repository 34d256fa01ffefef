"""Coming in: the table's code, the host's PIN, free seats; and the two answers for machines."""

import io

import segno
from flask import Blueprint, Response, current_app, redirect, render_template, request, session, url_for
from werkzeug.wrappers import Response as BaseResponse

from companion.errors import CompanionError
from companion.table import Table
from web.visitors import Doors, address, let_in, make_host, visitor

views = Blueprint("doors", __name__)


@views.get("/")
def enter() -> str | BaseResponse:
    """Send a phone to the table, or show it the door."""
    if visitor().joined:
        return redirect(url_for("play.table_page"))
    return render_template("door.html", error=None)


@views.get("/join/<code>")
def join_by_code(code: str) -> BaseResponse | tuple[str, int]:
    """Come in by the QR code; the code leaves the address bar at once."""
    return _try_code(code)


@views.post("/join")
def join() -> BaseResponse | tuple[str, int]:
    """Come in by typing the table's code."""
    return _try_code(request.form.get("code", ""))


def _try_code(code: str) -> BaseResponse | tuple[str, int]:
    doors: Doors = current_app.extensions["doors"]
    if not doors.may_try(address()):
        return _closed()
    if not doors.opens(code.strip().upper(), doors.installation.code, address()):
        return render_template("door.html", error="That is not this table's code. The host's page shows it."), 403
    let_in()
    return redirect(url_for("play.table_page"), 303)


@views.post("/host")
def become_host() -> BaseResponse | tuple[str, int]:
    """Become the host by PIN."""
    doors: Doors = current_app.extensions["doors"]
    if not doors.may_try(address()):
        return _closed()
    if not doors.opens(request.form.get("pin", "").strip(), doors.installation.pin, address()):
        return render_template("door.html", error="That is not the PIN. `companion pin` shows it."), 403
    make_host()
    return redirect(url_for("play.table_page"), 303)


def _closed() -> tuple[str, int]:
    return render_template("door.html", error="Too many wrong tries. Wait a minute and try again."), 429


@views.post("/leave")
def leave() -> BaseResponse:
    """Forget this phone; its seats become free."""
    who = visitor()
    table: Table = current_app.extensions["table"]
    for seat in who.seats:
        table.release(seat, who.source)
    session.clear()
    return redirect(url_for("doors.enter"), 303)


@views.post("/sit")
def sit() -> BaseResponse | tuple[str, int]:
    """Take the seats ticked in the form, and no others."""
    who = visitor()
    if who.phone is None:
        return render_template("door.html", error="Come in first."), 403
    table: Table = current_app.extensions["table"]
    try:
        table.sit(who.phone, frozenset(request.form.getlist("seat")), who.source)
    except CompanionError as error:
        current_app.logger.info("a seat was refused: %s", error)
        return redirect(url_for("play.table_page", seat_taken=1), 303)
    return redirect(url_for("play.table_page"), 303)


@views.get("/qr.svg")
def qr() -> Response | tuple[str, int]:
    """The QR code that brings a phone in; for those who are in already."""
    if not visitor().joined:
        return "come in first", 403
    doors: Doors = current_app.extensions["doors"]
    picture = io.BytesIO()
    link = f"{current_app.extensions['address']}/join/{doors.installation.code}"
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
