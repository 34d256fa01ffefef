"""A page served from a thread of this process."""

import threading
from contextlib import suppress

from waitress.server import create_server


class Served:
    """Serves an app on a port of this machine until it is stopped.

    Args:
        app: the page.
        table: what the page's streams sleep on.
        port: a free one.
    """

    def __init__(self, app, table, port):
        self._app, self._table = app, table
        self._server = create_server(app, host="127.0.0.1", port=port, threads=16, channel_request_lookahead=1)
        self._thread = threading.Thread(target=self._server.run, daemon=True)
        self._thread.start()

    def stop(self):
        self._app.extensions["streams"].closing.set()
        self._table.wake()
        # A stream that ends at that moment wakes the server too, which then closes before this call is done.
        with suppress(OSError):
            self._server.trigger.pull_trigger(self._server.close)
        self._server.task_dispatcher.shutdown()
        self._thread.join(5)
