import json

import drawn_die as drawn
import numpy as np
import pytest

from companion.errors import BadInput
from vision.cube import Cube
from vision.seen_face import Seen
from vision.setup import DieSetup, from_json, to_json


def sample():
    empty = np.full((drawn.HEIGHT // 4, drawn.WIDTH // 4, 3), 120, np.uint8)
    seen = Seen((0.0, 0.0, 1.0), (0.1, 0.4, 0.5), width_px=20.0, colour="yellow")
    return to_json(DieSetup(drawn.CAMERA, drawn.table(), Cube(25, 2.5, 1.25), drawn.STANDARD, (seen,), empty))


def test_a_set_up_comes_back_from_its_file_as_it_was():
    assert to_json(from_json(json.loads(json.dumps(sample())))) == sample()


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"version": 2}, id="another version"),
        pytest.param({"kind": "spinner"}, id="another kind"),
        pytest.param({"table": {"square_mm": 200, "square_px": {}}}, id="no corners"),
        pytest.param({"camera": None}, id="no camera"),
        pytest.param({"die": {}}, id="no die"),
        pytest.param({"faces": []}, id="no faces"),
        pytest.param({"faces": [{"colour": "pink"}]}, id="half a face"),
        pytest.param({"empty": {"shrunk": 4, "png": "?"}}, id="no empty table"),
    ],
)
def test_a_spoilt_set_up_is_refused_in_one_line(change):
    with pytest.raises(BadInput) as caught:
        from_json(sample() | change)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("data", [None, [], "die", 3], ids=repr)
def test_what_is_no_set_up_is_refused(data):
    with pytest.raises(BadInput, match="expected one for 'die'"):
        from_json(data)
