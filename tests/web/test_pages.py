import random

import pytest
from pages import Pages
from walks import draw_event

from companion.commands import NewGame
from companion.events import Choice, Outcome
from companion.game import Setup
from companion.games import GAMES

ROUNDS = 160


@pytest.fixture
def pages(tmp_path):
    pages = Pages(tmp_path)
    yield pages
    pages.journal.close()


def settings_of(game, rng, detail):
    chosen = {name: rng.choice(setting.choices) for name, setting in game.SETTINGS.items()}
    return chosen | ({"detail": detail} if detail in ("full", "score") and "detail" in game.SETTINGS else {})


def watch_all(pages, seats):
    """Render the board for everybody round the table; what jinja can't do would raise."""
    boards = [pages.html(host=True), pages.html(), pages.html(*seats, host=True)]
    boards += [pages.html(seat) for seat in seats]
    for html in boards:
        assert 'id="board"' in html
        assert "<script" not in html
        assert " style=" not in html
        assert " on" + "click" not in html
    return boards


@pytest.mark.parametrize("detail", ["full", "score"])
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seed", range(2))
def test_every_phase_has_a_board_for_everybody(pages, name, detail, seed):
    game, rng = GAMES[name], random.Random(f"{name} {detail} {seed}")
    seats = game.SEATS[: rng.choice(list(game.PLAYERS))]
    pages.ask(NewGame(name, Setup(tuple(seats), settings_of(game, rng, detail)), {}))
    phases, session = set(), pages.table._session
    for _ in range(ROUNDS):
        watch_phase = (pages.view["phase"], pages.view["active"])
        if watch_phase not in phases:
            phases.add(watch_phase)
            watch_all(pages, seats)
        if not game.awaits(session.state):
            break
        pages.ask(draw_event(game, session.state, rng))
    assert len(phases) > 1


def test_a_game_without_a_page_of_its_own_is_played_with_plain_buttons(pages):
    pages.venecitas(first=None)
    del pages.app.jinja_env.cache
    pages.app.jinja_env.cache = None
    loader = pages.app.jinja_env.loader

    class Without(type(loader)):
        def get_source(self, environment, template):
            from jinja2 import TemplateNotFound

            if template in ("games/venecitas.html", "setup/venecitas.html"):
                raise TemplateNotFound(template)
            return loader.get_source(environment, template)

    pages.app.jinja_env.loader = Without(pages.app)
    assert 'data-verb="pick"' in pages.html("S")
    form = pages.client().get("/host?game=venecitas").get_data(as_text=True)
    assert 'name="seat-S"' in form
    assert 'name="rule-' in form


class TwoTables:
    """One evening played at two tables, which differ only in what one player keeps secret."""

    def __init__(self, folder):
        self.tables = [Pages(folder / name) for name in "ab"]

    def both(self, act):
        for pages in self.tables:
            pages.ask(act)

    def boards(self, *seats, host=False):
        return [pages.html(*seats, host=host) for pages in self.tables]

    def close(self):
        for pages in self.tables:
            pages.journal.close()


@pytest.fixture
def twins(tmp_path):
    for name in "ab":
        (tmp_path / name).mkdir()
    twins = TwoTables(tmp_path)
    yield twins
    twins.close()


def test_a_sealed_plan_shows_on_its_own_phone_alone(twins):
    homes = {"red": "Castello", "yellow": "Dorsoduro", "blue": "San Polo"}
    data = {"homes": homes, "campanile": "9B"}
    twins.both(NewGame("venezia", Setup(("red", "yellow", "blue"), {"sealed_plans": True}, data), {}))
    for pages in twins.tables:
        pages.sit("reds", "red")
    hidden = [("Castello", 3, None), ("San Marco", 1, 4)]
    for pages, (area, number, ruse) in zip(twins.tables, hidden, strict=True):
        cards = [{"area": area, "pigeons": number}]
        plan = {"who": "red", "piazza": None if ruse else 2, "ruse": ruse, "action": None, "cards": cards}
        pages.ask(Choice("plan", plan, "red"), source="seat red")
    own = twins.boards("red")
    assert own[0] != own[1]
    for others in [("yellow",), ("blue",), ("yellow", "blue"), ()]:
        for host in (False, True):
            first, second = twins.boards(*others, host=host)
            assert first == second


def test_a_hand_of_vendetta_shows_on_its_own_phone_alone(twins):
    dealt = {"A": [1, 2], "B": [3, 4], "C": [5, 6]}
    twins.both(NewGame("vendetta", Setup(tuple("ABC"), {}, {"trustee": "A", "dealt": dealt}), {}))
    for pages in twins.tables:
        for seat in "ABC":
            pages.sit(f"phone of {seat}", seat)
    # The same board, but another hand: what is in the hand and what is in the box is nobody else's business.
    from dataclasses import replace

    session = twins.tables[1].table._session
    player = session.state.player("B")
    session.first_state = session.state.with_player(replace(player, hand=player.hand + 4, box=player.box - 4))
    own = twins.boards("B")
    assert own[0] != own[1]
    districts = iter(range(1, 14))
    for _ in range(4):
        for others in [("A",), ("C",), ("A", "C"), ()]:
            for host in (False, True):
                first, second = twins.boards(*others, host=host)
                assert first == second
        twins.both(Choice("next"))
        if twins.tables[0].view["phase"] == "REVEAL":
            twins.both(Outcome("reveal", {"district": next(districts)}))


def test_the_host_may_not_answer_what_is_private_to_a_phone(pages):
    dealt = {"A": [1, 2], "B": [3, 4], "C": [5, 6]}
    pages.begin("vendetta", "ABC", data={"trustee": "A", "dealt": dealt})
    pages.say("next")
    host, phone = pages.client(), pages.client(host=False, seats="A")
    refused = pages.send(host, "place", {"gangsters": {"1": 1}})
    assert refused.status_code == 409
    assert refused.json["code"] == "NOT_YOURS"
    assert 'data-verb="place"' not in pages.html(host=True)
    assert pages.send(phone, "place", {"gangsters": {"1": 1}}).status_code == 200


def test_the_host_answers_for_a_seat_without_a_phone(pages):
    homes = {"red": "Castello", "yellow": "Dorsoduro"}
    data = {"homes": homes, "campanile": "9B"}
    pages.begin("venezia", ("red", "yellow"), {"sealed_plans": True}, data)
    host = pages.client(seats=["red"])
    plan = {"who": "yellow", "piazza": 1, "ruse": None, "action": None, "cards": []}
    assert pages.send(host, "plan", plan, seat="yellow").status_code == 200
    guest = pages.client(host=False, seats=["yellow"])
    assert pages.send(host, "plan", plan, seat="yellow").status_code == 409
    assert pages.send(guest, "plan", {**plan, "piazza": 2}, seat="yellow").status_code == 200


def test_names_are_kept_apart_from_the_text_around_them(pages):
    name = "<b>שרה</b> 🌊 " + "x" * 20
    pages.begin("venise", ("red", "white"), data={"first": "red"}, names={"red": name})
    html = pages.html("red", host=True)
    assert "<bdi>&lt;b&gt;שרה" in html
    assert "<b>שרה" not in html
