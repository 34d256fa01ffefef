"""Everything on the drawn table that never moves, drawn once."""

from collections.abc import Callable

import cv2
import numpy as np

from hardware.virtual import things
from hardware.virtual.light import JITTERS, KEY, NEAR, SKY, TO_LIGHT, draw, shadowed
from hardware.virtual.pinhole import Box, Floats, Picture, Pinhole
from hardware.virtual.solids import Solid
from hardware.virtual.wood import MM_PER_PIXEL, paint_table

GRAIN_DEG = 11.0
"""How far the boards are turned from east."""

TABLE_MM = (1500.0, 1180.0)

INK = (92, 70, 52)
PAPER = (238, 228, 204)
SHEET_MM = (132, 92)
SHEETS = (
    # middle x, y (mm), turn (degrees), the colour of its band
    (-196.0, -18.0, 7.0, (44, 110, 142)),
    (188.0, 96.0, -11.0, (166, 64, 48)),
)

PAPER_AT = (-20.0, 0.0, 3.0)
"""Where a sheet for setting up is laid: its middle (mm) and how it is turned (degrees); clear of what stands round."""


def draw_backdrop(camera: Pinhole, seed: int) -> Floats:
    """Draw the bare table with what lies round its middle: linear BGR, shape (height, width, 3)."""
    own_to_table = _turn(GRAIN_DEG) @ np.array(
        [[MM_PER_PIXEL, 0, -TABLE_MM[0] / 2], [0, -MM_PER_PIXEL, TABLE_MM[1] / 2], [0, 0, 1.0]]
    )
    albedo = _lay(camera, paint_table(seed, TABLE_MM), own_to_table)
    for x_mm, y_mm, turn_deg, band in SHEETS:
        _lay_sheet(camera, albedo, (x_mm, y_mm, turn_deg), band)
    picture = albedo * (KEY * TO_LIGHT[2] + SKY)
    picture += _sheen(camera, albedo)
    for solid in _props():
        _put(camera, picture, solid)
    return np.asarray(picture * _vignette(camera), np.float32)


def lay_paper(camera: Pinhole, table: Floats, paper: Picture, size_mm: tuple[float, float]) -> Floats:
    """Lay a printed sheet of paper about the middle of the drawn table.

    Args:
        camera: who looks.
        table: from `draw_backdrop`; it stays as it is.
        paper: what is printed on it, BGR, uint8.
        size_mm: its width and height.
    """
    height, width = paper.shape[:2]
    x_mm, y_mm, turn_deg = PAPER_AT
    base = _turn(turn_deg, x_mm, y_mm) @ np.array(
        [[size_mm[0] / width, 0, -size_mm[0] / 2], [0, -size_mm[1] / height, size_mm[1] / 2], [0, 0, 1.0]]
    )
    cover = _lay(camera, np.ones((height, width), np.float32), base)[..., None]
    printed = np.asarray((0.86 * (paper / 255.0) ** 2.2), np.float32)
    lit = _lay(camera, printed, base) * (KEY * TO_LIGHT[2] + SKY) * _vignette(camera) * np.float32(0.8)
    return np.asarray(table * (1 - cover) + lit, np.float32)


def paper_corners_px(camera: Pinhole, size_mm: tuple[float, float]) -> list[list[float]]:
    """Tell where the corners of such a sheet are seen, [x, y], clockwise from the north-west."""
    x_mm, y_mm, turn_deg = PAPER_AT
    half = np.array([size_mm[0] / 2, size_mm[1] / 2, 1])
    own = half * np.array([(-1, 1, 1), (1, 1, 1), (1, -1, 1), (-1, -1, 1)])
    points = (own @ _turn(turn_deg, x_mm, y_mm).T) * [1, 1, 0]
    return [[float(x), float(y)] for x, y in camera.project(np.asarray(points, np.float32))]


def box_round(camera: Pinhole, solid: Solid, margin_px: int = 3) -> Box:
    """Find the part of the picture that a thing and its shadow can change; it may be empty."""
    corners = solid.radius * np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float32)
    body = solid.centre + corners
    # The wide light's penumbra reaches further than the middle ray: aim a little past it.
    fall = (body[:, 2:] / TO_LIGHT[2]) * TO_LIGHT
    shadow = body - fall * np.float32(1.12)
    shadow[:, 2] = 0
    near = solid.centre + corners * np.float32(NEAR)
    near[:, 2] = 0
    pixels = camera.project(np.concatenate([body, shadow, near]))
    (left, top), (right, bottom) = pixels.min(0) - margin_px, pixels.max(0) + margin_px
    width, height = camera.size_wh
    box = (max(0, int(left)), max(0, int(top)), min(width, int(right) + 1), min(height, int(bottom) + 1))
    return box if box[0] < box[2] and box[1] < box[3] else (0, 0, 0, 0)


def _put(camera: Pinhole, picture: Floats, solid: Solid) -> None:
    box = left, top, right, bottom = box_round(camera, solid)
    if right > left:
        under = shadowed(camera, [solid], picture[top:bottom, left:right], box)
        seen = [draw(camera, [solid], under, box, jitter) for jitter in JITTERS]
        picture[top:bottom, left:right] = np.mean(seen, axis=0, dtype=np.float32)


def _props() -> list[Solid]:
    return [
        things.make_mug(246, 196, (38, 84, 104)),
        *(things.make_coin(x, y) for x, y in ((-118, 118), (-92, 131), (-104, 104), (146, -58))),
        things.make_pawn(-186, 24, (184, 52, 44)),
        things.make_pawn(-214, -30, (236, 226, 204)),
        things.make_pawn(176, 112, (46, 84, 150)),
        things.make_pawn(214, 84, (60, 120, 66)),
    ]


def _turn(degrees: float, x_mm: float = 0.0, y_mm: float = 0.0) -> "np.ndarray[tuple[int, ...], np.dtype[np.float64]]":
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.array([[c, -s, x_mm], [s, c, y_mm], [0, 0, 1.0]])


def _lay(camera: Pinhole, texture: Floats, own_to_table: "np.ndarray[tuple[int, ...], np.dtype[np.float64]]") -> Floats:
    """See a flat picture that lies on the table, antialiased."""
    twice = np.diag([2.0, 2.0, 1.0])
    twice[:2, 2] = 0.5
    width, height = camera.size_wh
    across = twice @ camera.table_to_picture() @ own_to_table
    big = cv2.warpPerspective(texture, across, (width * 2, height * 2), flags=cv2.INTER_LINEAR)
    return np.asarray(cv2.resize(big, (width, height), interpolation=cv2.INTER_AREA), np.float32)


def _lay_sheet(camera: Pinhole, albedo: Floats, place: tuple[float, float, float], band: tuple[int, int, int]) -> None:
    x_mm, y_mm, turn_deg = place
    scale = 6
    sheet = _paint_sheet(scale, band)
    height, width = sheet.shape[:2]
    base = _turn(turn_deg, x_mm, y_mm) @ np.array(
        [[1 / scale, 0, -width / scale / 2], [0, -1 / scale, height / scale / 2], [0, 0, 1.0]]
    )
    mask = np.ones((height, width), np.float32)
    shadow = _lay(camera, mask, _turn(0, 1.2, -0.4) @ base)
    albedo *= 1 - 0.42 * np.asarray(cv2.GaussianBlur(shadow, (0, 0), 2.2), np.float32)[..., None]
    cover = _lay(camera, mask, base)[..., None]
    albedo *= 1 - cover
    albedo += _lay(camera, sheet, base)


def _paint_sheet(scale: int, band: tuple[int, int, int]) -> Floats:
    """Paint a score sheet: a coloured band over six tracks, linear BGR."""
    width, height = SHEET_MM[0] * scale, SHEET_MM[1] * scale
    sheet = np.full((height, width, 3), PAPER, np.uint8)
    cv2.rectangle(sheet, (0, 0), (width, 15 * scale), band, -1)
    cv2.rectangle(sheet, (2 * scale, 2 * scale), (width - 2 * scale, height - 2 * scale), INK, scale // 3)
    for row, srgb in enumerate(things.PAINT.values()):
        y = (24 + row * 11) * scale
        cv2.circle(sheet, (10 * scale, y), 4 * scale, srgb, -1, cv2.LINE_AA)
        for step in range(10):
            x = (22 + step * 11) * scale
            cv2.circle(sheet, (x, y), int(3.6 * scale), INK, scale // 3, cv2.LINE_AA)
    return np.asarray((sheet[..., ::-1] / 255.0) ** 2.2, np.float32)


def _per_pixel(camera: Pinhole, value: Callable[[Floats], Floats]) -> Floats:
    """Compute something slow and smooth at an eighth of the size, shape (height, width)."""
    width, height = camera.size_wh
    coarse = value(camera.rays((0, 0, width, height), 8))
    return np.asarray(cv2.resize(coarse, (width, height), interpolation=cv2.INTER_LINEAR), np.float32)


def _sheen(camera: Pinhole, albedo: Floats) -> Floats:
    """The light mirrored broadly by the oiled wood."""

    def mirrored(rays: Floats) -> Floats:
        up = rays * np.array([1, 1, -1], np.float32)
        return np.asarray(0.10 * np.clip(up @ TO_LIGHT, 0, 1) ** 9 + 0.05 * (1 + rays[..., 2]) ** 4, np.float32)

    uneven = 0.6 + 0.8 * albedo.mean(-1, keepdims=True)
    return np.asarray(_per_pixel(camera, mirrored)[..., None] * uneven * np.array([0.95, 1, 1], np.float32), np.float32)


def _vignette(camera: Pinhole) -> Floats:
    ahead = camera.rotation[2]
    return _per_pixel(camera, lambda rays: np.asarray((rays @ ahead) ** 2.2, np.float32))[..., None]
