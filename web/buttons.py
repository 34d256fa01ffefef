"""The host's page for the buttons at the table: tries them, and learns by a press on which pin each one is."""

from typing import Any

from flask import Blueprint, current_app, render_template

from companion.errors import BadInput
from companion.inputs import Button
from companion.text import Say, say
from web import Desk
from web.bodies import json_object
from web.visitors import host_only
from web.words import plain_sentence

views = Blueprint("buttons", __name__)

HEADER = {
    2: 3, 3: 5, 4: 7, 14: 8, 15: 10, 17: 11, 18: 12, 27: 13, 22: 15, 23: 16, 24: 18, 10: 19, 9: 21, 25: 22, 11: 23,
    8: 24, 7: 26, 0: 27, 1: 28, 5: 29, 6: 31, 12: 32, 13: 33, 19: 35, 16: 36, 26: 37, 20: 38, 21: 40,
}  # fmt: skip
"""Which pin of the Raspberry Pi's 40-pin header a BCM number is."""


@views.get("/host/buttons")
@host_only
def buttons_page() -> str:
    """Show the buttons."""
    desk = _desk()
    missing = current_app.extensions["equipment"].missing()
    return render_template("buttons.html", buttons=list(Button), state=desk.state() if desk else None, header=HEADER,
                           missing=missing)  # fmt: skip


@views.post("/host/buttons/state")
@host_only
def state() -> dict[str, Any]:
    """Tell how the buttons are; with ``{"testing": true}`` presses count for nothing in the game meanwhile."""
    return _for_page(_needed().state(testing=json_object().get("testing") is True))


@views.post("/host/buttons/learn")
@host_only
def learn() -> dict[str, Any]:
    """Learn the pin of ``{"button": "next"}``."""
    name = json_object().get("button")
    if name not in list(Button):
        raise BadInput(f"got the button {str(name)[:20]!r}, but expected one of {', '.join(Button)}")
    desk = _needed()
    desk.learn(Button(name))
    return _for_page(desk.state())


@views.post("/host/buttons/cancel")
@host_only
def cancel() -> dict[str, Any]:
    """Learn nothing."""
    desk = _needed()
    desk.cancel()
    return _for_page(desk.state())


def _for_page(state: dict[str, Any]) -> dict[str, Any]:
    said = state["said"]
    told = plain_sentence(said, {}) if isinstance(said, Say) else said
    return {**state, "said": told, "header": {name: HEADER.get(pin) for name, pin in state["pins"].items()}}


def _desk() -> Desk | None:
    desk: Desk | None = current_app.extensions["equipment"].desk
    return desk


def _needed() -> Desk:
    desk = _desk()
    if desk is None:
        raise BadInput(say("there are no pins here, so there are no buttons to try"))
    return desk
