"""Safety on a shared Wi-Fi: names, origins, cookies, limits, headers, bodies."""

import json
import re

import pytest
from web_table import ORIGIN, Browser

from companion.cli.run import greet
from companion.config import Installation


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:8000", "localhost.evil.example", "", "[::1", "192.0.2.8", "pi.local.evil.example"],
)
def test_a_foreign_name_is_not_answered(site, host):
    answer = site.app.test_client().get("/", headers={"Host": host})
    assert answer.status_code == 421
    assert "TABLEAAA" not in answer.text


@pytest.mark.parametrize("host", ["localhost", "localhost:8000", "192.0.2.7:8000", "PI.local"])
def test_own_names_are_answered(site, host):
    assert site.app.test_client().get("/", headers={"Host": host}).status_code == 200


def test_status_pages_answer_under_any_name(site):
    for path in ("/healthz", "/readyz"):
        assert site.app.test_client().get(path, headers={"Host": "anything"}).status_code == 200


@pytest.mark.parametrize("origin", [None, "null", "http://evil.example", "http://localhost:81", "https://localhost"])
def test_a_change_from_another_page_is_refused_whoever_sends_it(site, origin):
    host = site.browser("host")
    headers = {"Origin": origin} if origin else {}
    seq = site.table.board().seq
    for path in ("/do", "/press/next", "/toy/roll"):
        body = {"id": "12345678", "seen": seq, "verb": "next"}
        assert host.client.post(path, json=body, headers=headers).status_code == 403
    for path in ("/join", "/host", "/host/new", "/host/keys", "/leave", "/sit", "/seats/take"):
        assert host.client.post(path, data={"code": "TABLEAAA"}, headers=headers).status_code == 403
    assert site.table.board().seq == seq


def test_cookies_are_for_this_site_and_not_for_scripts(site):
    answer = site.app.test_client().get("/join/TABLEAAA")
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert "TABLEAAA" not in cookie


def test_a_cookie_carries_neither_pin_nor_code(site):
    from flask.sessions import SecureCookieSessionInterface

    host = site.browser("host")
    value = host.client.get_cookie("companion").value
    held = SecureCookieSessionInterface().get_signing_serializer(site.app).loads(value)
    assert "123456" not in json.dumps(held)
    assert "TABLEAAA" not in json.dumps(held)


def test_a_forged_cookie_is_nobody(site):
    browser = Browser(site.app)
    value = site.browser("host").client.get_cookie("companion").value
    browser.client.set_cookie("companion", value[:-4] + "AAAA", domain="localhost")
    assert browser.get("/board").status_code == 403


def test_every_answer_forbids_foreign_content_and_framing(site):
    host = site.browser("host")
    for path in ("/", "/play", "/host", "/screen", "/evenings", "/history", "/seats", "/nothing", "/static/style.css"):
        answer = host.get(path)
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'self'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        html = answer.text if answer.mimetype == "text/html" else ""
        assert not re.search(r"\sstyle=|\son\w+=|<style|<script(?![^>]*\ssrc=)|(?:src|href)=\"(?:https?:)?//", html), (
            path
        )
        answer.close()


@pytest.mark.parametrize(("path", "field", "right"), [("/host", "pin", "123456"), ("/join", "code", "TABLEAAA")])
def test_after_three_wrong_tries_even_the_right_one_has_to_wait(site, path, field, right):
    stranger = Browser(site.app)
    for _ in range(3):
        assert stranger.form(path, **{field: "000000"}).status_code == 403
    assert stranger.form(path, **{field: right}).status_code == 429
    assert Browser(site.app).form(path, **{field: right}).status_code == 429, "a fresh cookie doesn't help"


def test_many_addresses_together_have_no_more_tries_than_one(site):
    answers = []
    for number in range(5):
        client = site.app.test_client()
        environ = {"REMOTE_ADDR": f"192.0.2.{100 + number}"}
        answers.append(
            client.post("/host", data={"pin": "000000"}, headers={"Origin": ORIGIN}, environ_overrides=environ)
        )
    assert [answer.status_code for answer in answers] == [403, 403, 403, 429, 429]


def test_right_tries_are_not_limited(site):
    for _ in range(12):
        assert Browser(site.app).get("/join/TABLEAAA").status_code == 303


def test_a_locked_door_does_not_hinder_who_is_in(site):
    seat, stranger = site.browser("seat S"), Browser(site.app)
    for _ in range(5):
        stranger.form("/join", code="WRONG")
    assert seat.do(site.table.board().seq, verb="next").status_code == 200


def test_a_body_over_64_kb_is_refused(site):
    host = site.browser("host")
    big = "x" * (64 * 1024 + 1)
    assert host.json("/do", {"id": big}).status_code == 413
    assert host.form("/host/keys", what=big).status_code == 413
    assert host.form("/sit", seat=big).status_code == 413


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("/join", {"code": "TABLEAAA"}),
        ("/host", {"pin": "123456"}),
        ("/leave", {}),
        ("/sit", {"seat": "S"}),
        ("/seats/take", {"seat": "S"}),
        ("/host/keys", {"what": "pin"}),
        ("/host/clear", {"command": "12345678"}),
        ("/host/screen", {"number": "1234"}),
        ("/evenings/1/resume", {"command": "12345678"}),
        ("/evenings/1/delete", {"sure": "delete"}),
    ],
)
def test_unknown_fields_of_a_form_are_refused(site, path, fields):
    host = site.browser("host")
    kept = len(site.entries())
    assert host.form(path, **fields, surprise="1").status_code == 400
    assert len(site.entries()) == kept


@pytest.mark.parametrize(
    "raw",
    [
        b"", b"null", b"[]", b"{", b'"text"', b"{}", b"\xff\xfe", b"[" * 60_000, b'{"id": NaN}',
        b'{"id": "12345678", "seen": 1, "verb": "next", "data": ' + b'{"a":' * 20 + b"1" + b"}" * 21,
        b'{"id": "12345678", "seen": 1, "verb": "next", "surprise": 1}',
        b'{"id": "12345678\\ud800", "seen": 1, "verb": "next"}',
        b'{"id": "12345678", "seen": true, "verb": "next"}',
        b'{"id": "12345678", "seen": 1, "verb": ["next"]}',
        b'{"id": "12345678", "seen": 1, "act": "undo", "verb": "next"}',
        b'{"id": "12345678", "seen": ' + b"9" * 5000 + b', "verb": "next"}',
    ],
)  # fmt: skip
def test_a_malformed_command_is_refused_in_one_clear_line(site, raw):
    seat = site.browser("seat S")
    kept = len(site.entries())
    answer = seat.client.post("/do", data=raw, headers={"Origin": ORIGIN, "Content-Type": "application/json"})
    assert answer.status_code == 400
    assert answer.json["error"]
    assert "\n" not in answer.json["error"]
    assert len(site.entries()) == kept


def test_an_entry_beyond_all_numbers_is_no_page(site):
    watcher = site.browser("spectator")
    assert watcher.get("/crop/99999999999999999999999.jpg").status_code == 404
    assert watcher.get("/evenings/99999999999999999999999").status_code == 404


INSTALLATION = Installation("key", "123456", "TABLEAAA")


def test_pin_and_code_are_shown_in_a_terminal(capsys, monkeypatch):
    monkeypatch.delenv("INVOCATION_ID", raising=False)
    greet("http://192.0.2.7:8000", INSTALLATION, 8000)
    shown = capsys.readouterr().out
    assert "123456" in shown
    assert "TABLEAAA" in shown


def test_pin_and_code_stay_out_of_the_log_of_a_service(capsys, monkeypatch):
    monkeypatch.setenv("INVOCATION_ID", "a unit")
    greet("http://192.0.2.7:8000", INSTALLATION, 8000)
    shown = capsys.readouterr().out
    assert "123456" not in shown
    assert "TABLEAAA" not in shown
    assert "companion pin" in shown


def test_the_code_leaves_the_address_bar_at_once(site):
    answer = Browser(site.app).get("/join/TABLEAAA")
    assert answer.status_code == 303
    assert "TABLEAAA" not in answer.headers["Location"]
