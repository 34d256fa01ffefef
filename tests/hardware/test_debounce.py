import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.debounce import LOCKOUT_S, QUIET_S, Debouncer, Gesture


def play(debouncer, edges, until, step=0.01):
    """Feed edges (time, down) and poll every ``step`` seconds; give the gestures with their times."""
    told, now, rest = [], 0.0, list(edges)
    while now <= until:
        while rest and rest[0][0] <= now:
            told.append((rest[0][0], debouncer.edge(*rest.pop(0))))
        told.append((now, debouncer.poll(now)))
        now += step
    return [(at, gesture) for at, gesture in told if gesture is not None]


def burst(start, count, level, gap=0.002):
    """Bounces that end at ``level``."""
    return [(start + i * gap, bool((count - 1 - i) % 2) != level) for i in range(count)]


def names(told):
    return [gesture for _, gesture in told]


def test_a_burst_of_fifty_edges_is_one_press():
    edges = burst(0.1, 50, True) + burst(0.5, 50, False)
    assert names(play(Debouncer(), edges, 2)) == [Gesture.PRESS]


def test_a_press_is_told_as_soon_as_the_switch_has_settled():
    [(at, _)] = play(Debouncer(), [(0.1, True), (0.9, False)], 2)
    assert 0.1 + QUIET_S <= at <= 0.1 + QUIET_S + 0.02


def test_a_burst_that_ends_where_it_began_is_nothing():
    assert play(Debouncer(), burst(0.1, 50, False), 1) == []


def test_a_spike_shorter_than_the_quiet_time_is_nothing():
    assert play(Debouncer(), [(0.1, True), (0.14, False)], 1) == []


def test_a_double_press_within_the_lockout_counts_once():
    edges = [(0.1, True), (0.2, False), (0.35, True), (0.45, False)]
    assert names(play(Debouncer(), edges, 2)) == [Gesture.PRESS]


def test_two_presses_further_apart_than_the_lockout_count_twice():
    edges = [(0.1, True), (0.2, False), (0.1 + LOCKOUT_S, True), (0.8, False)]
    assert names(play(Debouncer(), edges, 2)) == [Gesture.PRESS] * 2


def test_a_button_that_is_only_pressed_tells_one_press_however_long_it_is_held():
    assert names(play(Debouncer(), [(0.1, True), (5, False)], 6)) == [Gesture.PRESS]


def test_a_hold_is_told_after_its_time_and_is_not_also_a_press():
    [(at, gesture)] = play(Debouncer(hold_s=1), [(0.1, True), (3, False)], 4)
    assert gesture is Gesture.HOLD
    assert at == pytest.approx(1.1, abs=0.02)


def test_a_button_that_can_be_held_tells_a_press_when_it_is_let_go_early():
    [(at, gesture)] = play(Debouncer(hold_s=1), [(0.1, True), (0.6, False)], 3)
    assert gesture is Gesture.PRESS
    assert at >= 0.6


def test_a_hold_whose_switch_bounces_in_the_middle_starts_over_only_if_it_was_really_up():
    edges = [(0.1, True), (0.5, False), (0.52, True), (2, False)]
    [(at, gesture)] = play(Debouncer(hold_s=1), edges, 3)
    assert gesture is Gesture.HOLD
    assert at == pytest.approx(1.1, abs=0.02)


def test_a_poll_that_comes_late_tells_a_hold_rather_than_a_press():
    debouncer = Debouncer(hold_s=1)
    assert debouncer.edge(0, True) is None
    assert debouncer.poll(0.2) is None
    assert debouncer.edge(3, False) is Gesture.HOLD
    assert debouncer.poll(4) is None


def test_due_says_when_to_poll():
    debouncer = Debouncer(hold_s=1)
    assert debouncer.due_s is None
    debouncer.edge(2, True)
    assert debouncer.due_s == 2 + QUIET_S
    debouncer.poll(2.1)
    assert debouncer.due_s == 3
    assert debouncer.poll(3) is Gesture.HOLD
    assert debouncer.due_s is None


moments = st.lists(st.tuples(st.floats(0.0005, 1.5), st.booleans()), max_size=80)


@given(moments, st.sampled_from([None, 1.0]))
def test_however_a_switch_rattles_gestures_keep_their_distance_and_never_double(moments, hold_s):
    now, edges = 0.0, []
    for gap, down in moments:
        now += gap
        edges.append((now, down))
    told = play(Debouncer(hold_s), edges, now + 2)
    assert len(told) <= sum(down for _, down in edges)
    times = [at for at, _ in told]
    assert all(later - earlier > LOCKOUT_S - QUIET_S - 0.02 for earlier, later in itertools.pairwise(times))
    if hold_s is None:
        assert Gesture.HOLD not in names(told)
