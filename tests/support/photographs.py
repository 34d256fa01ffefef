"""Real photographs beside the checkout, turned into what the reader takes: faces, frames and set-ups.

The labels have each seen face's outline, clockwise from its top-left corner in the picture. For the faces that are
taken by their outlines that makes the corners of the top NW, NE, SE and SW, the left face W and the right face S.
"""

import json

import cv2
import numpy as np
import pytest
import yaml

from companion.die import Lie, all_lies
from vision.cube import Cube
from vision.find import shrink
from vision.plane import CORNERS, Plane, find_plane, project, read_intrinsics
from vision.seen_face import Seen
from vision.setup import DieSetup
from vision.sketch import to_linear

SIDES = {"top": "top", "left": "W", "right": "S"}
_NORMALS = {"top": (0.0, 0.0, 1.0), "left": (-1.0, 0.0, 0.0), "right": (0.0, -1.0, 0.0)}
_SQUARE = np.array([(-1, 1, 0), (1, 1, 0), (1, -1, 0), (-1, -1, 0)])
"""The corners NW, NE, SE, SW of a square about the table's origin."""


class Photographs:
    """The folder's index."""

    def __init__(self, shared):
        self.folder = shared / "photos"
        if not (self.folder / "index.json").is_file():
            pytest.skip("no photographs of real cubes and dice beside the checkout")
        self._entries = json.loads((self.folder / "index.json").read_text())

    def select(self, kind, name=""):
        """The entries of a kind whose files have a name in theirs, in the order of the numbers in their names."""
        found = [entry for entry in self._entries if entry["kind"] == kind and name in entry["file"]]
        assert found, f"no photographs of kind {kind} with {name} in their names"
        return sorted(found, key=lambda entry: (len(entry["file"]), entry["file"]))

    def load(self, entry):
        """The picture, BGR; some files have a channel of transparency, which no camera's frame has."""
        return cv2.imread(str(self.folder / entry["file"]), cv2.IMREAD_COLOR)

    def load_faces(self, entry, picture=0):
        """The faces inside their outlines, by ``top``, ``left`` and ``right``, turned so that the camera is south."""
        frame = self.load(entry)
        outlines = {face["face"]: np.array(face["polygon"]) for face in entry["label"]["faces"]}
        height, width = frame.shape[:2]
        camera = read_intrinsics({"width": width, "height": height})
        square = dict(zip(CORNERS, outlines["top"], strict=True))
        turn = _turn_south(find_plane((width, height), camera, square, 50.0).eye_mm)
        return {
            name: Seen(
                tuple((turn @ np.array(_NORMALS[name])).tolist()),
                _look_inside(frame, outline),
                width_px=_width(outline),
                colour=entry["label"][name],
                picture=picture,
            )
            for name, outline in outlines.items()
        }


def _turn_south(eye_mm):
    """The matrix that turns the world about the vertical until a camera is straight to the south."""
    away = np.arctan2(eye_mm[0], -eye_mm[1])
    return np.array([[np.cos(away), np.sin(away), 0], [-np.sin(away), np.cos(away), 0], [0, 0, 1]])


def _look_inside(frame, outline):
    """The median colour, linear, of a face's middle: a black grid over it takes up less than half."""
    mask = np.zeros(frame.shape[:2], np.uint8)
    middle = outline.mean(axis=0)
    cv2.fillConvexPoly(mask, np.rint(middle + 0.7 * (outline - middle)).astype(np.int32), 1)
    return tuple(to_linear(np.median(frame[mask > 0], axis=0)).tolist())


def _width(outline):
    longest = np.linalg.norm(np.roll(outline, -1, axis=0) - outline, axis=1).max()
    return float(cv2.contourArea(outline.astype(np.float32)) / longest)


def name_views(entries):
    """What a person says who names the faces of some cubes."""
    return [
        (entry["label"]["top"], {side: entry["label"][face] for face, side in SIDES.items() if face != "top"})
        for entry in entries
    ]


def lies_so(lie, entry):
    """Whether a die that lies so shows the labelled faces."""
    (top, sides) = name_views([entry])[0]
    return lie.top == top and all(lie.towards(side) == colour for side, colour in sides.items())


def fits(layout, entry):
    """Whether a die can show the labelled faces at all."""
    return any(lies_so(lie, entry) for lie in all_lies(layout))


def set_up_calibrated(photographs, entry, layout: Lie, shown):
    """A frame without the lens's distortion and a set-up for its calibrated camera, south towards the camera.

    There is no picture of the empty table: it is the photograph with the cube painted over by what surrounds it.

    Returns:
        The frame, the set-up, and by how many degrees its axes are turned from the calibration's, anticlockwise.
    """
    calibration = yaml.safe_load((photographs.folder / entry["calibration"]).read_text())
    camera, lens, pose = (
        np.array(calibration[key]["data"]) for key in ("camera_matrix", "distortion_coefficients", "tf_world_to_camera")
    )
    camera, pose = camera.reshape(3, 3), pose.reshape(4, 4)
    frame = cv2.undistort(photographs.load(entry), camera, lens)
    height, width = frame.shape[:2]
    plane = Plane((width, height), camera, pose[:3, :3], pose[:3, 3] * 1000)
    turn = _turn_south(plane.eye_mm)
    table = {"square_mm": 200, "square_px": dict(zip(CORNERS, project(plane, 100 * _SQUARE @ turn), strict=True))}
    outlines = np.vstack([face["polygon"] for face in entry["label"]["faces"]]).reshape(-1, 1, 2)
    empty = _paint_over(frame, [cv2.undistortPoints(outlines, camera, lens, P=camera)], border_px=15)
    size_mm = float(entry["cube_size_mm"])
    # The cube is wood, painted to its sharp edges.
    cube = Cube(size_mm, 0.03 * size_mm, 0.03 * size_mm)
    setup = DieSetup({"width": width, "height": height, "K": camera}, table, cube, layout, tuple(shown), empty)
    return frame, setup, float(np.degrees(np.arctan2(turn[0, 1], turn[0, 0])))


def set_up_guessed(photographs, entry, layout: Lie, shown, *, tilt_deg):
    """A frame with boxed dice and a set-up in which a die of the boxes' size lies before a camera tilted so."""
    frame = photographs.load(entry)
    height, width = frame.shape[:2]
    camera = {"width": width, "height": height}
    plane = _tilted((width, height), read_intrinsics(camera), np.radians(tilt_deg))
    table = {"square_mm": 160, "square_px": dict(zip(CORNERS, project(plane, 80 * _SQUARE), strict=True))}
    boxes = np.array(entry["label"]["boxes"])
    # A box is wider than an edge: it holds the top and a side.
    size_px = 0.75 * float(np.median((boxes[:, 2:] - boxes[:, :2]).max(axis=1)))
    size_mm = size_px * float(np.linalg.norm(plane.eye_mm)) / plane.intrinsics[0, 0]
    empty = _paint_over(frame, boxes[:, [[0, 1], [2, 1], [2, 3], [0, 3]]], border_px=10)
    cube = Cube(size_mm, 0.1 * size_mm, 0.05 * size_mm)
    return frame, DieSetup(camera, table, cube, layout, tuple(shown), empty)


def _tilted(size_wh, camera, tilt):
    """A camera 400 mm from the table's origin, to the south, so many radians off the vertical."""
    eye = 400 * np.array([0, -np.sin(tilt), np.cos(tilt)])
    forward, right = -eye / 400, np.array([1.0, 0, 0])
    rotation = np.stack((right, np.cross(forward, right), forward))
    return Plane(size_wh, camera, rotation, -rotation @ eye)


def _paint_over(frame, outlines, border_px):
    """The frame, shrunk as a set-up keeps it, with some outlines and a border filled by what surrounds them."""
    mask = np.zeros(frame.shape[:2], np.uint8)
    for outline in outlines:
        cv2.fillConvexPoly(mask, cv2.convexHull(np.rint(outline).astype(np.int32).reshape(-1, 2)), 1)
    mask = cv2.dilate(mask, np.ones((2 * border_px + 1, 2 * border_px + 1), np.uint8))
    return shrink(cv2.inpaint(frame, mask, 3, cv2.INPAINT_TELEA))
