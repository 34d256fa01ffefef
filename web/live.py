"""Live boards: a stream of server-sent events for each phone, and the same board by asking again."""

import threading
from collections.abc import Iterator

from flask import Blueprint, Response, current_app, request, stream_with_context

from companion.table import Table
from web.board import render_board
from web.visitors import Visitor, visitor

views = Blueprint("live", __name__)

HEARTBEAT_S = 15.0


class Streams:
    """Counts the open streams; each one holds a thread of the server."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.open = 0
        self.closing = threading.Event()
        self._lock = threading.Lock()

    def enter(self) -> bool:
        """Take a place for a stream; False when there is none."""
        with self._lock:
            if self.open >= self.most or self.closing.is_set():
                return False
            self.open += 1
            return True

    def leave(self) -> None:
        """Give the place back."""
        with self._lock:
            self.open -= 1


@views.get("/live")
def live() -> Response | tuple[str, int]:
    """Push the whole board of this phone whenever anything changed; a phone that slept gets the newest only."""
    who = visitor()
    if not who.joined:
        return "come in first", 403
    streams: Streams = current_app.extensions["streams"]
    if not streams.enter():
        return "too many phones listen: ask every 2 seconds", 503
    table: Table = current_app.extensions["table"]
    seat = request.args.get("seat")

    def events() -> Iterator[str]:
        tick = -1
        try:
            while not streams.closing.is_set():
                newest = table.wait(tick, HEARTBEAT_S)
                if newest == tick:
                    yield ": still here\n\n"
                    continue
                tick = newest
                yield _event(table, _again(who, table), seat)
        finally:
            streams.leave()

    response = Response(stream_with_context(events()), mimetype="text/event-stream")
    response.headers["X-Accel-Buffering"] = "no"
    return response


def _again(who: Visitor, table: Table) -> Visitor:
    """The same phone with the seats that it holds by now."""
    return Visitor(who.phone, who.host, table.seats_of(who.phone or ""))


def _event(table: Table, who: Visitor, seat: str | None) -> str:
    seq = table.board().seq
    html = render_board(table, who, seat)
    lines = "".join(f"data: {line}\n" for line in html.splitlines())
    return f"id: {seq}\nevent: board\n{lines}\n"


@views.get("/board")
def board() -> Response | tuple[str, int]:
    """The board for a phone without a stream; 204 when its ``tick`` is still the newest."""
    who = visitor()
    if not who.joined:
        return "come in first", 403
    table: Table = current_app.extensions["table"]
    tick = table.board().tick
    if request.args.get("tick") == str(tick):
        return "", 204
    return Response(render_board(table, who, request.args.get("seat")), mimetype="text/html")
