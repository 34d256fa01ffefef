"""The set-up of the die on the virtual table: the page's lesson from the first tap to the saved file."""

import json
import math
import re
from contextlib import ExitStack

import pytest
from demo import Demo
from playwright.sync_api import expect
from shots import shoot

from companion.die import word
from hardware.virtual.dials import DIALS
from vision.setup import from_json
from vision.spinner_file import load_spinner

LEARNING_MS = 120_000
"""Learning takes seconds, and many of them where several tests share two cores."""


@pytest.fixture
def demo(tmp_path):
    with ExitStack() as stack:
        yield Demo(tmp_path, stack)


def dial_points(demo):
    """The middle of each drawn dial, and where its first sector begins on the rim."""
    points = []
    for dial in DIALS:
        angle = math.radians(dial.start_deg)
        x, y = dial.center_mm
        points += [(x, y), (x + dial.radius_mm * math.sin(angle), y - dial.radius_mm * math.cos(angle))]
    return demo.virtual.card_points_px([(x, y, 0.0) for x, y in points])


def tips(demo, angles_deg):
    """Where the tips of the drawn arrows are seen."""
    points = []
    for dial, angle_deg in zip(DIALS, angles_deg, strict=True):
        angle = math.radians(angle_deg)
        x, y = dial.center_mm
        points.append((x + 25 * math.sin(angle), y - 25 * math.cos(angle), 2.5))
    return demo.virtual.card_points_px(points)


class Pupil:
    """The host at the lesson."""

    def __init__(self, screen, demo):
        self.screen, self.page, self.demo = screen, screen.page, demo

    def open(self, lesson="Set up table and die"):
        self.page.goto(f"{self.demo.url}/host")
        self.page.click(f"text={lesson}")
        self.page.click("#ask-start")
        expect(self.page.locator(".lesson-sheet")).to_be_visible()
        expect(self.page.locator(".lesson-busy")).to_have_count(0)
        return self

    def at(self, step):
        expect(self.page.locator(f"#now[data-at={step}]")).to_be_visible()

    def says(self, text):
        expect(self.page.locator("#panel")).to_contain_text(text, timeout=LEARNING_MS)

    def tap(self, point):
        box = self.page.locator("#camera").bounding_box()
        self.page.mouse.click(box["x"] + (point[0] + 0.5) * box["width"] / 1280,
                              box["y"] + (point[1] + 0.5) * box["height"] / 720)  # fmt: skip

    def middle_of(self, selector):
        """Where something is on the screen; the page may just be drawing it anew."""
        for _ in range(50):
            if box := self.page.locator(selector).bounding_box():
                return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
            self.page.wait_for_timeout(100)
        raise AssertionError(f"{selector} isn't drawn")

    def drag_points(self, targets):
        """Drag the points that are there to where they belong."""
        for index, (x, y) in enumerate(targets):
            box = self.page.locator("#camera").bounding_box()
            self.page.mouse.move(*self.middle_of(f".point[data-index='{index}'] circle"))
            self.page.mouse.down()
            self.page.mouse.move(box["x"] + (x + 0.5) * box["width"] / 1280,
                                 box["y"] + (y + 0.5) * box["height"] / 720, steps=5)  # fmt: skip
            self.page.mouse.up()
            self.page.wait_for_timeout(500)  # it is sent when the hand is still

    def toy(self, verb, label=None):
        self.page.click(f"[data-toy={verb}]" + (f":has-text('{label}')" if label else ""))

    def show_the_die(self):
        """Have the drawn hand lay the die as it is asked for, until all six colours are known."""
        for number in range(1, 4):
            self.page.click(".lesson-does .only-toy")
            self.wait_still()
            self.page.click("#ask-shoot")
            expect(self.page.locator(".lesson-shot")).to_contain_text(f"picture {number}", timeout=LEARNING_MS)
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
        expect(pupil.page.locator("#told[aria-live]")).to_contain_text(f"{word(lie.top).capitalize()} is up")
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


def test_the_mat_is_found_by_itself_and_corners_can_be_set_by_keyboard(demo, phone):
    pupil = Pupil(phone(demo, width=360).host(), demo).open()
    pupil.page.click("#place-all")
    points = pupil.page.locator(".point")
    expect(points).to_have_count(4)
    before = points.nth(2).get_attribute("aria-label")
    points.nth(2).focus()
    for _ in range(3):
        pupil.page.keyboard.press("Shift+ArrowRight")
    pupil.page.keyboard.press("ArrowUp")
    expect(pupil.page.locator("#loupe")).to_be_visible()
    x, y = (int(value) for value in before.split(": ")[1].split(", "))
    expect(points.nth(2)).to_have_attribute("aria-label", f"corner 3: {x + 30}, {y - 1}")
    pupil.says("Does the grid lie flat")
    pupil.page.click("#ask-clear")
    pupil.toy("remove")
    pupil.toy("lay_paper", "Lay the mat")
    pupil.says("The mat is found")
    pupil.screen.shoot("set-up-8-mat")
    pupil.page.click("#ask-accept")
    pupil.at("empty")


def test_a_corner_is_dragged_under_the_glass_and_a_bad_picture_is_refused(demo, phone):
    pupil = Pupil(phone(demo, width=1440).host(), demo).open()
    pupil.toy("lay_paper", "sheet")
    pupil.wait_still()
    corners = demo.virtual.paper_corners_px()
    pupil.tap(corners[0])
    pupil.tap(corners[1])
    pupil.tap(corners[2])
    pupil.tap([corners[3][0] + 40, corners[3][1] - 30])
    pupil.says("Does the grid lie flat")
    box = pupil.page.locator("#camera").bounding_box()

    def on_screen(point):
        return box["x"] + (point[0] + 0.5) * box["width"] / 1280, box["y"] + (point[1] + 0.5) * box["height"] / 720

    pupil.page.mouse.move(*on_screen([corners[3][0] + 40, corners[3][1] - 30]))
    pupil.page.mouse.down()
    pupil.page.mouse.move(*on_screen(corners[3]), steps=6)
    expect(pupil.page.locator("#loupe")).to_be_visible()
    shoot(pupil.page, "set-up-9-glass")
    pupil.page.mouse.up()
    expect(pupil.page.locator("#loupe")).to_be_hidden()
    label = pupil.page.locator(".point").nth(3)
    expect(label).to_have_attribute("aria-label", re.compile(rf"corner 4: {round(corners[3][0])}, "))
    pupil.page.click("#ask-accept")
    demo.virtual.light(on=False)
    demo.virtual.cover()
    pupil.page.click("#ask-shoot")
    pupil.says("moves")
    demo.virtual.light(on=True)
    pupil.screen.shoot("set-up-10-refused")


def test_the_card_is_taught_from_its_corners_to_spins_that_are_read(demo, phone):
    pupil = Pupil(phone(demo, width=1440).host(), demo).open("Set up the spinner’s card")
    pupil.at("card")
    card = demo.virtual.card
    pupil.page.wait_for_timeout(600)  # the picture shows the card in place of the die
    pupil.page.fill("#card-w", "170")
    frames = demo.virtual.card_frames()
    for corner in frames["card_px"]:
        pupil.tap(corner)
    pupil.says("own upper edge")
    pupil.screen.shoot("card-1-corners")
    pupil.page.click("#ask-accept")
    pupil.at("dials")
    pupil.page.wait_for_timeout(500)  # until the card is shown large
    for point in dial_points(demo):
        pupil.tap(point)
    pupil.says("Do the rings and lines lie")
    pupil.screen.shoot("card-2-dials")
    pupil.page.click("#ask-accept")
    pupil.at("spins")
    for number, to_deg in enumerate([(40.0, 250.0), (160.0, 10.0), (280.0, 130.0)]):
        card.spin(to_deg)
        while card.is_busy:
            pupil.page.wait_for_timeout(50)
        pupil.page.wait_for_timeout(600)
        pupil.page.click("#ask-shoot")
        pupil.says("Where do the arrows point?")
        if number == 0:
            pupil.drag_points(tips(demo, to_deg))
            pupil.screen.shoot("card-3-spin")
        pupil.page.click("#ask-accept")
        pupil.says("The card is known" if number == 2 else f"{number + 1} of 3 are taken")
    pupil.page.click("#ask-check")
    pupil.at("check")
    for number, (to_deg, said) in enumerate([((100.0, 92.0), "4 C"), ((5.0, 185.0), "1 E"), ((180.0, 140.0), "6 D")]):
        card.spin(to_deg)
        expect(pupil.page.locator(".lesson-spin")).to_have_text(said)
        if number == 0:
            pupil.screen.shoot("card-4-check")
        pupil.page.click("#ask-right")
        expect(pupil.page.locator(".lesson-spin")).to_have_count(0)
    pupil.at("done")
    assert [dial.labels[-1] for dial in load_spinner(demo.folder / "spinner.json").look.card.dials] == ["10", "H"]
