"""Serves the page until somebody says stop: one process, a thread for each stream and some more."""

import signal
import socket
import threading
from collections.abc import Callable
from types import FrameType

from flask import Flask
from waitress.server import create_server

from companion.errors import BadInput
from companion.table import Table

SPARE_THREADS = 16
"""Threads for ordinary requests beside one for each stream, which waitress keeps busy as long as it lasts."""

MOST_WAITING_BYTES = 256 * 1024
"""What may wait for one slow phone. Waitress keeps all that a stream sent up to here; by itself that is 16 MB."""
GONE_MS = 30_000
"""A phone that doesn't acknowledge what it is sent for so long is gone; its stream's place is free again."""


def serve(
    app: Flask, table: Table, *, port: int, streams: int, on_open: Callable[[], object], on_stop: Callable[[], object]
) -> None:
    """Answer requests until SIGTERM or SIGINT; then wake up all streams and return.

    Args:
        app: the page.
        table: whose streams are woken up in the end.
        port: TCP port.
        streams: how many phones may hold a stream.
        on_open: called once requests are let in.
        on_stop: called first thing when somebody says stop.

    Raises:
        BadInput: the port is taken or not allowed.
    """
    try:
        server = create_server(
            app,
            host="0.0.0.0",  # phones are on the other side of the Wi-Fi; web.guard checks by what name they call
            port=port,
            threads=streams + SPARE_THREADS,
            channel_request_lookahead=1,  # notices a phone that went away
            connection_limit=streams + 200,
            outbuf_high_watermark=MOST_WAITING_BYTES,
            ident=None,
        )
    except OSError as error:
        raise BadInput(f"port {port} can't be used ({error.strerror}): choose another with --port") from error

    # Waitress has no argument for it.
    server.adj.socket_options = [
        *server.adj.socket_options,
        (socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, GONE_MS),
    ]

    def stop(_number: int, _frame: FrameType | None) -> None:
        app.extensions["streams"].closing.set()
        # The server waits for the streams, which sleep on the table. A thread of its own, for the one interrupted
        # here may hold the table's lock.
        threading.Thread(target=table.wake, daemon=True).start()
        on_stop()
        raise SystemExit(0)

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, stop)
    on_open()
    try:
        server.run()
    finally:
        app.extensions["streams"].closing.set()
        table.wake()
        server.close()
