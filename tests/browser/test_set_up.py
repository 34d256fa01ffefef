"""The set-up of the die on the virtual table: the page's lesson from the first tap to the saved file."""

import json
import re
import threading
from contextlib import ExitStack

import pytest
from gpiozero import Device
from playwright.sync_api import expect
from program import free_port
from waitress.server import create_server

from companion.cli import attach, look
from companion.cli.lessons import make_lessons
from companion.config import Settings, load_installation
from companion.die import word
from companion.games import GAMES
from companion.journal import Journal
from companion.table import Table
from vision.setup import from_json
from web import create_app


class Lessons:
    """The program on the virtual table, in this process, before any set-up."""

    def __init__(self, folder, stack):
        self.folder = folder
        self.installation_ = load_installation(folder)
        journal = Journal(folder / "journal.db")
        stack.callback(journal.close)
        self.table = table = Table(GAMES, journal, lambda: "2026-01-01T20:00:00+01:00")
        before = Device.pin_factory
        stack.callback(lambda: setattr(Device, "pin_factory", before))
        lessons = make_lessons(folder)

        def eyes(virtual, tell):
            self.virtual = virtual
            return look.virtual_eyes(table, folder, virtual, tell)

        equipment = attach.attach_virtual(table, Settings(), eyes, stack, lessons)
        lessons.on_saved = equipment.set_up_changed
        port = free_port()
        self.url = f"http://localhost:{port}"
        app = create_app(table, self.installation_, equipment, hosts=lambda: {"localhost"}, address=lambda: self.url)
        server = create_server(app, host="127.0.0.1", port=port, threads=12, channel_request_lookahead=1)
        thread = threading.Thread(target=server.run, daemon=True)
        thread.start()

        def stop():
            app.extensions["streams"].closing.set()
            table.wake()
            server.trigger.pull_trigger(server.close)
            server.task_dispatcher.shutdown()
            thread.join(5)

        stack.callback(stop)

    @property
    def installation(self):
        return {"pin": self.installation_.pin, "code": self.installation_.code}


@pytest.fixture
def demo(tmp_path):
    with ExitStack() as stack:
        yield Lessons(tmp_path, stack)


class Pupil:
    """The host at the lesson."""

    def __init__(self, screen, demo):
        self.screen, self.page, self.demo = screen, screen.page, demo

    def open(self):
        self.page.goto(f"{self.demo.url}/host")
        self.page.click("text=Set up table and die")
        self.page.click("#ask-start")
        return self

    def at(self, step):
        expect(self.page.locator(f"#now[data-at={step}]")).to_be_visible()

    def says(self, text):
        expect(self.page.locator("#panel")).to_contain_text(text)

    def tap(self, point):
        box = self.page.locator("#camera").bounding_box()
        self.page.mouse.click(box["x"] + (point[0] + 0.5) * box["width"] / 1280,
                              box["y"] + (point[1] + 0.5) * box["height"] / 720)  # fmt: skip

    def toy(self, verb, label=None):
        self.page.click(f"[data-toy={verb}]" + (f":has-text('{label}')" if label else ""))

    def show_the_die(self):
        """Have the drawn hand lay the die as it is asked for, until all six colours are known."""
        for number in range(1, 4):
            self.page.click(".lesson-does .only-toy")
            self.wait_still()
            self.page.click("#ask-shoot")
            expect(self.page.locator(".lesson-shot")).to_contain_text(f"picture {number}")
            if self.page.locator("#ask-check").count():
                return number
        raise AssertionError("three pictures weren't enough")

    def roll_until_read(self):
        """Roll, again when the reader isn't sure."""
        reading = self.page.locator(".lesson-reading")
        for _ in range(5):
            self.toy("roll")
            self.wait_still()
            expect(reading).to_contain_text(re.compile(r"towards S\.|can’t read"))
            if reading.locator(".big").count():
                return
        raise AssertionError("five rolls in a row couldn't be read")

    def wait_still(self):
        self.page.wait_for_timeout(300)
        while self.demo.virtual.is_busy:
            self.page.wait_for_timeout(50)
        self.page.wait_for_timeout(600)  # the page's and the shot's frames are the new ones


def test_the_lesson_goes_from_a_sheet_of_paper_to_a_set_up_that_reads(demo, phone):
    pupil = Pupil(phone(demo, width=1440).host(), demo).open()
    pupil.at("table")
    pupil.toy("lay_paper", "sheet")
    pupil.toy("remove")
    pupil.wait_still()
    pupil.screen.shoot("set-up-1-table")
    for corner in demo.virtual.paper_corners_px():
        pupil.tap(corner)
    pupil.says("Does the grid lie flat")
    pupil.screen.shoot("set-up-2-corners")
    pupil.page.click("#ask-accept")
    pupil.at("empty")
    pupil.toy("lay_paper", "Paper away")
    pupil.wait_still()
    pupil.screen.shoot("set-up-3-empty")
    pupil.page.click("#ask-shoot")
    pupil.at("show")
    pupil.screen.shoot("set-up-4-show")
    pupil.show_the_die()
    pupil.screen.shoot("set-up-5-learnt")
    pupil.page.click("#ask-check")
    pupil.at("check")
    for number in range(3):
        pupil.roll_until_read()
        lie = demo.virtual.rest.lie
        expect(pupil.page.locator(".lesson-reading .big")).to_contain_text(f"{word(lie.top).capitalize()} is up")
        if number == 0:
            pupil.screen.shoot("set-up-6-check")
        pupil.page.click("#ask-right")
    pupil.at("done")
    pupil.screen.shoot("set-up-7-done")
    setup = from_json(json.loads((demo.folder / "die.json").read_text()))
    assert setup.cube.size_mm == pytest.approx(25, rel=0.06)
    host = pupil.screen
    host.new_venecitas({"S": "Ana", "N": "Bruno"})
    host.starts("Ana")
    host.next()
    expect(host.page.locator(".waiting")).to_be_visible()
    for _ in range(5):
        pupil.toy("roll")
        pupil.wait_still()
        try:
            expect(host.page.locator(".die .top")).to_be_visible(timeout=8000)
        except AssertionError:
            continue
        break
    expect(host.page.locator(".die .top .word")).to_have_text(word(demo.virtual.rest.lie.top))
