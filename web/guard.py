"""Safety on a shared Wi-Fi: which requests are answered at all, and what every answer carries."""

from collections.abc import Callable, Collection
from urllib.parse import urlsplit

from flask import Flask, Response, current_app, jsonify, render_template, request
from flask_babel import gettext
from werkzeug.exceptions import HTTPException

from companion.errors import BadInput, CompanionError, NotYours, Refused, Stale, StorageError
from companion.table import Table
from web.words import plain_sentence

CSP = "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'"

STATUS_PAGES = ("/healthz", "/readyz")
"""Asked by machines, which may call us by any name; they tell no secret and change nothing."""


def install(app: Flask, hosts: Callable[[], Collection[str]]) -> None:
    """Guard all routes of an application.

    Args:
        app: the application.
        hosts: the names and addresses of this machine, without port, in lower case.
    """

    @app.before_request
    def check_name_and_origin() -> tuple[str, int] | None:
        return _check_name(hosts()) or _check_origin()

    app.after_request(_add_headers)
    app.register_error_handler(HTTPException, _show_error)
    app.register_error_handler(CompanionError, _show_refusal)


def _check_name(ours: Collection[str]) -> tuple[str, int] | None:
    """A hostile page can make a browser look us up under its own name (DNS rebinding); we answer to ours only."""
    try:
        name = urlsplit(f"//{request.host}").hostname or ""
    except ValueError:
        name = ""
    if request.path in STATUS_PAGES or name.lower() in ours:
        return None
    return f"this machine isn't called {name[:80]!r}: use its address or .local name", 421


def _check_origin() -> tuple[str, int] | None:
    if request.method in ("GET", "HEAD", "OPTIONS"):
        return None
    if request.headers.get("Origin") == f"{request.scheme}://{request.host}":
        return None
    return "this change came from another page: open the companion's own", 403


def _add_headers(response: Response) -> Response:
    response.headers["Content-Security-Policy"] = CSP
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Referrer-Policy"] = "same-origin"  # with no-referrer browsers hide the Origin of forms
    response.headers["X-Frame-Options"] = "DENY"
    if not request.path.startswith("/static/"):
        response.headers["Cache-Control"] = "no-store"
    return response


def _show_error(error: HTTPException) -> Response | tuple[str, int]:
    status = error.code or 500
    if request.is_json or request.accept_mimetypes.best == "application/json":
        return _answer_json(error.description or error.name, error.name.upper().replace(" ", "_"), status)
    title = gettext("There is no such page") if status == 404 else gettext("That can’t be done")
    return render_template("error.html", title=title, text=gettext("Go back to the table and try again.")), status


def _show_refusal(error: CompanionError) -> Response | tuple[str, int]:
    code, status = _name_and_status(error)
    table: Table = current_app.extensions["table"]
    text = plain_sentence(error.say, table.board().names) if error.say else str(error)
    if request.is_json:
        return _answer_json(text, code, status)
    return render_template("error.html", title=gettext("That can’t be done"), text=text), status


def _name_and_status(error: CompanionError) -> tuple[str, int]:
    match error:
        case Refused():
            return error.code, 403 if isinstance(error, NotYours) or error.code == "SPECTATOR" else 409
        case Stale():
            return "STALE", 409
        case StorageError():
            return "STORAGEERROR", 507
        case BadInput():
            return "BAD_INPUT", 400
    return "ERROR", 400


def _answer_json(text: str, code: str, status: int) -> Response:
    response = jsonify(error=text, code=code)
    response.status_code = status
    return response


def home_name() -> str | None:
    """The ``.local`` name by which phones find this machine, with the port; None while none works."""
    name: str | None = current_app.extensions["local_name"]()
    port = urlsplit(current_app.extensions["address"]()).port
    return f"{name}:{port}" if name and port else name
