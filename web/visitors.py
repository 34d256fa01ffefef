"""Who is at the other end: a phone is what its signed cookie says, never what its address says.

A phone joins with the table's code (the QR code carries it) and becomes a spectator; it sits down on free
seats; with the PIN it is the host's. A big screen is let in by the host and only shows. Tries at code and
PIN are limited.
"""

import hmac
import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import wraps
from typing import ParamSpec, TypeVar

from flask import current_app, render_template, request, session
from flask_babel import gettext
from limits import parse_many
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter

from companion.config import Installation
from companion.table import Table
from companion.text import Say, say

LIMITS = parse_many("3/minute;10/hour")
"""Wrong tries, for each address and for all together."""


@dataclass(frozen=True, slots=True)
class Visitor:
    """Whoever sent a request.

    Attributes:
        phone: this browser's own identity, or None before it joined.
        host: whether it gave the PIN.
        seats: the seats it holds in the game on the table.
        screen: whether it is a big screen, which shows what everybody may see and changes nothing.
    """

    phone: str | None
    host: bool
    seats: frozenset[str]
    screen: bool = False

    @property
    def joined(self) -> bool:
        """Whether it may see the table at all."""
        return self.phone is not None

    @property
    def source(self) -> str:
        """How the journal and the others call it."""
        if self.seats:
            return "seat " + " ".join(sorted(self.seats))
        return "host" if self.host else "spectator"

    def watching(self) -> "Visitor":
        """The same browser as a big screen, which has no more rights than a spectator."""
        return Visitor(self.phone, False, frozenset(), screen=True)


class Doors:
    """Lets phones in by code and hosts by PIN, and counts wrong tries."""

    def __init__(self, installation: Installation) -> None:
        self.installation = installation
        self._tries = MemoryStorage()  # the limiter of older versions only borrows it
        self._limiter = MovingWindowRateLimiter(self._tries)
        # Test and count belong together: many tries at once must not all be the last one allowed.
        self._lock = threading.Lock()

    def opens(self, tried: str, secret: str, address: str) -> bool | None:
        """Whether what was tried is the secret; a wrong try counts.

        Returns:
            None when there were too many wrong tries, and this one wasn't even looked at.
        """
        with self._lock:
            for key in (address, "all"):
                if not all(self._limiter.test(limit, key) for limit in LIMITS):
                    return None
            if hmac.compare_digest(tried.encode(), secret.encode()):
                return True
            for key in (address, "all"):
                for limit in LIMITS:
                    self._limiter.hit(limit, key)
        return False


def visitor() -> Visitor:
    """Tell who sent the request that is being answered."""
    table: Table = current_app.extensions["table"]
    doors: Doors = current_app.extensions["doors"]
    phone = session.get("phone")
    # A new code on the table sends everybody back to the door; a new PIN the hosts.
    if not isinstance(phone, str) or session.get("code") != _mark("code", doors.installation.code):
        return Visitor(None, False, frozenset())
    if session.get("screen"):
        return Visitor(phone, False, frozenset(), screen=True)
    host = session.get("pin") == _mark("host", doors.installation.pin)
    return Visitor(phone, host, table.seats_of(phone))


def let_in(*, screen: bool = False) -> None:
    """Give this browser an identity, or keep the one it has."""
    doors: Doors = current_app.extensions["doors"]
    session.permanent = True
    if bool(session.get("screen")) != screen:
        forget()  # a phone that becomes a screen, or a screen a phone, is another one
        session.permanent = True
    session.setdefault("phone", secrets.token_urlsafe(9))
    session["code"] = _mark("code", doors.installation.code)
    if screen:
        session["screen"] = True


def forget() -> None:
    """Forget who this browser was; it goes on in its language."""
    kept = {name: session[name] for name in ("language",) if name in session}
    session.clear()
    session.update(kept)


def make_host() -> None:
    """Note that this phone gave the PIN."""
    doors: Doors = current_app.extensions["doors"]
    let_in()
    session["pin"] = _mark("host", doors.installation.pin)


def change_keys(pin: str | None = None, code: str | None = None) -> Installation:
    """Take a new PIN or code at once: hosts or everybody must come in again, but for this phone."""
    doors: Doors = current_app.extensions["doors"]
    now = doors.installation
    doors.installation = replace(now, pin=pin or now.pin, code=code or now.code)
    make_host()
    return doors.installation


def _mark(what: str, secret: str) -> str:
    """What a cookie carries instead of a secret, for a cookie can be read by its owner."""
    key: str = current_app.extensions["doors"].installation.key
    return hmac.new(key.encode(), f"{what} {secret}".encode(), "sha256").hexdigest()


def address() -> str:
    """The address of the request, for limits only."""
    return request.remote_addr or "?"


P = ParamSpec("P")
R = TypeVar("R")


def _only(allowed: Callable[[Visitor], bool], why: Say) -> Callable[[Callable[P, R]], Callable[P, R | tuple[str, int]]]:
    def guard(view: Callable[P, R]) -> Callable[P, R | tuple[str, int]]:
        @wraps(view)
        def guarded(*args: P.args, **kwargs: P.kwargs) -> R | tuple[str, int]:
            if not allowed(visitor()):
                return render_template("door.html", error=gettext(why.template)), 403
            return view(*args, **kwargs)

        return guarded

    return guard


joined_only = _only(lambda who: who.joined, say("Come in first."))
"""For views that show the table to whoever came in."""
phone_only = _only(lambda who: who.joined and not who.screen, say("Come in with a phone first."))
"""For views of phones: a big screen does nothing."""
player_only = _only(lambda who: bool(who.seats) or who.host, say("Spectators only watch: take a seat first."))
"""For views that change something for the whole table."""
host_only = _only(lambda who: who.host, say("This page is the host’s: enter the PIN."))
"""For the host's views."""
