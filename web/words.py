"""Words on the page: sentences of the rules, terms and players' names, put together for HTML."""

from collections.abc import Mapping

from markupsafe import Markup, escape

from companion.text import SEATS, Say

SIDES = {"S": "South", "W": "West", "N": "North", "E": "East"}

TERMS = {
    "K": "black", "G": "green", "B": "blue", "R": "red", "Y": "yellow", "V": "violet",
    "same4": "4 of one colour", "pair33": "3 + 3", "six": "one of each",
    "cw": "turn clockwise", "acw": "turn anticlockwise", "flip_h": "flip sideways", "flip_v": "flip over",
    "next": "going on", "roll": "a roll of the die", "exchange": "an exchange", "move": "a paid move",
    "correct": "a correction", "choose_block": "where the blocking cone goes", "pick": "a colour for the draw",
    "start_with": "who starts", "first_roll": "the roll for the first player",
    "keep": "the block stays", "release": "the block ends", "forbid": "not allowed",
    "choose": "the player chooses",
    "A": "sideways: left and right swap; over: near and far swap",
    "A_swapped": "the other way round", "B1": "sideways is half a turn; over: near and far swap",
    "B2": "sideways is half a turn; over: left and right swap",
    "True": "yes", "False": "no",
    "SGM": "San Giorgio Maggiore", "Giudecca": "La Giudecca", "who": "player",
    "full": "every piece", "score": "the score", "per_pigeon": "for each pigeon", "per_tourist": "for each tourist",
    "districts": "districts", "points": "points", "round": "in the whole round", "phase1": "in phase 1 only",
    "higher_then_shared": "the higher one wins, equals share", "all_share": "all of them share",
    "immediate": "it ends at once", "finish_round": "the round is played to its end",
    "step1": "1 move", "step2": "2 moves", "step3": "3 moves", "remove": "remove a plank",
    "empty": "no die", "rolling": "rolling", "settling": "settling", "read": "read", "unsure": "unsure",
    "hand": "a hand is in the way", "camera lost": "camera lost", "offline": "no camera",
}  # fmt: skip
"""How codes of the rules and of the camera are said."""


def term(value: object) -> str:
    """Say a code in words; what is no code stays as it is."""
    return TERMS.get(str(value), str(value))


def name_of(seat: str, names: Mapping[str, str]) -> Markup:
    """A player's name, kept from disturbing the text around it; without one, the seat's."""
    return Markup("<bdi>{}</bdi>").format(names.get(seat) or SIDES.get(seat, seat))


def sentence(say: Say, names: Mapping[str, str]) -> Markup:
    """Put a sentence together: seats become names, other words are said in words."""
    filled = {
        key: name_of(str(value), names) if key in SEATS else escape(term(value)) for key, value in say.params.items()
    }
    text = Markup(say.template).format_map(filled)
    return text[:1].upper() + text[1:] if not say.template.startswith("{") else text


def plain_sentence(say: Say, names: Mapping[str, str]) -> str:
    """Put a sentence together as plain text; names stand between Unicode's isolates instead of in ``<bdi>``."""
    return str(sentence(say, names).replace("<bdi>", "\u2068").replace("</bdi>", "\u2069").unescape())
