"""The host's page for the buttons, on the drawn table: its twins push pretended pins."""

import pytest
from playwright.sync_api import expect
from program import Program

LEARNING_MS = 120_000
"""Before the camera knows the table, the signal is that it reads; on two busy cores that takes a while."""


@pytest.fixture
def demo(tmp_path):
    with Program(tmp_path / "data", "demo") as program:
        yield program


def row(host, name):
    return host.page.locator(f"[data-button={name}]")


def test_all_buttons_are_tried_one_after_the_other_and_nothing_is_played_meanwhile(demo, phone):
    host = phone(demo, width=768).host()
    host.new_venecitas({"S": "Ana", "N": "Bruno"})
    host.starts("Ana")
    host.page.goto(f"{demo.url}/host/buttons")
    expect(row(host, "next")).to_contain_text("header pin 11")
    host.shoot("buttons-idle")
    host.page.click("#test")
    for name, asked in (("next", "Press NEXT now"), ("read", "Press READ now"), ("undo", "Hold UNDO")):
        expect(host.page.locator("#ask")).to_contain_text(asked)
        host.page.click(f"[data-press={name}]")
        expect(row(host, name).locator(".done")).to_be_visible()
    expect(host.page.locator("#ask")).to_contain_text("All three work")
    host.shoot("buttons-tried")
    host.page.goto(f"{demo.url}/play")
    expect(host.page.locator("#turn")).to_contain_text("go on to the roll")
    expect(host.page.locator(".signal")).to_contain_text("Ana: your turn", timeout=LEARNING_MS)
    host.shoot("signal")


def test_a_pin_is_learnt_by_a_press_and_the_twin_works_on(demo, phone):
    host = phone(demo).host()
    host.page.goto(f"{demo.url}/host/buttons")
    row(host, "next").locator("[data-learn]").click()
    expect(host.page.locator("#ask")).to_contain_text("Press the button now")
    host.shoot("buttons-learning")
    host.page.click("[data-press=read]")
    expect(host.page.locator("#desk-said")).to_contain_text("GPIO27 is READ's")
    row(host, "next").locator("[data-learn]").click()
    expect(host.page.locator("#ask")).to_contain_text("Press the button now")
    host.page.click("[data-press=next]")
    expect(host.page.locator("#desk-said")).to_be_hidden()
    expect(row(host, "next")).to_contain_text("GPIO 17")
    host.page.click("#test")
    expect(host.page.locator("#ask")).to_contain_text("Press NEXT now")
    host.page.wait_for_timeout(500)  # two presses within 0.4 s are one
    host.page.click("[data-press=next]")
    expect(row(host, "next").locator(".done")).to_be_visible()
