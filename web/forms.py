"""The set-up forms: what a game's form says, as seats, names, house rules and the game's own data.

Each game has a template ``setup/<game>.html`` and a reader here; a game without them uses ``setup/any.html`` and
`read_sides`. A reader takes what was typed as it is: whether it can be played the game decides. Empty fields
count as not said.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from werkzeug.datastructures import MultiDict

from companion.commands import NewGame
from companion.errors import BadInput
from companion.game import Game, Setup
from companion.text import say

Form = MultiDict[str, str]

LONGEST_NAME = 40
_COMBOS = ("same4", "pair33", "six")


@dataclass(frozen=True, slots=True)
class Entered:
    """What a form says besides the house rules: the seats clockwise, the players' names, the game's own data."""

    seats: tuple[str, ...]
    names: dict[str, str]
    data: dict[str, Any] = field(default_factory=dict)


def read_new_game(game: Game, form: Form) -> NewGame:
    """Read a set-up form.

    Raises:
        BadInput: the form can't be meant; what can't be played the game itself refuses later.
    """
    if unknown := sorted(set(form) - _fields_of(game)):
        raise BadInput(f"got field {unknown[0][:40]!r}, which the set-up of {game.TITLE} hasn't: load the page again")
    entered = _READERS.get(game.NAME, read_sides)(game, form)
    settings: dict[str, Any] = {}
    for name, setting in game.SETTINGS.items():
        said = form.get(f"rule-{name}")
        chosen = [choice for choice in setting.choices if str(choice) == said]
        if said and not chosen:
            raise BadInput(f"got {name} = {said[:40]!r}, but expected one of {list(setting.choices)}")
        settings.update((name, choice) for choice in chosen)
    names = {seat: name for seat, name in entered.names.items() if name}
    return NewGame(game.NAME, Setup(entered.seats, settings, entered.data), names)


def _fields_of(game: Game) -> set[str]:
    """Every field that the set-up forms have for a game's seats, places, cards, tiles and house rules."""
    known = {"game", "command", "start", "first", "side", "layout", "campanile", "trustee"}
    known |= {f"{what}-{seat}" for what in ("seat", "name", "colour") for seat in game.SEATS}
    known |= {f"card-{seat}-{at}" for seat in game.SEATS for at in (1, 2)}
    known |= {f"{what}-{number}" for what in ("place", "name", "home", "district") for number in range(1, 14)}
    known |= {f"tile-{combo}-{at}" for combo in _COMBOS for at in range(3)} | {f"mat-{combo}" for combo in _COMBOS}
    return known | {f"rule-{name}" for name in game.SETTINGS}


def read_sides(game: Game, form: Form) -> Entered:
    """Read seats that are ticked, each with a name: ``seat-S``, ``name-S``."""
    seats = tuple(seat for seat in game.SEATS if form.get(f"seat-{seat}"))
    return Entered(seats, {seat: _text(form, f"name-{seat}") for seat in seats})


def _places(game: Game, form: Form) -> Entered:
    """Read colours that sit anywhere, clockwise: ``place-1`` is a colour or empty, ``name-1`` who plays it."""
    at = range(1, len(game.SEATS) + 1)
    seats = {form.get(f"place-{place}", ""): _text(form, f"name-{place}") for place in at if form.get(f"place-{place}")}
    if len(seats) < sum(bool(form.get(f"place-{place}")) for place in at):
        raise BadInput(say("one colour sits at two places, but each player has a colour of his own: choose another"))
    return Entered(tuple(seats), seats)


def _venecitas(game: Game, form: Form) -> Entered:
    """The numbers on tiles and mat, when all of them were entered (VC-Q1)."""
    sides = read_sides(game, form)
    fields = {key: value.strip() for key, value in form.items() if key.startswith(("tile-", "mat-"))}
    if not any(fields.values()):
        return sides
    tiles = {c: [_number(fields.get(f"tile-{c}-{i}", "")) for i in range(3)] for c in _COMBOS}
    mat = {combo: _number(fields.get(f"mat-{combo}", "")) for combo in _COMBOS}
    return Entered(sides.seats, sides.names, {"tiles": tiles, "mat": mat})


def _venezia(game: Game, form: Form) -> Entered:
    """The youngest, homes and the Campanile's square, as far as known (VZ-R1, VZ-R2)."""
    entered = _places(game, form)
    homes = {seat: form[f"home-{place}"] for place, seat in _placed(form) if form.get(f"home-{place}")}
    data = {
        "start": form.get(f"place-{form.get('start', '')}"),
        "homes": homes,
        "campanile": _text(form, "campanile").upper(),
    }
    return Entered(entered.seats, entered.names, _said(data))


def _placed(form: Form) -> list[tuple[str, str]]:
    return [(key[6:], seat) for key, seat in form.items() if key.startswith("place-") and seat]


def _vendetta(game: Game, form: Form) -> Entered:
    """The trustee, colours, district names and the cards dealt, as far as known (VD-R1, VD-R2)."""
    entered = read_sides(game, form)
    colours = {seat: _text(form, f"colour-{seat}") for seat in entered.seats}
    dealt = {seat: [_number(form.get(f"card-{seat}-{at}", "")) for at in (1, 2)] for seat in entered.seats}
    districts = [_text(form, f"district-{number}") or None for number in range(1, 14)]
    data = {
        "trustee": form.get("trustee"),
        "colours": {seat: colour for seat, colour in colours.items() if colour},
        "dealt": {seat: cards for seat, cards in dealt.items() if any(cards)},
        "districts": districts if any(districts) else None,
    }
    return Entered(entered.seats, entered.names, _said(data))


def _venise(game: Game, form: Form) -> Entered:
    """Who starts, the board's side and its layout, as far as known (VN-R2, VN-Q7)."""
    entered = _places(game, form)
    first = form.get(f"place-{form.get('first', '')}")
    data = {"first": first, "side": form.get("side"), "layout": _text(form, "layout")}
    return Entered(entered.seats, entered.names, _said(data))


def _said(data: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in data.items() if value}


def _text(form: Form, field_name: str) -> str:
    return form.get(field_name, "").strip()[:LONGEST_NAME]


def _number(text: str) -> Any:
    text = text.strip()
    return int(text) if text.isascii() and text.isdigit() else text


_READERS: dict[str, Callable[[Game, Form], Entered]] = {
    "venecitas": _venecitas,
    "venezia": _venezia,
    "vendetta": _vendetta,
    "venise": _venise,
}
