"""Exports of a session as CSV and JSON; docs/export.md tells what each column and key means."""

import csv
import json
from collections.abc import Iterator
from typing import Any, TextIO

from companion.events import event_to_json
from companion.sessions import Session


def exported(session: Session) -> Iterator[dict[str, Any]]:
    """Tell every event that counts.

    Its details are told once the game is over; until then they might give away what a player hides.
    """
    over = session.game.view(session.state, None)["over"]
    for turn in session.done:
        public = session.game.view(turn.state, None)
        yield {
            "seq": turn.entry.seq,
            "at": turn.entry.at,
            "source": turn.entry.source,
            "verb": turn.event.verb,
            "event": event_to_json(turn.event) if over else None,
            "told": [str(line) for line in turn.state.told],
            "scores": public["scores"],
        }


def write_json(out: TextIO, session: Session) -> None:
    """Write a session as one JSON object."""
    head = {"game": session.game.NAME, "session": session.id, "started": session.started_at}
    whole = {**head, "names": dict(session.names), "events": list(exported(session))}
    json.dump(whole, out, ensure_ascii=False, indent=1)
    out.write("\n")


def write_csv(out: TextIO, session: Session) -> None:
    """Write a session as CSV, one line an event, with a head line."""
    seats = session.setup.seats
    table = csv.writer(out)
    table.writerow(["seq", "at", "source", "verb", "told", *(f"score {seat}" for seat in seats)])
    for row in exported(session):
        told = " | ".join(row["told"])
        scores = [row["scores"].get(seat, "") for seat in seats]
        table.writerow([row["seq"], row["at"], row["source"], row["verb"], told, *scores])


WRITERS = {"json": write_json, "csv": write_csv}
"""How each format is written, by the ending of its file."""
