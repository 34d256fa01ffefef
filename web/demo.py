"""The virtual table on the page: its picture and what a hand can do to the drawn die. The host's only."""

from flask import Blueprint, Response, current_app

from web.bodies import json_object
from web.visitors import visitor

views = Blueprint("demo", __name__)


@views.get("/camera.jpg")
def camera() -> Response | tuple[str, int]:
    """The camera's newest picture, for the host's set-up and the virtual table."""
    if not visitor().host:
        return "the host's only", 403
    jpeg = current_app.extensions["equipment"].latest_jpeg()
    if jpeg is None:
        return "the camera shows nothing", 503
    return Response(jpeg, mimetype="image/jpeg")


@views.post("/toy/<verb>")
def toy(verb: str) -> tuple[str, int]:
    """Do something to the virtual table; the JSON body holds the arguments."""
    if not visitor().host:
        return "the host's only", 403
    verbs = current_app.extensions["equipment"].table_toy
    arguments = json_object()
    if verb not in verbs:
        return "the virtual table can't do that", 404
    try:
        verbs[verb](**arguments)
    except (TypeError, ValueError) as error:
        return f"the virtual table can't do that: {error}", 400
    return "", 204
