"""What phones go through at a table: they come in, race, sleep, are reloaded, speak, and are used without a finger."""

import re

import cv2
import numpy as np
import pytest
import views
from laid import NAMES, Laid, picture
from playwright.sync_api import expect

from companion.commands import Redo, Undo

HIDE = """() => {
    Object.defineProperty(document, "visibilityState", {value: "hidden", configurable: true});
    document.dispatchEvent(new Event("visibilitychange"));
}"""
WAKE = """() => {
    delete document.visibilityState;
    document.dispatchEvent(new Event("visibilitychange"));
}"""


@pytest.fixture(scope="module")
def laid(tmp_path_factory):
    laid = Laid(tmp_path_factory.mktemp("phones"))
    yield laid
    laid.close()


@pytest.fixture
def ana(laid, chromium):
    """Ana's phone at a new game of Venecitas that she begins."""
    laid.venecitas()
    with laid.phone(chromium, "ana", "S") as page:
        page.goto(laid.url + "/play")
        yield page


@pytest.fixture
def bruno(laid, ana, chromium):
    with laid.phone(chromium, "bruno", "N") as page:
        page.goto(laid.url + "/play")
        yield page


def turn(page, text):
    expect(page.locator("#turn")).to_contain_text(text)


def wait_for_streams(laid, page, phone, count):
    """A page shows its board before its stream is open, and the server sees later that one was closed."""
    for _ in range(100):
        open_now = sum(owner == phone for owner, _ in list(laid.app.extensions["streams"]._open.values()))
        if open_now == count:
            return
        page.wait_for_timeout(300)
    raise AssertionError(f"{open_now} streams of {phone} are open; expected {count}")


def events(laid):
    return [entry for entry in laid.journal.entries(laid.table.board().session) if entry.kind == "event"]


def test_a_phone_comes_in_by_what_the_qr_code_says_and_the_code_leaves_the_address_bar(laid, ana, chromium):
    with laid.phone(chromium, "host", host=True) as host:
        host.goto(laid.url + "/host")
        shot = host.locator(".qr").screenshot()
    link, *_ = cv2.QRCodeDetector().detectAndDecode(cv2.imdecode(np.frombuffer(shot, np.uint8), cv2.IMREAD_COLOR))
    assert link == f"{laid.url}/join/TABLEAAA"
    with laid.phone(chromium) as guest:
        guest.goto(link)
        guest.wait_for_url("**/play")
        assert "TABLEAAA" not in guest.content()
        turn(guest, "Ana’s turn")
        # Nor does it lie in the history of the browser.
        guest.goto(laid.url + "/seats")
        guest.go_back()
        assert guest.url == laid.url + "/play"


def test_of_two_phones_that_tap_at_once_one_wins_and_the_other_sees_why(laid, ana, chromium):
    with laid.phone(chromium, "host", host=True) as host:
        host.goto(laid.url + "/play")
        turn(host, "Ana’s turn")
        # What is pushed from here on has not come yet when the host taps.
        host.evaluate("kept = show; show = () => {}")
        ana.click("#board [data-verb=next]")
        turn(ana, "Roll the die")
        host.evaluate("show = kept; document.querySelector('#board [data-verb=next]').click()")
        expect(host.locator("#said")).to_contain_text("Somebody was faster: the board has changed")
        turn(host, "Roll the die")
        assert len(events(laid)) == 1


def test_a_hidden_page_lets_its_stream_go_and_shows_the_newest_board_when_it_wakes(laid, bruno):
    turn(bruno, "Ana’s turn")
    wait_for_streams(laid, bruno, "bruno", 1)
    bruno.evaluate(HIDE)
    for _ in range(2):
        views.mark(laid, "Y", "R")
    wait_for_streams(laid, bruno, "bruno", 0)
    assert "Round 1" in bruno.text_content("#turn"), "a hidden page is not told"
    bruno.evaluate(WAKE)
    turn(bruno, "Round 2")
    expect(bruno.locator("#link")).to_have_text("")
    wait_for_streams(laid, bruno, "bruno", 1)


def test_the_reconnecting_line_comes_while_the_table_is_out_of_reach_and_surely_clears(laid, bruno):
    turn(bruno, "Ana’s turn")
    bruno.route(re.compile("/(live|board)"), lambda route: route.abort())
    for place in list(laid.app.extensions["streams"]._open):
        laid.app.extensions["streams"].leave(place)
    laid.table.wake()
    expect(bruno.locator("#link")).to_have_text("reconnecting…")
    views.mark(laid, "Y", "R")
    bruno.unroute_all()
    turn(bruno, "Your turn")
    expect(bruno.locator("#link")).to_have_text("")
    bruno.faults.clear()  # what was kept from it


@pytest.mark.parametrize("path", ["/play", "/teach/die", "/host/buttons"])
def test_what_needs_scripts_waits_for_the_last_of_them_so_that_no_tap_is_lost(laid, ana, chromium, path):
    with laid.phone(chromium, "host", host=True) as host:
        held = []

        def hold(script):
            held.append(script)

        host.route(re.compile(r"/(table|teach|buttons)\.js"), hold)
        host.goto(laid.url + path, wait_until="commit")
        expect(host.locator("main button").first).to_be_visible()
        assert host.locator("main > [inert], main > * > [inert]").count()
        for script in held:
            script.continue_()
        expect(host.locator("[inert]")).to_have_count(0)


def test_six_tabs_of_one_browser_all_follow_and_all_can_be_tapped(laid, ana):
    tabs = [ana, *(ana.context.new_page() for _ in range(5))]
    for tab in tabs[1:]:
        tab.goto(laid.url + "/play")
    tabs[5].click("#board [data-verb=next]")
    for tab in tabs:
        turn(tab, "Roll the die")


def test_a_table_that_has_no_stream_left_is_followed_by_asking(tmp_path, chromium):
    laid = Laid(tmp_path, streams=0)
    try:
        laid.venecitas()
        with laid.phone(chromium, "ana", "S") as page:
            page.goto(laid.url + "/play")
            laid.say("next")
            turn(page, "Roll the die")
            expect(page.locator("#link")).to_have_text("")
    finally:
        laid.close()


def test_undo_after_the_end_is_told_to_all_and_can_be_taken_back(laid, ana, bruno):
    views.won(laid)
    for phone, page in (("ana", ana), ("bruno", bruno)):
        laid.table.sit(phone, frozenset("S" if phone == "ana" else "N"), "host")
        turn(page, "Ana wins!")
    ana.click("[data-act=undo]")
    expect(bruno.locator("#change")).to_contain_text("Ana taken back")
    expect(bruno.locator("#change li").first).to_be_visible()
    expect(bruno.locator("#changed")).to_contain_text("Ana taken back")
    assert "wins" not in bruno.text_content("#turn")
    bruno.click("[data-act=redo]")
    turn(ana, "Ana wins!")
    expect(ana.locator("#change")).to_contain_text("Bruno brought back")


def test_a_reading_is_put_right_with_the_likeliest_colours_first(laid, ana, bruno):
    views.reading(laid)
    laid.table.sit("ana", frozenset("S"), "host")
    reading = ana.locator("#reading")
    expect(reading).to_contain_text("yellow on top")
    labels = reading.locator("button").all_text_contents()
    assert [label.split()[0].lower() for label in labels[:2]] == ["blue", "green"]
    reading.locator("button").nth(1).click()
    for page in (ana, bruno):
        expect(page.locator(".die .top .word")).to_have_text("green")


@pytest.mark.parametrize(("code", "name", "words"), [("es", "Español", "Tu turno"), ("fr", "Français", "À ton tour")])
def test_two_phones_at_one_table_speak_two_languages(laid, ana, bruno, code, name, words):
    ana.click(f"text={name}")
    turn(ana, words)
    assert ana.get_attribute("html", "lang") == code
    turn(bruno, "Ana’s turn")
    views.mark(laid, "Y", "R")
    turn(bruno, "Your turn")
    expect(ana.locator("#turn h1")).to_contain_text("Bruno")
    expect(ana.locator("#changed")).to_contain_text("Bruno")
    assert "’s turn" not in ana.text_content("#board")
    views.mark(laid, "Y", "R")
    turn(ana, words)
    ana.reload()
    turn(ana, words)


def test_each_role_sees_what_it_may_do_and_nothing_else(laid, ana, bruno, chromium):
    with (
        laid.phone(chromium, "host", host=True) as host,
        laid.phone(chromium, "watcher") as watcher,
        laid.phone(chromium, "tv", screen=True) as screen,
    ):
        for page, path in ((host, "/play"), (watcher, "/play"), (screen, "/screen")):
            page.goto(laid.url + path)
            turn(page, "Ana’s turn")
        assert ana.locator("#board [data-verb=next]").count() == 1
        assert host.locator("#board [data-verb=next]").count() == 1
        assert host.locator("nav a[href='/host']").count() == 1
        for page in (ana, bruno, watcher, screen):
            assert page.locator("a[href='/host']").count() == 0
        for page in (ana, bruno, host):
            assert page.locator("[data-act=undo]").count() == 1
        assert bruno.locator("#board [data-verb=next]").count() == 0
        for page in (watcher, screen):
            assert page.locator("[data-verb], [data-act]").count() == 0
        watcher.goto(laid.url + "/host")
        expect(watcher.locator(".warn")).to_contain_text("the host’s")
        screen.goto(laid.url + "/play")
        assert screen.url.endswith("/screen")


def lobby(laid):
    laid.venecitas(first=None)


def fresh(laid):
    laid.venecitas()


PHASES = {
    "FIRST_PLAYER": lobby, "EXCHANGE": fresh, "ROLL": views.rolling, "ADJUST": views.adjusting,
    "BLOCK_CHOICE": views.choosing_block, "OVER": views.won,
}  # fmt: skip


@pytest.mark.parametrize("phase", PHASES)
def test_a_reloaded_phone_is_where_it_was_in_every_phase(laid, ana, phase):
    PHASES[phase](laid)
    assert laid.view["phase"] == phase
    laid.table.sit("ana", frozenset("S"), "host")
    ana.goto(laid.url + "/play")
    shown = "(board) => [board.dataset.seq, board.dataset.me, board.textContent.replace(/\\s+/g, ' ')]"
    before = ana.locator("#board").evaluate(shown)
    ana.reload()
    assert ana.locator("#board").evaluate(shown) == before


def test_every_phase_is_reloaded():
    from companion.games.venecitas.state import Phase

    assert set(PHASES) == set(Phase)


def press_to(page, selector):
    """Go to something with the Tab key alone."""
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("(wanted) => document.activeElement.matches(wanted)", selector):
            return
    raise AssertionError(f"the Tab key doesn't reach {selector}")


def test_a_turn_is_played_with_the_keyboard_alone(laid, ana):
    ana.keyboard.press("Tab")
    assert ana.evaluate("document.activeElement.matches('.skip')")
    press_to(ana, "#board [data-verb=next]")
    assert ana.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    ana.keyboard.press("Enter")
    turn(ana, "Roll the die")
    press_to(ana, "input[name=top-roll]")
    ana.keyboard.press("Space")
    ana.keyboard.press("ArrowDown")
    press_to(ana, ".for-G [data-verb=roll]")
    ana.keyboard.press("Enter")
    expect(ana.locator(".die .top .word")).to_have_text("green")
    press_to(ana, ".dock [data-verb=next]")
    ana.keyboard.press("Enter")
    turn(ana, "Bruno’s turn")


def test_a_push_leaves_the_focus_where_it_was(laid, ana):
    press_to(ana, "[data-act=undo]")
    laid.say("next")
    turn(ana, "Roll the die")
    assert ana.evaluate("document.activeElement.dataset.act") == "undo"


def test_the_live_region_says_what_happened_and_what_is_asked(laid, bruno):
    turn(bruno, "Ana’s turn")
    assert bruno.get_attribute("#changed", "aria-live") == "polite"
    views.mark(laid, "Y", "R")
    expect(bruno.locator("#changed")).to_contain_text("Ana marks red")
    expect(bruno.locator("#changed")).to_contain_text("Your turn")


# What was saved is told for a moment and goes away without moving.
MOVING = """() => document.getAnimations().map((one) => one.effect.target)
    .filter((it) => !it.matches(".passing")).map((it) => it.dataset.moves || it.dataset.turned)"""


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_cones_and_block_travel_unless_less_motion_is_wished_for(laid, ana, chromium, motion):
    with laid.phone(chromium, "watcher", reduced_motion=motion, viewport={"width": 1440, "height": 900}) as page:
        views.before_the_marks(laid)
        page.goto(laid.url + "/play")
        page.evaluate("TRAVEL.duration = 60000")
        laid.say("next")
        turn(page, "where does the blocking cone go?")
        cones = page.evaluate(MOVING)
        option = next(a for a in laid.table.board().awaits if a.verb == "choose_block").options[0]
        laid.say("choose_block", **option)
        expect(page.locator(".track.owns")).to_have_count(1)
        block = page.evaluate(MOVING)
        if motion == "reduce":
            assert cones == block == []
        else:
            assert {"cone-S-R", "cone-S-Y"} <= set(cones)
            assert "block" in block


def test_a_paid_move_turns_the_die_on_the_page(laid, ana, chromium):
    with laid.phone(chromium, "watcher", reduced_motion="no-preference") as page:
        views.adjusting(laid)
        page.goto(laid.url + "/play")
        page.evaluate("TRAVEL.duration = 60000")
        awaited = next(a for a in laid.table.board().awaits if a.verb == "move")
        laid.say("move", **awaited.options[0])
        expect(page.locator(f".die[data-turned={awaited.options[0]['kind']}]")).to_be_visible()
        assert awaited.options[0]["kind"] in page.evaluate(MOVING)


def test_a_picture_that_was_read_is_shown(laid, ana):
    laid.say("next")
    laid.table.saw(views.die("yellow", "red"), picture())
    image = ana.locator("#reading img")
    expect(image).to_be_visible()
    expect(ana.locator("#reading img")).not_to_have_js_property("naturalWidth", 0)


def test_a_button_at_the_table_may_wish_to_undo_and_a_phone_confirms(laid, ana):
    from companion.inputs import Button

    laid.say("next")
    turn(ana, "Roll the die")
    laid.table.pressed(Button.UNDO)
    ask = ana.locator(".ask")
    expect(ask).to_contain_text("Undo the last step?")
    ask.locator("[data-act=undo]").click()
    turn(ana, "Nothing to exchange")
    laid.ask(Redo())
    laid.ask(Undo())
    assert NAMES["S"] in ana.text_content("#board")
