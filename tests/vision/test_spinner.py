import json
from dataclasses import asdict

import cv2
import dial_drawing
import numpy as np
import pytest

from companion.errors import BadInput
from companion.inputs import Status
from vision.card import Shift, move_plane
from vision.spinner import find_card, learn_spinner, read_spinner


@pytest.fixture(scope="module")
def setup():
    return learn_spinner(
        dial_drawing.card(), dial_drawing.plane(), [(dial_drawing.draw((100.0, 215.0)), (100.0, 215.0))]
    )


def _apart(one, other):
    return abs((one - other + 180) % 360 - 180)


@pytest.mark.parametrize("angles", [(10.0, 350.0), (75.0, 140.0), (205.0, 96.0), (290.0, 30.0), (333.0, 262.0)])
def test_raised_arrows_are_read_within_a_degree(setup, angles):
    reading = read_spinner(dial_drawing.draw(angles), setup)
    assert reading.status is Status.READ
    assert max(_apart(dial.angle_deg, angle) for dial, angle in zip(reading.dials, angles, strict=True)) < 1.0


@pytest.mark.parametrize(
    "look",
    [
        pytest.param(dial_drawing.Look(color=(35, 35, 35)), id="black, like a shadow"),
        pytest.param(dial_drawing.Look(color=(105, 150, 180), tail_mm=15.5), id="tail nearly as long as the head"),
        pytest.param(dial_drawing.Look(height_mm=4.0), id="high above the card"),
    ],
)
def test_arrows_of_many_kinds_are_learnt_from_one_picture(look):
    shown = (160.0, 305.0)
    learnt = learn_spinner(dial_drawing.card(), dial_drawing.plane(), [(dial_drawing.draw(shown, look=look), shown)])
    for angles in [(20.0, 200.0), (250.0, 70.0)]:
        reading = read_spinner(dial_drawing.draw(angles, look=look), learnt)
        assert reading.status is Status.READ
        for dial, angle in zip(reading.dials, angles, strict=True):
            assert _apart(dial.angle_deg, angle) < 2.0


def test_sector_and_label_are_those_under_the_arrow(setup):
    reading = read_spinner(dial_drawing.draw((70.0, 180.0)), setup)
    assert [(dial.name, dial.sector, dial.label) for dial in reading.dials] == [("number", 1, "2"), ("letter", 4, "E")]
    assert [dial.near_border for dial in reading.dials] == [None, None]


def test_arrow_near_a_line_names_the_neighbour(setup):
    reading = read_spinner(dial_drawing.draw((119.0, 158.9)), setup)
    assert [{dial.label, dial.near_border} for dial in reading.dials] == [{"2", "3"}, {"D", "E"}]


def test_reading_is_plain_python(setup):
    reading = read_spinner(dial_drawing.draw((119.0, 158.9)), setup)
    assert json.loads(json.dumps(asdict(reading)))["status"] == "read"


@pytest.mark.parametrize("light", [0.6, 1.1])
def test_other_light_changes_nothing(setup, light):
    frame = np.clip(dial_drawing.draw((75.0, 140.0)) * light, 0, 255).astype(np.uint8)
    reading = read_spinner(frame, setup)
    assert [dial.label for dial in reading.dials] == ["2", "D"]


def test_spinning_arrow_is_not_read(setup):
    reading = read_spinner(dial_drawing.draw_spinning((40.0, 140.0)), setup)
    assert reading.status is Status.UNSURE
    assert reading.turning == ("number",)
    assert [dial.name for dial in reading.dials] == ["letter"]


def test_hand_over_a_dial_is_not_read(setup):
    frame = dial_drawing.draw((75.0, 140.0))
    middle = dial_drawing.project(dial_drawing.plane(), [[-16.0, -8.0, 0.0]])[0]
    cv2.ellipse(frame, np.rint(middle).astype(int).tolist(), (45, 80), 20, 0, 360, (120, 150, 205), -1)
    reading = read_spinner(frame, setup)
    assert reading is None or reading.status is Status.UNSURE
    assert reading is None or "number" not in reading.turning


def test_table_without_card_reads_none(setup):
    frame = np.full((720, 1280, 3), (60, 90, 70), np.uint8)
    assert read_spinner(frame, setup) is None


@pytest.mark.parametrize(
    "shift",
    [
        pytest.param(Shift(1.5, 2.0, -1.0), id="a little"),
        pytest.param(Shift(-65.0, 30.0, -20.0), id="turned"),
        pytest.param(Shift(180.0, 0.0, 0.0), id="upside down"),
    ],
)
def test_moved_card_is_found_and_read(setup, shift):
    moved = move_plane(dial_drawing.plane(), shift)
    frame = dial_drawing.draw((75.0, 140.0), at=moved)
    found = find_card(frame, setup.look)
    assert _apart(found.turn_deg, shift.turn_deg) < 0.5
    assert np.hypot(found.x_mm - shift.x_mm, found.y_mm - shift.y_mm) < 0.5
    assert [dial.label for dial in read_spinner(frame, setup).dials] == ["2", "D"]


@pytest.mark.parametrize("turn_deg", [-0.4, 0.0, 0.5])
@pytest.mark.parametrize("way_mm", [(0.5, -0.4), (1.0, 0.0), (0.0, -1.2)])
def test_card_nudged_by_a_millimetre_costs_no_accuracy(setup, turn_deg, way_mm):
    frame = dial_drawing.draw((75.0, 140.0), at=move_plane(dial_drawing.plane(), Shift(turn_deg, *way_mm)))
    reading = read_spinner(frame, setup)
    assert reading.status is Status.READ
    assert max(_apart(dial.angle_deg, angle) for dial, angle in zip(reading.dials, (75.0, 140.0), strict=True)) < 1.0


def test_several_pictures_show_the_print_that_one_hides():
    angles = [(100.0, 215.0), (220.0, 330.0), (340.0, 80.0)]
    pictures = [(dial_drawing.draw(pair), pair) for pair in angles]
    bare = cv2.resize(dial_drawing.draw_print(), (400, 400), interpolation=cv2.INTER_AREA).astype(float)
    card, plane = dial_drawing.card(), dial_drawing.plane()
    one, three = (learn_spinner(card, plane, pictures[:count]).look.picture for count in (1, 3))

    def wrong(picture):
        off = np.abs(picture - bare).max(axis=-1)
        rows, columns = np.indices(off.shape)
        rings = [np.hypot(columns / 4 - dial.center_mm[0], rows / 4 - dial.center_mm[1]) for dial in card.dials]
        return off[((rings[0] > 5) & (rings[0] < 21)) | ((rings[1] > 5) & (rings[1] < 21))].mean()

    assert wrong(three) < 0.8 * wrong(one)


def test_wrongly_shown_angle_is_refused():
    with pytest.raises(BadInput, match=r"arrow \(number\) was shown at 190 degrees but looks to be at 11\d"):
        learn_spinner(dial_drawing.card(), dial_drawing.plane(), [(dial_drawing.draw((100.0, 215.0)), (190.0, 215.0))])


def test_angle_for_one_dial_only_is_refused():
    with pytest.raises(BadInput, match="one for each of 2 dials"):
        learn_spinner(dial_drawing.card(), dial_drawing.plane(), [(dial_drawing.draw((100.0, 215.0)), (100.0,))])


def test_nothing_shown_is_refused():
    with pytest.raises(BadInput, match="no picture was shown"):
        learn_spinner(dial_drawing.card(), dial_drawing.plane(), [])


@pytest.mark.parametrize(
    ("frame", "what"),
    [
        pytest.param(np.zeros((480, 640, 3), np.uint8), "640 x 480", id="other size"),
        pytest.param(np.zeros((720, 1280), np.uint8), "grey", id="grey"),
        pytest.param(np.zeros((720, 1280, 4), np.uint8), "four channels", id="transparency"),
        pytest.param(np.zeros((720, 1280, 3), np.float32), "float32", id="not 8 bits"),
        pytest.param(None, "NoneType", id="nothing"),
    ],
)
def test_frame_that_is_no_picture_is_refused(setup, frame, what):
    with pytest.raises(BadInput, match=what):
        read_spinner(frame, setup)


@pytest.mark.parametrize("seed", range(12))
def test_noise_and_spoilt_pictures_are_never_read(setup, seed):
    rng = np.random.default_rng(seed)
    frame = dial_drawing.draw((75.0, 140.0))
    coarse = rng.integers(0, 256, (rng.integers(2, 60), rng.integers(2, 60), 3), dtype=np.uint8)
    rows = np.arange(720) // rng.integers(3, 9) % 2 == 0
    spoilt = [
        rng.integers(0, 256, frame.shape, dtype=np.uint8),
        cv2.resize(coarse, (1280, 720), interpolation=cv2.INTER_NEAREST),
        255 - frame,
        np.where(rows[:, None, None], frame, np.roll(frame, rng.integers(8, 40), axis=1)),
    ][seed % 4]
    reading = read_spinner(spoilt, setup)
    assert reading is None or reading.status is Status.UNSURE
