"""Who is at the other end: a phone is what its signed cookie says, never what its address says.

A phone joins with the table's code (the QR code carries it) and becomes a spectator; it sits down on free
seats; with the PIN it is the host's. Tries at code and PIN are limited.
"""

import hmac
import secrets
from dataclasses import dataclass

from flask import current_app, request, session
from limits import parse_many
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter

from companion.config import Installation
from companion.table import Table

LIMITS = parse_many("3/minute;10/hour")
"""Wrong tries, for each address and for all together."""
ALL_ADDRESSES_FACTOR = 3
"""All addresses together may try so many times what one may, so that a stranger can't lock the family out."""


@dataclass(frozen=True, slots=True)
class Visitor:
    """Whoever sent a request.

    Attributes:
        phone: this browser's own identity, or None before it joined.
        host: whether it gave the PIN.
        seats: the seats it holds in the game on the table.
    """

    phone: str | None
    host: bool
    seats: frozenset[str]

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


class Doors:
    """Lets phones in by code and hosts by PIN, and counts wrong tries."""

    def __init__(self, installation: Installation) -> None:
        self.installation = installation
        self._limiter = MovingWindowRateLimiter(MemoryStorage())

    def may_try(self, address: str) -> bool:
        """Whether this address may try again now."""
        return all(self._limiter.test(limit, address) for limit in LIMITS) and all(
            self._limiter.test(limit.__class__(limit.amount * ALL_ADDRESSES_FACTOR, limit.multiples), "all")
            for limit in LIMITS
        )

    def _failed(self, address: str) -> None:
        for limit in LIMITS:
            self._limiter.hit(limit, address)
            self._limiter.hit(limit.__class__(limit.amount * ALL_ADDRESSES_FACTOR, limit.multiples), "all")

    def opens(self, tried: str, secret: str, address: str) -> bool:
        """Whether what was tried is the secret; a wrong try counts."""
        if hmac.compare_digest(tried.encode(), secret.encode()):
            return True
        self._failed(address)
        return False


def visitor() -> Visitor:
    """Tell who sent the request that is being answered."""
    table: Table = current_app.extensions["table"]
    doors: Doors = current_app.extensions["doors"]
    phone = session.get("phone")
    # A new code on the table sends everybody back to the door; a new PIN the hosts.
    if not isinstance(phone, str) or session.get("code") != doors.installation.code:
        return Visitor(None, False, frozenset())
    host = session.get("pin") == _mark(doors.installation.pin)
    return Visitor(phone, host, table.seats_of(phone))


def let_in() -> None:
    """Give this phone an identity, or keep the one it has."""
    doors: Doors = current_app.extensions["doors"]
    session.permanent = True
    session.setdefault("phone", secrets.token_urlsafe(9))
    session["code"] = doors.installation.code


def make_host() -> None:
    """Note that this phone gave the PIN."""
    doors: Doors = current_app.extensions["doors"]
    let_in()
    session["pin"] = _mark(doors.installation.pin)


def _mark(pin: str) -> str:
    """What a host's cookie carries instead of the PIN, for a cookie can be read by its owner."""
    key: str = current_app.extensions["doors"].installation.key
    return hmac.new(key.encode(), f"host {pin}".encode(), "sha256").hexdigest()


def address() -> str:
    """The address of the request, for limits only."""
    return request.remote_addr or "?"
