"""A camera's picture of the printed mat, made from the file that a printer gets."""

import xml.etree.ElementTree as ET

import cv2
import numpy as np
from drawn_die import plane

from companion.mat import PAPERS, draw_mat
from companion.printing import to_svg

DOTS_A_MM = 6
SIZE_WH = (1280, 720)


def print_mat(paper="a4"):
    """The sheet as the SVG file says, grey, uint8; words don't matter to a camera."""
    svg = ET.fromstring(to_svg(draw_mat(paper)))
    width, height = PAPERS[paper]
    sheet = np.full((round(height * DOTS_A_MM), round(width * DOTS_A_MM)), 255, np.uint8)
    for box in svg.iter("{http://www.w3.org/2000/svg}rect"):
        if box.get("fill") is None:
            x, y, w, h = (float(box.get(name)) * DOTS_A_MM for name in ("x", "y", "width", "height"))
            corners = np.array([[x, y], [x + w, y], [x + w, y + h], [x, y + h]]) - 0.5
            cv2.fillConvexPoly(sheet, np.rint(corners * 256).astype(np.int32), 20, cv2.LINE_AA, 8)
    return sheet


def photograph(sheet, *, scale=1.0, turn_deg=0.0, shift_mm=(0.0, 0.0), zoom=0.62, noise=2.0, background=(60, 90, 120)):
    """See a sheet that lies on the drawn table, BGR, 1280 x 720; `zoom` takes the camera further off."""
    height, width = sheet.shape
    mm = scale / DOTS_A_MM
    lay = np.array([[mm, 0, -width * mm / 2], [0, -mm, height * mm / 2], [0, 0, 1]])
    c, s = np.cos(np.radians(turn_deg)), np.sin(np.radians(turn_deg))
    move = np.array([[c, -s, shift_mm[0]], [s, c, shift_mm[1]], [0, 0, 1]])
    see = see_table(zoom)
    fine = np.array([[2, 0, 0.5], [0, 2, 0.5], [0, 0, 1.0]])
    centre = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1.0]])
    across = fine @ see @ move @ lay @ centre
    big = np.full((SIZE_WH[1] * 2, SIZE_WH[0] * 2, 3), background, np.uint8)
    cv2.warpPerspective(cv2.cvtColor(sheet, cv2.COLOR_GRAY2BGR), across, (SIZE_WH[0] * 2, SIZE_WH[1] * 2), big,
                        cv2.INTER_AREA, cv2.BORDER_TRANSPARENT)  # fmt: skip
    frame = cv2.GaussianBlur(cv2.resize(big, SIZE_WH, interpolation=cv2.INTER_AREA), (0, 0), 0.8)
    grain = np.random.default_rng(3).normal(0, noise, frame.shape)
    return np.clip(frame * 0.9 + grain, 0, 255).astype(np.uint8)


def see_table(zoom=0.62):
    """The homography from the table (mm) to the picture."""
    scaled = np.diag([2 * zoom, 2 * zoom, 1.0])
    scaled[:2, 2] = np.array(SIZE_WH) / 2 * (1 - zoom)
    return scaled @ plane().homography


def seen_at(points_mm, zoom=0.62):
    return cv2.perspectiveTransform(np.array([points_mm], dtype=np.float64), see_table(zoom))[0]


def camera(zoom=0.62):
    """The camera's description, K and all."""
    seen = plane()
    matrix = np.diag([2 * zoom, 2 * zoom, 1.0])
    matrix[:2, 2] = np.array(SIZE_WH) / 2 * (1 - zoom)
    return {"width": SIZE_WH[0], "height": SIZE_WH[1], "K": (matrix @ seen.intrinsics).tolist()}
