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


def write_whole(path: Path, text: str) -> None:
    """Write a file so that at any moment it is the old one or the new one, even if the power fails.

    Raises:
        BadInput: it can't be written there.
    """
    draft = path.with_name(f".{path.name}.part")
    try:
        with draft.open("w", encoding="utf-8") as out:
            out.write(text)
            out.flush()
            os.fsync(out.fileno())
        draft.replace(path)
    except OSError as error:
        raise BadInput(f"can't write {path}: {error.strerror}; expected a folder that can be written") from error
