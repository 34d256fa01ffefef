from itertools import pairwise

import numpy as np
import pytest

from companion.errors import BadInput
from hardware.virtual.card import MOST_ASKED
from hardware.virtual.dials import DIALS, flicked


@pytest.fixture
def table(make_table):
    table = make_table()
    table.lay("card")
    return table


def watch(table):
    """Draw until nothing happens any more; gives how the arrows pointed in each frame, None without a card."""
    angles = []
    while True:
        scene = table.card.advance(table._frame, [table._frame])[0]
        angles.append(scene.card.angles_deg if scene.card else None)
        table.draw()
        if not table.card.is_busy:
            return angles


def turned(one, other):
    return (other - one + 180) % 360 - 180


def until_quiet(table):
    frame = table.draw()
    while table.card.is_busy:
        frame = table.draw()
    return table.draw() if frame is None else frame


def changed(one, other):
    return (np.abs(one.astype(int) - other.astype(int)).max(axis=-1) > 12).mean()


def test_the_table_shows_what_was_laid_on_it(make_table):
    table = make_table()
    die = table.draw()
    table.lay("card")
    card = table.draw()
    table.lay("die")
    assert changed(die, card) > 0.05
    assert changed(die, table.draw()) == 0


def test_only_die_and_card_can_be_laid(table):
    with pytest.raises(BadInput, match="'cup', but expected die or card"):
        table.lay("cup")


def test_arrows_stop_where_asked(table):
    table.card.spin([10.0, 200.0])
    watch(table)
    assert table.card.lie.angles_deg == (10.0, 200.0)


def test_arrows_stop_anywhere_by_chance(table):
    stops = []
    for _ in range(3):
        table.card.spin()
        watch(table)
        stops += table.card.lie.angles_deg
    assert len(set(stops)) == len(stops)


def test_an_arrow_slows_down_evenly_and_stays(table):
    table.card.spin_one("number", 90.0)
    angles = [angle[0] for angle in watch(table)]
    steps = np.abs([turned(one, other) for one, other in pairwise(angles)])
    fastest = int(steps.argmax())
    assert steps[fastest] > 25
    assert (np.diff(steps[fastest:]) < 0.01).all()
    assert steps[-1] == 0
    assert len(set(table.card.lie.angles_deg)) == 2


@pytest.mark.parametrize("speed", [700.0, -700.0])
def test_a_flick_turns_the_way_it_was_flicked(speed):
    angle = flicked(30.0, 200.0, speed, 3.0)
    assert angle(0.0) == pytest.approx(30.0)
    assert angle(3.0) == pytest.approx(200.0)
    assert np.sign(turned(angle(0.5), angle(0.52))) == np.sign(speed)


def test_the_other_arrow_stands_while_one_is_spun(table):
    before = table.card.lie.angles_deg[1]
    table.card.spin_one("number")
    assert {angles[1] for angles in watch(table)} == {before}


@pytest.mark.parametrize("dial", range(len(DIALS)), ids=[dial.name for dial in DIALS])
def test_a_touch_is_slow_and_under_a_hand(table, dial):
    before = table.card.lie.angles_deg
    table.card.touch(DIALS[dial].name)
    angles = [angle[dial] for angle in watch(table)]
    assert abs(turned(before[dial], table.card.lie.angles_deg[dial])) >= 40
    assert max(abs(turned(one, other)) for one, other in pairwise(angles)) < 20


def test_a_moved_card_takes_its_arrows_along(table):
    before, first = table.card.lie, table.draw()
    table.card.move()
    last = until_quiet(table)
    after = table.card.lie
    assert after.angles_deg == before.angles_deg
    assert abs(after.turn_deg - before.turn_deg) > 3
    assert changed(first, last) > 0.03


def test_a_card_that_was_taken_away_can_be_laid_back(table):
    table.card.take_away()
    watch(table)
    assert table.card.lie is None
    assert table.card.spin()  # there is nothing to spin, and nothing happens
    watch(table)
    table.card.bring()
    watch(table)
    assert table.card.lie is not None


def test_a_hand_stays_over_the_dials_until_it_is_taken_away(table):
    bare = table.draw()
    table.card.cover()
    covered = until_quiet(table)
    assert changed(bare, covered) > 0.05
    table.card.uncover()
    until_quiet(table)
    assert changed(bare, table.draw()) < 0.001


def test_an_arrow_casts_its_shadow_to_the_right_of_the_light(table):
    """The light comes from the left, so what lies right of an arrow that points up gets darker."""
    camera, card = table._camera, table.card
    card.spin([0.0, 90.0])
    with_up = until_quiet(table).astype(int)
    card.spin([90.0, 90.0])
    without = until_quiet(table).astype(int)
    x, y = card.lie.pivot(0)
    beside = camera.project(np.array([(x + 2.6, y + 18.5, 1.6)], np.float32))[0].round().astype(int)
    assert with_up[beside[1], beside[0]].sum() < without[beside[1], beside[0]].sum() - 20


def test_the_same_seed_gives_the_same_spin(make_table):
    tables = [make_table(noise_sd=2.0) for _ in range(2)]
    for table in tables:
        table.lay("card")
        table.card.spin()
    for _ in range(25):
        np.testing.assert_array_equal(tables[0].draw(), tables[1].draw())


@pytest.mark.parametrize("to", [[1.0], ["a", 2.0], "ab", [float("nan"), 1.0], [True, 1.0], 5, {}])
def test_angles_that_are_none_are_refused(table, to):
    with pytest.raises(BadInput, match="expected 2 angles in degrees"):
        table.card.spin(to)


def test_a_dial_that_is_not_there_is_refused(table):
    with pytest.raises(BadInput, match="'colour', but expected one of number, letter"):
        table.card.touch("colour")


def test_too_much_asked_for_ahead_is_refused(table):
    assert [table.card.spin() for _ in range(MOST_ASKED + 1)] == [True] * MOST_ASKED + [False]


def test_what_is_shown_names_the_card_and_its_arrows(table):
    frames = table.card_frames()
    assert [dial["labels"][0] for dial in frames["dials"]] == ["1", "A"]
    assert len(frames["shown"]) == 3
    assert all(one["image"].shape == (360, 640, 3) and len(one["angles_deg"]) == 2 for one in frames["shown"])
    assert np.array(frames["card_px"]).shape == (4, 2)
