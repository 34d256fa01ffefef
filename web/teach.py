"""Setting the camera up on the page, for the host: the lessons about the die and about the spinner's card."""

import time

from flask import Blueprint, Response, abort, current_app, render_template, request

from companion.die import COLOUR_NAMES
from companion.errors import BadInput
from companion.mat import PAPERS, TITLES, draw_mat
from companion.printing import to_pdf
from companion.teaching.lesson import Lesson
from companion.text import say
from web.bodies import json_object
from web.visitors import host_only
from web.words import plain_sentence

views = Blueprint("teach", __name__)

TITLES_OF = {"die": say("The die"), "card": say("The spinner’s card")}


@views.get("/teach/<thing>")
@host_only
def page(thing: str) -> str:
    """Show a lesson: the live picture and what to do."""
    lesson = _lesson(thing)
    equipment = current_app.extensions["equipment"]
    return render_template(
        "teach.html",
        thing=thing,
        title=plain_sentence(TITLES_OF[thing], {}),
        toy=bool(equipment.table_toy),
        panel=_render(thing, lesson),
    )


@views.get("/teach/<thing>/panel")
@host_only
def panel(thing: str) -> str | tuple[str, int]:
    """What to do now; nothing new (204) when the page has it already."""
    lesson = _lesson(thing)
    seen = request.args.get("seen", "")
    if seen == str(lesson.view(time.monotonic())["version"]):
        return "", 204
    return _render(thing, lesson)


@views.post("/teach/<thing>/<verb>")
@host_only
def ask(thing: str, verb: str) -> str:
    """Do what the host asks for, with a JSON object; the answer is what to do next."""
    lesson = _lesson(thing)
    lesson.ask(verb, json_object(), time.monotonic())
    return _render(thing, lesson)


@views.get("/teach/<thing>/shot.jpg")
@host_only
def shot(thing: str) -> Response:
    """The picture that the lesson speaks of."""
    picture = _lesson(thing).picture
    if picture is None:
        abort(404, "no picture was taken yet")
    return Response(picture, mimetype="image/jpeg")


@views.get("/mat-<paper>.pdf")
@host_only
def mat(paper: str) -> Response:
    """The mat to print."""
    if paper not in PAPERS:
        abort(404, f"there is no mat for {paper[:20]!r}; expected {' or '.join(PAPERS)}")
    headers = {"Content-Disposition": f'inline; filename="mat-{TITLES[paper]}.pdf"'}
    return Response(to_pdf(draw_mat(paper)), mimetype="application/pdf", headers=headers)


def _lesson(thing: str) -> Lesson:
    lessons = current_app.extensions["equipment"].lessons
    if thing not in TITLES_OF:
        abort(404, f"there is no lesson about {thing[:20]!r}")
    if thing not in lessons:
        raise BadInput(
            say("no camera is attached, so there is nothing to set up: attach one, and start the program again")
        )
    lesson: Lesson = lessons[thing]
    return lesson


def _render(thing: str, lesson: Lesson) -> str:
    view = lesson.view(time.monotonic())
    return render_template(f"teach/{thing}.html", view=view, thing=thing, letters=COLOUR_NAMES, papers=TITLES)
