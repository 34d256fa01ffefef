"""Which programs have a device open."""

from pathlib import Path


def users_of(prefix: str, proc: Path = Path("/proc")) -> list[str]:
    """Name the programs that hold a device open, as far as this user may know.

    Args:
        prefix: how the devices' paths begin, such as ``/dev/video``.
        proc: where the kernel tells of processes (proc(5)).

    Returns:
        Names with process numbers, such as ``libcamera-vid (812)``; other users' programs are often hidden.
    """
    found = []
    for process in sorted(proc.glob("[0-9]*"), key=lambda path: int(path.name)):
        try:
            if any(str(held.readlink()).startswith(prefix) for held in (process / "fd").iterdir()):
                found.append(f"{(process / 'comm').read_text().strip()} ({process.name})")
        except OSError:
            continue  # it ended, or is another user's
    return found


def who_has(prefix: str) -> str:
    """Say in words who holds a device, or how to find out."""
    users = users_of(prefix)
    return f"{', '.join(users)} has it" if users else f"does another program use it? (`sudo fuser -v {prefix}*`)"
