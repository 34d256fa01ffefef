"""The lessons' pages: for the host alone, and what is asked there reaches the lesson."""

import json
import re

import pytest

from companion.errors import BadInput
from companion.teaching.lesson import Lesson
from companion.text import say


class Plain(Lesson):
    """A lesson that only notes what it is asked."""

    first_step = "table"

    def __init__(self):
        super().__init__(None, lambda job: job(), lambda: None)
        self.asked = []

    def _reset(self):
        pass

    def _do(self, verb, wish, now):
        if verb == "odd":
            raise BadInput("got an odd wish")
        self.asked.append((verb, dict(wish)))

    def _tell(self):
        return {"table": None, "tapped": None, "ruler_mm": 100.0}


@pytest.fixture
def lesson(site):
    lesson = Plain()
    site.equipment.lessons["die"] = lesson
    return lesson


def test_a_wish_reaches_the_lesson_and_the_answer_is_what_to_do_next(site, lesson):
    host = site.browser("host")
    assert "Begin" in host.get("/teach/die").text
    assert 'data-at="table"' in host.json("/teach/die/start", {}).text
    host.json("/teach/die/corners", {"corners": [[1, 2]]})
    assert lesson.asked == [("corners", {"corners": [[1, 2]]})]


def test_a_page_that_has_the_newest_panel_gets_none(site, lesson):
    host = site.browser("host")
    version = re.search(r'data-version="(\d+)"', host.get("/teach/die").text)[1]
    assert host.get(f"/teach/die/panel?seen={version}").status_code == 204
    host.json("/teach/die/start", {})
    assert host.get(f"/teach/die/panel?seen={version}").status_code == 200


def test_what_is_said_cannot_break_the_page(site, lesson):
    host = site.browser("host")
    host.json("/teach/die/start", {})
    lesson.look("a picture", 0.0)
    lesson.said = say("that went wrong ({reason}): try again", reason="<script>alert(1)</script>")
    html = host.get("/teach/die/panel").text
    assert "<script>alert" not in html
    assert "That went wrong (&lt;script&gt;" in html


def test_what_is_said_is_said_in_the_phones_language(site, lesson):
    host = site.browser("host")
    host.form("/language", language="de", back="/")
    host.json("/teach/die/start", {})
    lesson.look("a picture", 0.0)
    lesson.said = say("the camera gives no picture: look after it, then try again")
    assert "Die Kamera gibt kein Bild" in host.get("/teach/die/panel").text


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [("/teach/die/odd", {}, 400), ("/teach/die/start", [], 400), ("/teach/moon/start", {}, 404)],
)
def test_a_wish_that_can_not_be_is_refused_in_one_line(site, lesson, path, body, status):
    host = site.browser("host")
    host.json("/teach/die/start", {})
    answer = host.json(path, body)
    assert answer.status_code == status
    assert "\n" not in json.loads(answer.text)["error"]


def test_without_a_camera_the_page_says_so(site):
    host = site.browser("host")
    assert "No camera is attached" in host.get("/teach/card").text
    assert "Set up table and die" not in host.get("/host").text


def test_the_picture_of_the_last_shot_is_shown(site, lesson):
    host = site.browser("host")
    assert host.get("/teach/die/shot.jpg").status_code == 404
    lesson.picture = b"jpeg"
    assert host.get("/teach/die/shot.jpg").data == b"jpeg"


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_the_mat_can_be_printed_from_the_page(site, paper):
    answer = site.browser("host").get(f"/mat-{paper}.pdf")
    assert answer.mimetype == "application/pdf"
    assert answer.data.startswith(b"%PDF-")


def test_there_is_no_mat_for_another_paper(site):
    assert site.browser("host").get("/mat-a3.pdf").status_code == 404
