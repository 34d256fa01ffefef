from dataclasses import replace

import pytest
from drawn import Film, Shot

from companion.capture import capture_of
from vision.motion import begin, follow

DIE = Shot(at=(320.0, 200.0))


def after(film, shots):
    motion = begin(capture_of(film.draw(shots[0])))
    for shot in shots[1:]:
        motion = follow(motion, capture_of(film.draw(shot)))
    return motion


@pytest.mark.parametrize("noise", [1.0, 2.0, 4.0, 8.0])
def test_noise_is_measured_with_a_hand_in_the_picture_too(noise):
    hands = [replace(DIE, hand=(60.0 + 40 * i, 150.0)) for i in range(8)]
    assert after(Film(noise), hands).noise == pytest.approx(noise, rel=0.2)


@pytest.mark.parametrize("noise", [0.5, 2.0, 8.0])
def test_nothing_changes_in_noise_alone(noise):
    assert after(Film(noise), [DIE] * 6).change.pixels == 0


def test_a_lamp_changes_everything_and_moves_nothing():
    motion = after(Film(), [DIE, DIE, replace(DIE, light=0.7)])
    assert motion.change.everywhere
    assert not motion.change.is_any


def test_a_hand_comes_from_the_border():
    motion = after(Film(), [DIE, DIE, replace(DIE, hand=(200.0, 150.0))])
    assert motion.change.is_hand
    assert not motion.change.everywhere


def test_a_die_that_moves_is_no_hand():
    motion = after(Film(), [DIE, DIE, replace(DIE, at=(335.0, 205.0))])
    assert motion.change.is_any
    assert not motion.change.is_hand


def test_what_moved_comes_to_rest_in_the_frame_that_fills_the_count():
    shots = [DIE] * 6 + [replace(DIE, at=(360.0, 205.0))] * 5
    assert after(Film(), shots).came_to_rest(5)
    assert not after(Film(), shots[:-1]).came_to_rest(5)
    assert after(Film(), shots).is_still(5)
    assert not after(Film(), shots[:-1]).is_still(5)
