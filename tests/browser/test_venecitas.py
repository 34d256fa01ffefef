"""An evening of Venecitas on phones."""

import re

import pytest
from playwright.sync_api import expect

NAMES = {"S": "Ana", "N": "Bruno"}


def test_two_phones_play_from_the_lobby_to_the_winner(table, phone):
    ana = phone(table).host()
    ana.new_venecitas(NAMES, numbers=25)
    ana.page.check("#sit-S")
    ana.page.click("text=Sit down")
    bruno = phone(table).join("N")
    for screen, colour in ((ana, "R red"), (bruno, "B blue")):
        screen.tap(f"button[data-verb=pick]:has-text('{colour}') >> nth=0")
    expect(ana.page.locator(".pick .chip").first).to_be_visible()
    ana.tap("button[data-verb=first_roll]:has-text('red')")
    for turn in range(4):
        for screen, other in ((ana, bruno), (bruno, ana)):
            screen.sees("Your turn")
            other.sees("’s turn")
            screen.next()
            screen.roll("Y", "R")
            expect(other.page.locator(".die .top .word")).to_have_text("yellow")
            screen.next()
            if turn == 3 and screen is ana:  # red and yellow got to 4 at once
                screen.tap("button[data-verb=choose_block]:has-text('R red')")
    ana.shoot("venecitas-exchange")
    ana.tap("button[data-verb=exchange]:has-text('4') >> nth=0")
    bruno.sees("last round")
    ana.next()
    ana.roll("G", "R")
    ana.next()
    bruno.next()
    bruno.roll("G", "R")
    bruno.shoot("venecitas-adjust")
    bruno.next()
    for screen in (ana, bruno):
        screen.sees("Ana wins!")
    ana.shoot("venecitas-won")
    ana.tap("button[data-act=undo]")
    bruno.sees("Your turn")


def test_solo_is_lost_at_turn_25(table, phone):
    solo = phone(table).host()
    solo.new_venecitas({"S": "Ana"})
    for turn in range(25):
        expect(solo.page.locator(".solo")).to_contain_text(re.compile(rf"{turn}\s*of 25"))
        solo.next()
        # Never four of a colour that could be exchanged by mistake: the points stay where they are.
        solo.roll("YGRB"[turn % 4], "RVYK"[turn % 4])
        solo.next()
    solo.sees("lost this time")
    expect(solo.page.locator(".solo")).to_contain_text("25")


def test_solo_is_won_with_eight_points(table, phone):
    solo = phone(table).host()
    solo.new_venecitas({"S": "Ana"}, numbers=8)
    for _ in range(4):
        solo.next()
        solo.roll("Y", "R")
        solo.next()
    solo.tap("button[data-verb=exchange] >> nth=0")
    solo.sees("Ana wins!")


def test_a_reading_is_corrected_in_two_taps(table, phone):
    ana = phone(table).host()
    ana.new_venecitas(NAMES)
    ana.starts("Ana")
    ana.next()
    ana.roll("Y", "R")
    ana.tap("label[for=top-correct-B]")
    ana.tap(".for-B button[data-verb=correct]:has-text('K black')")
    expect(ana.page.locator(".die .top .word")).to_have_text("blue")


def test_the_far_face_and_the_bottom_are_on_no_page_before_the_marks(table, phone):
    ana = phone(table).host()
    ana.new_venecitas(NAMES)
    ana.starts("Ana")
    bruno = phone(table).join("N")
    ana.next()
    ana.roll("Y", "R")
    expect(bruno.page.locator(".die .f-hidden text")).to_have_text("?")
    assert bruno.page.locator(".die .f-B, .die .f-G").count() == 0
    ana.next()
    expect(bruno.page.locator(".die .f-B")).to_have_count(1)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("Zoë 🐟🎲", id="emoji"),
        pytest.param("يوسف بن علي", id="right to left"),
        pytest.param("W" * 40, id="40 letters"),
        pytest.param('<b onclick="x">"&\'', id="markup"),
    ],
)
def test_a_nasty_name_does_not_break_the_page(table, phone, name):
    ana = phone(table).host()
    ana.new_venecitas({"S": name, "N": "Bruno"})
    ana.starts(name[:6].split('"')[0])
    expect(ana.page.locator("#turn h1 bdi")).to_have_text(name)
    overflow = ana.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert overflow <= 0, "the page scrolls sideways"


def test_a_double_tap_is_one_step(table, phone):
    ana = phone(table, thumbs=True).host()
    ana.new_venecitas(NAMES)
    ana.starts("Ana")
    ana.next()
    ana.roll("Y", "R")
    expect(ana.page.locator("#board [data-verb=next]")).to_contain_text("Keep the die")
    ana.page.dblclick("#board [data-verb=next]")
    ana.sees("Bruno’s turn")
    ana.page.wait_for_timeout(300)
    expect(ana.page.locator("#board [data-verb=next]")).to_contain_text("Go on")
