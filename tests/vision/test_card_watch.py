"""Spins of the drawn card, frame by frame through the real reader."""

from dataclasses import replace
from functools import partial

import cv2
import dial_drawing
import numpy as np
import pytest

import vision.card_finder
import vision.card_sight
from companion.capture import capture_of
from companion.inputs import DialReading, SpinnerReading, Status
from hardware.virtual.dials import DIALS
from hardware.virtual.table import VirtualTable
from vision.card import Shift, move_plane
from vision.card_finder import (
    FIRST_PAUSE,
    LONGEST_PAUSE,
    MISSING_FRAMES,
    NUDGE_FRAMES,
    QUIET_FRAMES,
    STAY_FRAMES,
    CardFinder,
)
from vision.card_watch import BLIND_FRAMES, CardMemory, CardState, watch_card, watching_card
from vision.spinner import learn_spinner
from vision.spinner_file import learn_card
from vision.spins import WAIT_FRAMES, forget_spins

NAMES = ("number", "letter")
SEARCH_FRAMES = 100
"""A search goes on for fewer."""


@pytest.fixture(scope="module")
def drawn():
    """The drawn table with its card, and what was learnt of it; each test brings the card back."""
    table = VirtualTable()
    table.lay("card")
    return table, learn_card(table.card_frames(), lambda image: image)


@pytest.fixture
def film(drawn):
    film = Film(*drawn)
    yield film
    if film.card.lie is None:
        film.card.bring()
    while film.card.is_busy:
        film.table.draw()


class Film:
    """The drawn card before the watcher."""

    def __init__(self, table, setup):
        self.table, self.card, self.told, self.fetched = table, table.card, [], 0
        self._step, self.again = watching_card(setup, self.told.append)

    def run(self, frames):
        for _ in range(frames):
            capture = capture_of(self.table.draw())
            self._step(replace(capture, fetch=partial(self._fetch, capture)))
        return self

    def _fetch(self, capture, box):
        self.fetched += 1
        return capture.fetch(box)

    def until_done(self, more=WAIT_FRAMES + 10):
        """Watch until nothing happens any more, and some frames longer."""
        self.run(1)
        while self.card.is_busy:
            self.run(1)
        return self.run(more)

    @property
    def readings(self):
        return [seen.reading for seen in self.told if seen.reading is not None]

    @property
    def states(self):
        return [seen.state for seen in self.told]


def apart(one, other):
    return abs((one - other + 180) % 360 - 180)


def is_right(reading, angles):
    return all(apart(dial.angle_deg, angle) < 1.5 for dial, angle in zip(reading.dials, angles, strict=True))


def test_while_the_arrows_rest_no_colours_are_fetched(film):
    film.run(5).card.spin((30.0, 60.0))
    film.until_done()
    film.fetched = 0
    film.run(60)
    assert film.fetched == 0
    film.card.spin((200.0, 300.0))
    film.until_done()
    assert len(film.readings) == 2
    assert is_right(film.readings[1], (200.0, 300.0))


@pytest.mark.parametrize("angles", [(12.0, 200.0), (181.0, 30.0), (275.0, 318.0)])
def test_a_spin_is_read_once_and_right(film, angles):
    film.run(5).card.spin(angles)
    film.until_done()
    assert [reading.unspun for reading in film.readings] == [()]
    assert is_right(film.readings[0], angles)
    assert film.states[0] is CardState.WAITING
    assert film.states[-3:] == [CardState.SPINNING, CardState.SETTLING, CardState.READ]


def test_each_spin_is_read_and_its_crop_holds_the_card(film):
    film.run(5).card.spin((100.0, 10.0))
    film.until_done(10).card.spin((300.0, 200.0))
    film.until_done()
    assert [is_right(*pair) for pair in zip(film.readings, [(100.0, 10.0), (300.0, 200.0)], strict=True)] == [True] * 2
    left, top, right, bottom = next(seen.box for seen in film.told if seen.reading)
    corners = film.table._stage.card.corners_px(film.card.lie)
    assert ((corners > (left - 2, top - 2)) & (corners < (right + 2, bottom + 2))).all()


def test_the_sector_is_named_as_printed(film):
    film.run(5).card.spin((36.0 * 6, 45.0 * 3 + 21.0))
    film.until_done()
    assert [(dial.label, dial.near_border) for dial in film.readings[0].dials] == [("7", None), ("D", "E")]


def test_arrows_that_lie_there_are_no_reading(film):
    assert film.run(60).readings == []


@pytest.mark.parametrize("name", NAMES)
def test_an_arrow_pushed_by_a_finger_is_no_reading(film, name):
    film.run(5).card.touch(name)
    assert film.until_done().readings == []


def test_one_arrow_alone_names_the_other_and_waits_for_it(film):
    film.run(5).card.spin_one("letter", 77.0)
    film.until_done()
    assert [reading.unspun for reading in film.readings] == [("number",)]
    assert film.states[-1] is CardState.AGAIN
    film.card.spin_one("number", 200.0)
    film.until_done()
    assert [reading.unspun for reading in film.readings] == [("number",), ()]
    assert is_right(film.readings[1], (200.0, 77.0))


def test_a_hand_over_the_card_is_no_reading_before_or_after(film):
    film.run(5).card.cover()
    film.until_done().card.uncover()
    film.until_done()
    assert film.readings == []
    assert film.states[-1] is CardState.WAITING


def test_a_moved_card_is_found_by_small_steps_and_read_there(film, monkeypatch):
    monkeypatch.setattr(vision.card_sight, "search", lambda *_: pytest.fail("the whole table was searched at once"))
    film.run(5).card.move()
    film.until_done(SEARCH_FRAMES)
    assert film.readings == []
    assert film.states[-1] is CardState.WAITING
    film.card.spin((150.0, 240.0))
    film.until_done()
    assert [is_right(reading, (150.0, 240.0)) for reading in film.readings] == [True]


def test_a_card_that_is_taken_away_is_gone_until_it_comes_back(film):
    film.run(5).card.take_away()
    film.until_done(SEARCH_FRAMES)
    assert film.states[-1] is CardState.GONE
    film.card.bring()
    film.until_done(SEARCH_FRAMES)
    assert film.states[-1] is CardState.WAITING
    assert film.readings == []


def test_a_spin_that_nobody_saw_to_its_end_is_forgotten_when_asked(film):
    film.run(5).card.spin((30.0, 60.0))
    film.run(30).again()
    film.table.draw(60)  # not seen
    assert film.until_done().readings == []


def test_arrows_that_cannot_be_read_after_a_spin_are_told_once():
    memory, told = CardMemory(forget_spins(NAMES)), []
    turning = SpinnerReading(Status.UNSURE, (), "both turn", NAMES)
    alike = SpinnerReading(Status.UNSURE, (DialReading("number", 10.0, 0, "1"),), "letter: alike")
    for reading in [turning] * 5 + [alike] * 3 * BLIND_FRAMES:
        memory, seen = watch_card(memory, NAMES, reading, is_gone=False)
        told += [seen] if seen and seen.reading else []
    assert [(seen.state, seen.reason) for seen in told] == [(CardState.UNSURE, "letter: alike")]


def test_arrows_that_cannot_be_read_without_a_spin_are_not_told():
    memory = CardMemory(forget_spins(NAMES))
    alike = SpinnerReading(Status.UNSURE, (), "letter: alike")
    for _ in range(2 * BLIND_FRAMES):
        memory, seen = watch_card(memory, NAMES, alike, is_gone=False)
        assert seen is None or seen.reading is None


@pytest.fixture(scope="module")
def nudgeable():
    shown = (dial_drawing.draw((100.0, 215.0)), (100.0, 215.0))
    return learn_spinner(dial_drawing.card(), dial_drawing.plane(), [shown])


@pytest.mark.parametrize(
    ("shift", "frames"),
    [
        pytest.param(Shift(0.5, 0.5, -0.4), 1, id="a little: at once"),
        pytest.param(Shift(1.5, 2.0, -1.0), NUDGE_FRAMES + 2, id="some mm: when the hand is gone"),
    ],
)
def test_a_nudged_card_is_soon_read_and_lies_there_from_then_on(nudgeable, monkeypatch, shift, frames):
    monkeypatch.setattr(vision.card_finder, "searching", lambda *_: pytest.fail("it lies nearly where it lay"))
    finder = CardFinder(nudgeable)
    before = finder.box
    nudged = dial_drawing.draw((75.0, 140.0), at=move_plane(dial_drawing.plane(), shift))
    readings = [finder.read(nudged) for _ in range(frames + STAY_FRAMES)]
    for reading in readings[frames - 1 :]:
        assert [dial.label for dial in reading.dials] == ["2", "D"]
        assert is_right(reading, (75.0, 140.0))
    assert finder.box != before


@pytest.fixture
def searches(monkeypatch):
    """The frames at which searches begin that find nothing."""
    begun = []

    def searching(look, frame):
        begun.append(None)
        yield
        return []

    monkeypatch.setattr(vision.card_finder, "searching", searching)
    return begun


def starts(finder, frames, searches):
    found = []
    for number, frame in enumerate(frames):
        before = len(searches)
        finder.read(frame)
        found += [number] * (len(searches) - before)
    return found


def test_a_table_without_a_card_is_searched_in_growing_pauses(drawn, searches):
    bare = np.full((720, 1280, 3), 90, np.uint8)
    begun = np.array(starts(CardFinder(drawn[1]), [bare] * 400, searches))
    assert begun[0] >= min(MISSING_FRAMES, QUIET_FRAMES)
    gaps = np.diff(begun)
    assert gaps[0] >= FIRST_PAUSE
    assert (gaps[1:] >= 1.8 * gaps[:-1]).all()
    assert gaps.max() <= LONGEST_PAUSE + 10


def test_what_moves_makes_the_pauses_short_again(drawn, searches):
    bare = np.full((720, 1280, 3), 90, np.uint8)
    hand = bare.copy()
    hand[200:500, 300:800] = 160
    begun = starts(CardFinder(drawn[1]), [bare] * 200 + [hand] * 5 + [bare] * 60, searches)
    assert sum(number > 205 for number in begun) >= 2


def test_a_search_ends_when_something_moves(drawn, monkeypatch):
    bare = np.full((720, 1280, 3), 90, np.uint8)
    hand = bare.copy()
    hand[200:500, 300:800] = 160
    steps = []

    def searching(look, frame):
        while True:
            steps.append(None)
            yield

    monkeypatch.setattr(vision.card_finder, "searching", searching)
    finder = CardFinder(drawn[1])
    starts(finder, [bare] * 60, steps)
    assert len(steps) > 20
    assert starts(finder, [hand] + [bare] * 10, steps) == []


FRAMES = 10_000


@pytest.mark.slow
def test_random_and_mutated_frames_raise_nothing_and_are_never_misread():
    table = VirtualTable((640, 360))
    table.lay("card")
    finder = CardFinder(learn_card(table.card_frames(), lambda image: image))
    frame = table.draw()
    labels = [dial.sectors[_sector(dial, angle)] for dial, angle in zip(DIALS, table.card.lie.angles_deg, strict=True)]
    assert [dial.label for dial in finder.read(frame).dials] == labels
    rng = np.random.default_rng(1)
    read = 0
    for number in range(FRAMES):
        reading = finder.read(_spoil(frame, number, rng))
        if reading is not None and reading.status is Status.READ:
            read += 1
            assert number % 5 == 4, number  # only a piece of the picture is missing
            assert [dial.label for dial in reading.dials] == labels, number
    assert read > 0


def _sector(dial, angle):
    return int((angle - dial.start_deg) % 360 // (360 / len(dial.sectors)))


def _spoil(frame, number, rng):
    """Noise, or a picture of the card that no camera takes: inverted, cut in stripes, shuffled, a piece pasted over."""
    height, width = frame.shape[:2]
    kind = number % 5
    if kind == 0:
        return rng.integers(0, 256, frame.shape, dtype=np.uint8)
    if kind == 1:
        coarse = rng.integers(0, 256, (rng.integers(2, 60), rng.integers(2, 60), 3), dtype=np.uint8)
        return cv2.resize(coarse, (width, height), interpolation=cv2.INTER_NEAREST)
    if kind == 2:
        return np.roll(255 - frame, rng.integers(0, 40), axis=rng.integers(0, 2))
    if kind == 3:
        rows = np.arange(height) // rng.integers(3, 9) % 2 == 0
        return np.where(rows[:, None, None], frame, np.roll(frame, rng.integers(8, 40), axis=1))
    spoilt = frame.copy()
    left, top = rng.integers(0, width - 40), rng.integers(0, height - 40)
    part = spoilt[top : top + rng.integers(10, 200), left : left + rng.integers(10, 200)]
    part[:] = rng.integers(0, 256, 3)
    return spoilt
