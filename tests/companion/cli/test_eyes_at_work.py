"""`companion run` on a folder of stills: which eyes it wants, by the game on the table."""

import secrets
import time

import cv2
import numpy as np
import pytest
from program import Phone, Program

PLACES = {"place-1": "red", "place-2": "yellow", "home-1": "Castello", "home-2": "San Polo", "campanile": "9B"}


@pytest.fixture
def program(tmp_path):
    stills = tmp_path / "stills"
    stills.mkdir()
    cv2.imwrite(str(stills / "0.png"), np.full((720, 1280, 3), 120, np.uint8))
    with Program(tmp_path / "data", settings=f'camera = "{stills}"\n') as program:
        yield program


def wait_for(phone, words, but):
    """Wait until the page says the one and not the other."""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        page = phone.request("GET", "/board")[1]
        if words in page and but not in page:
            return
        time.sleep(0.1)
    raise AssertionError(f"the page doesn't say {words!r}: {page}")


def test_each_game_says_what_the_camera_was_not_set_up_for(program):
    host = Phone(program).be_host(program)
    card, table = "know the card with the arrows yet", "know this table yet"
    assert host.form("/host/new", game="venezia", command=secrets.token_hex(8), **PLACES)[0] == 303
    wait_for(host, card, table)
    host.new_venecitas()
    wait_for(host, table, card)
