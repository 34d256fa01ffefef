"""The sentences for people: collected from the code, and kept with their translations.

``python tests/support/catalogs.py`` (``make translations``) brings new sentences into every catalogue, drops those
that nobody says any more, and compiles what the page reads. The sources are ``web/translations/*/LC_MESSAGES/*.po``.
"""

import io
import pathlib
import re
import sys

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import read_mo, write_mo
from babel.messages.pofile import read_po, write_po

ROOT = pathlib.Path(__file__).parents[2]
TRANSLATIONS = ROOT / "web" / "translations"
LANGUAGES = ("de", "es", "fr")
METHODS = [
    ("companion/**.py", "python"),
    ("vision/**.py", "python"),
    ("web/**.py", "python"),
    ("web/templates/**.html", "jinja2"),
]
OPTIONS = {"web/templates/**.html": {"trim_blocks": "true", "lstrip_blocks": "true", "silent": "false"}}
KEYWORDS = {
    "_": None, "gettext": None, "ngettext": (1, 2), "say": None, "say_number": (1, 2), "Refused": (2,),
}  # fmt: skip
"""The calls that say something, and which of their arguments are sentences."""


def collect():
    """Collect every sentence from the code and the templates."""
    catalog = Catalog()
    for file, _, message, _, context in extract_from_dir(ROOT, METHODS, OPTIONS, KEYWORDS):
        catalog.add(message, None, [(file, 0)], context=context)
    return catalog


def source(language):
    """The file in which a language's translations are written down."""
    return TRANSLATIONS / language / "LC_MESSAGES" / "messages.po"


def read(language):
    """Read a language's translations."""
    with source(language).open("rb") as file:
        return read_po(file, locale=language)


def compiled(language):
    """What the page reads: each sentence with its translation."""
    with source(language).with_suffix(".mo").open("rb") as file:
        return translated(read_mo(file))


def translated(catalog):
    """Each sentence of a catalogue with its translation; what has a plural as the forms of both."""
    return {
        tuple(m.id) if m.pluralizable else m.id: tuple(m.string) if m.pluralizable else m.string
        for m in catalog
        if m.id
    }


def written(catalog):
    """A catalogue as its ``.po`` file is written, in an order that changes as little as possible."""
    out = io.BytesIO()
    write_po(out, catalog, width=110, no_location=True, sort_output=True, ignore_obsolete=True)
    # Not by which version of the tool: a newer one would change every file.
    return re.sub(rb'^"Generated-By: .*\n', b"", out.getvalue(), flags=re.MULTILINE)


def update(language, sentences):
    """Bring a language's catalogue up to date; gives how many sentences wait for a translation."""
    catalog = read(language)
    catalog.header_comment = f"# Table companion: {language}"
    catalog.fuzzy, catalog.msgid_bugs_address, catalog.last_translator, catalog.language_team = False, "", "", ""
    catalog.update(sentences, no_fuzzy_matching=True, update_creation_date=False)
    source(language).write_bytes(written(catalog))
    with source(language).with_suffix(".mo").open("wb") as file:
        write_mo(file, catalog)
    return sum(not all(m.string if m.pluralizable else (m.string,)) for m in catalog if m.id)


def main():
    sentences = collect()
    for language in LANGUAGES:
        missing = update(language, sentences)
        print(f"{language}: {missing or 'nothing'} to translate")


if __name__ == "__main__":
    sys.exit(main())
