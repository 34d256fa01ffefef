import re

import pytest
from pages import Pages

from companion.games import GAMES
from web.rulebook import RULES, link_rules, rules_page


@pytest.mark.parametrize("game", GAMES)
def test_every_rule_of_a_page_has_an_anchor_of_its_own(game):
    written = set(re.findall(r"^\* \*\*([A-Z]{2}-[RE]\d+)\*\*", (RULES / f"{game}.md").read_text("utf-8"), re.M))
    anchors = re.findall(r' id="([^"]+)"', rules_page(game))
    assert written
    assert written <= set(anchors)
    assert len(anchors) == len(set(anchors))


@pytest.mark.parametrize("game", GAMES)
def test_every_rule_that_a_setting_names_can_be_opened(game):
    html = rules_page(game)
    named = {setting.rule for setting in GAMES[game].SETTINGS.values() if re.fullmatch(r"..-\w\d+", setting.rule)}
    assert [rule for rule in named if f'id="{rule}"' not in html] == []


def test_a_mention_of_a_rule_leads_to_it():
    assert '<a href="#VZ-E1">VZ-E1</a>' in rules_page("venezia")


@pytest.mark.parametrize("name", ["no_such_game", "../rules/venezia", "README.md", ""])
def test_what_is_no_game_has_no_page(name):
    assert rules_page(name) is None


def test_a_sentence_is_escaped_before_its_rules_are_linked():
    html = link_rules("<b> rule VZ-R15", "/rules/venezia")
    assert html == ('&lt;b&gt; rule <a class="rule" target="_blank" href="/rules/venezia#VZ-R15">VZ-R15</a>')


def test_rules_are_shown_to_those_at_the_table(tmp_path):
    pages = Pages(tmp_path)
    try:
        assert pages.app.test_client().get("/rules/venezia").status_code == 302
        guest = pages.client(host=False)
        assert 'id="VZ-R15"' in guest.get("/rules/venezia").get_data(as_text=True)
        assert guest.get("/rules/whist").status_code == 404
    finally:
        pages.journal.close()
