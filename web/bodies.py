"""Reading what a phone sends: nothing unknown, nothing oversized, nothing that can't be kept."""

import json
from typing import Any, NoReturn

from flask import request

from companion.errors import BadInput

DEEPEST = 8
"""Levels of nesting in a JSON body; a game's details need three."""


def form_fields(*known: str) -> dict[str, str]:
    """Read a form that may have these fields and no others, each once.

    Raises:
        BadInput: it has another field, or one twice.
    """
    form = request.form
    if unknown := sorted(set(form) - set(known)):
        raise BadInput(f"got field {unknown[0][:40]!r}, but expected only {', '.join(known) or 'an empty form'}")
    if any(len(form.getlist(name)) > 1 for name in form):
        raise BadInput("got a field twice, but expected each once")
    return {name: form.get(name, "") for name in known}


def json_object() -> dict[str, Any]:
    """Read a JSON object.

    Raises:
        BadInput: the body is no JSON object, is nested too deeply, or holds what can't be kept as text.
    """
    if not request.is_json:
        raise BadInput("expected a JSON object with Content-Type application/json")
    try:
        body = json.loads(request.get_data(), parse_constant=_refuse_constant)
        _check_depth(body)
        # Half a surrogate pair is a Python string, but neither the journal nor a page can hold it.
        json.dumps(body, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        raise BadInput("got no JSON that can be read, but expected an object") from error
    if not isinstance(body, dict):
        raise BadInput("got JSON that is no object, but expected one")
    return body


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


def _check_depth(value: Any, depth: int = 0) -> None:
    if depth > DEEPEST:
        raise ValueError("nested too deeply")
    if isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            _check_depth(item, depth + 1)
