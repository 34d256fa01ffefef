"""The rules pages as HTML: each rule has an anchor of its number, each mention of a rule leads there.

The pages are ``docs/rules/<game>.md``. ``web/rules`` is a link to that folder, so that they are found in a checkout
and are packed with the page when the project is installed.
"""

import re
from functools import cache
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup, escape

RULES = Path(__file__).parent / "rules"
NUMBER = re.compile(r"\b[A-Z]{2}-(?:R|E|Q|L)\d+\b")
"""A rule (R), edge case (E), question (Q) or level of detail (L), such as ``VZ-R14``."""
_CITATION = re.compile(r"\s*\[S\d: \"[^\"]*\"\]|\s*\*\*\[(?:DEFAULT|INFER|SEED|PUBLIC)[^\]]*\]\*\*")


@cache
def rules_page(game: str) -> str | None:
    """Render a game's rules page; None when there is none.

    Args:
        game: the game's name; only letters, digits and underscores are looked up.
    """
    path = RULES / f"{game}.md"
    if not re.fullmatch(r"\w+", game, re.ASCII) or not path.is_file():
        return None
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    # Where a rule was found in the rulebook matters to who checks it, not to who plays.
    tokens = parser.parse(_CITATION.sub("", path.read_text(encoding="utf-8")))
    for token in tokens:
        if token.type == "table_open":
            token.attrSet("tabindex", "0")  # a wide table is scrolled, by keyboard too
    _anchor(tokens)
    return str(parser.renderer.render(tokens, parser.options, {}))


def _anchor(tokens: list[Token]) -> None:
    """Give the first list item or row that begins with a rule's number that number as its id."""
    known: set[str] = set()
    for at, token in enumerate(tokens):
        if token.type != "inline" or token.children is None:
            continue
        opened = next((t for t in reversed(tokens[:at]) if t.type in ("list_item_open", "tr_open")), None)
        number = NUMBER.match(token.content.lstrip("*"))
        if number and opened and number[0] not in known and not opened.attrGet("id"):
            opened.attrSet("id", number[0])
            known.add(number[0])
    for token in tokens:
        if token.type == "inline" and token.children is not None:
            token.children = [new for child in token.children for new in _linked(child, known)]


def _linked(token: Token, known: set[str]) -> list[Token]:
    """Split a text where it mentions rules of this page."""
    if token.type != "text":
        return [token]
    pieces: list[Token] = []
    end = 0
    for number in NUMBER.finditer(token.content):
        if number[0] in known:
            pieces += [_text(token.content[end : number.start()]), Token("link_open", "a", 1)]
            pieces[-1].attrSet("href", f"#{number[0]}")
            pieces += [_text(number[0]), Token("link_close", "a", -1)]
            end = number.end()
    return [*pieces, _text(token.content[end:])]


def _text(content: str) -> Token:
    return Token("text", "", 0, content=content)


def link_rules(text: object, page: str) -> Markup:
    """Make each rule's number in a sentence a link to the rule.

    Args:
        text: a sentence; what is no `Markup` is escaped.
        page: the address of the game's rules page.
    """
    link = rf'<a class="rule" target="_blank" href="{escape(page)}#\g<0>">\g<0></a>'
    return Markup(NUMBER.sub(link, str(escape(text))))
