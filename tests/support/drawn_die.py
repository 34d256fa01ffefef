"""A table and a colour die, drawn for tests: flat faces with light by slope, smooth edges and sensor noise."""

import cv2
import numpy as np

from companion.die import all_lies
from vision.calibrate import Shown, learn_die
from vision.cube import FACES, rotations
from vision.layout import learn_layout
from vision.plane import find_plane, project, read_intrinsics

WIDTH, HEIGHT = 640, 360
SIZE_MM = 25.0
CAMERA = {"width": WIDTH, "height": HEIGHT, "vfov_deg": 40.0}
EYE_MM = np.array([60.0, -330.0, 300.0])
BGR = {
    "yellow": (40, 200, 220),
    "green": (70, 150, 50),
    "red": (45, 40, 200),
    "blue": (190, 90, 40),
    "purple": (140, 60, 120),
    "black": (38, 36, 35),
}
TABLE_BGR = (150, 170, 180)
STANDARD = learn_layout([("yellow", {"S": "red", "W": "purple"})])
_CORNERS = np.array([[x, y, z] for z in (0, 1) for x, y in ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))])
_FACES = {"top": (4, 5, 6, 7), "S": (0, 1, 5, 4), "E": (1, 2, 6, 5), "N": (2, 3, 7, 6), "W": (3, 0, 4, 7)}
_NORMALS = np.array([[0, 0, 1], [0, 1, 0], [1, 0, 0], [0, -1, 0], [-1, 0, 0]], dtype=np.float64)
_LIGHT = {"top": 1.0, "S": 0.62, "E": 0.5, "N": 0.7, "W": 0.8}


def square_px(side_mm=200.0):
    """Where the corners of the square round the table's origin are seen."""
    camera = _camera()
    half = side_mm / 2
    corners = {"NW": (-half, half), "NE": (half, half), "SE": (half, -half), "SW": (-half, -half)}
    return {name: _see(camera, np.array([x, y, 0.0])).tolist() for name, (x, y) in corners.items()}


def table():
    return {"square_mm": 200, "square_px": square_px()}


def plane():
    return find_plane((WIDTH, HEIGHT), read_intrinsics(CAMERA), square_px(), 200)


def lie_of(top, south, layout=STANDARD):
    return next(lie for lie in all_lies(layout) if (lie.top, lie.south) == (top, south))


def draw(*dice, seed=0, noise=1.5, light=1.0, colours=BGR, glare=0.0, body=None):
    """Draw the table with some dice, each ``(lie, x_mm, y_mm, yaw_deg)`` or with a size in mm as fifth.

    ``glare`` is the share of the top's side that is burnt white; ``body`` the colour between stickers.
    """
    scale = 4
    picture = np.empty((HEIGHT * scale, WIDTH * scale, 3), np.uint8)
    picture[:] = TABLE_BGR
    for lie, x, y, yaw_deg, *size in dice:
        shape = (x, y, yaw_deg), size[0] if size else SIZE_MM
        _draw_die(picture, scale, lie, *shape, colours=colours, glare=glare, body=body)
    small = cv2.GaussianBlur(cv2.resize(picture, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA), (0, 0), 0.7)
    grain = np.random.default_rng(seed).normal(0, noise, small.shape)
    return np.clip(small * light + grain, 0, 255).round().astype(np.uint8)


def describe(lie):
    return lie.top, {"N": lie.north, "E": lie.east, "S": lie.south, "W": lie.west}


def project_one(x_mm, y_mm):
    """Where the middle of a die at a place is seen."""
    x, y = project(plane(), [x_mm, y_mm, SIZE_MM / 2])
    return float(x), float(y)


def _draw_die(picture, scale, lie, pose, size_mm, *, colours, glare, body):
    x, y, yaw_deg = pose
    seen = plane()
    turn = rotations(np.array([np.deg2rad(yaw_deg)]))[0].T
    middle = np.array([x, y, size_mm / 2])
    facing = [normal @ turn @ (seen.eye_mm - middle) - size_mm / 2 for normal in _NORMALS]
    for index, name in enumerate(FACES):
        if facing[index] <= 0:
            continue
        layers = [(colours[lie.top if name == "top" else lie.towards(name)], 1.0 if body is None else 0.8)]
        layers = layers if body is None else [(body, 1.0), *layers]
        corners = _CORNERS[list(_FACES[name])] - [0, 0, 0.5]
        for bgr, share in layers + [((255, 255, 255), glare)] * (name == "top" and glare > 0):
            shade = 1.0 if bgr == (255, 255, 255) else _LIGHT[name] ** 0.45
            inner = np.where(np.abs(_NORMALS[index]) > 0, corners, corners * share)
            pixels = (project(seen, inner * size_mm @ turn + [x, y, size_mm / 2]) + 0.5) * scale
            cv2.fillConvexPoly(picture, pixels.round().astype(np.int32), [v * shade for v in bgr], cv2.LINE_AA)


def _camera():
    forward = -EYE_MM / np.linalg.norm(EYE_MM)
    right = np.cross(forward, [0, 0, 1.0])
    right /= np.linalg.norm(right)
    return np.stack((right, np.cross(forward, right), forward)), read_intrinsics(CAMERA)


def _see(camera, point_mm):
    rotation, intrinsics = camera
    ray = intrinsics @ rotation @ (point_mm - EYE_MM)
    return ray[:2] / ray[2]


def learn(yaw_deg=12, body=None):
    """The set-up of the drawn die of a known size, from three pictures that show all its colours."""
    shown = []
    for number, names in enumerate((("yellow", "red"), ("blue", "green"), ("purple", "yellow"))):
        lie = lie_of(*names)
        shown.append(Shown(draw((lie, 5, -5, yaw_deg), seed=number, body=body), *describe(lie), f"shown {number}"))
    return learn_die(CAMERA, table(), draw(seed=99), shown, die={"size_mm": SIZE_MM})[0]
