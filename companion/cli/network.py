"""Under which names and addresses phones reach this machine."""

import fcntl
import socket
import struct
from collections.abc import Iterable

_SIOCGIFADDR = 0x8915
"""Linux: ask an interface for its IPv4 address (netdevice(7))."""


def own_addresses() -> list[str]:
    """List this machine's IPv4 addresses, those that a phone in the room can reach first."""
    found = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        for _, name in socket.if_nameindex():
            request = struct.pack("256s", name[:15].encode())
            try:
                answer = fcntl.ioctl(sock.fileno(), _SIOCGIFADDR, request)
            except OSError:
                continue  # an interface without an IPv4 address
            found.append(socket.inet_ntoa(answer[20:24]))
    return sorted(found, key=lambda address: (address.startswith("127."), address.startswith("169.254.")))


def own_names(further: Iterable[str] = ()) -> frozenset[str]:
    """Everything this machine may be called in a request: addresses, localhost, its names, names of the settings."""
    name = socket.gethostname().lower()
    short = name.split(".")[0]
    names = {"localhost", "127.0.0.1", "::1", name, short, f"{short}.local", "companion.local", *own_addresses()}
    return frozenset(names | {item.lower() for item in further})


def page_address(port: int) -> str:
    """The numeric address that phones are sent to, for not every phone finds ``.local`` names."""
    addresses = own_addresses() or ["127.0.0.1"]
    return f"http://{addresses[0]}:{port}"
