"""Languages: each phone speaks its own, by its browser's setting until somebody chooses another at the foot of a page.

The choice lies in the phone's signed cookie. Sentences are kept in ``translations/<language>/LC_MESSAGES``.
"""

from flask import Blueprint, Flask, current_app, redirect, request, session
from flask_babel import Babel
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response as BaseResponse

from companion.errors import BadInput
from web.bodies import form_fields

LANGUAGES = {"en": "English", "es": "Español", "de": "Deutsch", "fr": "Français"}
"""What can be chosen, by code, each called in its own words. The first one is for whoever speaks none of them."""

views = Blueprint("languages", __name__)


def install(app: Flask) -> None:
    """Let every page of an application speak its phone's language."""
    app.config.update(BABEL_DEFAULT_LOCALE=next(iter(LANGUAGES)))
    try:
        Babel(app, locale_selector=language)
    except TypeError:  # Flask-Babel 2, as Debian 12 has it
        Babel(app).localeselector(language)
    app.jinja_env.globals.update(language=language, languages=LANGUAGES, this_page=this_page)
    app.register_blueprint(views)


def language() -> str:
    """Tell the language of the phone whose request is being answered, one of `LANGUAGES`."""
    chosen = session.get("language")
    if chosen in LANGUAGES:
        return str(chosen)
    return request.accept_languages.best_match(LANGUAGES) or next(iter(LANGUAGES))


def this_page() -> str:
    """The way back to the page that is being shown; to the start from one that carries a code or was sent a form."""
    is_kept = request.method == "GET" and request.endpoint != "doors.join_by_code"
    return request.full_path.rstrip("?") if is_kept else "/"


@views.post("/language")
def choose() -> BaseResponse:
    """Take another language for this phone, and go back to the page where it was chosen."""
    form = form_fields("language", "back")
    if form["language"] not in LANGUAGES:
        raise BadInput(f"got language {form['language'][:20]!r}, but expected one of {', '.join(LANGUAGES)}")
    session.permanent = True
    session["language"] = form["language"]
    return redirect(form["back"] if _is_a_page(form["back"]) else "/", 303)


def _is_a_page(path: str) -> bool:
    """Whether this is a path of ours that can be asked for, and no way to another site."""
    try:
        current_app.url_map.bind("localhost").match(path.partition("?")[0], method="GET")
    except HTTPException:
        return False
    return path.startswith("/") and path.isascii() and path.isprintable()
