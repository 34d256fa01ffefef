import cv2
import numpy as np
import pytest

from companion.capture import capture_of
from vision.likeness import compare, cut, is_same, measure_calm

BOX = (10, 10, 70, 64)


def scene(shift=(0.0, 0.0), turn_deg=0.0, light=1.0, noise=1.0, seed=0):
    """A square of three colours on a rough ground, moved by fractions of a pixel."""
    rng = np.random.default_rng(7)
    ground = 100 + 20 * cv2.GaussianBlur(rng.normal(0, 1, (80, 80, 3)).astype(np.float32), (0, 0), 1.5)
    cv2.rectangle(ground, (25, 22), (50, 34), (60, 190, 210), -1)
    cv2.rectangle(ground, (25, 35), (50, 50), (50, 50, 150), -1)
    matrix = cv2.getRotationMatrix2D((38, 36), turn_deg, 1.0)
    matrix[:, 2] += shift
    moved = cv2.warpAffine(cv2.GaussianBlur(ground, (0, 0), 0.8), matrix, (80, 80), borderMode=cv2.BORDER_REFLECT)
    seen = moved * light + np.random.default_rng(seed).normal(0, noise, moved.shape)
    return cut(capture_of(np.clip(np.rint(seen), 0, 255).astype(np.uint8)), BOX)


@pytest.mark.parametrize("noise", [0.5, 2.0, 8.0])
@pytest.mark.parametrize("shift", [(0.0, 0.0), (0.3, 0.0), (-0.4, 0.5), (0.8, 0.0)])
def test_movement_is_measured_to_a_tenth_of_a_pixel(noise, shift):
    likeness = compare(scene(noise=noise, seed=1), scene(shift, noise=noise, seed=2), noise)
    assert likeness.moved_px == pytest.approx(np.hypot(*shift), abs=0.1 + 3 * likeness.error_px)
    assert likeness.misfit < 0.02


def test_a_turn_in_place_is_movement():
    assert compare(scene(seed=1), scene(turn_deg=1.5, seed=2), 1.0).moved_px > 0.5


@pytest.mark.parametrize("light", [0.7, 1.3])
def test_light_is_no_movement_and_no_misfit(light):
    likeness = compare(scene(seed=1), scene(light=light, seed=2), 1.0)
    assert likeness.moved_px < 0.1
    assert likeness.misfit < 0.02


def test_a_piece_that_lost_all_contrast_is_another_piece():
    bare = np.full_like(scene(), 100)
    assert compare(scene(), bare, 1.0).misfit == 1.0


def test_another_face_is_misfit():
    seen = scene(seed=1)
    assert compare(seen, seen[..., ::-1].copy(), 1.0).misfit > 0.2


def test_the_standard_error_grows_where_there_is_nothing_to_hold_on_to():
    flat = np.full((54, 60, 3), 90, np.uint8)
    assert compare(flat, flat, 1.0).error_px > 100 * compare(scene(seed=1), scene(seed=2), 1.0).error_px


@pytest.mark.parametrize("noise", [0.5, 2.0, 8.0])
def test_the_quick_look_takes_noise_as_the_same_and_a_shift_of_a_pixel_as_another(noise):
    calm = measure_calm([scene(noise=noise, seed=seed) for seed in range(5)])
    assert is_same(scene(noise=noise, seed=5), scene(noise=noise, seed=6), calm)
    assert not is_same(scene(noise=noise, seed=5), scene((1.0, 0.0), noise=noise, seed=6), calm)
