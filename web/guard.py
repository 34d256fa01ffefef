"""Safety on a shared Wi-Fi: which requests are answered at all, and what every answer carries."""

from collections.abc import Callable, Collection
from urllib.parse import urlsplit

from flask import Flask, Response, render_template, request
from werkzeug.exceptions import HTTPException

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
        # A hostile page can make a browser look us up under its own name (DNS rebinding); we answer to ours only.
        name = urlsplit(f"//{request.host}").hostname or ""
        if request.path not in STATUS_PAGES and name.lower() not in hosts():
            return f"this machine isn't called {name[:80]!r}: use its address or .local name", 421
        if request.method not in ("GET", "HEAD", "OPTIONS"):
            origin = request.headers.get("Origin")
            if origin != f"{request.scheme}://{request.host}":
                return "this change came from another page: open the companion's own", 403
        return None

    @app.after_request
    def add_headers(response: Response) -> Response:
        response.headers["Content-Security-Policy"] = CSP
        response.headers["X-Content-Type-Options"] = "nosniff"
        response.headers["Referrer-Policy"] = "same-origin"  # with no-referrer browsers hide the Origin of forms
        response.headers["X-Frame-Options"] = "DENY"
        if not request.path.startswith("/static/"):
            response.headers["Cache-Control"] = "no-store"
        return response

    @app.errorhandler(HTTPException)
    def show_error(error: HTTPException) -> Response | tuple[str, int]:
        if request.is_json or request.accept_mimetypes.best == "application/json":
            return {"error": error.description, "code": error.name.upper().replace(" ", "_")}, error.code or 500  # type: ignore[return-value]
        return render_template("error.html", error=error), error.code or 500
