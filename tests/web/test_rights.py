"""Every route with every role, against one table of what is allowed."""

import re
import secrets

import pytest
from web_table import ROLES

from companion.commands import Undo

EVERYBODY = set(ROLES)
JOINED = EVERYBODY - {"nobody"}
PHONES = JOINED - {"screen"}
SEATS = {"seat S", "seat N"}
PLAYERS = {*SEATS, "host"}
HOST = {"host"}

ALLOWED = {
    "GET /static/<path:filename>": EVERYBODY,
    "GET /": EVERYBODY,
    "GET /healthz": EVERYBODY,
    "GET /readyz": EVERYBODY,
    "GET /screen": EVERYBODY,  # a stranger's shows only the number it waits with
    "GET /join/<code>": EVERYBODY,
    "POST /join": EVERYBODY,
    "POST /host": EVERYBODY,
    "POST /leave": EVERYBODY,
    "POST /language": EVERYBODY,  # each phone's own affair
    "GET /play": PHONES,
    "GET /live": JOINED,
    "GET /board": JOINED,
    "GET /qr.svg": JOINED,
    "GET /crop/<int(max=9007199254740991):seq>.jpg": JOINED,
    "GET /question.jpg": JOINED,
    "GET /history": JOINED,
    "GET /rules/<game>": JOINED,
    "GET /evenings": JOINED,
    "GET /evenings/<int(max=9007199254740991):number>": JOINED,
    "GET /evenings/<int(max=9007199254740991):number>.<ending>": JOINED,
    "GET /seats": PHONES,
    "POST /sit": PHONES,
    "POST /seats/<act>": PHONES,
    "POST /do": PLAYERS,
    "POST /press/<button>": PLAYERS,
    "GET /host": HOST,
    "POST /host/new": HOST,
    "GET /host/buttons": HOST,
    "POST /host/buttons/state": HOST,
    "POST /host/buttons/learn": HOST,
    "POST /host/buttons/cancel": HOST,
    "POST /host/screen": HOST,
    "POST /host/forget": HOST,
    "POST /host/clear": HOST,
    "POST /host/keys": HOST,
    "GET /camera.jpg": HOST,
    "POST /toy/<verb>": HOST,
    "GET /backup.zip": HOST,
    "GET /teach/<thing>": HOST,
    "GET /teach/<thing>/panel": HOST,
    "GET /teach/<thing>/shot.jpg": HOST,
    "POST /teach/<thing>/<verb>": HOST,
    "GET /mat-<paper>.pdf": HOST,
    "POST /evenings/<int(max=9007199254740991):number>/resume": HOST,
    "GET /evenings/<int(max=9007199254740991):number>/delete": HOST,
    "POST /evenings/<int(max=9007199254740991):number>/delete": HOST,
}
"""Who may use a route at all. What a role may do with it is told by the tests below."""

FILLED = {"game": "venecitas",
    "filename": "style.css", "code": "TABLEAAA", "seq": "3", "number": "1", "ending": "csv", "act": "ask",
    "button": "next", "verb": "roll", "thing": "die", "paper": "a4",
}  # fmt: skip
FORMS = {
    "/join": {"code": "TABLEAAA"},
    "/host": {"pin": "123456"},
    "/language": {"language": "de", "back": "/"},
    "/seats/<act>": {"seat": "S"},
    "/host/new": {"game": "venecitas", "command": "12345678", "seat-S": "1"},
    "/host/screen": {"number": "0000"},
    "/host/clear": {"command": "12345678"},
    "/host/keys": {"what": "code"},
    "/evenings/<int(max=9007199254740991):number>/resume": {"command": "12345678"},
    "/evenings/<int(max=9007199254740991):number>/delete": {"sure": "delete"},
}


def routes(app):
    for rule in app.url_map.iter_rules():
        for method in sorted(rule.methods - {"HEAD", "OPTIONS"}):
            yield f"{method} {rule.rule}"


def test_every_route_stands_in_the_table(site):
    assert set(routes(site.app)) == set(ALLOWED)


def knock(site, browser, route):
    """Use a route as its page would: is the door opened, whatever the answer is then?"""
    method, rule = route.split(" ", 1)
    path = re.sub(r"<(?:[^:>]*:)?(\w+)>", lambda found: FILLED[found[1]], rule)
    if method == "GET":
        answer = browser.get(path)
    elif rule == "/do":
        answer = browser.do(site.table.board().seq, verb="next", data={})
    elif rule.startswith(("/toy", "/press", "/teach")):
        answer = browser.json(path, {})
    else:
        answer = browser.form(path, **FORMS.get(rule, {}))
    if route in ("GET /play", "GET /rules/<game>") and answer.status_code == 302:
        return False
    answer.close()
    return answer.status_code != 403


@pytest.mark.parametrize("role", ROLES)
def test_a_role_may_use_what_the_table_says_and_nothing_else(site, role):
    site.bench.say("next")
    site.bench.ask(Undo())
    allowed = {}
    for route in ALLOWED:
        browser = site.browser(role)
        allowed[route] = knock(site, browser, route)
        if role.startswith("seat "):
            site.table.release(role[5:], "host")
        site.app.extensions["doors"].installation = site.installation
        if site.table.board().session is None or "S" not in site.table.board().seats:
            site.bench.venecitas()
    # Seat N can't say what seat S is asked for, yet it may ask.
    expected = {route: role in roles for route, roles in ALLOWED.items()}
    if role == "seat N":
        expected["POST /do"] = False
    assert allowed == expected


@pytest.mark.parametrize("role", ["nobody", "screen", "spectator"])
def test_who_holds_no_seat_changes_nothing(site, role):
    browser = site.browser(role)
    before, boards = len(site.entries()), site.table.board()
    for act in ("undo", "redo", "dismiss", "close"):
        assert browser.do(boards.seq, act=act).status_code == 403
    for awaited in boards.awaits:
        for option in awaited.options[:3]:
            assert browser.do(boards.seq, verb=awaited.verb, data=dict(option)).status_code == 403
    for button in ("next", "read", "undo"):
        assert browser.json(f"/press/{button}", {}).status_code == 403
    for act in ("free", "give", "keep"):
        assert browser.form(f"/seats/{act}", seat="S").status_code == 403
    assert len(site.entries()) == before
    assert site.table.board() == boards
    assert site.pressed == []


def test_a_seat_cannot_act_for_another(site):
    north = site.browser("seat N")
    seq = site.table.board().seq
    for body in ({"verb": "next"}, {"verb": "next", "seat": "S"}, {"act": "undo", "seat": "S"}):
        assert north.do(seq, **body).status_code == 403, body
    assert site.table.board().seq == seq
    assert site.browser("seat S").do(seq, verb="next", seat="S").status_code == 200


def test_the_host_speaks_for_a_seat_without_a_phone(site):
    assert site.browser("host").do(site.table.board().seq, verb="next", seat="S").status_code == 200


def test_only_owner_or_host_hand_a_seat_over(site):
    south, watcher, other = site.browser("seat S"), site.browser("spectator"), site.browser("seat N")
    assert watcher.form("/seats/take", seat="S").status_code == 409
    assert watcher.form("/seats/ask", seat="S").status_code == 303
    assert "asks for the seat" in south.get("/board").text
    assert "asks for the seat" not in other.get("/board").text
    for stranger in (watcher, other):
        assert stranger.form("/seats/give", seat="S").status_code == 403
        assert stranger.form("/seats/free", seat="S").status_code == 403
    assert south.form("/seats/give", seat="S").status_code == 303
    seq = site.table.board().seq
    assert south.do(seq, verb="next").status_code == 403
    assert watcher.do(seq, verb="next").status_code == 200


def test_the_host_may_answer_for_the_owner(site):
    site.browser("seat S")
    watcher = site.browser("spectator")
    watcher.form("/seats/ask", seat="S")
    assert site.browser("host").form("/seats/give", seat="S").status_code == 303
    assert "S" in site.table.held()
    assert watcher.do(site.table.board().seq, verb="next").status_code == 200


def test_a_reloaded_phone_is_still_itself_and_may_hold_several_seats(site):
    phone = site.browser("seat S")
    phone.form("/seats/take", seat="N")
    assert phone.get("/play").text.count("This phone") == 0
    assert phone.get("/seats").text.count("This phone holds the seat") == 2
    phone.get("/join/TABLEAAA")
    assert phone.do(site.table.board().seq, verb="next", seat="S").status_code == 200


def test_a_screen_waits_with_a_number_and_sees_nothing_before_the_host_lets_it_in(site):
    screen, host = site.browser(), site.browser("host")
    page = screen.get("/screen").text
    number = re.search(r"\d{4}(?=</p>)", page)[0]
    assert re.search(r"\d{4}(?=</p>)", screen.get("/screen").text)[0] == number, "the number stays while it waits"
    assert "TABLEAAA" not in page
    assert "Ana" not in page
    assert screen.get("/board?screen=1").status_code == 403
    assert host.form("/host/screen", number="12").status_code == 400
    assert host.form("/host/screen", number=number).status_code == 303
    assert screen.get("/screen").status_code == 303
    page = screen.get("/screen").text
    assert "TABLEAAA" in page
    assert "Ana" in page
    assert "data-verb" not in page
    assert screen.get("/", follow_redirects=True).request.path == "/screen"


def test_the_hosts_own_big_screen_has_no_buttons_of_the_game(site):
    host = site.browser("host")
    assert "data-verb" in host.get("/board").text
    assert "data-verb" not in host.get("/board?screen=1").text
    assert "data-verb" not in host.get("/screen").text


def test_a_new_pin_sends_other_hosts_to_the_door_and_keeps_this_one(site):
    host, other = site.browser("host"), site.browser("host")
    assert host.form("/host/keys", what="pin", pin="12a456").status_code == 400
    assert host.form("/host/keys", what="pin", pin="654321").status_code == 303
    assert "654321" in host.get("/host").text
    assert other.get("/host").status_code == 403
    assert other.get("/play").status_code == 200


def test_a_new_table_code_sends_everybody_else_to_the_door(site):
    host, seat, screen = site.browser("host"), site.browser("seat S"), site.browser("screen")
    assert host.form("/host/keys", what="code").status_code == 303
    assert seat.get("/board").status_code == 403
    assert screen.get("/board").status_code == 403
    assert host.get("/board").status_code == 200


def test_an_evening_is_deleted_only_when_the_host_said_so_twice(site):
    first = site.table.board().session
    site.bench.venecitas()
    host = site.browser("host")
    assert "Delete this evening?" in host.get(f"/evenings/{first}/delete").text
    assert host.form(f"/evenings/{first}/delete").status_code == 400
    assert host.get(f"/evenings/{first}").status_code == 200
    assert host.form(f"/evenings/{first}/delete", sure="delete").status_code == 303
    assert host.get(f"/evenings/{first}").status_code == 400
    current = site.table.board().session
    assert host.form(f"/evenings/{current}/delete", sure="delete").status_code == 409


def test_an_evening_is_resumed_once_however_often_the_form_is_sent(site):
    first = site.table.board().session
    site.bench.say("next")
    second = site.bench.venecitas()
    host = site.browser("host")
    command = secrets.token_hex(8)
    assert host.form(f"/evenings/{first}/resume", command=command).status_code == 303
    assert site.table.board().session == first
    assert host.form(f"/evenings/{second}/resume", command=secrets.token_hex(8)).status_code == 303
    assert host.form(f"/evenings/{first}/resume", command=command).status_code == 303
    assert site.table.board().session == second
