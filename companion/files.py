"""Reading files that people or earlier runs wrote, and writing such files whole."""

import json
import os
from pathlib import Path

from companion.errors import BadInput
from companion.events import Json


def read_json_object(path: Path) -> dict[str, Json]:
    """Read a file that holds one JSON object.

    Raises:
        BadInput: it can't be opened, is no JSON, or holds something else.
    """
    try:
        data = json.loads(path.read_bytes())
    except OSError as error:
        raise BadInput(f"can't open {path}: {error.strerror}; expected a JSON file") from error
    except ValueError as error:
        raise BadInput(f"{path} is no JSON ({error}); expected an object in braces") from error
    if not isinstance(data, dict):
        raise BadInput(f"{path} holds a {type(data).__name__}; expected an object in braces")
    return data


def write_whole(path: Path, data: str | bytes) -> None:
    """Write a file as `replace_whole` does.

    Raises:
        BadInput: it can't be written there.
    """
    try:
        replace_whole(path, data)
    except OSError as error:
        raise BadInput(f"can't write {path}: {error.strerror}; expected a folder that can be written") from error


def replace_whole(path: Path, data: str | bytes, mode: int = 0o644) -> None:
    """Write a file so that at any moment it is the old one or the new one, even if the power fails.

    Args:
        path: the file; its folder must exist.
        data: text is written as UTF-8.
        mode: who may read it, less the process's umask.

    Raises:
        OSError: it can't be written; the old one stays.
    """
    draft = path.with_name(f".{path.name}.part")
    with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), "wb") as out:
        out.write(data.encode() if isinstance(data, str) else data)
        out.flush()
        os.fsync(out.fileno())
    draft.replace(path)
