"""From something of known size on the table, a sheet of paper or a mat, to the table's square and the camera's view."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import atan, degrees, log
from typing import Any

import cv2
import numpy as np

from companion.errors import BadInput
from companion.text import say
from vision.frames import FloatArray
from vision.plane import CORNERS, read_intrinsics

_VFOV_SPREAD = 0.3
"""Standard deviation of the logarithm of cameras' focal lengths about the default's: phone-like to webcam-like."""

_FOCALS = np.geomspace(0.4, 2.5, 61)
"""Focal lengths are tried at these shares of the default."""

TAPPED_PX, MEASURED_PX = 2.0, 0.4
"""How far a tapped and a measured corner lie from the true one (standard deviation, pixels)."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where the table is.

    Attributes:
        camera: ``width``, ``height`` and ``K`` or ``vfov_deg``, as described by ``read_intrinsics``.
        table: ``square_mm`` and ``square_px``, as described by ``find_plane``.
        misfit: how badly the corners suit a sheet of that size, in standard deviations of a corner; about 1 is well.
    """

    camera: Mapping[str, Any]
    table: Mapping[str, Any]
    misfit: float


def place_sheet(
    camera: Mapping[str, Any], corners_px: Sequence[Sequence[float]], size_mm: tuple[float, float], south: int
) -> Place:
    """Place the table by the four corners of a sheet of paper.

    Whether a long or a short edge is the southern one follows from the picture.

    Args:
        camera: ``width`` and ``height``, and ``K`` or ``vfov_deg`` where they are known; else they are estimated.
        corners_px: four [x, y], clockwise in the picture.
        size_mm: the sheet's two sides.
        south: which edge is the southern one: 0 from corner 0 to corner 1, and so on.

    Raises:
        BadInput: the corners are none of such a sheet.
    """
    try:
        corners = np.array(corners_px, dtype=np.float64)
    except (TypeError, ValueError):
        corners = np.zeros(0)
    if corners.shape != (4, 2) or not np.isfinite(corners).all():
        raise BadInput(f"the corners are {corners_px!r}; expected four [x, y], clockwise in the picture")
    if not all(np.isfinite(side) and 30 <= side <= 2000 for side in size_mm):
        raise BadInput(f"the sheet is {size_mm[0]!r} x {size_mm[1]!r} mm; expected its two sides, 30 to 2000 mm")
    if south not in range(4):
        raise BadInput(f"the southern edge is {south!r}; expected 0 to 3")
    _check_convex(corners)
    # The southern edge runs from the south-east corner to the south-west one: NW, NE, SE, SW follow from there.
    turned = np.roll(corners, 2 - south, axis=0)
    places = []
    for width, height in {tuple(size_mm), tuple(reversed(size_mm))}:
        half = np.array([width, height]) / 2
        corners_mm = half * np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]])
        places.append(place(camera, corners_mm, turned, min(size_mm), TAPPED_PX))
    return min(places, key=lambda each: each.misfit)


def place(
    camera: Mapping[str, Any], points_mm: FloatArray, points_px: FloatArray, square_mm: float, spread_px: float
) -> Place:
    """Place the table by points that are known both on it and in the picture.

    Args:
        camera: as for ``place_sheet``.
        points_mm: X east, Y north, from the middle of the square, shape (N, 2), four or more.
        points_px: [x, y], shape (N, 2).
        square_mm: side of the square that is described.
        spread_px: how far a point may lie from the true one, as a standard deviation.

    Raises:
        BadInput: the points lie on no plane that is seen so.
    """
    shape, _ = cv2.findHomography(points_mm, points_px)
    if shape is None:
        raise BadInput(say("the corners lie in a line, and make no sheet: tap them again"))
    ways = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]], dtype=np.float64) * square_mm / 2
    square = np.asarray(cv2.perspectiveTransform(ways[None], np.asarray(shape)))[0]
    table = {
        "square_mm": float(square_mm),
        "square_px": {
            name: [round(float(at[0]), 2), round(float(at[1]), 2)] for name, at in zip(CORNERS, square, strict=True)
        },
    }
    if camera.get("K") is not None or camera.get("vfov_deg") is not None:
        return Place(camera, table, _misfit_px(read_intrinsics(camera), points_mm, points_px) / spread_px)
    base = read_intrinsics(camera)
    best: tuple[float, float, float] | None = None
    for share in _FOCALS:
        intrinsics = base.copy()
        intrinsics[0, 0] = intrinsics[1, 1] = base[1, 1] * share
        misfit = _misfit_px(intrinsics, points_mm, points_px) / spread_px
        cost = len(points_px) * misfit**2 + (log(share) / _VFOV_SPREAD) ** 2
        if best is None or cost < best[0]:
            best = (cost, misfit, float(intrinsics[1, 1]))
    assert best is not None
    vfov_deg = degrees(2 * atan(float(camera["height"]) / 2 / best[2]))
    return Place({**camera, "vfov_deg": round(vfov_deg, 2)}, table, best[1])


def _misfit_px(intrinsics: FloatArray, points_mm: FloatArray, points_px: FloatArray) -> float:
    """Root mean square of how far points of a level plane lie from where this camera can see them."""
    world = np.column_stack((points_mm, np.zeros(len(points_mm))))
    _, turns, shifts, _ = cv2.solvePnPGeneric(world, points_px, intrinsics, None, flags=cv2.SOLVEPNP_IPPE)
    errors = [1e6]
    for turn, shift in zip(turns, shifts, strict=True):
        seen = np.asarray(cv2.projectPoints(world, turn, shift, intrinsics, None)[0]).reshape(-1, 2)
        errors.append(float(np.sqrt(((seen - points_px) ** 2).sum(axis=1).mean())))
    return min(errors)


def _check_convex(corners: FloatArray) -> None:
    edges = np.roll(corners, -1, axis=0) - corners
    after = np.roll(edges, -1, axis=0)
    if (edges[:, 0] * after[:, 1] - edges[:, 1] * after[:, 0] <= 0).any() or np.linalg.norm(edges, axis=1).min() < 20:
        raise BadInput(say("the four corners make no sheet: tap them clockwise, some way apart"))
