"""The card's teacher with real eyes, on a drawn card."""

import json

import dial_drawing
import numpy as np
import pytest

from companion.cli.teach_card import VisionCardTeacher
from companion.errors import BadInput
from companion.inputs import Status
from companion.teaching.card import Sectors
from vision.card import pivot_mm
from vision.plane import project
from vision.spinner import read_spinner
from vision.spinner_file import load_spinner

SECTORS = [Sectors(tuple("123456")), Sectors(tuple("ABCDEFGH"))]
SPINS = [(100.0, 215.0), (20.0, 330.0), (260.0, 80.0)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("card")
    camera = {"width": 1280, "height": 720, "K": dial_drawing.INTRINSICS.tolist()}
    (folder / "die.json").write_text(json.dumps({"camera": camera}))
    return folder


@pytest.fixture(scope="module")
def teacher(folder):
    return VisionCardTeacher(folder / "new" / "spinner.json", folder / "die.json")


def tapped(rng):
    """The middles and the first lines of both dials as a finger taps them."""
    points = []
    for dial in dial_drawing.card().dials:
        x, y = pivot_mm(dial_drawing.card(), dial)
        angle = np.radians(dial.start_deg)
        rim = (x + dial.radius_mm * np.sin(angle), y + dial.radius_mm * np.cos(angle))
        points += [(x, y, 0), (*rim, 0)]
    return (project(dial_drawing.plane(), points) + rng.normal(0, 1.0, (4, 2))).tolist()


@pytest.fixture(scope="module")
def card(teacher):
    rng = np.random.default_rng(5)
    frame = dial_drawing.draw(SPINS[0])
    corners = (np.array(dial_drawing.CORNERS_PX) + rng.normal(0, 1.0, (4, 2))).tolist()
    place = teacher.place(frame, corners, (100.0, 100.0))
    assert place.doubt is None
    return teacher.dials(frame, place.what, tapped(rng), SECTORS)


def tips_at(angles_deg, off_deg=0.0):
    """Where the arrows' tips are seen."""
    points = []
    for dial, angle_deg in zip(dial_drawing.card().dials, angles_deg, strict=True):
        x, y = pivot_mm(dial_drawing.card(), dial)
        angle = np.radians(angle_deg + off_deg)
        points.append((x + 17 * np.sin(angle), y + 17 * np.cos(angle), 2.5))
    return project(dial_drawing.plane(), points).tolist()


def test_tapped_dials_are_about_where_they_are(card):
    for dial, true in zip(card.what.card.dials, dial_drawing.card().dials, strict=True):
        assert dial.center_mm == pytest.approx(true.center_mm, abs=1.0)
        assert dial.radius_mm == pytest.approx(true.radius_mm, abs=1.0)
        assert (dial.start_deg - true.start_deg + 180) % 360 - 180 == pytest.approx(0, abs=3)
    assert [word for word, _ in card.letters] == [*"123456", *"ABCDEFGH"]


def test_a_tapped_tip_gives_the_arrows_angle(teacher, card):
    for angles in SPINS:
        assert teacher.angles(card.what, tips_at(angles)) == pytest.approx(angles, abs=3)


def test_three_spins_tapped_by_finger_are_learnt_and_read_to_a_degree(teacher, card):
    shown, setup = [], None
    for angles, off in zip(SPINS, (2, -2, 1), strict=True):
        shown.append((dial_drawing.draw(angles), teacher.angles(card.what, tips_at(angles, off))))
        setup = teacher.learn(card.what, shown, setup)
    teacher.save(setup)
    reading = read_spinner(dial_drawing.draw((75.0, 140.0)), load_spinner(teacher._file))
    assert reading.status is Status.READ
    assert [dial.label for dial in reading.dials] == ["2", "D"]
    assert [dial.angle_deg for dial in reading.dials] == pytest.approx([75.0, 140.0], abs=1.0)


def test_after_the_first_spin_the_tips_are_proposed_where_they_are(teacher, card):
    first = (dial_drawing.draw(SPINS[0]), teacher.angles(card.what, tips_at(SPINS[0])))
    rough = teacher.learn(card.what, [first], None)
    proposed = teacher.tips(card.what, dial_drawing.draw(SPINS[1]), rough)
    assert teacher.angles(card.what, proposed.points) == pytest.approx(SPINS[1], abs=3)


def test_a_tip_on_its_pivot_is_refused(teacher, card):
    tips = tips_at(SPINS[0])
    pivot = project(dial_drawing.plane(), [*pivot_mm(dial_drawing.card(), dial_drawing.card().dials[1]), 2.2])
    with pytest.raises(BadInput, match="drag it to the arrow's end"):
        teacher.angles(card.what, [tips[0], pivot.tolist()])


def test_a_rim_on_its_middle_is_refused(teacher):
    frame = dial_drawing.draw(SPINS[0])
    place = teacher.place(frame, dial_drawing.CORNERS_PX, (100.0, 100.0))
    points = tapped(np.random.default_rng(1))
    points[1] = points[0]
    with pytest.raises(BadInput, match="a rim of 0 mm can't be"):
        teacher.dials(frame, place.what, points, SECTORS)


def test_a_card_of_another_size_is_doubted_or_refused(teacher):
    frame = dial_drawing.draw(SPINS[0])
    assert "measure it again" in str(teacher.place(frame, dial_drawing.CORNERS_PX, (118.0, 100.0)).doubt)
    with pytest.raises(BadInput, match="don't make a card of 170 x 60 mm"):
        teacher.place(frame, dial_drawing.CORNERS_PX, (170.0, 60.0))


def test_the_card_is_found_by_itself_about_as_well_as_a_finger_taps(teacher):
    found = np.array(teacher.find_corners(dial_drawing.draw(SPINS[0])))
    assert np.abs(found - dial_drawing.CORNERS_PX).max() < 6


def test_a_bare_table_has_no_card(teacher):
    assert teacher.find_corners(np.full((720, 1280, 3), 120, np.uint8)) is None
