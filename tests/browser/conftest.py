"""Headless Chromium on the running program."""

import pathlib
import shutil

import pytest
from playwright.sync_api import expect, sync_playwright
from program import Program
from shots import shoot_sizes

PROGRAMS = ("chromium-headless-shell", "chromium", "chromium-browser")
"""The first that is there; the shell needs three fifths of the others' time."""

PATIENCE_MS = 30_000
"""So long a slow and busy machine may take; nothing here measures time."""

expect.set_options(timeout=PATIENCE_MS)


def pytest_collection_modifyitems(items):
    for item in items:
        if pathlib.Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def chromium():
    where = next(filter(None, map(shutil.which, PROGRAMS)), None)
    assert where, "chromium is missing: apt-get install chromium-headless-shell"
    with sync_playwright() as playwright:
        quiet = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
        browser = playwright.chromium.launch(executable_path=where, args=quiet)
        yield browser
        browser.close()


@pytest.fixture
def table(tmp_path):
    """The program without camera and pins: everything is tapped."""
    with Program(tmp_path / "data") as program:
        yield program


class Screen:
    """One phone: its page, and short ways to tap it."""

    def __init__(self, context, program):
        self.context, self.program = context, program
        self.page = context.new_page()
        self.page.set_default_timeout(PATIENCE_MS)
        self.errors = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))

    def host(self):
        self.page.goto(self.program.url)
        self.page.fill("#pin", self.program.installation["pin"])
        self.page.click("text=Be the host")
        self.page.wait_for_url("**/play")
        return self

    def join(self, *seats):
        self.page.goto(f"{self.program.url}/join/{self.program.installation['code']}")
        self.page.wait_for_url("**/play")
        for seat in seats:
            self.page.check(f"#sit-{seat}")
        if seats:
            self.page.click("text=Sit down")
        return self

    def new_venecitas(self, names, numbers=None):
        self.page.goto(f"{self.program.url}/host?game=venecitas")
        for side in "SWNE":
            self.page.set_checked(f"#seat-{side}", side in names)
            if side in names:
                self.page.fill(f"#name-{side}", names[side])
        if numbers:
            self.page.click("#numbers summary")
            for box in self.page.query_selector_all("#numbers input"):
                box.fill(str(numbers))
        self.page.click("text=Start Venecitas")
        self.page.wait_for_url("**/play")

    def starts(self, name):
        self.page.click("summary:has-text('You know already')")
        self.page.click(f"button[data-verb=start_with]:has-text('{name}')")
        return self

    def tap(self, selector):
        self.page.click(f"#board {selector}")

    def next(self):
        self.tap("button[data-verb=next]")

    def roll(self, top, facing):
        self.tap(f"label[for=top-roll-{top}]")
        self.tap(f'.for-{top} button[data-verb=roll][data-data*=\'"facing": "{facing}"\']')

    def sees(self, text):
        expect(self.page.locator("#turn")).to_contain_text(text)

    def shoot(self, name):
        shoot_sizes(self.page, name)


@pytest.fixture
def phone(chromium):
    """Makes phones; each is a browser of its own, and none may have a script error.

    A test taps faster than any thumb, and the page takes two quick taps for one: unless ``thumbs`` tap, the
    page's clock runs fast enough to tell them apart.
    """
    screens = []

    def make(program, width=360, *, thumbs=False):
        context = chromium.new_context(viewport={"width": width, "height": 780})
        if not thumbs:
            context.add_init_script(
                "const real = performance.now.bind(performance); performance.now = () => 50 * real();"
            )
        screens.append(Screen(context, program))
        return screens[-1]

    yield make
    for screen in screens:
        screen.context.close()
    assert [screen.errors for screen in screens] == [[] for _ in screens]
