"""Sentences for people, kept apart from their wording in a language.

The rules speak in sentences (`Say`) with named gaps. The English template is also the key under which a
translation is found; the page fills the gaps. Parameters named in `SEATS` hold a seat and are shown as the
player's name; every other string is a term (a colour, a district) and is translated by itself. The templates are
collected from the code by their place in the call, so they are written out where `say` is called.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

Term = str | int | tuple[str, ...]
"""What fills a gap; several terms stand one after the other with commas between."""

SEATS = frozenset({"who", "owner", "other"})
PRINTED = frozenset({"row", "other_row"})
"""Parameters that hold what is printed on a card, which is no term: it stays as it is in every language."""


@dataclass(frozen=True, slots=True)
class Say:
    """One sentence: an English template with ``{gaps}`` and what goes into them.

    Attributes:
        template: the sentence, or how it is said of one.
        params: what goes into the gaps.
        plural: how the sentence is said of any other ``number``; None where no number is counted.
        number: the number that decides.
    """

    template: str
    params: Mapping[str, Term] = field(default_factory=dict)
    plural: str | None = None
    number: int = 1

    def __str__(self) -> str:
        template = self.template if self.plural is None or self.number == 1 else self.plural
        joined = {name: ", ".join(value) if isinstance(value, tuple) else value for name, value in self.params.items()}
        return template.format_map(joined)


def say(template: str, **params: Term) -> Say:
    """Make a sentence; the name under which translations are collected."""
    return Say(template, params)


def say_number(one: str, many: str, number: int, **params: Term) -> Say:
    """Make a sentence that counts something: ``one`` is said of 1, ``many`` of any other ``{number}``."""
    return Say(one, {"number": number, **params}, many, number)
