"""An evening in the browser: the running program, the host's page, and a phone for each seat."""

from contextlib import contextmanager

from playwright.sync_api import expect


class Evening:
    """The program and the phones round it.

    Attributes:
        faults: what any page wrote to its console as an error; refusals apart, which the tests ask for.
    """

    def __init__(self, program, browser):
        self.program, self.browser = program, browser
        self.faults = []
        self.contexts = []

    def _page(self, **context):
        size = {"width": 360, "height": 740}
        self.contexts.append(self.browser.new_context(**{"viewport": size, "has_touch": True, **context}))
        page = self.contexts[-1].new_page()
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("console", lambda line: self.faults.append(line.text) if self._is_fault(line) else None)
        page.goto(self.program.url)
        return page

    @staticmethod
    def _is_fault(line):
        return line.type == "error" and "409" not in line.text

    def host(self):
        page = self._page()
        page.fill("#pin", self.program.installation["pin"])
        page.click("text=Be the host")
        return page

    def phone(self, seat, **context):
        """A phone that came in by the table's code and sat down."""
        page = self._page(**context)
        page.fill("#code", self.program.installation["code"])
        page.click("text=Come in")
        page.check(f"#sit-{seat}")
        page.click("text=Sit down")
        expect(page.locator("#board")).to_have_attribute("data-me", seat)
        return page

    def new_game(self, host, game, fields=(), ticks=(), choices=()):
        """Fill in the set-up form on the host's page."""
        host.goto(f"{self.program.url}/host?game={game}")
        for details in host.locator("form.new-game details").all():
            details.locator("summary").click()
        for name, text in dict(fields).items():
            host.fill(f"#{name}", text)
        for name in ticks:
            host.check(f"#{name}")
        for name, value in dict(choices).items():
            host.select_option(f"#{name}", value)
        host.click("form.new-game button.primary")
        expect(host.locator("#board")).to_have_attribute("data-rules", f"/rules/{game}")


@contextmanager
def evening(program, browser):
    """Phones for one evening; at the end none of them may have met an error."""
    evening = Evening(program, browser)
    try:
        yield evening
        assert not evening.faults
    finally:
        for context in evening.contexts:
            context.close()


def head(page, text):
    """Wait until a page's heading says this."""
    expect(page.locator("#turn h1")).to_contain_text(text)


def tap(page, label, exact=False):
    """Tap a button by its label, at a human pace: the page takes two taps within half a second for one."""
    page.wait_for_timeout(510)
    page.get_by_role("button", name=label, exact=exact).first.click()
