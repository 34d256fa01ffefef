"""What the page tells of readings, of what was taken back, and of past evenings."""

import csv
import io
import json
import re
import zipfile
from dataclasses import replace

import pytest
from tables import die
from web_table import Site

from companion.commands import NewGame, OpenSession, Undo
from companion.game import Setup


def read_the_die(site):
    site.bench.say("next")
    alternatives = (("blue", "purple"), ("green", "red"))
    site.table.saw(replace(die("yellow", "red"), alternatives=alternatives), b"jpeg of the die")


def test_a_reading_shows_its_picture_what_was_read_and_what_else_it_may_be(site):
    read_the_die(site)
    seat = site.browser("seat S")
    html = seat.get("/board").text
    reading = html[html.index('id="reading"') :]
    seq = site.table.board().last.seq
    assert f"/crop/{seq}.jpg" in reading
    assert seat.get(f"/crop/{seq}.jpg").data == b"jpeg of the die"
    assert "rolled yellow on top" in reading
    offered = [json.loads(found) for found in re.findall(r"data-verb=\"correct\" data-data='([^']*)'", reading)]
    assert [option["top"] for option in offered[:2]] == ["B", "G"]
    assert seat.do(site.table.board().seq, verb="correct", data=offered[0]).status_code == 200
    assert site.bench.view["die"]["top"] == "B"


def test_a_spectator_sees_the_reading_and_no_buttons(site):
    read_the_die(site)
    html = site.browser("spectator").get("/board").text
    assert 'id="reading"' in html
    assert "data-verb" not in html


@pytest.mark.parametrize("who", ["seat S", "seat N", "host"])
def test_anybody_at_the_table_undoes_and_redoes_anything(site, who):
    read_the_die(site)
    browser = site.browser(who)
    assert browser.do(site.table.board().seq, act="undo").status_code == 200
    assert site.bench.view["phase"] == "ROLL"
    assert browser.do(site.table.board().seq, act="redo").status_code == 200
    assert site.bench.view["die"]["top"] == "Y"
    assert "brought back" in site.browser("spectator").get("/board").text


def test_an_accidental_new_game_is_undone_by_whoever_sits_at_the_table(site):
    site.bench.say("next")
    first = site.table.board().session
    site.bench.venecitas("SWNE")
    seat = site.browser("seat W")
    assert seat.do(site.table.board().seq, act="undo").status_code == 200
    assert site.table.board().session == first
    assert "put on the table again" in site.browser("spectator").get("/board").text


def test_the_history_tells_all_turns_with_pictures_and_what_was_taken_back(site):
    read_the_die(site)
    roll = site.table.board().last.seq
    site.bench.ask(Undo(), source="seat N")
    html = site.browser("spectator").get("/history", follow_redirects=True).text
    assert html.count('class="turn-line') == 3
    assert f'src="/crop/{roll}.jpg"' in html
    assert "taken-back" in html
    assert "taken back" in html


def test_an_evening_has_chart_figures_and_exports(site):
    for _ in range(2):
        site.bench.say("next")
        site.table.saw(die("yellow", "red"))
        site.bench.say("next")
    watcher, number = site.browser("spectator"), site.table.board().session
    html = watcher.get(f"/evenings/{number}").text
    assert html.count("<polyline") == 2
    assert re.search(r"yellow.*?<b>2</b>", html, re.S)
    rows = list(csv.DictReader(io.StringIO(watcher.get(f"/evenings/{number}.csv").text)))
    assert [row["verb"] for row in rows] == ["next", "roll", "next"] * 2
    exported = watcher.get(f"/evenings/{number}.json")
    assert exported.headers["Content-Disposition"] == f'attachment; filename="venecitas-{number}.json"'
    assert len(exported.json["events"]) == 6
    assert watcher.get(f"/evenings/{number}.xml").status_code == 400


SECRET_PLANS = ({"area": "Castello", "pigeons": 2}, {"area": "Dorsoduro", "pigeons": 2})


@pytest.mark.parametrize("role", ["spectator", "screen", "seat yellow", "host"])
def test_nobody_elses_page_and_no_export_tells_a_secret_plan(tmp_path, role):
    pages = []
    for number, card in enumerate(SECRET_PLANS):
        site = Site(tmp_path / str(number), play=False)
        pages.append(pages_after_a_plan(site, card, role))
        site.close()
    assert pages[0] == pages[1]


def pages_after_a_plan(site, card, role):
    data = {"homes": {"red": "Castello", "yellow": "Dorsoduro"}, "campanile": "9B"}
    setup = Setup(("red", "yellow"), {"sealed_plans": True}, data)
    site.bench.ask(NewGame("venezia", setup, {}), command="start")
    browser = site.browser(role)
    site.bench.say("plan", "red", who="red", piazza=0, ruse=None, action=None, cards=[card])
    number = site.table.board().session
    paths = ["/board", "/screen", f"/evenings/{number}", f"/evenings/{number}.json", f"/evenings/{number}.csv"]
    return [browser.get(path).text for path in paths]


def test_the_backup_holds_the_journal_and_no_secrets(site):
    site.bench.path.with_name("installation.json").write_text("key, PIN and code")
    answer = site.browser("host").get("/backup.zip")
    with zipfile.ZipFile(io.BytesIO(answer.data)) as archive:
        assert archive.namelist() == ["journal.db"]
        assert archive.testzip() is None
    answer.close()


def test_evenings_are_listed_with_names_and_can_be_resumed(site):
    first = site.table.board().session
    site.bench.ask(OpenSession(None))
    host = site.browser("host")
    html = host.get("/evenings").text
    assert "Ana" in html
    assert host.form(f"/evenings/{first}/resume", command="12345678").status_code == 303
    assert site.table.board().session == first
    assert "Resume" not in site.browser("seat S").get("/evenings").text


def test_nasty_names_do_not_break_any_page(tmp_path):
    names = {"S": "<script>alert(1)</script>", "W": "דינו הארוך", "N": "🐦" * 20, "E": "W" * 40}
    site = Site(tmp_path, play=False)
    site.bench.ask(NewGame("venecitas", Setup(("S", "W", "N", "E"), {}, {"first": "S"}), names))
    site.bench.say("next")
    site.table.saw(die())
    host = site.browser("host")
    for path in ("/play", "/screen", "/host", "/seats", "/evenings", f"/evenings/{site.table.board().session}"):
        html = host.get(path).text
        assert "<script>alert" not in html, path
        assert "<bdi>דינו הארוך</bdi>" in html, path
    site.close()
