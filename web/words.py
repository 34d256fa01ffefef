"""Words on the page: sentences of the rules, terms and players' names, put together for HTML."""

from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType

from flask_babel import format_date, format_datetime, gettext, ngettext
from markupsafe import Markup, escape

from companion.text import PRINTED, SEATS, Say, Term, say

SIDES = {"S": say("South"), "W": say("West"), "N": say("North"), "E": say("East")}
COLOURS = {
    "red": say("red"), "yellow": say("yellow"), "blue": say("blue"), "green": say("green"), "white": say("white"),
    "grey": say("grey"), "black": say("black"), "violet": say("violet"), "purple": say("violet"),
}  # fmt: skip

TERMS = {
    **COLOURS,
    "K": say("black"), "G": say("green"), "B": say("blue"), "R": say("red"), "Y": say("yellow"), "V": say("violet"),
    "same4": say("4 of one colour"), "pair33": say("3 + 3"), "six": say("one of each"),
    "cw": say("turn clockwise"), "acw": say("turn anticlockwise"),
    "flip_h": say("flip sideways"), "flip_v": say("flip over"),
    "SGM": say("San Giorgio Maggiore"), "Giudecca": say("La Giudecca"), "who": say("player"),
    "short": say("short"), "long": say("long"), "day": say("day"), "night": say("night"),
    # Values of house rules
    "keep": say("the block stays"), "release": say("the block ends"), "forbid": say("not allowed"),
    "choose": say("the player chooses"),
    "A": say("sideways: left and right swap; over: near and far swap"), "A_swapped": say("the other way round"),
    "B1": say("sideways is half a turn; over: near and far swap"),
    "B2": say("sideways is half a turn; over: left and right swap"),
    "number": say("number"), "letter": say("letter"),
    "True": say("yes"), "False": say("no"),
    "full": say("every piece"), "score": say("the score"),
    "per_pigeon": say("for each pigeon"), "per_tourist": say("for each tourist"),
    "districts": say("districts"), "points": say("points"),
    "round": say("in the whole round"), "phase1": say("in phase 1 only"),
    "higher_then_shared": say("the higher one wins, equals share"), "all_share": say("all of them share"),
    "immediate": say("it ends at once"), "finish_round": say("the round is played to its end"),
    # What may be said
    "next": say("going on"), "roll": say("a roll of the die"), "exchange": say("an exchange"),
    "move": say("a move"), "correct": say("a correction"), "choose_block": say("where the blocking cone goes"),
    "pick": say("a colour for the draw"), "start_with": say("who starts"),
    "first_roll": say("the roll for the first player"), "home": say("a home"),
    "campanile": say("the Campanile’s square"),
    "plan": say("a plan"), "lay": say("pigeons on the cards"), "put": say("pigeons on the Piazza"),
    "spread": say("pigeons on the district cards"), "take_back": say("pigeons back into the reserve"),
    "tourist": say("a tourist’s square"), "hunter": say("the hunter’s square"), "births": say("births"),
    "reveal": say("a card that is turned over"), "family": say("the Family Meeting"),
    "reinforce": say("pigeons that go home"),
    "uncover": say("the district cards"), "hold": say("who holds a district"), "retrieve": say("a card taken back"),
    "michele_take": say("pigeons back from San Michele"), "to_score": say("keeping only the score"),
    "trustee": say("who is the trustee"), "deal": say("the cards dealt"), "colour": say("a colour"),
    "name_district": say("the name of a district"), "place": say("gangsters in districts"),
    "control": say("who controls a district"), "play": say("a card"), "tile": say("an hourglass tile"),
    "gem": say("a gem"), "take_joker": say("taking a joker"), "exchange4": say("4 cards for a joker"),
    "discard": say("cards that are discarded"), "board": say("side and layout of the board"),
    # Venezia's action cards
    "Instructions from the Vatican": say("Instructions from the Vatican"), "Family Meeting": say("Family Meeting"),
    "Feud": say("Feud"), "Poison in the Fodder": say("Poison in the Fodder"), "San Michele": say("San Michele"),
    "Robbery Bird": say("Robbery Bird"), "Purge": say("Purge"), "Hostile Takeover": say("Hostile Takeover"),
    "Ruse": say("Ruse"), "Piazza": say("Piazza San Marco"),
    # Cards of Venise
    "short plank": say("short plank"), "long plank": say("long plank"), "remove a plank": say("remove a plank"),
    "move a plank": say("move a plank"), "1 move": say("1 move"), "2 moves": say("2 moves"), "3 moves": say("3 moves"),
    # Why the eyes are unsure
    **{reason.template: reason for reason in (
        say("two dice: take one away"),
        say("colours have drifted: show the die again"),
        say("turned by nearly 45 degrees"),
        say("glare: the top is burnt white"),
        say("colours don't tell two ways of lying apart"),
        say("hand in the way: something covers the die"),
        say("too dark"),
        say("colours don't fit: show the die again if the light has changed"),
        say("cocked or moving: no level die fits its outline"),
        say("the card is partly covered, or can't be told from its surroundings"),
        say("the arrow is turning"),
        say("something covers the dial"),
        say("the arrow's head and tail can't be told apart"),
        say("its colours don't hold still"),
    )},
}  # fmt: skip
"""How codes of the rules and of the camera are said."""


def term(value: object) -> str:
    """Say a code in words; what is no code stays as it is."""
    told = str(value)
    if said := TERMS.get(told):
        return str(gettext(said.template))
    # What the eyes doubt of a card is told dial by dial.
    parts = [part.partition(": ") for part in told.split("; ")]
    if all(doubt in TERMS for _, _, doubt in parts):
        return "; ".join(f"{term(dial)}: {term(doubt)}" for dial, _, doubt in parts)
    return told


def name_of(seat: str, names: Mapping[str, str]) -> Markup:
    """A player's name, kept from disturbing the text around it; without one, the seat's."""
    said = SIDES.get(seat) or COLOURS.get(seat)
    return Markup("<bdi>{}</bdi>").format(names.get(seat) or (gettext(said.template) if said else seat))


def sentence(say: Say, names: Mapping[str, str]) -> Markup:
    """Put a sentence together in the phone's language: seats become names, other words are said in words."""
    text = clause(say, names)
    return text if _template(say).startswith("{") else text[:1].upper() + text[1:]


def clause(say: Say, names: Mapping[str, str] = MappingProxyType({})) -> Markup:
    """Put together a sentence that stands within another one: it begins as it is written."""
    filled = {key: _filling(key, value, names) for key, value in say.params.items()}
    return Markup(_template(say)).format_map(filled)


def _template(say: Say) -> str:
    return str(gettext(say.template) if say.plural is None else ngettext(say.template, say.plural, say.number))


def _filling(key: str, value: Term, names: Mapping[str, str]) -> Markup:
    if key in SEATS:
        return name_of(str(value), names)
    if key in PRINTED:
        return escape(value)
    return Markup(", ").join(term(one) for one in value) if isinstance(value, tuple) else escape(term(value))


def plain_name(seat: str, names: Mapping[str, str]) -> str:
    """A player's name as plain text, between Unicode's isolates instead of in ``<bdi>``."""
    return _plain(name_of(seat, names))


def day(at: str) -> str:
    """Say on which day something was, given as the journal keeps it (ISO 8601)."""
    return str(format_date(datetime.fromisoformat(at), "long", rebase=False))


def moment(at: str) -> str:
    """Say when something was, by day and minute, given as the journal keeps it (ISO 8601)."""
    return str(format_datetime(datetime.fromisoformat(at), "short", rebase=False))


def plain_sentence(say: Say, names: Mapping[str, str]) -> str:
    """Put a sentence together as plain text; names stand between Unicode's isolates instead of in ``<bdi>``."""
    return _plain(sentence(say, names))


def _plain(html: Markup) -> str:
    return str(html.replace("<bdi>", "\u2068").replace("</bdi>", "\u2069").unescape())
