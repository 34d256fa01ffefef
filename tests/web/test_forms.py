import pytest
from werkzeug.datastructures import MultiDict

from companion.errors import BadInput
from companion.games import GAMES
from web.forms import read_new_game


def read(game, **form):
    return read_new_game(GAMES[game], MultiDict({name.replace("_", "-"): value for name, value in form.items()}))


def test_colours_sit_clockwise_as_they_are_listed():
    form = {"place_1": "blue", "place_2": "", "place_3": "red", "name_1": "Ana", "name_3": " Bruno ", "start": "3"}
    game = read("venezia", **form, home_3="San Polo", campanile="9b", rule_detail="score")
    assert game.setup.seats == ("blue", "red")
    assert game.names == {"blue": "Ana", "red": "Bruno"}
    assert game.setup.data == {"start": "red", "homes": {"red": "San Polo"}, "campanile": "9B"}
    assert game.setup.settings == {"detail": "score"}


def test_one_colour_at_two_places_is_refused():
    with pytest.raises(BadInput, match="one colour sits at two places"):
        read("venise", place_1="red", place_2="red")


def test_what_nobody_knows_yet_is_left_open():
    assert read("venezia", place_1="red", place_2="blue").setup.data == {}
    assert read("venise", place_1="red", place_2="green", first="").setup.data == {}
    assert read("vendetta", seat_A="1", seat_B="1", seat_C="1").setup.data == {}


def test_cards_colours_and_districts_of_vendetta():
    seats = {"seat_A": "1", "seat_B": "1", "seat_C": "1"}
    data = read("vendetta", **seats, trustee="B", colour_A="lilac", card_A_1="3", card_A_2="5", district_2="Docks")
    assert data.setup.data == {
        "trustee": "B",
        "colours": {"A": "lilac"},
        "dealt": {"A": [3, 5]},
        "districts": [None, "Docks", *[None] * 11],
    }
    GAMES["vendetta"].start(data.setup)


def test_a_form_of_venise_starts_a_game():
    game = read("venise", place_1="white", place_2="red", first="1", side="night", layout="Grand canal")
    assert game.setup.data == {"first": "white", "side": "night", "layout": "Grand canal"}
    assert GAMES["venise"].start(game.setup).active == "white"
