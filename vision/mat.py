"""The printed mat: a sheet with a marker in each corner that tells where the table is, how large, and where south is.

Markers: S. Garrido-Jurado et al., "Automatic generation and detection of highly reliable fiducial markers under
occlusion", Pattern Recognition 47, 2014; OpenCV's dictionary of 4 x 4 bits.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.errors import BadInput
from companion.mat import FIRST_MARKER, MARKER_MM, PAPERS, TITLES, marker_place
from companion.text import say
from vision.frames import FloatArray, Frame, load_frame
from vision.plane import read_intrinsics
from vision.sheet import MEASURED_PX, Place, place

SQUARE_MM = 160.0
"""Side of the square round the mat's middle that describes the table."""

_FEWEST = 2
"""Two markers have eight corners: enough for a plane, with four to check it by."""

_BENT_PX = 2.0
"""A flat mat's corners lie where its plane puts them, within so many pixels (root mean square)."""

_SCALES = (0.8, 1.25)
"""A print smaller or larger than this was made for another paper."""


@dataclass(frozen=True, slots=True)
class Mat:
    """A mat in a picture.

    Attributes:
        paper: for which paper it was made, a key of ``PAPERS``.
        points_mm: corners of the markers seen, X east, Y north, from the mat's middle, shape (N, 2).
        points_px: where they are seen, [x, y], shape (N, 2).
    """

    paper: str
    points_mm: FloatArray
    points_px: FloatArray

    @property
    def markers(self) -> int:
        """How many of the four are seen."""
        return len(self.points_mm) // 4

    def corners_px(self) -> FloatArray:
        """Where the paper's corners NW, NE, SE, SW are seen, shape (4, 2)."""
        width, height = PAPERS[self.paper]
        corners = np.array([[[-1, 1], [1, 1], [1, -1], [-1, -1]]]) * np.array([width, height]) / 2
        shape, _ = cv2.findHomography(self.points_mm, self.points_px)
        return np.asarray(cv2.perspectiveTransform(corners, np.asarray(shape))[0], dtype=np.float64)


def find_mat(frame: Frame) -> Mat | None:
    """Find the mat in a picture.

    Args:
        frame: BGR, uint8, shape (H, W, 3).

    Returns:
        The mat; None when no marker of one is seen.

    Raises:
        BadInput: too few of its markers are seen, it isn't flat, or there are two mats.
    """
    seen = _find_markers(frame)
    by_paper = {
        paper: {number - start: seen[number] for number in range(start, start + 4) if number in seen}
        for paper, start in FIRST_MARKER.items()
    }
    mats = [paper for paper, found in by_paper.items() if found]
    if not mats:
        return None
    if len(mats) > 1:
        raise BadInput(say("two mats are seen, for A4 and for Letter: take one away"))
    paper = mats[0]
    found = by_paper[paper]
    if len(found) < _FEWEST:
        raise BadInput(
            say(
                "only {number} of the mat's four markers is seen: take hands and things off the mat, and see that the "
                "camera sees all of it",
                number=len(found),
            )
        )
    points_mm = np.concatenate([_corners_mm(paper, corner) for corner in found])
    points_px = np.concatenate(list(found.values()))
    shape, _ = cv2.findHomography(points_mm, points_px)
    ahead = None if shape is None else np.asarray(cv2.perspectiveTransform(points_mm[None], np.asarray(shape)))[0]
    if ahead is None or float(np.sqrt(((ahead - points_px) ** 2).sum(axis=1).mean())) > _BENT_PX:
        raise BadInput(say("the mat isn't flat, or isn't one piece: smooth it on the table"))
    return Mat(paper, points_mm, points_px)


def place_mat(camera: Mapping[str, Any], mat: Mat, ruler_mm: float = 100.0) -> Place:
    """Place the table by a mat.

    Args:
        camera: ``width`` and ``height``, and ``K`` or ``vfov_deg`` where they are known; else they are estimated.
        mat: from ``find_mat``.
        ruler_mm: how long the mat's ruler of 100 mm truly is: a print may have been scaled.

    Raises:
        BadInput: no print is scaled so.
    """
    if isinstance(ruler_mm, bool) or not isinstance(ruler_mm, int | float) or not _scaled(ruler_mm):
        raise BadInput(
            f"the mat's ruler measures {ruler_mm!r} mm; expected 100, or 80 to 125 from a scaled print: "
            "print it at 100 % on its own paper"
        )
    return place(camera, mat.points_mm * (ruler_mm / 100), mat.points_px, SQUARE_MM * ruler_mm / 100, MEASURED_PX)


def is_mat(table: object) -> bool:
    """Tell whether a table's description leaves its corners to the mat."""
    return table is None or (isinstance(table, Mapping) and table.get("square_px") is None)


def find_table(camera: object, table: Mapping[str, Any], folder: Path, empty: str) -> Place:
    """Place the table by the mat in a picture.

    Args:
        camera: as for ``place_mat``.
        table: ``mat``, or nothing: ``image``, a picture with the mat (the empty table's otherwise), ``ruler_mm`` as
            for ``place_mat``, and ``paper``, a key of ``PAPERS``, where another one must be refused.
        folder: pictures' paths are relative to it.
        empty: the path of the empty table's picture.

    Raises:
        BadInput: there is no such mat in the picture.
    """
    if not isinstance(camera, Mapping):
        raise BadInput(f"camera is {camera!r}; expected width and height in pixels, and K or vfov_deg")
    wanted = table.get("mat") or {}
    if not isinstance(wanted, Mapping) or not isinstance(wanted.get("image", empty), str):
        raise BadInput(f"table mat is {wanted!r}; expected image, ruler_mm and paper, or nothing")
    if wanted.get("paper", "a4") not in PAPERS:
        raise BadInput(f"table mat paper is {wanted['paper']!r}; expected {' or '.join(PAPERS)}")
    read_intrinsics(camera)
    image = str(wanted.get("image", empty))
    mat = find_mat(load_frame(folder / image, (int(camera["width"]), int(camera["height"]))))
    if mat is None:
        raise BadInput(
            f"no mat lies in {Path(image).name}, and table has no square_px; expected either: print one with "
            "companion mat, or give the corners"
        )
    if mat.paper != wanted.get("paper", mat.paper):
        raise BadInput(
            f"the mat in {Path(image).name} is for {TITLES[mat.paper]}; expected the one for "
            f"{TITLES[wanted['paper']]}: print that one"
        )
    return place_mat(camera, mat, wanted.get("ruler_mm", 100.0))


def _scaled(ruler_mm: float) -> bool:
    return bool(_SCALES[0] <= ruler_mm / 100 <= _SCALES[1])


def _corners_mm(paper: str, corner: int) -> FloatArray:
    """Give a marker's corners clockwise from its own top-left one, X east, Y north from the mat's middle, (4, 2)."""
    width, height = PAPERS[paper]
    left, top = marker_place(paper, corner)
    ways = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * MARKER_MM + [left, top]
    return np.asarray((ways - [width / 2, height / 2]) * [1, -1], dtype=np.float64)


def _find_markers(frame: Frame) -> dict[int, FloatArray]:
    """Find markers by number: their corners, clockwise from each one's own top-left, shape (4, 2)."""
    aruco: Any = cv2.aruco
    book = aruco.getPredefinedDictionary(aruco.DICT_4X4_50)
    grey = cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)
    if hasattr(aruco, "ArucoDetector"):
        tuning = aruco.DetectorParameters()
        tuning.cornerRefinementMethod = aruco.CORNER_REFINE_SUBPIX
        corners, numbers, _ = aruco.ArucoDetector(book, tuning).detectMarkers(grey)
    else:  # OpenCV before 4.7, as Debian 12 has it
        tuning = aruco.DetectorParameters_create()
        tuning.cornerRefinementMethod = aruco.CORNER_REFINE_SUBPIX
        corners, numbers, _ = aruco.detectMarkers(grey, book, parameters=tuning)
    known = [] if numbers is None else np.asarray(numbers).reshape(-1).tolist()
    return {
        int(number): np.asarray(four, dtype=np.float64).reshape(4, 2)
        for number, four in zip(known, corners, strict=True)
        if known.count(number) == 1
    }
