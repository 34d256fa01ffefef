import json
from dataclasses import replace

import cv2
import numpy as np
import pytest
from drawn import LIES, Film, Shot, still, thrown

from companion.capture import KEPT_CAPTURES, Capture, capture_of
from companion.die import Move, moved
from companion.inputs import Status
from vision.rest import STILL_FRAMES, Memory, watch, watching
from vision.seen import State

BARE = Shot()
DIE = Shot(at=(320.0, 200.0))
THROW = [*still(BARE, 6), *thrown(DIE)]
"""Shots 0 to 13; the die lies still from shot 14 on."""
STILL_FROM = len(THROW)


def told(film, shots):
    """What is told of these shots: pairs of a shot's number and a `Seen`."""
    return watched((film.draw(shot) for shot in shots), film.look)


def watched(frames, look):
    events = []
    step = watching(look, lambda seen: events.append((number, seen)))
    for number, frame in enumerate(frames):  # noqa: B007 - told by the callback
        step(capture_of(frame))
    return events


def readings(events, status=Status.READ):
    return [(i, seen) for i, seen in events if seen.reading is not None and seen.reading.status is status]


def states(events):
    return [seen.state for _, seen in events]


@pytest.mark.parametrize("noise", [0.5, 2.0, 4.0, 8.0])
def test_a_rest_is_told_once_after_five_still_frames(noise):
    events = readings(told(Film(noise), THROW + still(DIE, 30)))
    assert [i for i, _ in events] == [STILL_FROM + 4]
    assert events[0][1].reading.top == LIES[0].top


def test_states_lead_from_empty_to_read():
    assert states(told(Film(), THROW + still(DIE, 8)))[-3:] == [State.ROLLING, State.SETTLING, State.READ]
    assert states(told(Film(), THROW))[0] is State.EMPTY


@pytest.mark.parametrize("noise", [0.5, 2.0, 4.0, 8.0])
@pytest.mark.parametrize("step_px", [0.2, 0.4])
def test_a_die_that_creeps_is_not_at_rest_until_it_stops(noise, step_px):
    creep = [replace(DIE, at=(320.0 + step_px * i, 200.0)) for i in range(15)]
    events = readings(told(Film(noise), THROW + creep + still(creep[-1], 12)))
    assert len(events) == 1
    # The last step or two lie within what still counts as standing; the five frames end no sooner than the creeping.
    assert STILL_FROM + 14 <= events[0][0] <= STILL_FROM + 14 + 7


@pytest.mark.parametrize("bands", [0.0, 0.01])
@pytest.mark.parametrize("noise", [0.5, 2.0, 8.0])
def test_flicker_is_no_movement(noise, bands):
    film = Film(noise)
    flicker = film.rng.uniform(0.98, 1.02, STILL_FROM + 40)
    shots = [replace(s, light=float(v), bands=bands) for s, v in zip(THROW + still(DIE, 40), flicker, strict=True)]
    events = told(film, shots)
    assert [i for i, _ in readings(events)] == [STILL_FROM + 4]
    assert [seen for i, seen in events if i > STILL_FROM + 4] == []


@pytest.mark.parametrize("light", [0.6, 1.4])
def test_a_lamp_switched_is_not_told(light):
    events = told(Film(), THROW + still(DIE, 8) + still(replace(DIE, light=light), 20))
    assert [i for i, _ in events if i >= STILL_FROM + 4] == [STILL_FROM + 4]


def test_a_lamp_that_makes_the_colours_look_otherwise_changes_no_reading():
    events = told(Film(), THROW + still(DIE, 8) + still(replace(DIE, light=0.6, lie=7), 20))
    assert len(readings(events)) == 1


def test_exposure_that_drifts_is_not_told():
    drift = [replace(DIE, light=1.0 + 0.01 * i) for i in range(30)]
    events = told(Film(), THROW + drift)
    assert [i for i, _ in readings(events)] == [STILL_FROM + 4]


def test_a_hand_that_passes_beside_the_die_is_ignored():
    passing = [replace(DIE, hand=(60.0 + 8 * i, 150.0)) for i in range(20)]
    events = told(Film(), THROW + still(DIE, 8) + passing + still(DIE, 10))
    assert [i for i, _ in events if i >= STILL_FROM + 4] == [STILL_FROM + 4]


def test_a_hand_over_the_die_means_wait():
    covering = still(replace(DIE, hand=(320.0, 190.0)), 20)
    events = readings(told(Film(), [*THROW, *covering, *still(DIE, 10)]))
    assert [i for i, _ in events] == [STILL_FROM + 20 + 4]


def test_a_hand_that_covers_the_die_and_leaves_it_as_it_was_is_told_as_no_reading():
    covering = [replace(DIE, hand=(500.0 - 20 * i, 190.0)) for i in range(20)]
    events = told(Film(), THROW + still(DIE, 8) + covering + still(DIE, 10))
    assert len(readings(events)) == 1
    assert states(events)[-2:] == [State.HAND, State.READ]


def test_a_nudge_gives_a_second_reading_and_no_move():
    nudged = replace(DIE, at=(325.0, 201.0), yaw_deg=17.0)
    hand = [replace(DIE, hand=(420.0 - 20 * i, 200.0)) for i in range(3)]
    events = readings(told(Film(), THROW + still(DIE, 8) + hand + still(nudged, 12)))
    assert [i for i, _ in events] == [STILL_FROM + 4, STILL_FROM + 11 + 4]
    assert events[1][1].move is None


@pytest.mark.parametrize("move", list(Move))
@pytest.mark.parametrize(("yaw_deg", "lands_deg"), [(10.0, 14.0), (43.0, 47.0), (-43.0, -48.0)])
def test_a_paid_turn_by_a_hand_is_named(move, yaw_deg, lands_deg):
    after = LIES.index(moved(LIES[0], move, "S"))
    if lands_deg > 45:  # straightened by the smaller angle it counts as the next quarter
        after, lands_deg = LIES.index(moved(LIES[after], Move.CW, "S")), lands_deg - 90
    elif lands_deg < -45:
        after, lands_deg = LIES.index(moved(LIES[after], Move.ACW, "S")), lands_deg + 90
    before = replace(DIE, yaw_deg=yaw_deg)
    turned = Shot(at=(326.0, 197.0), yaw_deg=lands_deg, lie=after)
    hand = [replace(before, hand=(320.0, 40.0 * i)) for i in range(6)]
    leaves = [replace(turned, hand=(320.0, 200.0 - 60.0 * i)) for i in range(4)]
    events = readings(told(Film(), THROW + still(before, 8) + hand + leaves + still(turned, 8)))
    assert [seen.move for _, seen in events] == [None, move]


def test_a_new_throw_is_no_paid_turn():
    far = Shot(at=(200.0, 260.0), lie=LIES.index(moved(LIES[0], Move.CW, "S")))
    events = readings(told(Film(), THROW + still(DIE, 8) + thrown(far) + still(far, 8)))
    assert [seen.move for _, seen in events] == [None, None]


def test_a_cocked_die_is_told_as_unsure_with_the_reason_once():
    events = told(Film(), THROW + still(replace(DIE, cocked=True), 40))
    assert readings(events) == []
    assert [seen.reading.reason for _, seen in readings(events, Status.UNSURE)] == ["cocked"]


def test_a_hand_that_leaves_a_cocked_die_as_it_was_does_not_have_it_told_again():
    leans = replace(DIE, cocked=True)
    covering = [replace(leans, hand=(500.0 - 20 * i, 190.0)) for i in range(20)]
    events = told(Film(), THROW + still(leans, 12) + covering + still(leans, 12))
    assert len(readings(events, Status.UNSURE)) == 1
    assert states(events)[-1] is State.UNSURE


def test_readings_that_do_not_agree_are_told_as_unsure():
    film, rng = Film(), np.random.default_rng(3)

    def look(frame, near):
        found = film.look(frame, near)
        return found and replace(found, lie=LIES[rng.integers(24)])

    events = watched((film.draw(shot) for shot in THROW + still(DIE, 12)), look)
    assert readings(events) == []
    assert [seen.reading.reason for _, seen in readings(events, Status.UNSURE)] == ["its colours don't hold still"]


@pytest.mark.parametrize("readable", [True, False])
def test_a_thing_taken_for_the_die_does_not_hide_the_die_that_is_thrown(readable):
    film, thing = Film(), Shot(at=(120.0, 100.0), cocked=not readable)

    def look(frame, near):
        found = film.look(frame, near)
        return found if found and found.lie else thing_found

    thing_found = film.look(film.draw(thing), None)
    events = readings(watched((film.draw(shot) for shot in THROW + still(DIE, 12)), look))
    assert [i for i, seen in events if seen.reading.top == LIES[0].top and i > 6] == [STILL_FROM + 4]


def test_a_die_taken_away_leaves_the_table_empty():
    away = [replace(DIE, at=(320.0 + 40 * i, 200.0 - 20 * i), cocked=True) for i in range(7)]
    events = told(Film(), THROW + still(DIE, 8) + away + still(BARE, 12))
    assert states(events)[-1] is State.EMPTY


def test_a_camera_that_fails_is_told_and_the_die_it_finds_again_is_not_read_twice():
    film, memory, seen = Film(), Memory(), []
    for shot in [*still(DIE, 8), None, None, *still(DIE, 8)]:
        memory, new = watch(memory, None if shot is None else capture_of(film.draw(shot)), film.look)
        seen += new
    assert [one.state for one in seen] == [State.READ, State.LOST, State.READ]
    assert sum(one.reading is not None for one in seen) == 1


def test_a_die_turned_while_the_camera_was_away_is_read_anew():
    film, memory, seen = Film(), Memory(), []
    for shot in [*still(DIE, 8), None, *still(replace(DIE, lie=9), 12)]:
        memory, new = watch(memory, None if shot is None else capture_of(film.draw(shot)), film.look)
        seen += new
    assert sum(one.reading is not None for one in seen) == 2


def test_the_die_is_not_looked_for_while_nothing_moves():
    film = Film()
    told(film, still(DIE, 40))
    assert max(film.looks) <= 8


def test_an_empty_table_is_told_again_when_the_camera_is_back():
    film, memory, seen = Film(), Memory(), []
    for shot in [*still(BARE, 12), None, *still(BARE, 12)]:
        memory, new = watch(memory, None if shot is None else capture_of(film.draw(shot)), film.look)
        seen += new
    assert [one.state for one in seen] == [State.EMPTY, State.LOST, State.EMPTY]


class Counting:
    """Takes captures as a camera would, and counts what of their colours is fetched; old ones are let go."""

    def __init__(self, film):
        self.film, self.wholes, self.pieces, self.taken = film, 0, 0, 0

    def take(self, shot):
        capture = capture_of(self.film.draw(shot))
        number = self.taken = self.taken + 1

        def fetch(box):
            assert number > self.taken - KEPT_CAPTURES, "a camera keeps only so many"
            self.wholes += box is None
            self.pieces += box is not None
            return capture.fetch(box)

        return Capture(capture.grey, capture.size_wh, fetch)


def counted(shots, settled):
    """Watch the settled shots, then the others: how many whole pictures and pieces these took."""
    camera = Counting(Film())
    step = watching(camera.film.look, lambda seen: None)
    for shot in settled:
        step(camera.take(shot))
    camera.wholes = camera.pieces = 0
    for shot in shots:
        step(camera.take(shot))
    return camera.wholes, camera.pieces


def test_an_empty_table_is_watched_in_grey_alone():
    assert counted(still(BARE, 50), still(BARE, 12)) == (0, 0)


def test_of_a_die_that_lies_still_only_its_own_region_is_fetched():
    assert counted(still(DIE, 50), still(DIE, 12)) == (0, 50)


def test_a_rolling_die_is_fetched_whole_a_few_times_and_then_no_more():
    assert counted(THROW[6 : 6 + STILL_FRAMES - 1], still(BARE, 12))[0] == 0
    wholes, _ = counted([*THROW[6:], *still(DIE, 10)], still(BARE, 12))
    assert 2 <= wholes < 10
    assert counted([*THROW[6:], *still(DIE, 50)], still(BARE, 12))[0] == wholes


def test_no_colours_are_asked_for_that_a_camera_has_let_go():
    away = [replace(DIE, at=(320.0 + 40 * i, 200.0 - 20 * i), cocked=True) for i in range(7)]
    hands = [replace(DIE, hand=(60.0 + 40 * i, 190.0)) for i in range(8)]
    counted([*THROW, *still(DIE, 9), *hands, *still(DIE, 9), *away, *still(BARE, 9), *THROW, *still(DIE, 9)], [])
    assert STILL_FRAMES <= KEPT_CAPTURES


def test_a_watch_goes_on_past_the_range_of_its_frame_numbers():
    film, memory, seen = Film(), Memory(), []
    bare = film.draw(BARE)
    memory, _ = watch(memory, capture_of(bare), film.look)
    memory = replace(memory, motion=replace(memory.motion, frame=2**14 - 10))
    for shot in THROW + still(DIE, 10):
        memory, new = watch(memory, capture_of(film.draw(shot)), film.look)
        seen += new
    assert [one.reading.top for one in seen if one.reading is not None] == [LIES[0].top]


def test_what_is_told_is_plain_python():
    film = Film()
    film.rng = np.random.default_rng(2)
    for _, seen in told(film, THROW + still(DIE, 8)):
        json.dumps([seen.state, seen.move, seen.reading and dict(seen.reading.sides), type(seen).__name__])


def test_the_same_frames_tell_the_same():
    film = Film(2.0, seed=4)
    frames = [film.draw(shot) for shot in THROW + still(DIE, 8)]
    assert watched(frames, film.look) == watched(frames, film.look)


def test_frames_of_pure_noise_raise_nothing_and_read_nothing():
    rng = np.random.default_rng(0)
    frames = [cv2.resize(rng.integers(0, 256, (36, 64, 3), np.uint8), (640, 360)) for _ in range(30)]
    assert readings(watched(frames, lambda frame, near: None)) == []
