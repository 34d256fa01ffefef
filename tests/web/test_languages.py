"""Four languages: nothing is left in English, and each phone speaks its own."""

import ast
import pathlib
import re

import catalogs
import pytest
from pages import Pages

from web.languages import LANGUAGES

ROOT = catalogs.ROOT
GAPS = re.compile(r"%\((\w+)\)s|\{(\w+)\}")


@pytest.fixture(scope="module")
def sentences():
    return catalogs.collect()


@pytest.fixture
def pages(tmp_path):
    pages = Pages(tmp_path)
    yield pages
    pages.journal.close()


# The catalogues


def test_the_page_offers_what_is_translated():
    assert list(LANGUAGES) == ["en", *sorted(catalogs.LANGUAGES, key=list(LANGUAGES).index)]
    assert set(catalogs.LANGUAGES) == {file.name for file in catalogs.TRANSLATIONS.iterdir()}


@pytest.mark.parametrize("language", catalogs.LANGUAGES)
def test_every_sentence_of_the_code_is_translated(sentences, language):
    catalog = catalogs.read(language)
    wanted = {message.id for message in sentences if message.id}
    assert len(wanted) > 800
    known = {message.id: message for message in catalog if message.id}
    lost = sorted(map(str, wanted - set(known)))
    assert not lost, f"make translations, then translate: {lost[:5]}"
    assert not sorted(map(str, set(known) - wanted)), "nobody says this any more: make translations"
    assert not catalog.obsolete
    for message in known.values():
        strings = message.string if message.pluralizable else (message.string,)
        assert all(strings), f"not translated: {message.id}"
        assert not message.fuzzy, f"unsure: {message.id}"


def gaps(text):
    return sorted(one or other for one, other in GAPS.findall(text))


@pytest.mark.parametrize("language", catalogs.LANGUAGES)
def test_a_translation_has_the_gaps_of_its_sentence(language):
    for message in catalogs.read(language):
        if not message.id:
            continue
        ids = message.id if message.pluralizable else (message.id,)
        strings = message.string if message.pluralizable else (message.string,)
        assert len(strings) == (2 if message.pluralizable else 1)
        for said, meant in zip(strings, ids, strict=True):
            assert gaps(said) == gaps(meant), f"{meant!r} became {said!r}"
            # Whatever else looks like a gap would break the page when it is filled.
            rest = GAPS.sub("", said)
            assert "{" not in rest, said
            assert "}" not in rest, said
            assert "%" not in rest.replace("%%", ""), said
            assert said == said.strip(), said
            assert re.findall(r"</?\w+>", said) == re.findall(r"</?\w+>", meant), said


@pytest.mark.parametrize("language", catalogs.LANGUAGES)
def test_what_the_page_reads_is_what_is_written_down(language):
    catalog = catalogs.read(language)
    assert catalogs.compiled(language) == catalogs.translated(catalog), "make translations"
    assert catalogs.source(language).read_bytes() == catalogs.written(catalog), "make translations"


# Where sentences are written


def calls_of(*names):
    for folder in ("companion", "vision", "web"):
        for file in sorted((ROOT / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(file.read_text())):
                if isinstance(node, ast.Call) and getattr(node.func, "id", None) in names:
                    yield file, node


def is_text(node):
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def test_sentences_are_written_out_where_they_are_said_so_that_they_are_collected():
    found = 0
    for file, call in calls_of("say", "say_number", "ngettext"):
        texts = call.args[:1] if call.func.id == "say" else call.args[:2]
        if file.name == "words.py" and call.func.id == "ngettext":
            continue  # says what `say_number` collected
        found += 1
        assert all(map(is_text, texts)), f"{file.name}:{call.lineno} puts a sentence together"
    for file, call in calls_of("Refused"):
        found += 1
        assert is_text(call.args[1]) or isinstance(call.args[1], ast.Name | ast.Call), f"{file.name}:{call.lineno}"
    assert found > 300


LOOSE = re.compile(
    r"\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}|<(?:\{%.*?%\}|\{\{.*?\}\}|\"[^\"]*\"|[^>\"{]|\{)*>|&\w+;|&#\d+;", re.DOTALL
)
SPOKEN = re.compile(r"\b(?:aria-label|placeholder|title|alt)=\"(?P<text>[^\"]*)\"")
NO_SENTENCES = {"READ", "UNDO", "NEXT", "playing", "with-toy", "playing screen", "screen"}
"""The buttons' own inscriptions, and classes of the body."""


@pytest.mark.parametrize("file", sorted((ROOT / "web" / "templates").rglob("*.html")), ids=lambda file: file.name)
def test_no_sentence_of_a_template_is_left_in_english(file):
    html = file.read_text()
    loose = [text.strip() for text in LOOSE.split(html) if re.search(r"[A-Za-z]{2}", text)]
    assert [text for text in loose if text not in NO_SENTENCES] == []
    for found in SPOKEN.finditer(html):
        assert not re.search(r"[A-Za-z]{2}", LOOSE.sub("", found["text"])), found[0]
    # A sentence given to a macro, or chosen by one.
    for quoted in re.finditer(
        r"(?<![(\w])\"[A-Z][a-z]+ [a-z][^\"]*\"", re.sub(r"\{#.*?#\}", "", html, flags=re.DOTALL)
    ):
        before = html[: html.index(quoted[0])]
        assert before.rstrip().endswith(("_(", "ngettext(", ",")), quoted[0]


def test_the_script_says_only_what_the_page_gave_it():
    for file in sorted((ROOT / "web" / "static").glob("*.js")):
        code = re.sub(r"//.*", "", file.read_text())
        assert not re.search(r"(?:tell|status)\(\s*[\"'`][^\"'`]*\w", code), file.name
        assert not re.search(r"textContent\s*=\s*[\"'`]\w", code), file.name


def test_every_reason_of_the_eyes_has_words():
    from web.words import TERMS

    told = set()
    for file in sorted((ROOT / "vision").glob("*.py")):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.keyword) and node.arg == "reason" and is_text(node.value):
                told.add(node.value.value)
            if isinstance(node, ast.FunctionDef) and node.name in ("_doubt", "_why"):
                returned = [n.value for n in ast.walk(node) if isinstance(n, ast.Return) and n.value is not None]
                told |= {c.value for value in returned for c in ast.walk(value) if is_text(c)}
            if isinstance(node, ast.ClassDef) and node.name == "_Doubt":
                told |= {each.value.value for each in node.body if isinstance(each, ast.Assign)}
    assert len(told) > 12
    assert told <= set(TERMS)


def test_what_is_doubted_of_a_card_is_said_dial_by_dial(pages):
    from companion.text import say
    from web.words import sentence

    reason = "number: the arrow is turning; letter: something covers the dial"
    with pages.app.test_request_context("http://localhost/", headers={"Accept-Language": "de"}):
        told = sentence(say("I can't read it ({reason}): please tap what you see", reason=reason), {})
        kept = sentence(say("that went wrong ({reason}): try again", reason="number: seven; letter: too dark"), {})
    assert "Zahl: der Pfeil dreht sich; Buchstabe: etwas verdeckt die Scheibe" in told
    assert "number: seven; letter: too dark" in kept


def test_a_rows_letter_is_not_taken_for_a_colour(pages):
    from companion.text import say
    from web.words import sentence

    near = say("the arrow is near a line: row {row} or {other_row}?", row="B", other_row="G")
    with pages.app.test_request_context("http://localhost/", headers={"Accept-Language": "de"}):
        assert sentence(near, {}) == "Der Pfeil steht nahe an einer Linie: Zeile B oder G?"


# Each phone its own


def door(site, accept):
    return site.browser().get("/", headers={"Accept-Language": accept}).text


@pytest.mark.parametrize(
    ("accept", "language", "words"),
    [
        pytest.param("de-AT,de;q=0.9,en;q=0.8", "de", "Komm an den Tisch", id="a country's German"),
        pytest.param("es", "es", "Ven a la mesa", id="Spanish"),
        pytest.param("fr-CA, fr;q=0.9", "fr", "Viens à table", id="French"),
        pytest.param("ja, es;q=0.5, en;q=0.3", "es", "Ven a la mesa", id="the best of what is known"),
        pytest.param("ja", "en", "Come to the table", id="none of them"),
        pytest.param("", "en", "Come to the table", id="nothing said"),
    ],
)
def test_a_phone_is_spoken_to_as_its_browser_is_set(site, accept, language, words):
    html = door(site, accept)
    assert f'<html lang="{language}">' in html
    assert words in html


def test_the_switch_holds_for_this_phone_alone_and_outlasts_leaving(site):
    ana, bruno = site.browser("seat S"), site.browser("seat N")
    answer = ana.form("/language", language="fr", back="/play")
    assert (answer.status_code, answer.location) == (303, "/play")
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert "À ton tour" in ana.get("/board").text
    assert "’s turn" in bruno.get("/board").text
    ana.form("/leave")
    assert "Viens à table" in ana.get("/").text


def test_the_stream_speaks_the_language_of_its_phone(site):
    ana, bruno = site.browser("seat S"), site.browser("seat N")
    ana.form("/language", language="de", back="/play")
    boards = []
    for browser in (ana, bruno):
        stream = browser.get("/live", buffered=False).response
        next(stream)
        boards.append(next(stream).decode())
        stream.close()
    assert "Du bist dran" in boards[0]
    assert "’s turn" in boards[1]


@pytest.mark.parametrize(
    "back",
    ["https://elsewhere.example/", "//elsewhere.example", "/\\elsewhere.example", "javascript:alert(1)", "", "/do",
     "/play\r\nSet-Cookie: x=1", "/nowhere"],
)  # fmt: skip
def test_the_switch_leads_to_no_other_site(site, back):
    answer = site.browser("spectator").form("/language", language="de", back=back)
    assert (answer.status_code, answer.location) == (303, "/")


def test_an_unknown_language_is_refused(site):
    browser = site.browser("spectator")
    assert browser.form("/language", language="tlh", back="/").status_code == 400
    assert browser.form("/language", language="de").status_code == 303
    assert browser.form("/language", language="de", back="/", surprise="1").status_code == 400


def test_the_table_code_does_not_come_back_by_the_switch(site):
    page = site.browser().get("/join/WRONGONE").text
    assert "WRONGONE" not in page


def test_a_refusal_is_told_in_the_language_of_the_phone_with_its_rule(site):
    south = site.browser("seat S")
    south.form("/language", language="es", back="/")
    site.bench.say("next")
    answer = south.do(site.table.board().seq, verb="next", data={})
    assert answer.status_code == 409
    assert answer.json["error"] == "Ahora no: llegó seguir, pero el juego espera: una tirada"
    stale = south.do(1, verb="next")
    assert "alguien fue más rápido" in stale.json["error"].lower()


def test_the_host_is_told_in_the_own_language_why_a_set_up_cannot_be_played(site):
    host = site.browser("host")
    host.form("/language", language="de", back="/")
    page = host.form("/host/new", game="venecitas", command="12345678").text
    assert "Venecitas braucht 1 bis 4 Spieler" in page


def test_names_stay_apart_from_the_words_round_them_in_every_language(pages):
    pages.begin("venecitas", ("S", "N"), data={"first": "S"}, names={"S": "<b>يوسف", "N": "Bruno"})
    for language in LANGUAGES:
        with pages.app.test_request_context("http://localhost/", headers={"Accept-Language": language}):
            from web.board import render_board
            from web.visitors import Visitor

            html = render_board(pages.table, Visitor("p", False, frozenset()))
        assert "<bdi>&lt;b&gt;يوسف</bdi>" in html
        assert "<b>يوسف" not in html


def test_the_rules_say_in_the_phones_language_that_they_are_english(site):
    phone = site.browser("spectator")
    assert "are in English" not in phone.get("/rules/venezia").text
    phone.form("/language", language="de", back="/")
    html = phone.get("/rules/venezia").text
    assert "Diese Regeln sind englisch" in html
    assert re.search(r'<article[^>]* lang="en"', html)
    assert '<html lang="de">' in html


@pytest.mark.parametrize("language", catalogs.LANGUAGES)
def test_one_and_many_are_told_apart(pages, language):
    from companion.text import say_number
    from web.words import sentence

    with pages.app.test_request_context("http://localhost/", headers={"Accept-Language": language}):
        one, many = (
            sentence(say_number("{who} draws {number} card", "{who} draws {number} cards", n, who="red"), {})
            for n in (1, 2)
        )
    assert one.replace("1", "2") != many


def test_nothing_is_compiled_where_the_program_runs():
    for file in (ROOT / "web").rglob("*.py"):
        assert "babel.messages" not in file.read_text()


def test_the_catalogues_are_packed(tmp_path):
    declared = (ROOT / "pyproject.toml").read_text()
    assert "translations/*/LC_MESSAGES/*.mo" in declared
    assert all(pathlib.Path(catalogs.source(name)).with_suffix(".mo").is_file() for name in catalogs.LANGUAGES)
