"""The golden scripts of every game, or those of the folder given with --golden-dir."""

import pathlib

import golden

from companion.games import GAMES


def pytest_generate_tests(metafunc):
    if "script" in metafunc.fixturenames:
        folder = metafunc.config.getoption("--golden-dir")
        scripts = [script for script in golden.load(folder) if script.game in GAMES]
        metafunc.parametrize("script", scripts, ids=[script.id for script in scripts])


def test_golden_script_plays_as_written(script):
    golden.play(script)


def test_every_game_has_golden_scripts():
    folder = pathlib.Path(__file__).parents[1] / "data" / "golden"
    assert {script.game for script in golden.load(folder)} >= set(GAMES)
