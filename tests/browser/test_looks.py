"""Every main view in a real browser: nothing sticks out, everything can be read, reached and tapped."""

from contextlib import contextmanager

import pytest
from axe_playwright_python.sync_playwright import Axe
from laid import Laid
from shots import SIZES, shoot
from views import VIEWS

AXE = Axe()
EVERYTHING = {"resultTypes": ["violations"]}
CONTRAST = {"resultTypes": ["violations"], "runOnly": ["color-contrast"]}
"""The one thing in which dark and light differ."""

SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
CUT_OFF = """() => Array.from(document.querySelectorAll(
    "main button, main h1, main h2, main .button, main th"
)).filter(
    (it) => it.scrollWidth > it.clientWidth + 1 && it.clientWidth > 0 && getComputedStyle(it).display !== "inline"
).map((it) => it.textContent.trim().slice(0, 40))"""
SMALL = """() => Array.from(document.querySelectorAll(
    "button, .button, select, input:not([type=hidden], [type=checkbox], [type=radio]), summary, nav a, .tick," +
    ".twotaps label, .dials label"
)).map((it) => [it, it.getBoundingClientRect()]).filter(
    ([it, box]) => box.width > 0 && (box.height < 43.5 || box.width < 43.5) && !it.closest(".numbers, .piazza")
).map(([it, box]) => `${it.outerHTML.slice(0, 80)} ${Math.round(box.width)}x${Math.round(box.height)}`)"""

SQUEEZED = """() => Array.from(document.querySelectorAll("main .card, main h1")).filter((it) =>
    it.getBoundingClientRect().width < 140 && it.getBoundingClientRect().height > 0
).map((it) => it.textContent.trim().slice(0, 40))"""


@pytest.fixture(scope="module")
def laid(tmp_path_factory):
    laid = Laid(tmp_path_factory.mktemp("laid"))
    yield laid
    laid.close()


def faults(page, options):
    """What axe finds that keeps somebody out: each fault with the first thing that has it."""
    found = AXE.run(page, options=options).response["violations"]
    return [
        f"{fault['id']} ({fault['impact']}): {fault['nodes'][0]['html'][:160]} {fault['nodes'][0]['any'][:1]}"
        for fault in found
        if fault["impact"] in ("serious", "critical")
    ]


@pytest.mark.parametrize("view", VIEWS, ids=lambda view: view.name)
def test_a_view_can_be_read_reached_and_tapped_by_everybody(laid, chromium, view):
    view.lay(laid)
    # German has the longest words.
    with looking(laid, chromium, view, "de") as page:
        assert faults(page, EVERYTHING) == []
        page.emulate_media(color_scheme="dark")
        assert faults(page, CONTRAST) == []
        page.emulate_media(color_scheme="light")
        shoot(page, f"{view.name}-360-de")
        assert page.evaluate(SIDEWAYS) <= 0, "scrolls sideways"
        assert page.evaluate(CUT_OFF) == []
        assert page.evaluate(SMALL) == []
        assert page.evaluate(SQUEEZED) == []
        page.evaluate("document.documentElement.style.setProperty('font-size', '200%')")
        shoot(page, f"{view.name}-twice")
        assert page.evaluate(SIDEWAYS) <= 0, "scrolls sideways at twice the size"
        assert page.evaluate(CUT_OFF) == [], "cut off at twice the size"
    with looking(laid, chromium, view, "en") as page:
        for width, height in SIZES.items():
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate(SIDEWAYS) <= 0, f"scrolls sideways at {width}"
            for scheme in ("light", "dark"):
                page.emulate_media(color_scheme=scheme)
                shoot(page, f"{view.name}-{width}-{scheme}")


@contextmanager
def looking(laid, chromium, view, language):
    """The page of whoever looks at this view."""
    who = {"host": view.host, "screen": view.screen, "language": language}
    with laid.phone(chromium, view.phone, *view.seats, **who) as page:
        page.goto(laid.url + view.path)
        assert page.get_attribute("html", "lang") == language
        yield page
