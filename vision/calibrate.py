"""Learning a table and a die from a few pictures: the same code for files and for the page's wizard."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import exp, log, pi
from pathlib import Path
from typing import Any

import numpy as np

from companion.die import Lie, all_lies
from companion.errors import BadInput
from companion.inputs import DIRECTIONS
from vision.cube import Cube, scaled, wrap_yaw
from vision.faces import Face, find_faces, find_lessons, trust_shape
from vision.find import find_changed, lay_grid, look, places_changed, shrink
from vision.frames import FloatArray, Frame, load_frame
from vision.layout import learn_layout
from vision.mat import find_table, is_mat
from vision.outline import find_insets, fit, fit_size, share_beyond
from vision.palette import Palette
from vision.plane import Plane
from vision.rims import is_painted, shows_body
from vision.search import find_candidates
from vision.seen_face import Seen
from vision.setup import DieSetup, build_plane
from vision.view import View, share_changed, size_px

_SIZES_MM = np.geomspace(12, 40, 10)
"""Dice are tried at these sizes when theirs isn't given."""

_ROUND = 0.1
"""Radius of the rounded edges as a share of the size: between sharp wooden and well-worn plastic dice."""

_INSET = 0.05
"""Where the faces' own colour ends, as a share of the size, before it was learnt: as painted dice have it."""

_SIZE_SPREAD = 0.04
"""Standard deviation of the logarithm of sizes fitted to one and the same die."""

_TOLD_APART = 3.0
"""A die shown at nearly 45 degrees is named when the other way makes less sense by this much, as a logarithm."""

_FOUND = 0.003
"""A cube that fits less well than this isn't the die."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A picture in which a person laid the die so.

    Attributes:
        frame: BGR, uint8.
        top: name of the upper colour.
        sides: names of the colours towards N, E, S, W; some may be missing.
        name: what warnings call the picture.
    """

    frame: Frame
    top: str
    sides: Mapping[str, str]
    name: str


@dataclass(frozen=True, slots=True)
class _Placed:
    """A shown picture with the die found in it; ``yaws`` has two when it is turned by nearly 45 degrees."""

    shown: Shown
    view: View
    pose: FloatArray
    yaws: tuple[float, ...]


def learn_die_from_files(description: Mapping[str, Any], folder: Path) -> tuple[DieSetup, list[str]]:
    """Learn a set-up from a description with paths of pictures, relative to ``folder``.

    Returns:
        The set-up, and warnings about pictures that taught less than they should.

    Raises:
        BadInput: something needed is missing or wrong.
    """
    die = description.get("die") or {}
    if not isinstance(die, Mapping):
        raise BadInput(f"die is {die!r}; expected size_mm and layout, or nothing")
    if not isinstance(description.get("empty"), str):
        raise BadInput(f"empty is {description.get('empty')!r}; expected the path of a picture of the empty table")
    camera, table = description.get("camera"), description.get("table")
    if is_mat(table):
        found = find_table(camera, table or {}, folder, description["empty"])
        camera, table = found.camera, found.table
    plane = build_plane(camera, table)
    assert isinstance(camera, Mapping)
    assert isinstance(table, Mapping)
    empty = load_frame(folder / description["empty"], plane.size_wh)
    entries = description.get("shown")
    if not isinstance(entries, Sequence) or isinstance(entries, str) or not entries:
        raise BadInput(f"shown is {entries!r}; expected a list of pictures with the die, each with top and sides")
    shown = [_load_shown(entry, folder, plane) for entry in entries]
    return learn_die(camera, table, empty, shown, die=die)


def learn_die(
    camera: Mapping[str, Any], table: Mapping[str, Any], empty: Frame, shown: Sequence[Shown], *, die: Mapping[str, Any]
) -> tuple[DieSetup, list[str]]:
    """Learn a set-up from frames.

    Args:
        camera: ``width``, ``height`` and ``K`` or ``vfov_deg`` or neither.
        table: ``square_mm`` and ``square_px``.
        empty: the empty table, BGR, uint8.
        shown: the die as it was shown, two or three times.
        die: ``size_mm`` and ``layout`` (``top``, ``S``, ``W``), where they are known.

    Returns:
        The set-up, and warnings about pictures that taught less than they should.

    Raises:
        BadInput: the colours named make no die, or the die wasn't found in any picture.
    """
    layout = learn_layout([(one.top, one.sides) for one in shown], die.get("layout"))
    plane = build_plane(camera, table)
    small = shrink(empty)
    sizes = _SIZES_MM if die.get("size_mm") is None else np.array([_read_size(die["size_mm"])])
    warnings: list[str] = []
    placed = _place_all(plane, small, shown, sizes, warnings=warnings)
    if not placed:
        raise BadInput(
            "the die was found in none of the pictures shown; expected it whole, alone and still: show it again"
        )
    faces = _name_faces(placed, layout, warnings)
    warnings += _find_gaps(faces, layout)
    return DieSetup(camera, table, placed[0].view.cube, layout, faces, small), warnings


def _load_shown(entry: object, folder: Path, plane: Plane) -> Shown:
    if not isinstance(entry, Mapping) or not isinstance(entry.get("image"), str):
        raise BadInput(f"shown has {entry!r}; expected image, top and sides")
    top, sides = entry.get("top"), entry.get("sides")
    if not isinstance(top, str) or not isinstance(sides, Mapping) or not set(sides) <= set(DIRECTIONS):
        raise BadInput(
            f"{entry['image']} is shown with top {top!r} and sides {sides!r}; expected colours, by N, E, S, W"
        )
    frame = load_frame(folder / entry["image"], plane.size_wh)
    return Shown(frame, top, {str(side): str(colour) for side, colour in sides.items()}, Path(entry["image"]).name)


def _read_size(size_mm: object) -> float:
    if isinstance(size_mm, bool) or not isinstance(size_mm, int | float) or not 4 <= size_mm <= 200:
        raise BadInput(f"die size_mm is {size_mm!r}; expected its edge in mm, 4 to 200")
    return float(size_mm)


def _place_all(
    plane: Plane, empty: Frame, shown: Sequence[Shown], sizes: FloatArray, *, warnings: list[str]
) -> list[_Placed]:
    """Find the die in every picture, with one shape that suits all; what isn't found is warned about."""
    tries = [[each for size in sizes for each in _find_all(plane, float(size), empty, one.frame)] for one in shown]
    size_mm = _agree_on_size(tries)
    cube = Cube(size_mm, _ROUND * size_mm, _INSET * size_mm)
    placed = []
    for one, found in zip(shown, tries, strict=True):
        best = max(found, key=lambda each: each.quality * _alike(each.size_mm, size_mm), default=None)
        if best is None or best.quality < _FOUND:
            warnings.append(f"{one.name}: the die wasn't found; show it again, whole, alone and still")
            continue
        placed.append(_settle(one, replace(best.view, cube=cube), best.pose))
    if not placed:
        return []
    inset_mm = size_mm * float(np.median(np.concatenate([find_insets(one.view, one.pose) for one in placed])))
    bodies = [shows_body(one.view, one.pose) for one in placed]
    cube = replace(cube, inset_mm=inset_mm, painted=is_painted([body for body in bodies if body is not None]))
    return [_settle(one.shown, replace(one.view, cube=cube), one.pose) for one in placed]


@dataclass(frozen=True, slots=True)
class _Try:
    """A cube of free size fitted to a shown picture; ``quality`` 0 to 1."""

    view: View
    pose: FloatArray
    size_mm: float
    quality: float


def _find_all(plane: Plane, size_mm: float, empty: Frame, frame: Frame) -> list[_Try]:
    cube = Cube(size_mm, _ROUND * size_mm, _INSET * size_mm)
    grid = lay_grid(plane, cube)
    change = find_changed(frame, empty)
    kept = places_changed(grid, change)
    if not kept.any():
        return []
    view = look(frame, grid, kept, change)
    tries = []
    for candidate in find_candidates(view, grid.places[kept], tries=24):
        reach = 0.08 * float(size_px(plane, cube, candidate.fit.pose[None])[0])
        free = fit_size(view, candidate.fit.pose, reach)
        if not 0.8 < free.size_mm / size_mm < 1.25:
            continue
        faces = find_faces(view, free.pose)
        if len(faces) >= 2:
            solid = share_changed(view, np.stack([face.pixels for face in faces], axis=1))
            sized = replace(view, cube=scaled(cube, free.size_mm / size_mm))
            quality = trust_shape(free, faces, solid) * (1 - 0.9 * share_beyond(sized, free.pose))
            tries.append(_Try(view, free.pose, free.size_mm, quality))
    return tries


def _agree_on_size(tries: Sequence[Sequence[_Try]]) -> float:
    """Take the size for which every picture has a good try of about that size."""
    sizes = np.array([each.size_mm for picture in tries for each in picture] or [_SIZES_MM[0]])
    votes = np.zeros(len(sizes))
    for picture in tries:
        votes += [max((e.quality * _alike(e.size_mm, size) for e in picture), default=0.0) for size in sizes]
    size = float(sizes[votes.argmax()])
    near = [max(picture, key=lambda e: e.quality * _alike(e.size_mm, size)) for picture in tries if picture]
    weights = [each.quality * _alike(each.size_mm, size) + 1e-6 for each in near]
    return float(np.exp(np.average(np.log([each.size_mm for each in near] or [size]), weights=weights or None)))


def _alike(size_mm: float, other_mm: float) -> float:
    return exp(-0.5 * (log(size_mm / other_mm) / _SIZE_SPREAD) ** 2)


def _settle(one: Shown, view: View, pose: FloatArray) -> _Placed:
    fitted = fit(view, pose[None], 3.0, rounds=4)[0]
    yaw = wrap_yaw(float(fitted.pose[2]))
    near_tie = pi / 4 - abs(yaw) < 4 * fitted.yaw_error
    yaws = (yaw, yaw - pi / 2 if yaw > 0 else yaw + pi / 2) if near_tie else (yaw,)
    return _Placed(one, view, fitted.pose, yaws)


def _name_faces(placed: Sequence[_Placed], layout: Lie, warnings: list[str]) -> tuple[Seen, ...]:
    """Name the faces' colours; a die shown at nearly 45 degrees is named the way that makes most sense of all."""
    ways: list[tuple[float, tuple[Seen, ...]]] = []
    for yaws in product(*(one.yaws for one in placed)):
        named = tuple(
            seen
            for number, (one, yaw) in enumerate(zip(placed, yaws, strict=True))
            for seen in _name(one, yaw, layout, number=number)
        )
        ways.append((Palette(layout, named).evidence + len({seen.colour for seen in named}), named))
    ways.sort(key=lambda way: -way[0])
    if len(ways) == 1 or ways[0][0] - ways[1][0] > _TOLD_APART:
        return ways[0][1]
    straight = [one for one in placed if len(one.yaws) == 1]
    warnings += [
        f"{one.shown.name}: the die is turned by nearly 45 degrees; turn it straighter and show it again"
        for one in placed
        if len(one.yaws) > 1
    ]
    if not straight:
        raise BadInput("the die was shown turned by nearly 45 degrees only; turn it straighter and show it again")
    return _name_faces(straight, layout, warnings)


def _name(one: _Placed, yaw: float, layout: Lie, *, number: int) -> list[Seen]:
    pose = np.array([one.pose[0], one.pose[1], yaw])
    lie = find_shown_lie(one.shown.top, one.shown.sides, layout)
    return [
        replace(seen, picture=number) for face in _clear(find_faces(one.view, pose)) for seen in find_lessons(face, lie)
    ]


def _clear(faces: Sequence[Face]) -> list[Face]:
    return [face for face in faces if face.even >= 0.5]


def find_shown_lie(top: str, sides: Mapping[str, str], layout: Lie) -> Lie:
    """Find the way of lying that a person named.

    Raises:
        BadInput: none or several fit.
    """
    fits = [
        lie for lie in all_lies(layout) if lie.top == top and all(lie.towards(side) == sides[side] for side in sides)
    ]
    if len(fits) != 1:
        raise BadInput(f"the die can't lie with {top} up and {dict(sides)}; expected one way of lying: look again")
    return fits[0]


def _find_gaps(faces: Sequence[Seen], layout: Lie) -> list[str]:
    missing = sorted(layout.faces - {face.colour for face in faces})
    return [f"not seen yet: {', '.join(missing)}; show the die with them up or towards the camera"] if missing else []
