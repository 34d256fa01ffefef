"""Sentences for people, kept apart from their wording in a language.

The rules speak in sentences (`Say`) with named gaps. The English template is also the key under which a
translation is found; the page fills the gaps. Parameters named in `SEATS` hold a seat and are shown as the
player's name; every other string is a term (a colour, a district) and is translated by itself.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

Term = str | int

SEATS = frozenset({"who", "owner", "other"})


@dataclass(frozen=True, slots=True)
class Say:
    """One sentence: an English template with ``{gaps}`` and what goes into them."""

    template: str
    params: Mapping[str, Term] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.template.format_map(self.params)


def say(template: str, **params: Term) -> Say:
    """Make a sentence; the name under which translations are collected."""
    return Say(template, params)
