"""The two kinds of event, and how they are written down.

An `Outcome` is what chance did: the die came to rest so, the arrows stopped there. A `Choice` is what
somebody decided. Nothing else ever moves a game forward.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.errors import BadInput

Json = Any
"""What `json.loads` gives: None, bool, int, float, str, list, dict with string keys."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """Chance played.

    Attributes:
        verb: what happened, such as ``roll``.
        data: its details, JSON values only.
    """

    verb: str
    data: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Choice:
    """Somebody decided.

    Attributes:
        verb: what was decided, such as ``exchange``.
        data: its details, JSON values only.
        seat: whose decision it is; None when the table spoke as a whole (a button, the host).
    """

    verb: str
    data: Mapping[str, Json] = field(default_factory=dict)
    seat: str | None = None


Event = Outcome | Choice


def event_to_json(event: Event) -> dict[str, Json]:
    """Write an event as plain JSON values."""
    if isinstance(event, Outcome):
        return {"kind": "outcome", "verb": event.verb, "data": dict(event.data)}
    return {"kind": "choice", "verb": event.verb, "data": dict(event.data), "seat": event.seat}


def event_from_json(value: Json) -> Event:
    """Read what `event_to_json` wrote.

    Raises:
        BadInput: ``value`` is no event.
    """
    match value:
        case {"kind": "outcome", "verb": str(verb), "data": dict(data)}:
            return Outcome(verb, data)
        case {"kind": "choice", "verb": str(verb), "data": dict(data), "seat": str() | None as seat}:
            return Choice(verb, data, seat)
    raise BadInput(f"got {json.dumps(value)[:80]}, but expected an event with kind, verb and data")
