"""The name ``companion.local``: publishing it, and knowing whether it works.

A machine that is called ``companion`` has that name from avahi-daemon. Any other gets it as a second one from
``companion name``, which the package runs as a unit of its own. Whether a name works is asked of Avahi, and only a name
that does is told on the page.
"""

import argparse
import logging
import os
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from companion.cli.eyes import Commands
from companion.cli.network import own_addresses

NAME = "companion.local"

AVAHI = Path("/run/avahi-daemon/socket")
"""Where avahi-daemon answers in plain text; its library nss-mdns asks there too."""

ANSWER_S = 6.0
"""Avahi gives a name up after five seconds."""

FRESH_S = 30.0
"""How long an answer of Avahi's holds."""

LOOK_S, TAKEN_S = 5.0, 60.0
"""How often the publisher looks after the address, and how long it waits when another machine has the name."""

_log = logging.getLogger(__name__)


def add(commands: "Commands[argparse.ArgumentParser]") -> None:
    """Add ``name``."""
    parser = commands.add_parser(
        "name",
        help="let phones find this machine as companion.local, whatever it is called",
        description="Publishes companion.local for this machine's address, as long as it runs; needs avahi-utils.",
        epilog="example: companion name",
    )
    parser.set_defaults(run=lambda _arguments: Publisher().run())


def look_up(name: str, avahi: Path = AVAHI) -> str | None:
    """Ask Avahi for the IPv4 address of a ``.local`` name; None when there is no such name, or no Avahi."""
    try:
        with socket.socket(socket.AF_UNIX) as sock:
            sock.settimeout(ANSWER_S)
            sock.connect(os.fspath(avahi))
            sock.sendall(f"RESOLVE-HOSTNAME-IPV4 {name}\n".encode())
            answer = sock.makefile(encoding="utf-8", errors="replace").readline().split()
    except OSError:
        return None
    # "+ INTERFACE PROTOCOL NAME ADDRESS", or "-" and why not.
    return answer[4] if len(answer) == 5 and answer[0] == "+" else None


class LocalName:
    """Knows by which ``.local`` name phones find this machine; asking never waits.

    Args:
        look_up: gives a name's address, or None.
        addresses: this machine's.
        clock: seconds that never go back.
    """

    def __init__(
        self,
        look_up: Callable[[str], str | None] = look_up,
        addresses: Callable[[], Sequence[str]] = own_addresses,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._look_up, self._addresses, self._clock = look_up, addresses, clock
        self._lock = threading.Lock()
        self._name: str | None = None
        self._stale_at = float("-inf")

    def __call__(self) -> str | None:
        """The name that worked when Avahi was asked last, or None; when that is long ago, it is asked again."""
        with self._lock:
            if self._clock() >= self._stale_at:
                self._stale_at = self._clock() + FRESH_S
                threading.Thread(target=self.refresh, name="local name", daemon=True).start()
            return self._name

    def refresh(self) -> str | None:
        """Ask Avahi now."""
        own = set(self._addresses())
        names = (NAME, f"{_host()}.local")
        self._name = next((name for name in names if self._look_up(name) in own), None)
        return self._name


class Publisher:
    """Keeps ``companion.local`` published for this machine's address, which the Wi-Fi may change at any time.

    Args:
        addresses: this machine's, those that phones can reach first.
        spawn: starts a program.
        wait: waits for so many seconds, and says whether to stop.
    """

    def __init__(
        self,
        addresses: Callable[[], Sequence[str]] = own_addresses,
        spawn: Callable[[Sequence[str]], "subprocess.Popen[bytes]"] = subprocess.Popen,
        wait: Callable[[float], bool] | None = None,
    ) -> None:
        self._addresses, self._spawn = addresses, spawn
        self._wait = threading.Event().wait if wait is None else wait
        self._published: tuple[str, subprocess.Popen[bytes]] | None = None
        self._failed = False

    def run(self) -> int:
        """Publish until it is told to stop."""
        try:
            while not self._wait(self.look()):
                pass
        finally:
            self._withdraw()
        return 0

    def look(self) -> float:
        """Publish the address as it is now; says in how many seconds to look again."""
        wanted = _reachable(self._addresses()) if _host() != NAME.removesuffix(".local") else None
        if self._published is not None and self._published[0] == wanted:
            if self._published[1].poll() is None:
                self._failed = False
                return LOOK_S
            if not self._failed:  # once, for logs lie on an SD card
                _log.warning("%s can't be published: no avahi-daemon, or another machine here is called so", NAME)
            self._published, self._failed = None, True
            return TAKEN_S
        self._withdraw()
        if wanted is not None:
            # No -f: without a daemon it ends, and is tried again.
            self._published = wanted, self._spawn(["avahi-publish", "-a", "-R", NAME, wanted])
        return LOOK_S

    def _withdraw(self) -> None:
        published, self._published = self._published, None
        if published is not None:
            published[1].terminate()
            with suppress(subprocess.TimeoutExpired):
                published[1].wait(timeout=2)


def _host() -> str:
    return socket.gethostname().split(".")[0].lower()


def _reachable(addresses: Sequence[str]) -> str | None:
    return next((address for address in addresses if not address.startswith("127.")), None)
