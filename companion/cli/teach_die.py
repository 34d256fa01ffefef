"""The lesson's teacher about the die: what `companion.teaching.die` asks for, seen with `vision`."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import atan2, degrees, pi
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.capture import capture_of
from companion.cli.look import crop_jpeg
from companion.die import Lie
from companion.errors import BadInput
from companion.files import write_whole
from companion.inputs import DIRECTIONS, DieReading
from companion.teaching.die import Learnt, Table
from companion.text import Say, say
from vision.calibrate import Shown, learn_die
from vision.cube import FACES, Cube, stand
from vision.frames import Frame
from vision.looking import looker
from vision.mat import find_mat, place_mat
from vision.plane import CORNERS, project
from vision.rest import watching
from vision.seen import Seen
from vision.seen_face import Seen as SeenFace
from vision.setup import DieSetup, build_plane, to_json
from vision.sheet import Place, place_sheet

GRID_MM, GRID_STEP_MM = 100, 50

MOST_MISFIT = 5.0
"""A sheet tapped so much worse than a finger taps has another size."""

LEAST_FACING = 0.3
"""A side seen at a flatter angle than this cosine may be hidden when the die isn't laid quite straight."""

DARK, BURNT, MOST_BURNT = 28, 250, 0.2
"""Grey levels: a table whose lighter half is below the first is too dark; so much of it at the second is burnt."""

DARK_LINEAR, BURNT_LINEAR = 0.012, 0.93

MOST_MOVED = 6.0
"""Grey levels, over blocks of 16 pixels: more than any sensor's noise."""

MOST_YAW_DEG = 33.0

MOST_UNLIKELY = 5.0
"""A way of lying less likely than another by this, as a natural logarithm, isn't how the die lies."""

LOST = say("the die isn't found: lay it alone, whole and still where the camera sees it, and take hands away")


class VisionTeacher:
    """Teaches the die; see `companion.teaching.die.DieTeacher`.

    Args:
        file: where the set-up is written.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._size_mm: float | None = None

    def find_mat(self, frame: Frame, ruler_mm: float) -> Table | None:
        """Find the table by the mat; None without one."""
        mat = find_mat(frame)
        if mat is None:
            return None
        return _show(place_mat(_camera(frame), mat, ruler_mm), mat.corners_px().tolist(), "mat")

    def place(
        self, frame: Frame | None, corners: Sequence[Sequence[float]], size_mm: tuple[float, float], south: int
    ) -> Table:
        """Find the table by the corners of a sheet."""
        if frame is None:
            raise BadInput(say("the camera gives no picture yet: wait a moment"))
        place = place_sheet(_camera(frame), corners, size_mm, south)
        doubt = None
        if place.misfit > MOST_MISFIT:
            doubt = say("the corners don't suit a sheet of that size: choose its true size, or tap them more exactly")
        return _show(place, corners, "sheet", doubt)

    def turned(self, table: Table) -> Table:
        """Make the next side, clockwise, the southern one."""
        old: Place = table.place
        square = old.table["square_px"]
        after = {name: square[CORNERS[(at + 1) % 4]] for at, name in enumerate(CORNERS)}
        return _show(
            Place(old.camera, {**old.table, "square_px": after}, old.misfit), table.corners, table.by, table.doubt
        )

    def check_empty(self, frames: Sequence[Frame]) -> Frame:
        """Take the picture of the table without the die."""
        check_still(frames)
        grey = cv2.cvtColor(frames[-1], cv2.COLOR_BGR2GRAY)
        if np.median(grey) < DARK:
            raise BadInput(say("it is too dark: switch a lamp on, as when you play, and take the picture again"))
        if (frames[-1].min(axis=2) >= BURNT).mean() > MOST_BURNT:
            raise BadInput(
                say("much of the picture is burnt white: turn the lamp aside, or wait until the camera settles")
            )
        return frames[-1]

    def sides(self, table: Table) -> tuple[str, ...]:
        """Tell which sides of a die that lies straight are seen, the widest first."""
        stance = stand(build_plane(table.place.camera, table.place.table), Cube(25.0, 2.5, 1.25), np.zeros((1, 3)))
        views = zip(stance.faces[0, 1:], stance.facing[0, 1:], strict=True)
        return tuple(FACES[number] for number, facing in views if facing > LEAST_FACING)

    def learn(self, table: Table, empty: Frame, shown: Sequence[tuple[Sequence[Frame], Lie]], layout: Lie) -> Learnt:
        """Learn the die from how it was shown; the last shot may be refused."""
        check_still(shown[-1][0])
        pictures = [Shown(frames[-1], lie.top, _sides(lie), f"picture {n}") for n, (frames, lie) in enumerate(shown)]
        setup, warnings = self._learn(table.place, empty, pictures, layout)
        last = len(shown) - 1
        if _is_lost(warnings, last):
            raise BadInput(LOST)
        # Pictures in which the die wasn't found are left out, so the last one found has the highest number.
        newest = max(face.picture for face in setup.shown)
        _check_faces([face for face in setup.shown if face.picture == newest])
        if newest > 0:
            _check_named(setup, newest, shown[-1][1])
        found = looker(setup)(pictures[last].frame, None)
        colours = frozenset(face.colour for face in setup.shown)
        return Learnt(setup, colours, crop_jpeg(pictures[last].frame, found.box if found else None))

    def _learn(
        self, place: Place, empty: Frame, pictures: Sequence[Shown], layout: Lie
    ) -> tuple[DieSetup, Sequence[str]]:
        """Learn with the size that an earlier picture told, which is quick, and without it when that doesn't help."""
        die: dict[str, Any] = {"layout": _names(layout)}
        if len(pictures) == 1:
            self._size_mm = None
        if self._size_mm is not None:
            quick = learn_die(place.camera, place.table, empty, pictures, die=die | {"size_mm": self._size_mm})
            if not _is_lost(quick[1], len(pictures) - 1):
                return quick
        try:
            learnt = learn_die(place.camera, place.table, empty, pictures, die=die)
        except BadInput as error:
            raise BadInput(LOST) from error
        self._size_mm = learnt[0].cube.size_mm
        return learnt

    def watch(self, setup: DieSetup, on_reading: Callable[[DieReading], None]) -> Callable[[Frame], None]:
        """Watch for rolls with what was learnt."""

        def on_seen(seen: Seen) -> None:
            if seen.reading is not None:
                on_reading(seen.reading)

        step = watching(looker(setup), on_seen)
        return lambda frame: step(capture_of(frame))

    def save(self, setup: DieSetup) -> None:
        """Write the set-up."""
        self._file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(self._file, json.dumps(to_json(setup), indent=1) + "\n")


def _camera(frame: Frame) -> dict[str, Any]:
    return {"width": int(frame.shape[1]), "height": int(frame.shape[0])}


def _show(place: Place, corners: Sequence[Sequence[float]], by: str, doubt: Say | None = None) -> Table:
    """Draw a grid of the table, and where its sides are, for a person to see whether it is right."""
    plane = build_plane(place.camera, place.table)
    steps = range(-GRID_MM, GRID_MM + 1, GRID_STEP_MM)
    ends = [((x, -GRID_MM, 0), (x, GRID_MM, 0)) for x in steps] + [((-GRID_MM, y, 0), (GRID_MM, y, 0)) for y in steps]
    pixels = project(plane, ends)
    ways = {"N": (0, 1), "E": (1, 0), "S": (0, -1), "W": (-1, 0)}
    letters = project(plane, [(x * 1.2 * GRID_MM, y * 1.2 * GRID_MM, 0) for x, y in ways.values()])
    return Table(
        place,
        tuple(_point(corner) for corner in corners),
        tuple((_point(a), _point(b)) for a, b in pixels if np.isfinite([*a, *b]).all()),
        {side: _point(at) for side, at in zip(ways, letters, strict=True) if np.isfinite(at).all()},
        by,
        doubt,
    )


def _point(pixel: Sequence[float]) -> tuple[float, float]:
    return round(float(pixel[0]), 1), round(float(pixel[1]), 1)


def _is_lost(warnings: Sequence[str], number: int) -> bool:
    return any(warning.startswith(f"picture {number}:") for warning in warnings)


def check_still(frames: Sequence[Frame]) -> None:
    """Refuse a shot in which something moves."""
    first, last = (cv2.resize(f, (f.shape[1] // 16, f.shape[0] // 16), interpolation=cv2.INTER_AREA).astype(np.int16)
                   for f in (frames[0], frames[-1]))  # fmt: skip
    # A lamp that flickers changes all blocks alike; what moves changes a few.
    change = np.abs(last - first - np.median(last - first, axis=(0, 1)))
    if change.max() > MOST_MOVED:
        raise BadInput(say("something moves: take your hands away and keep the camera still"))


def _check_faces(faces: Sequence[SeenFace]) -> None:
    """Refuse a shot whose faces are burnt, dark, or don't tell which side is which."""
    for face in faces:
        if min(face.linear) > BURNT_LINEAR and face.normal[2] > 0.9:
            raise BadInput(say("the upper face is burnt white: turn the lamp aside, or lay the die a little elsewhere"))
        if min(face.linear) > BURNT_LINEAR:
            raise BadInput(say("a side is burnt white: turn the lamp aside, or lay the die a little elsewhere"))
    if max(max(face.linear) for face in faces) < DARK_LINEAR:
        raise BadInput(say("it is too dark to see colours: switch a lamp on, as when you play"))
    sides = [face for face in faces if face.normal[2] < 0.5]
    if not sides or len(faces) < 2:
        raise BadInput(
            say("no side of the die is seen clearly: take away what covers it, or lay it nearer to the middle")
        )
    away = [degrees((atan2(face.normal[0], face.normal[1]) + pi / 4) % (pi / 2) - pi / 4) for face in sides]
    if max(abs(each) for each in away) > MOST_YAW_DEG:
        raise BadInput(say("the die lies across: turn it straight, so that it is plain which side looks where"))


def _check_named(setup: DieSetup, newest: int, named: Lie) -> None:
    """Refuse the last picture when, by the colours of those before, the die lies otherwise in it than it was named."""
    before = replace(setup, shown=tuple(face for face in setup.shown if face.picture < newest))
    faces = [face for face in setup.shown if face.picture == newest]
    verdict = before.palette.judge(faces, [_towards(face) for face in faces])
    best, score = verdict.lies[0], verdict.scores[verdict.lies.index(named)]
    if verdict.scores[0] - score > MOST_UNLIKELY:
        raise BadInput(
            say(
                "that doesn't fit the pictures before: {top} up and {south} towards S were asked for, but it looks "
                "like {seen_top} up and {seen_south} towards S. Lay the die as asked, or show it from the beginning",
                top=named.top, south=named.south, seen_top=best.top, seen_south=best.south,
            )
        )  # fmt: skip


def _towards(face: SeenFace) -> str:
    """Name the side that a face of a nearly straight die looks to."""
    east, north, up = face.normal
    if up > 0.5:
        return "top"
    if abs(east) > abs(north):
        return "E" if east > 0 else "W"
    return "N" if north > 0 else "S"


def _sides(lie: Lie) -> Mapping[str, str]:
    return {side: lie.towards(side) for side in DIRECTIONS}


def _names(lie: Lie) -> dict[str, str]:
    return {"top": lie.top, "bottom": lie.bottom, **_sides(lie)}
