import pytest

from companion.inputs import DialReading, SpinnerReading, Status
from vision.spins import REST_FRAMES, WAIT_FRAMES, follow_spins, forget_spins

NAMES = ("number", "letter")
TURNING = "turning"


def _reading(*seen):
    """One frame: an angle, TURNING or None (covered) for each dial."""
    dials = tuple(
        DialReading(name, angle, 0, "x") for name, angle in zip(NAMES, seen, strict=True) if isinstance(angle, float)
    )
    turning = tuple(name for name, angle in zip(NAMES, seen, strict=True) if angle == TURNING)
    status = Status.READ if len(dials) == len(NAMES) else Status.UNSURE
    return SpinnerReading(status, dials, None if status is Status.READ else "unsure", turning)


def _play(*frames, memory=None):
    memory, events = memory or forget_spins(NAMES), []
    for number, frame in enumerate(frames):
        memory, ended = follow_spins(memory, NAMES, None if frame is None else _reading(*frame))
        if ended:
            events.append((number, ended.unspun, tuple(dial.angle_deg for dial in ended.dials)))
    return memory, events


SPIN = [(TURNING, TURNING)] * 4


def test_spin_counts_once_after_five_frames_of_rest():
    _, events = _play(*SPIN, *[(30.0, 200.0)] * 12)
    assert events == [(len(SPIN) + REST_FRAMES - 1, (), (30.0, 200.0))]


def test_nothing_counts_before_a_spin():
    assert _play(*[(30.0, 200.0)] * 20)[1] == []


def test_creep_of_more_than_half_a_degree_is_no_rest():
    creeping = [(30.0 + 0.2 * frame, 200.0) for frame in range(20)]
    _, events = _play(*SPIN, *creeping)
    assert events == []


def test_rest_across_the_top_is_a_rest():
    _, events = _play(*SPIN, (359.9, 10.0), (0.1, 10.0), (359.9, 10.0), (0.2, 10.0), (0.0, 10.0))
    assert [unspun for _, unspun, _ in events] == [()]


def test_fast_sharp_frames_are_a_spin_too():
    turning = [(20.0 * frame % 360, 15.0 * frame % 360) for frame in range(6)]
    _, events = _play(*turning, *[(105.0, 80.0)] * 6)
    assert [unspun for _, unspun, _ in events] == [()]


def test_slow_push_is_no_spin():
    pushed = [(30.0 + 3 * frame, 200.0 + 3 * frame) for frame in range(15)]
    assert _play(*pushed, *[(75.0, 245.0)] * 10)[1] == []


def test_arrow_moved_under_a_hand_is_no_spin():
    _, events = _play(*[(30.0, 200.0)] * 6, *[(None, None)] * 8, *[(120.0, 300.0)] * 10)
    assert events == []


def test_arrow_stopped_by_a_hand_must_be_spun_again():
    _, events = _play(*SPIN, *[(None, TURNING)] * 3, *[(120.0, 300.0)] * WAIT_FRAMES)
    assert [unspun for _, unspun, _ in events] == [("number",)]


def test_one_arrow_alone_asks_to_spin_both_again():
    memory, _ = _play(*SPIN, *[(30.0, 200.0)] * 6)
    _, events = _play(*[(TURNING, 200.0)] * 5, *[(90.0, 200.0)] * 2 * WAIT_FRAMES, memory=memory)
    assert [(unspun, angles) for _, unspun, angles in events] == [(("letter",), (90.0, 200.0))]


@pytest.mark.parametrize("pause", [REST_FRAMES, 3 * WAIT_FRAMES])
def test_arrow_spun_alone_counts_once_the_other_is_spun_too(pause):
    memory, _ = _play(*[(TURNING, 200.0)] * 5, *[(90.0, 200.0)] * pause)
    _, events = _play(*[(90.0, TURNING)] * 5, *[(90.0, 10.0)] * REST_FRAMES, memory=memory)
    assert [(unspun, angles) for _, unspun, angles in events] == [((), (90.0, 10.0))]


def test_arrow_at_rest_may_be_covered_while_the_other_is_spun():
    memory, _ = _play(*[(TURNING, 200.0)] * 5, *[(90.0, 200.0)] * REST_FRAMES)
    _, events = _play(*[(None, TURNING)] * 5, *[(90.0, TURNING)] * 3, *[(90.2, 10.0)] * 6, memory=memory)
    assert [unspun for _, unspun, _ in events] == [()]


def test_arrow_at_rest_that_was_pushed_under_a_hand_must_be_spun_again():
    memory, _ = _play(*[(TURNING, 200.0)] * 5, *[(90.0, 200.0)] * REST_FRAMES)
    _, events = _play(*[(None, TURNING)] * 5, *[(93.0, 10.0)] * WAIT_FRAMES, memory=memory)
    assert [unspun for _, unspun, _ in events] == [("number",)]


def test_arrows_may_stop_one_after_the_other():
    _, events = _play(*SPIN, *[(30.0, TURNING)] * 30, *[(30.0, 200.0)] * 8)
    assert [unspun for _, unspun, _ in events] == [()]


def test_next_spin_counts_again():
    memory, _ = _play(*SPIN, *[(30.0, 200.0)] * 6)
    _, events = _play(*SPIN, *[(150.0, 10.0)] * 6, memory=memory)
    assert [(unspun, angles) for _, unspun, angles in events] == [((), (150.0, 10.0))]


def test_lost_card_forgets_the_spin_and_asks_for_another():
    _, events = _play(*SPIN, None, *[(30.0, 200.0)] * WAIT_FRAMES)
    assert [unspun for _, unspun, _ in events] == [NAMES]


def test_shiver_of_a_resting_arrow_is_no_second_reading():
    memory, _ = _play(*SPIN, *[(30.0, 200.0)] * 6)
    shiver = [(30.0 + (frame % 2) * 0.8, 200.0) for frame in range(20)]
    assert _play(*shiver, *[(30.0, 200.0)] * 10, memory=memory)[1] == []
