"""What systemd is told: that we are ready, how we are, and that we are alive.

The protocol is sd_notify(3): datagrams to the socket that NOTIFY_SOCKET names; without it nothing is said. The
watchdog is fed only while there is progress: the server answers a real request, the table's lock can be had, and the
watcher looks after its camera. A camera that is silent is no reason to stop: the watcher says so on the page and opens
it again.
"""

import http.client
import logging
import os
import socket
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress

ANSWER_S = 5.0
"""A server that doesn't answer itself for so long makes no progress."""

LONGEST_PAUSE_S = 10.0
"""How often the status is looked at when there is no watchdog."""

_log = logging.getLogger(__name__)


def is_service() -> bool:
    """Whether systemd started us and wants to be told."""
    return bool(os.environ.get("NOTIFY_SOCKET"))


def notify(**fields: str) -> bool:
    """Tell systemd something, such as ``READY="1"`` or ``STATUS="waiting for a roll"``.

    Returns:
        Whether it could be told. Never being able to is fine: then nobody listens.
    """
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address:
        return False
    if address.startswith("@"):
        address = "\0" + address[1:]  # Linux's abstract namespace, unix(7)
    # Each field is a line, so a value must be one.
    message = "\n".join(f"{name}={' '.join(value.split())}" for name, value in fields.items())
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as sock:
            sock.sendto(message.encode(), address)
    except OSError as error:
        _log.warning("systemd can't be told: %s", error)
        return False
    return True


def watchdog_s(environ: Mapping[str, str] = os.environ) -> float | None:
    """Seconds within which systemd wants a sign of life, or None when it wants none of this process."""
    if environ.get("WATCHDOG_PID", str(os.getpid())) != str(os.getpid()):
        return None
    with suppress(ValueError):
        return int(environ.get("WATCHDOG_USEC", "")) / 1e6 or None
    return None


def server_answers(port: int) -> bool:
    """Whether the page's server answers a request of ours."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=ANSWER_S)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


class Pulse:
    """Feeds systemd's watchdog while everything makes progress, and keeps the status text fresh.

    Args:
        signs: by name, questions that are answered with True while that part makes progress. One that never returns
            is no progress either.
        status: one line for people.
        every_s: how often to look; a third of what systemd wants unless given.
    """

    def __init__(
        self, signs: Mapping[str, Callable[[], bool]], status: Callable[[], str], *, every_s: float | None = None
    ) -> None:
        limit = watchdog_s()
        self._signs, self._status = signs, status
        self._every_s = every_s or min(limit / 3 if limit else LONGEST_PAUSE_S, LONGEST_PAUSE_S)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="pulse", daemon=True)

    def start(self) -> None:
        """Say that we are ready, and go on in the background."""
        notify(READY="1", STATUS=self._status())
        self._thread.start()

    def stop(self) -> None:
        """Say that we stop."""
        self._stop.set()
        notify(STOPPING="1", STATUS="stopping")

    def beat(self) -> bool:
        """Look once; feed the watchdog if all is well, else say what isn't."""
        stuck = [name for name, is_well in self._signs.items() if not is_well()]
        if self._stop.is_set():
            return False
        if stuck:
            _log.error("no progress: %s", ", ".join(stuck))
            notify(STATUS=f"no progress: {', '.join(stuck)}")
            return False
        notify(WATCHDOG="1", STATUS=self._status())
        return True

    def _run(self) -> None:
        while not self._stop.wait(self._every_s):
            self.beat()
