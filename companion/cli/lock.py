"""One program at a time for each installation: two would each think they own the journal."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from companion.errors import BadInput


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Hold an installation's folder for as long as the block runs.

    A folder that can't be written can't be held either; then nothing can be spoilt in it.

    Raises:
        BadInput: another companion holds it.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        held = (folder / "running").open("w")
    except OSError:
        yield
        return
    with held:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise BadInput(f"another companion runs on {folder}: stop it first, or use another --data") from error
        yield
