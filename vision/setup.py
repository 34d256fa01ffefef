"""The set-up of the die reader: what was learnt of a table and a die, as a file that a person can read."""

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import cv2
import numpy as np

from companion.die import Lie
from companion.errors import BadInput
from vision.cube import Cube
from vision.find import SHRINK, Grid, lay_grid
from vision.frames import Frame
from vision.palette import Palette
from vision.plane import CORNERS, Plane, find_plane, read_intrinsics
from vision.seen_face import Seen, three

VERSION = 1
"""Of the set-up file; a file of another version is refused."""


@dataclass(frozen=True)
class DieSetup:
    """All that the reader knows beforehand. It keeps what it derives, so use one and the same for all frames.

    Attributes:
        camera: ``width``, ``height`` and ``K`` or ``vfov_deg``, as described by ``read_intrinsics``.
        table: ``square_mm`` and ``square_px``, as described by ``find_plane``.
        cube: the die's shape.
        layout: the die, in the colours' names.
        shown: the faces that were shown, with their colours.
        empty: the empty table, BGR, uint8, shrunk by ``SHRINK``.
    """

    camera: Mapping[str, Any]
    table: Mapping[str, Any]
    cube: Cube
    layout: Lie
    shown: tuple[Seen, ...]
    empty: Frame

    @cached_property
    def plane(self) -> Plane:
        """The camera over the table."""
        return build_plane(self.camera, self.table)

    @cached_property
    def palette(self) -> Palette:
        """The learnt colours."""
        return Palette(self.layout, self.shown)

    @cached_property
    def grid(self) -> Grid:
        """Places where the die may lie."""
        return lay_grid(self.plane, self.cube)


def build_plane(camera: object, table: object) -> Plane:
    """Place the table before the camera, from their descriptions.

    Raises:
        BadInput: something is missing, or the corners don't make a table.
    """
    if not isinstance(camera, Mapping):
        raise BadInput(f"camera is {camera!r}; expected width and height in pixels, and K or vfov_deg")
    if not isinstance(table, Mapping) or not isinstance(table.get("square_px"), Mapping):
        raise BadInput(f"table is {table!r}; expected square_mm and square_px with {', '.join(CORNERS)}")
    side = table.get("square_mm")
    if isinstance(side, bool) or not isinstance(side, int | float):
        raise BadInput(f"table square_mm is {side!r}; expected the square's side in mm, above 0")
    intrinsics = read_intrinsics(camera)
    size_wh = (int(camera["width"]), int(camera["height"]))
    return find_plane(size_wh, intrinsics, table["square_px"], float(side))


def to_json(setup: DieSetup) -> dict[str, Any]:
    """Write a set-up as plain values for JSON."""
    lie = setup.layout
    return {
        "kind": "die",
        "version": VERSION,
        "camera": dict(setup.camera),
        "table": dict(setup.table),
        "die": {
            "size_mm": round(setup.cube.size_mm, 3),
            "round_mm": round(setup.cube.round_mm, 3),
            "inset_mm": round(setup.cube.inset_mm, 3),
            "painted": setup.cube.painted,
            "layout": {
                "top": lie.top,
                "N": lie.north,
                "E": lie.east,
                "S": lie.south,
                "W": lie.west,
                "bottom": lie.bottom,
            },
        },
        "faces": [seen_values(face) for face in setup.shown],
        "empty": {"shrunk": SHRINK, "png": _encode(setup.empty)},
    }


def from_json(data: object) -> DieSetup:
    """Read a set-up.

    Raises:
        BadInput: it is none, of another version, or a value can't be.
    """
    if not isinstance(data, Mapping) or data.get("kind") != "die":
        kind = data.get("kind") if isinstance(data, Mapping) else data
        raise BadInput(f"the set-up is for {kind!r}; expected one for 'die': run companion calibrate die")
    if data.get("version") != VERSION:
        raise BadInput(f"the set-up has version {data.get('version')!r}; expected {VERSION}: calibrate again")
    build_plane(data.get("camera"), data.get("table"))
    try:
        die, layout = data["die"], data["die"]["layout"]
        lie = Lie(*(str(layout[key]) for key in ("top", "S", "W", "N", "E", "bottom")))
        cube = Cube(float(die["size_mm"]), float(die["round_mm"]), float(die["inset_mm"]), die.get("painted") is True)
        shown = tuple(read_seen(face) for face in data["faces"])
        empty = _decode(data["empty"], (int(data["camera"]["width"]), int(data["camera"]["height"])))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadInput(f"the set-up lacks or spoils {error}; expected what companion calibrate die writes") from error
    if len(lie.faces) != 6 or not shown or any(face.colour not in lie.faces for face in shown):
        raise BadInput(f"the set-up's die has faces {sorted(lie.faces)}; expected six colours, some of them shown")
    if not 0 < 2 * cube.round_mm < cube.size_mm < 1000 or not 0 <= 3 * cube.inset_mm < cube.size_mm:
        raise BadInput(f"the set-up's die is {cube.size_mm} mm with edges of {cube.round_mm} mm; expected a die's size")
    return DieSetup(data["camera"], data["table"], cube, lie, shown, empty)


def seen_values(face: Seen) -> dict[str, Any]:
    """Write a face as plain values for JSON."""
    return {
        "colour": face.colour,
        "picture": face.picture,
        "normal": [round(value, 4) for value in face.normal],
        "bgr_linear": [round(value, 5) for value in face.linear],
        "width_px": round(face.width_px, 1),
    } | ({"veils": [[round(value, 5) for value in veil] for veil in face.veils]} if face.veils else {})


def read_seen(face: Mapping[str, Any]) -> Seen:
    """Read a face that `seen_values` wrote.

    Raises:
        ValueError, KeyError, TypeError: it is none.
    """
    return Seen(
        _read_three(face["normal"]),
        _read_three(face["bgr_linear"]),
        width_px=max(1.0, float(face["width_px"])),
        veils=tuple(_read_three(veil) for veil in face.get("veils", ())),
        colour=str(face["colour"]),
        picture=int(face["picture"]),
    )


def _read_three(value: Any) -> tuple[float, float, float]:
    values = np.array(value, dtype=np.float64)
    if values.shape != (3,) or not np.isfinite(values).all():
        raise ValueError(f"faces: {value!r}")
    return three(values)


def _encode(picture: Frame) -> str:
    done, data = cv2.imencode(".png", picture)
    assert done, "a small picture can always be encoded"
    return base64.b64encode(data.tobytes()).decode()


def _decode(stored: Mapping[str, Any], size_wh: tuple[int, int]) -> Frame:
    data = base64.b64decode(str(stored["png"]), validate=True)
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) if data else None
    expected = (size_wh[1] // SHRINK, size_wh[0] // SHRINK)
    if picture is None or picture.shape[:2] != expected or stored["shrunk"] != SHRINK:
        raise ValueError("empty: expected the empty table as a small PNG")
    return np.asarray(picture, dtype=np.uint8)
