import threading
import time

import cv2
import numpy as np
import pytest

from companion.die import COLOUR_NAMES, Colour, Flip, Lie, Move, all_lies, find_lie, moved, word
from companion.errors import BadInput
from hardware.camera import CameraError, Pace
from hardware.virtual.motion import Rest, Scene, pose_of
from hardware.virtual.sensor import FADE_FRAMES
from hardware.virtual.showing import SHOWN
from hardware.virtual.table import MOST_ASKED, TableCamera
from hardware.watcher import Watcher


def difference(first, second):
    return np.abs(first.astype(int) - second.astype(int))


def die_box(table, margin=30):
    """The part of the picture round the die."""
    rest = table.rest
    x, y = table._camera.project(np.array([[rest.x_mm, rest.y_mm, 10]], np.float32))[0]
    return np.s_[int(y) - margin : int(y) + margin, int(x) - margin : int(x) + margin]


def test_its_camera_is_a_camera(table):
    camera = table.camera()
    frame = camera.read()
    assert frame.shape == (360, 640, 3)
    assert frame.dtype == np.uint8
    assert camera.size_wh == (640, 360)
    assert "640 x 360" in camera.describe()


def test_a_closed_camera_gives_no_more_pictures_but_another_does(table):
    camera = table.camera()
    camera.close()
    with pytest.raises(CameraError, match="closed"):
        camera.read()
    assert table.camera().read().any()


def test_a_camera_gives_pictures_no_faster_than_it_should(table):
    camera = table.camera()
    begun = time.monotonic()
    for _ in range(3):
        camera.read()
    assert time.monotonic() - begun >= 3 / 15 - 0.01


def test_the_table_does_not_wait_for_a_slow_reader(make_table, clock):
    slow, steady = make_table(noise_sd=2.0), make_table(noise_sd=2.0)
    camera = TableCamera(slow, Pace(15, clock, clock.sleep))
    slow.roll()
    steady.roll()
    camera.read()
    clock.sleep(10.5 / 15)
    late = camera.read()
    frames = [steady.draw() for _ in range(11)]
    np.testing.assert_array_equal(late, frames[-1])


@pytest.mark.parametrize(
    ("lie", "yaw_deg"),
    [
        pytest.param(all_lies()[0], -41.0, id="first lie"),
        pytest.param(all_lies()[10], 12.0, id="eleventh lie"),
        pytest.param(all_lies()[23], 42.0, id="last lie"),
    ],
)
def test_a_roll_comes_to_rest_as_asked_and_is_seen_so(make_table, settle, seen_colours, lie, yaw_deg):
    table = make_table(bare=True)
    table.roll(lie, yaw_deg)
    frame = settle(table)
    assert (table.rest.lie, table.rest.yaw_deg) == (lie, yaw_deg)
    assert_seen(seen_colours(table, frame, table.rest), lie)


@pytest.mark.parametrize("lie", all_lies(), ids=lambda lie: f"{lie.top}{lie.south}")
def test_every_way_of_lying_is_drawn_as_it_is(table, seen_colours, lie):
    for yaw_deg in (-40.0, -11.0, 25.0):
        rest = Rest(lie, yaw_deg, 14.0, -9.0)
        assert_seen(seen_colours(table, table.posed(rest, 0), rest), lie)


def assert_seen(seen, lie):
    assert len(seen) >= 2
    for face, colour in seen.items():
        assert colour == word(lie.top if face == "top" else lie.towards(face))


def test_chance_rolls_every_top(make_table):
    table = make_table()
    tops = {table._by_chance(None, None).lie.top for _ in range(100)}
    assert len(tops) == 6


def test_a_roll_takes_about_a_second_and_a_half(table):
    table.roll()
    frames = 0
    table.draw()
    while table.is_busy:
        table.draw()
        frames += 1
    assert 1.3 <= frames / 15 <= 1.8


def test_no_wood_shows_through_a_moving_die(make_table):
    moments = [Scene(pose_of(Rest(all_lies()[3], 10.0, x_mm, 0.0))) for x_mm in (-4.5, -1.5, 1.5, 4.5)]
    tables = make_table(seed=1), make_table(seed=2)  # other boards
    first, second = (table._stage.picture(moments) for table in tables)
    x, y = (round(float(v)) for v in tables[0]._camera.project(np.array([[0, 0, 25]], np.float32))[0])
    assert difference(first, second)[y - 4 : y + 5, x - 4 : x + 5].max() <= 1
    assert difference(first, second).max() > 20


def test_the_same_seed_and_verbs_give_the_same_pictures(make_table):
    first, second = (make_table(noise_sd=2.0) for _ in range(2))
    for number in range(40):
        if number == 3:
            assert first.roll()
            assert second.roll()
        np.testing.assert_array_equal(first.draw(), second.draw())


def test_a_die_at_rest_is_perfectly_still(make_table, settle):
    table = make_table()
    table.roll()
    last = settle(table)
    for _ in range(5):
        np.testing.assert_array_equal(table.draw(), last)


@pytest.mark.parametrize("noise_sd", [0.5, 2.0, 4.0, 8.0])
def test_noise_has_the_deviation_that_was_asked_for(make_table, noise_sd):
    table = make_table(noise_sd=noise_sd)
    between = table.draw().astype(int) - table.draw()
    assert between.std() / np.sqrt(2) == pytest.approx(noise_sd, rel=0.12)
    assert abs(between.mean()) < 0.05


def test_flicker_swings_the_light_by_its_share(make_table):
    table = make_table(flicker=0.02)
    levels = np.array([table.draw().mean() for _ in range(30)])
    swing = (levels.max() - levels.min()) / levels.mean()
    assert 0.01 < swing < 0.025  # 4 % of the light from end to end is half of that in grey levels
    table.flicker(0)
    np.testing.assert_array_equal(table.draw(), table.draw())


@pytest.mark.parametrize("seat", ["S", "E"])
@pytest.mark.parametrize("move", list(Move))
def test_a_paid_move_turns_the_die_as_the_rules_say(make_table, settle, seen_colours, move, seat):
    table = make_table()
    before = table.rest
    table.turn(move, seat, Flip.B1)
    frame = settle(table)
    assert table.rest.lie == moved(before.lie, move, seat, Flip.B1)
    assert table.rest.yaw_deg == before.yaw_deg
    assert seen_colours(table, frame, table.rest)["top"] == word(table.rest.lie.top)


@pytest.mark.parametrize("seed", range(4))
def test_a_knock_turns_and_shifts_the_die_and_keeps_its_top(make_table, settle, seen_colours, seed):
    table = make_table(seed=1)
    table._chance.seed(seed)
    before = table.rest
    table.knock()
    frame = settle(table)
    after = table.rest
    assert after.lie.top == before.lie.top
    assert -45 <= after.yaw_deg < 45
    assert (after.lie, after.yaw_deg) != (before.lie, before.yaw_deg)
    assert 3 < np.hypot(after.x_mm - before.x_mm, after.y_mm - before.y_mm) < 12
    assert seen_colours(table, frame, after)["top"] == word(after.lie.top)


def test_a_hand_covers_the_die_and_stays_until_it_goes(table, settle):
    before = settle(table)
    table.cover()
    settle(table)
    for _ in range(10):
        covered = table.draw()
        assert (difference(covered, before)[die_box(table, 12)].max(-1) > 25).mean() > 0.8
    table.uncover()
    np.testing.assert_array_equal(settle(table), before)


@pytest.mark.parametrize("seat", ["S", "W", "N", "E"])
def test_a_hand_comes_from_its_own_side(table, settle, seat):
    before = settle(table)
    table.cover(seat=seat)
    changed = difference(settle(table), before).max(-1) > 40
    edges = {"S": changed[-1], "W": changed[:, 0], "N": changed[0], "E": changed[:, -1]}
    assert max(edges, key=lambda side: edges[side].sum()) == seat


def test_a_hand_that_passes_by_leaves_the_die_alone(table, settle):
    before = settle(table)
    box = die_box(table, 14)
    table.pass_by()
    most, frame = 0.0, table.draw()
    while table.is_busy:
        frame = table.draw()
        most = max(most, float((difference(frame, before).max(-1) > 40).mean()))
        assert difference(frame, before)[box].mean() < 25  # at most its shadow
    assert most > 0.05
    np.testing.assert_array_equal(frame, before)


def test_something_else_asked_for_lifts_the_hand_first(table, settle):
    table.cover()
    settle(table)
    table.roll()
    settle(table)
    assert table._covered_by is None


def test_a_cocked_die_leans_until_it_is_rolled_again(table, settle):
    flat = settle(table)
    table.cock()
    assert difference(settle(table), flat)[die_box(table)].max() > 60
    assert table.rest.cocked
    table.roll()
    settle(table)
    assert not table.rest.cocked


def test_a_removed_die_leaves_the_bare_table_and_a_roll_brings_it_back(make_table, settle):
    table, bare = make_table(), make_table(bare=True)
    table.remove()
    np.testing.assert_array_equal(settle(table), bare.draw())
    assert table.rest is None
    table.roll()
    settle(table)
    assert table.rest is not None


@pytest.mark.parametrize("verb", ["knock", "cock", "remove", "creep", "cover", "pass_by"])
def test_verbs_without_a_die_do_no_harm(make_table, settle, verb):
    table = make_table(bare=True)
    assert getattr(table, verb)()
    settle(table)
    assert table.rest is None


def test_the_lamp_fades_out_and_comes_back(table, settle):
    bright = settle(table)
    table.light(False)
    levels = [table.draw().mean() for _ in range(FADE_FRAMES + 2)]
    assert levels == sorted(levels, reverse=True)
    assert levels[-1] == levels[-2] < 0.7 * bright.mean()
    table.light(True)
    for _ in range(FADE_FRAMES):
        frame = table.draw()
    np.testing.assert_array_equal(frame, bright)


def test_a_creeping_die_moves_by_a_fifth_of_a_pixel_a_frame(make_table):
    table = make_table()
    bare = make_table(bare=True).draw()

    first = table.draw()
    table.creep(0.2, frames=20)
    box = die_box(table)

    def place(frame):
        share = difference(frame, bare)[box].sum(-1).astype(float)
        return (
            np.array(
                [(share.sum(0) * np.arange(share.shape[1])).sum(), (share.sum(1) * np.arange(share.shape[0])).sum()]
            )
            / share.sum()
        )

    begin = place(first)
    for _ in range(20):
        frame = table.draw()
    moved_px = np.linalg.norm(place(frame) - begin)
    assert moved_px == pytest.approx(19 * 0.2, rel=0.25)


def test_too_many_wishes_are_refused(table):
    assert all(table.roll() for _ in range(MOST_ASKED))
    assert not table.roll()


def test_verbs_may_come_from_other_threads(table, settle):
    threads = [threading.Thread(target=verb) for verb in (table.knock, table.cock, table.cover, table.uncover)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    settle(table)
    assert not table.is_busy


@pytest.mark.parametrize(
    ("verb", "message"),
    [
        pytest.param(lambda table: table.roll(seat="Q"), "seat 'Q'", id="seat"),
        pytest.param(lambda table: table.roll(yaw_deg=90), "90 degrees", id="yaw"),
        pytest.param(lambda table: table.roll(Lie("Y", "V", "R", "B", "K", "G")), "can't lie so", id="lie"),
    ],
)
def test_what_cannot_be_done_is_refused_at_once(table, verb, message):
    with pytest.raises(BadInput, match=message):
        verb(table)
    assert not table.is_busy


def test_the_setup_pictures_show_what_they_say(make_table, seen_colours):
    table = make_table(noise_sd=2.0)
    frames = table.setup_frames()
    assert frames["empty"].shape == (360, 640, 3)
    colours = set()
    for shown, rest in zip(frames["shown"], SHOWN, strict=True):
        seen = seen_colours(table, shown["image"], rest)
        assert len(seen) == 3
        for face, colour in seen.items():
            assert colour == (shown["top"] if face == "top" else shown["sides"][face])
        lie = find_lie(COLOUR_NAMES[shown["top"]], COLOUR_NAMES[shown["sides"]["S"]], "S")
        assert shown["sides"] == {side: word(lie.towards(side)) for side in "NESW"}
        colours |= set(seen.values())
    assert colours == {word(colour) for colour in Colour}


def test_the_setup_square_is_where_the_camera_sees_it(table):
    frames = table.setup_frames()
    k = np.array(frames["camera"]["K"])
    corners = np.array([frames["table"]["square_px"][name] for name in ("NW", "NE", "SE", "SW")])
    # With K known, a square's homography has orthogonal columns of equal length: a check that no code here shares.
    half = frames["table"]["square_mm"] / 2
    flat = np.array([(-half, half), (half, half), (half, -half), (-half, -half)], np.float32)
    columns = np.linalg.inv(k) @ cv2.getPerspectiveTransform(flat, corners.astype(np.float32))
    first, second = columns[:, 0], columns[:, 1]
    assert np.linalg.norm(first) == pytest.approx(np.linalg.norm(second), rel=1e-3)
    assert abs(first @ second) < 1e-3 * np.linalg.norm(first) ** 2
    assert 400 < np.linalg.norm(columns[:, 2]) / np.linalg.norm(first) < 600  # mm to the table's middle


def test_setting_up_does_not_disturb_the_game(make_table):
    first, second = (make_table(noise_sd=2.0) for _ in range(2))
    first.draw(), second.draw()
    first.setup_frames()
    np.testing.assert_array_equal(first.draw(), second.draw())


def test_it_can_be_watched_and_stopped(make_table):
    table = make_table()
    seen = threading.Event()
    watcher = Watcher(table.camera, lambda frame: seen.set(), lambda *state: None)
    watcher.start()
    assert seen.wait(5)
    begun = time.monotonic()
    watcher.stop()
    assert time.monotonic() - begun < 1


def test_a_roll_is_drawn_in_time_at_full_size(make_table):
    table = make_table((1280, 720), noise_sd=2.0)
    table.roll()
    begun, frames = time.process_time(), 0
    table.draw()
    while table.is_busy:
        table.draw()
        frames += 1
    assert (time.process_time() - begun) / frames < 1 / 15
