"""20,000 requests by chance over all routes and roles: no 500, and no change without a right."""

import json
import logging
import random
import re

import pytest
from web_table import ORIGIN, ROLES, Site

from companion.games import GAMES
from web.visitors import Doors

REQUESTS = 20_000
JUNK = [
    "", "0", "1", "-1", "S", "N", "X", "next", "roll", "ask", "give", "take", "free", "keep", "undo", "read", "csv",
    "json", "delete", "pin", "code", "TABLEAAA", "123456", "venecitas", "vendetta", "12345678", "é\u202e🐦", "a\x00b",
    "../../etc", "%00", "x" * 300, "9" * 30, "<script>", "{}", "'\"", "true", "\ud7ff",
]  # fmt: skip
VALUES = [None, True, False, 0, 1, -1, 10**30, 2.5, "", "S", "Y", [], ["R", "R"], {}, {"a": {"b": [1]}}, "\ud800", "🐦"]
FIELDS = ["code", "pin", "seat", "command", "sure", "number", "what", "game", "seat-S", "seat-N", "name-S", "surprise"]
KEYS = ["id", "seen", "verb", "data", "outcome", "act", "seat", "surprise", "move"]
VERBS = ["next", "roll", "correct", "move", "exchange", "pick", "start_with", "first_roll", "choose_block", "place", ""]


def request_by_chance(site, rng, rules):
    """A path, a method and a body that may be right, nearly right, or nonsense."""
    rule = rng.choice(rules)
    path = re.sub(r"<(?:[^:>]*:)?(\w+)>", lambda _: rng.choice(JUNK[:28]), rule.rule)
    method = rng.choice(sorted(rule.methods - {"OPTIONS"}))
    if rng.random() < 0.03:
        method = rng.choice(["PUT", "DELETE", "PATCH", "OPTIONS", "HEAD", "POST"])
    headers = {} if rng.random() < 0.03 else {"Origin": ORIGIN}
    if rng.random() < 0.02:
        headers["Host"] = rng.choice(["evil.example", "[::1", "", "localhost:99999", "a b"])
    options = {"method": method, "headers": headers}
    if method in ("GET", "HEAD"):
        options["query_string"] = {rng.choice(["tick", "seat", "tab", "screen", "game"]): rng.choice(JUNK)}
    elif rule.rule.startswith(("/do", "/press", "/toy", "/teach")) or rng.random() < 0.1:
        options |= json_by_chance(site, rng)
    else:
        options["data"] = form_by_chance(rng, rule.rule)
    return path, options


def form_by_chance(rng, rule):
    known = {
        "/sit": ["seat"], "/seats/<act>": ["seat"], "/host/new": ["game", "command", "seat-S", "seat-N"],
        "/host/screen": ["number"], "/host/keys": ["what", "pin"], "/host/clear": ["command"],
    }.get(rule) or ["command", "sure"][rng.randrange(2) :][:1]  # fmt: skip
    names = known if rng.random() < 0.7 else rng.sample(FIELDS, rng.randrange(4))
    likely = {"seat": "SN", "what": ["pin", "code"], "game": list(GAMES), "sure": ["delete"]}
    return {name: rng.choice(likely.get(name, JUNK) if rng.random() < 0.8 else JUNK) for name in names}


def json_by_chance(site, rng):
    kind = rng.random()
    if kind < 0.1:
        raw = rng.choice([b"", b"[" * 3000, b"\xff", b"{", b"null", rng.randbytes(40)])
        return {"data": raw, "content_type": rng.choice(["application/json", "text/plain"])}
    board = site.table.board()
    body = {"id": f"{rng.randrange(10**12):012d}", "seen": board.seq}
    awaited = [a for a in board.awaits if a.options]
    if kind < 0.55 and awaited:
        offer = rng.choice(awaited)
        body |= {"verb": offer.verb, "data": dict(rng.choice(offer.options))}
        if offer.outcome:
            body["outcome"] = True
    elif kind < 0.7:
        body["act"] = rng.choice(["undo", "redo", "close", "dismiss", "open"])
    else:
        body["verb"] = rng.choice(VERBS)
    if rng.random() < 0.3:
        body["seat"] = rng.choice(["S", "N", "W", 1])
    if rng.random() < 0.35:
        body[rng.choice(KEYS)] = rng.choice(VALUES)
    if rng.random() < 0.2 and isinstance(body.get("data"), dict):
        body["data"] = body["data"] | {rng.choice(["top", "who", "pay", "colour"]): rng.choice(VALUES)}
    return {"data": json.dumps(body), "content_type": "application/json"}


def what_could_change(site):
    doors, screens = site.app.extensions["doors"], site.app.extensions["screens"]
    return doors.installation, dict(screens._let_in), list(site.pressed), site.table.board().notice


SEATING = {"seat"}


def check_rights(role, held, path, *, before, after, entries, undo):
    """Whatever changed, this role may change it."""
    if role != "host":
        assert before[:2] == after[:2], f"{role} changed keys or screens by {path}"
        # To undo a game just started clears the table when it was clear before; anybody at the table may.
        assert not [e for e in entries if e.kind == "start" or (e.kind == "close" and not undo)], f"{role}: {path}"
    if role in ("nobody", "screen", "spectator") and not held:
        assert before == after, f"{role} changed something by {path}"
        assert all(entry.kind in SEATING for entry in entries), f"{role}: {path}"
    if role in ("nobody", "screen"):
        assert not entries, f"{role} changed the journal by {path}"
    for entry in entries:
        seat = entry.body.get("seat") if entry.kind == "event" else None
        assert seat is None or role == "host" or seat in held, f"{role} spoke for {seat} by {path}"


@pytest.mark.slow
def test_no_request_breaks_the_page_or_changes_what_it_may_not(tmp_path):
    logging.getLogger("web").setLevel(logging.CRITICAL)
    rng = random.Random(20_260)
    site = Site(tmp_path)
    rules = list(site.app.url_map.iter_rules())
    browsers = {role: site.browser(role) for role in ROLES}
    statuses = {}
    for number in range(REQUESTS):
        role = rng.choice(ROLES)
        path, options = request_by_chance(site, rng, rules)
        # The identity of a phone never leaves it; the test looks into the cookie that the page itself made.
        held = seats_of(site, browsers[role])
        before, seq = what_could_change(site), last_seq(site)
        answer = browsers[role].client.open(path, **options)
        answer.close()
        statuses[answer.status_code] = statuses.get(answer.status_code, 0) + 1
        assert answer.status_code < 500 or (answer.status_code == 503 and "/live" in path), (
            number,
            role,
            path,
            options,
        )
        entries = [entry for entry in site.table.journal.entries() if entry.seq > seq] if last_seq(site) > seq else []
        undo = '"act": "undo"' in str(options.get("data"))
        check_rights(role, held, path, before=before, after=what_could_change(site), entries=entries, undo=undo)
        if path.startswith(("/join", "/host", "/leave", "/screen")) and options["method"] in ("GET", "POST"):
            site.app.extensions["doors"] = Doors(site.app.extensions["doors"].installation)
            browsers[role] = again(site, role)
            if path.startswith(("/host/keys", "/host/new")):
                browsers = {role: again(site, role) for role in ROLES}
    print(statuses)
    assert statuses[200] > REQUESTS / 10, "the doors that should open do open"
    assert {303, 400, 403, 404, 405, 409} <= set(statuses)
    site.close()


def last_seq(site):
    row = site.table.journal._db.execute("SELECT max(seq) FROM entry").fetchone()
    return row[0] or 0


def seats_of(site, browser):
    with browser.client.session_transaction() as session:
        return site.table.seats_of(session.get("phone", ""))


def again(site, role):
    """The role in a fresh browser; a seat that another one holds is freed first."""
    if site.table.board().session is None or not {"S", "N"} <= set(site.table.board().seats):
        site.bench.venecitas()
    if role.startswith("seat "):
        site.table.release(role[5:], "host")
    return site.browser(role)
