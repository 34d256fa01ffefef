"""The page: Flask views over the table. They parse, call the table and render; no rule and no SQL lives here."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Protocol

from flask import Flask

from companion.config import Installation
from companion.inputs import Button
from companion.table import Table
from companion.teaching.lesson import Lesson


class Desk(Protocol):
    """The buttons at the table, as the host tries them and learns their pins; each may raise `CompanionError`."""

    def state(self, *, testing: bool = False) -> dict[str, Any]:
        """Tell ``pins``, which are ``down``, how often each was ``pressed``, ``testing``, ``learning``, ``said``."""

    def learn(self, button: Button) -> None:
        """Wait for a press on any free pin, and keep that pin for the button."""

    def cancel(self) -> None:
        """Learn nothing."""


@dataclass(frozen=True, slots=True)
class Equipment:
    """What the page may use besides the table; `cli` hands it in.

    Attributes:
        press: presses a button of the table, as its twin on the page.
        hold_undo: holds UNDO for as long as it takes.
        latest_jpeg: the camera's newest picture as JPEG, or None.
        table_toy: the virtual table's verbs by name, each taking JSON arguments; empty on a real table.
        desk: the buttons at the table, or None without pins.
        missing: in words, what is not attached.
        set_up_changed: makes the eyes for a thing (``die`` or ``card``) anew, whose set-up was written.
        checks: what ``/readyz`` tells: a name and a function that says "ok" or why not.
        progress: by name, whether each part that runs by itself makes progress.
        lessons: the lessons in which the camera is set up, by name; empty without a camera.
        corrections: tells how many corrected readings the camera learnt from.
        forget_corrections: forgets what was learnt from them.
    """

    press: Callable[[Button], None]
    hold_undo: Callable[[], None]
    latest_jpeg: Callable[[], bytes | None] = lambda: None
    table_toy: Mapping[str, Callable[..., object]] = field(default_factory=dict)
    desk: Desk | None = None
    missing: Callable[[], tuple[str, ...]] = lambda: ()
    set_up_changed: Callable[[str], None] = lambda thing: None
    checks: Mapping[str, Callable[[], str]] = field(default_factory=dict)
    progress: Mapping[str, Callable[[], bool]] = field(default_factory=dict)
    lessons: Mapping[str, Lesson] = field(default_factory=dict)
    corrections: Callable[[], int] = lambda: 0
    forget_corrections: Callable[[], None] = lambda: None


def create_app(
    table: Table,
    installation: Installation,
    equipment: Equipment,
    *,
    hosts: Callable[[], Collection[str]],
    address: Callable[[], str],
    local_name: Callable[[], str | None] = lambda: None,
    streams: int = 48,
) -> Flask:
    """Make the application.

    Args:
        table: the meeting place.
        installation: key, PIN and code.
        equipment: camera picture, buttons and the virtual table.
        hosts: the names and addresses under which this machine may be called (against DNS rebinding).
        address: the address that phones are sent to now, such as ``http://192.168.1.20:8000``; the Wi-Fi may come late.
        local_name: the ``.local`` name by which phones find this machine, or None while none works.
        streams: how many phones may hold a stream; the others poll.
    """
    # Imported here, for the views need the names above.
    from web import buttons, demo, doors, evenings, guard, host, languages, live, play, rules_help, screen, teach
    from web.board import Rendered
    from web.visitors import Doors

    app = Flask(__name__)
    app.config.update(
        SECRET_KEY=installation.key,
        SESSION_COOKIE_NAME="companion",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Strict",
        PERMANENT_SESSION_LIFETIME=timedelta(days=365),
        MAX_CONTENT_LENGTH=64 * 1024,
        MAX_FORM_MEMORY_SIZE=64 * 1024,
        SEND_FILE_MAX_AGE_DEFAULT=timedelta(hours=1),
        TEMPLATES_AUTO_RELOAD=False,
    )
    extensions: dict[str, Any] = app.extensions
    extensions.update(
        table=table,
        doors=Doors(installation),
        equipment=equipment,
        streams=live.Streams(streams),
        address=address,
        rendered=Rendered(),
        screens=screen.Screens(),
        local_name=local_name,
    )
    _fill_templates(app, address)
    languages.install(app)
    guard.install(app, hosts)
    for views in (doors, play, host, buttons, live, screen, evenings, demo, rules_help, teach):
        app.register_blueprint(views.views)
    return app


def _fill_templates(app: Flask, address: Callable[[], str]) -> None:
    """Give the templates what they call."""
    from web.guard import home_name
    from web.rulebook import link_rules
    from web.words import clause, day, moment, name_of, plain_name, sentence, term

    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.jinja_env.filters.update(term=term, link_rules=link_rules, day=day, moment=moment)
    app.jinja_env.globals.update(
        own_address=address,
        name_of=name_of,
        plain_name=plain_name,
        sentence=sentence,
        clause=clause,
        home_name=home_name,
    )
