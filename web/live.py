"""Live boards: a stream of server-sent events for each phone, and the same board by asking again."""

import threading
import time
from collections.abc import Callable, Iterator

from flask import Blueprint, Flask, Response, current_app, request
from flask_babel import force_locale

from companion.table import Table
from web.board import render_board
from web.languages import language
from web.visitors import Doors, Visitor, visitor

views = Blueprint("live", __name__)

HEARTBEAT_S = 15.0
LONGEST_S = 600.0
"""A stream ends after so long and the page opens another: a phone that went out of range never says so."""

STREAMS_OF_ONE_PHONE = 2
"""A browser opens six connections to a server; its other tabs ask every 2 s, so that taps always get through."""


class Streams:
    """Counts the open streams; each one holds a thread of the server."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.closing = threading.Event()
        self._lock = threading.Lock()
        self._open: dict[object, tuple[str, str]] = {}

    @property
    def open(self) -> int:
        """How many there are."""
        with self._lock:
            return len(self._open)

    def enter(self, phone: str, tab: str) -> object | None:
        """Take a place for a stream; the same tab's older one gives up its own.

        Returns:
            What stands for the place, or None when there is none left for this phone or at all.
        """
        with self._lock:
            for place, of in list(self._open.items()):
                if tab and of == (phone, tab):
                    del self._open[place]
            of_phone = sum(owner == phone for owner, _ in self._open.values())
            if len(self._open) >= self.most or of_phone >= STREAMS_OF_ONE_PHONE or self.closing.is_set():
                return None
            place = object()
            self._open[place] = (phone, tab)
            return place

    def holds(self, place: object) -> bool:
        """Whether a stream may go on."""
        with self._lock:
            return place in self._open and not self.closing.is_set()

    def leave(self, place: object) -> None:
        """Give the place back."""
        with self._lock:
            self._open.pop(place, None)


@views.get("/live")
def live() -> Response | tuple[str, int]:
    """Push the whole board of this phone whenever anything changed; a phone that slept gets the newest only."""
    who = _as_asked(visitor())
    if who.phone is None:
        return "come in first", 403
    streams: Streams = current_app.extensions["streams"]
    place = streams.enter(who.phone, request.args.get("tab", "")[:32])
    if place is None:
        return "too many phones listen: ask every 2 seconds", 503
    app: Flask = current_app._get_current_object()  # type: ignore[attr-defined]
    table, environ = app.extensions["table"], request.environ
    seat, spoken = request.args.get("seat"), language()

    def render() -> str:
        # Only while a board is rendered: a stream lasts longer than any request should.
        with app.request_context(environ), force_locale(spoken):
            return _event(table, _again(who, table), seat)

    events = _events(app, place, render)
    response = Response(events, mimetype="text/event-stream")
    response.call_on_close(lambda: streams.leave(place))
    response.headers["X-Accel-Buffering"] = "no"
    return response


def _events(app: Flask, place: object, render: Callable[[], str]) -> Iterator[str]:
    table: Table = app.extensions["table"]
    streams: Streams = app.extensions["streams"]
    doors: Doors = app.extensions["doors"]
    # A new PIN or code ends the stream; the page then comes back as what it is by now.
    let_in_by, ends, tick = doors.installation, time.monotonic() + LONGEST_S, -1
    yield "retry: 1000\n\n"
    while True:
        newest = table.wait(tick, HEARTBEAT_S)
        if not streams.holds(place) or doors.installation is not let_in_by or time.monotonic() > ends:
            return
        if newest == tick:
            yield "event: beat\ndata: still here\n\n"
            continue
        tick = newest
        yield render()


def _as_asked(who: Visitor) -> Visitor:
    """A phone that shows the big screen sees what anybody may see."""
    return who.watching() if "screen" in request.args else who


def _again(who: Visitor, table: Table) -> Visitor:
    """The same phone with the seats that it holds by now."""
    return who if who.screen else Visitor(who.phone, who.host, table.seats_of(who.phone or ""))


def _event(table: Table, who: Visitor, seat: str | None) -> str:
    seq = table.board().seq
    html = render_board(table, who, seat)
    lines = "".join(f"data: {line}\n" for line in html.splitlines())
    return f"id: {seq}\nevent: board\n{lines}\n"


@views.get("/board")
def board() -> Response | tuple[str, int]:
    """The board for a phone without a stream; 204 when its ``tick`` is still the newest."""
    who = _as_asked(visitor())
    if not who.joined:
        return "come in first", 403
    table: Table = current_app.extensions["table"]
    tick = table.board().tick
    if request.args.get("tick") == str(tick):
        return "", 204
    return Response(render_board(table, who, request.args.get("seat")), mimetype="text/html")
