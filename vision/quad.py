"""Finds four straight edges about which nothing is known, those of a card: a proposal that a person confirms."""

import cv2
import numpy as np

from vision.frames import FloatArray, Frame

_LEAST_SHARE, _MOST_SHARE = 0.01, 0.8
"""Of the picture's area."""

_STRAIGHT = 0.02
"""Corners are taken off an outline while it changes by less than this share of its length."""

_ASIDE = 0.25
"""As a share of the picture's diagonal: so far from its middle a thing counts for a third."""

_ASIDE_PX = 9.0
"""So far an outline's points may lie from the line between its corners, which the widest ones are worn by."""

_LEAST_FILLED = 0.85
"""Of a four-cornered outline's area, what the outline itself encloses."""


def find_quad(frame: Frame) -> FloatArray | None:
    """Find the largest thing with four straight edges, rather in the middle of the picture than at its side.

    Args:
        frame: BGR, uint8, shape (H, W, 3).

    Returns:
        Its corners, clockwise in the picture, [x, y], shape (4, 2); None when there is no such thing.
    """
    area = frame.shape[0] * frame.shape[1]
    best: tuple[float, FloatArray] | None = None
    for solid in _solids(frame):
        outlines, _ = cv2.findContours(solid, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        for outline in outlines:
            hull = cv2.convexHull(outline)
            size = float(cv2.contourArea(hull))
            worth = size * _centrality(hull.reshape(-1, 2).mean(axis=0), frame)
            if not _LEAST_SHARE * area < size < _MOST_SHARE * area or (best and worth <= best[0]):
                continue
            corners = cv2.approxPolyDP(hull, _STRAIGHT * float(cv2.arcLength(hull, closed=True)), closed=True)
            if len(corners) != 4 or cv2.contourArea(corners) * _LEAST_FILLED > max(size, 1.0):
                continue
            if float(cv2.contourArea(outline)) < _LEAST_FILLED * size:
                continue
            found = np.asarray(corners, dtype=np.float64).reshape(4, 2)
            best = worth, _meet(outline.reshape(-1, 2).astype(np.float64), found)
    return None if best is None else best[1]


def _centrality(middle: np.ndarray, frame: Frame) -> float:
    """1 in the middle of the picture, less towards its sides: that is where the camera was pointed at."""
    height, width = frame.shape[:2]
    away = np.hypot(*(middle - np.array([width, height]) / 2)) / np.hypot(width, height)
    return float(np.exp(-((away / _ASIDE) ** 2)))


def _solids(frame: Frame) -> list[Frame]:
    """What edges of two strengths enclose, filled; lines that lead there, such as a table's boards, are taken off."""
    soft = cv2.GaussianBlur(frame, (0, 0), 1.5)
    pictures = []
    for low, high in ((20, 60), (50, 140)):
        edges = np.zeros(frame.shape[:2], np.uint8)
        for channel in cv2.split(soft):
            edges |= np.asarray(cv2.Canny(channel, low, high), np.uint8)
        closed = cv2.morphologyEx(edges, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
        outlines, _ = cv2.findContours(closed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        filled = cv2.drawContours(np.zeros_like(edges), outlines, -1, 255, cv2.FILLED)
        pictures.append(np.asarray(cv2.morphologyEx(filled, cv2.MORPH_OPEN, np.ones((11, 11), np.uint8)), np.uint8))
    return pictures


def _meet(outline: FloatArray, corners: FloatArray) -> FloatArray:
    """Draw corners to where straight lines through the sides' middle parts meet: corners themselves are worn."""
    lines = []
    for begin, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        way = (end - begin) / np.linalg.norm(end - begin)
        along = (outline - begin) @ way / np.linalg.norm(end - begin)
        aside = np.abs((outline - begin) @ [-way[1], way[0]])
        points = outline[(along > 0.12) & (along < 0.88) & (aside < _ASIDE_PX)]
        if len(points) < 10:
            return corners
        x_way, y_way, x, y = np.asarray(cv2.fitLine(points.astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01)).ravel()
        lines.append((-y_way, x_way, y_way * x - x_way * y))
    met = [np.cross(lines[at - 1], lines[at]) for at in range(4)]
    if min(abs(point[2]) for point in met) < 1e-6:
        return corners
    return np.array([point[:2] / point[2] for point in met], dtype=np.float64)
