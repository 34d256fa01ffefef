"""Plays golden scripts: YAML documents that say what is given, what is done and what is expected then.

Each game has an adapter ``golden_<game>.py`` beside this file: ``given(script)`` makes a state,
``perform(state, verb, argument)`` plays one step, ``facts(state)`` tells a state as values to compare and
``read_expected(name, value)`` turns what a script expects into such values.
"""

import importlib
import pathlib
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import yaml

from companion.errors import Refused


@dataclass(frozen=True)
class Script:
    game: str
    id: str
    doc: dict[str, Any]


def load(folder: pathlib.Path) -> list[Script]:
    """Read every script of a folder; the file's name names the game."""
    scripts = []
    for file in sorted(folder.glob("*.yaml")):
        for doc in yaml.safe_load_all(file.read_text(encoding="utf-8")):
            if doc:
                scripts.append(Script(file.stem, doc["id"], doc))
    return scripts


def play(script: Script) -> None:
    """Play a script; AssertionError names the step that went otherwise."""
    adapter = importlib.import_module(f"golden_{script.game}")
    state = adapter.given(script.doc.get("given") or {})
    for number, item in enumerate(script.doc.get("do") or [], 1):
        where = f"{script.id} step {number} {item}"
        verb, argument, reject, then = _read(item)
        if reject:
            before = adapter.facts(state)
            code = refusal(adapter, state, verb, argument)
            assert code == reject, f"{where}: answered with {code}, but {reject} was expected"
            assert adapter.facts(state) == before, f"{where}: a refused event changed the state"
        else:
            state = adapter.perform(state, verb, argument)
        compare(adapter, state, then, where)
    compare(adapter, state, script.doc.get("expect") or {}, f"{script.id} at the end")


def refusal(adapter: ModuleType, state: Any, verb: str, argument: Any) -> str | None:
    """Tell with which code a step is refused; None when it is accepted."""
    try:
        adapter.perform(state, verb, argument)
    except Refused as refused:
        return refused.code
    return None


def _read(item: str | dict[str, Any]) -> tuple[str, Any, str | None, dict[str, Any]]:
    if isinstance(item, str):
        return item, None, None, {}
    item = dict(item)
    reject, then = item.pop("reject", None), item.pop("then", {})
    ((verb, argument),) = item.items()
    return verb, argument, reject, then


def compare(adapter: ModuleType, state: Any, expected: dict[str, Any], where: str) -> None:
    """Compare facts with what is expected; a mapping names only the entries it is about."""
    facts = adapter.facts(state)
    for name, written in expected.items():
        value = adapter.read_expected(name, written)
        assert name in facts, f"{where}: nothing is known about {name!r}"
        if isinstance(value, dict) and isinstance(facts[name], dict):
            got = {key: facts[name].get(key) for key in value}
        else:
            got = facts[name]
        assert got == value, f"{where}: {name} is {got}, but {value} was expected"
