import json

import cv2
import numpy as np
import pytest

from companion.errors import BadInput
from vision.needle import find_needle


def _dial(angle_deg, tail_px=28, color=(30, 30, 30)):
    frame = np.full((400, 500, 3), 225, np.uint8)
    cv2.circle(frame, (250, 200), 150, (120, 120, 120), 3, cv2.LINE_AA)
    cv2.putText(frame, "PRESSURE", (205, 160), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (40, 40, 40), 2, cv2.LINE_AA)
    way = np.array([np.sin(np.radians(angle_deg)), -np.cos(np.radians(angle_deg))])
    middle = np.array([250, 200])
    cv2.line(frame, middle.tolist(), np.rint(middle + 125 * way).astype(int).tolist(), color, 4, cv2.LINE_AA)
    cv2.line(frame, middle.tolist(), np.rint(middle - tail_px * way).astype(int).tolist(), color, 12, cv2.LINE_AA)
    return frame


@pytest.mark.parametrize("angle_deg", [0.0, 37.0, 141.0, 222.5, 359.0])
@pytest.mark.parametrize("color", [(30, 30, 30), (40, 40, 210)])
def test_needle_is_found_by_its_thin_long_end(angle_deg, color):
    found = find_needle(_dial(angle_deg, color=color), (250, 200))
    assert abs((found - angle_deg + 180) % 360 - 180) < 1.0


def test_bright_needle_on_a_dark_dial():
    found = find_needle(255 - _dial(77.0), (250, 200))
    assert abs(found - 77.0) < 1.0


def test_dial_without_needle_has_none():
    frame = np.full((400, 500, 3), 225, np.uint8)
    cv2.circle(frame, (250, 200), 150, (120, 120, 120), 3, cv2.LINE_AA)
    assert find_needle(frame, (250, 200)) is None


def test_needle_with_two_like_ends_has_no_angle():
    frame = np.full((400, 500, 3), 225, np.uint8)
    cv2.line(frame, (120, 200), (380, 200), (30, 30, 30), 4, cv2.LINE_AA)
    assert find_needle(frame, (250, 200)) is None


@pytest.mark.parametrize("pivot", [(-5, 100), (250, 399), (float("nan"), 200)])
def test_pivot_outside_the_picture_is_refused(pivot):
    with pytest.raises(BadInput, match="pivot"):
        find_needle(_dial(10.0), pivot)


def test_real_dials_are_read_within_three_degrees(shared):
    photos = shared / "photos"
    index = photos / "index.json"
    if not index.is_file():
        pytest.skip("no photographs of real dials beside the checkout")
    needles = [entry for entry in json.loads(index.read_text()) if entry["kind"] == "needle"]
    assert needles
    for entry in needles:
        # Some of the photographs have a channel of transparency, which no camera's frame has.
        frame = cv2.imread(str(photos / entry["file"]), cv2.IMREAD_COLOR)
        for needle in entry["label"]["needles"]:
            found = find_needle(frame, tuple(needle["pivot"]))
            assert found is not None, entry["file"]
            off = abs((found - needle["angle_cw_from_12_deg"] + 180) % 360 - 180)
            assert off <= 3.0, f"{entry['file']}: {found:.1f}"
