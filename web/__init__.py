"""The page: Flask views over the table. They parse, call the table and render; no rule and no SQL lives here."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from flask import Flask

from companion.config import Installation
from companion.inputs import Button
from companion.table import Table


@dataclass(frozen=True, slots=True)
class Equipment:
    """What the page may use besides the table; `cli` hands it in.

    Attributes:
        press: presses a button of the table, as its twin on the page.
        hold_undo: holds UNDO for as long as it takes.
        latest_jpeg: the camera's newest picture as JPEG, or None.
        table_toy: the virtual table's verbs by name, each taking JSON arguments; empty on a real table.
        missing: in words, what is not attached.
        checks: what ``/readyz`` tells: a name and a function that says "ok" or why not.
        progress: by name, whether each part that runs by itself makes progress.
    """

    press: Callable[[Button], None]
    hold_undo: Callable[[], None]
    latest_jpeg: Callable[[], bytes | None] = lambda: None
    table_toy: Mapping[str, Callable[..., object]] = field(default_factory=dict)
    missing: Callable[[], tuple[str, ...]] = lambda: ()
    checks: Mapping[str, Callable[[], str]] = field(default_factory=dict)
    progress: Mapping[str, Callable[[], bool]] = field(default_factory=dict)


def create_app(
    table: Table,
    installation: Installation,
    equipment: Equipment,
    *,
    hosts: Callable[[], Collection[str]],
    address: Callable[[], str],
    streams: int = 48,
) -> Flask:
    """Make the application.

    Args:
        table: the meeting place.
        installation: key, PIN and code.
        equipment: camera picture, buttons and the virtual table.
        hosts: the names and addresses under which this machine may be called (against DNS rebinding).
        address: the address that phones are sent to now, such as ``http://192.168.1.20:8000``; the Wi-Fi may come late.
        streams: how many phones may hold a stream; the others poll.
    """
    # Imported here, for the views need the names above.
    from web import demo, doors, evenings, guard, host, languages, live, play, rules_help, screen
    from web.board import Rendered
    from web.rulebook import link_rules
    from web.visitors import Doors
    from web.words import day, moment, name_of, plain_name, sentence, term

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
        hosts=hosts,
    )
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.jinja_env.filters.update(term=term, link_rules=link_rules, day=day, moment=moment)
    app.jinja_env.globals.update(
        own_address=address, name_of=name_of, plain_name=plain_name, sentence=sentence, home_name=guard.home_name
    )
    languages.install(app)
    guard.install(app, hosts)
    for views in (doors, play, host, live, screen, evenings, demo, rules_help):
        app.register_blueprint(views.views)
    return app
