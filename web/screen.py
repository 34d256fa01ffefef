"""The big screen, for a TV or tablet: the board large, and how to come in. It shows and changes nothing.

A screen has no keyboard worth the name, so it isn't asked for a code: it shows a number, and the host enters
that number on the host's page. Until then it shows nothing of the table.
"""

import secrets
import threading
import time

from flask import Blueprint, current_app, redirect, render_template, session, url_for
from werkzeug.wrappers import Response as BaseResponse

from companion.errors import BadInput
from companion.table import Table
from companion.text import say
from web.board import render_board
from web.bodies import form_fields
from web.visitors import Doors, host_only, let_in, visitor

views = Blueprint("screen", __name__)

WAITS_S = 600.0
MOST_WAITING = 20
"""So many screens may wait at once; beyond that the oldest is forgotten."""


class Screens:
    """The screens that wait to be let in, by the number that they show."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: dict[str, tuple[str, float]] = {}
        self._let_in: dict[str, float] = {}

    def number_of(self, screen: str) -> str:
        """Tell the number that a screen shows, and keep it for some minutes."""
        with self._lock:
            self._forget()
            for number, (waiting, _) in self._waiting.items():
                if waiting == screen:
                    return number
            number = f"{secrets.randbelow(10_000):04d}"
            while number in self._waiting:
                number = f"{secrets.randbelow(10_000):04d}"
            self._waiting[number] = (screen, time.monotonic() + WAITS_S)
            while len(self._waiting) > MOST_WAITING:
                del self._waiting[next(iter(self._waiting))]
            return number

    def let_in(self, number: str) -> bool:
        """Let the screen with this number in; False when none shows it."""
        with self._lock:
            self._forget()
            screen, until = self._waiting.pop(number, (None, 0.0))
            if screen is None:
                return False
            self._let_in[screen] = until
            return True

    def is_let_in(self, screen: str) -> bool:
        """Whether the host let this screen in; it is told once."""
        with self._lock:
            self._forget()
            return self._let_in.pop(screen, None) is not None

    def _forget(self) -> None:
        now = time.monotonic()
        self._waiting = {number: item for number, item in self._waiting.items() if item[1] > now}
        self._let_in = {screen: until for screen, until in self._let_in.items() if until > now}


@views.get("/screen")
def show() -> str | BaseResponse:
    """Show the table large; a browser that isn't in yet shows the number by which the host lets it in."""
    who = visitor()
    table: Table = current_app.extensions["table"]
    if not who.joined:
        return _wait()
    doors: Doors = current_app.extensions["doors"]
    return render_template(
        "screen.html", who=who.watching(), board_html=render_board(table, who.watching()),
        title=table.board().title, code=doors.installation.code,
    )  # fmt: skip


def _wait() -> str | BaseResponse:
    screens: Screens = current_app.extensions["screens"]
    waiting = session.get("waiting")
    if not isinstance(waiting, str):
        waiting = session["waiting"] = secrets.token_urlsafe(9)
    if screens.is_let_in(waiting):
        let_in(screen=True)
        return redirect(url_for("screen.show"), 303)
    return render_template("screen_wait.html", number=screens.number_of(waiting))


@views.post("/host/screen")
@host_only
def let_screen_in() -> BaseResponse:
    """Let in the big screen that shows this number."""
    screens: Screens = current_app.extensions["screens"]
    number = form_fields("number")["number"].strip()
    if not screens.let_in(number):
        raise BadInput(say("no screen shows the number {got}: open /screen there and look again", got=number[:10]))
    return redirect(url_for("host.host_page"), 303)
