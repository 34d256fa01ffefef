"""What is laid on the virtual table for setting up: a sheet of A4, bare or with the mat printed on it."""

import cv2
import numpy as np

from companion.mat import PAPERS, draw_mat
from companion.printing import Box, Line, Text
from hardware.virtual.pinhole import Picture

DOTS_A_MM = 5


def print_paper(with_mat: bool) -> Picture:
    """Print a sheet of A4 on its long side, BGR, uint8."""
    width, height = PAPERS["a4"]
    sheet = np.full((round(height * DOTS_A_MM), round(width * DOTS_A_MM), 3), (246, 250, 252), np.uint8)
    for mark in draw_mat("a4").marks if with_mat else ():
        match mark:
            case Box():
                begin = _dot(mark.x - 0.1, mark.y - 0.1)
                end = _dot(mark.x + mark.width - 0.1, mark.y + mark.height - 0.1)
                cv2.rectangle(sheet, begin, end, (30, 28, 28), -1)
            case Line():
                thick = max(1, round(mark.width * DOTS_A_MM))
                cv2.line(sheet, _dot(mark.x1, mark.y1), _dot(mark.x2, mark.y2), (30, 28, 28), thick, cv2.LINE_AA)
            case Text():
                _write(sheet, mark)
    return sheet


def _write(sheet: Picture, text: Text) -> None:
    font, thick = cv2.FONT_HERSHEY_SIMPLEX, 3 if text.bold else 1
    size = text.size * DOTS_A_MM / 32
    words = text.words.replace("“", '"').replace("”", '"')
    (width, _), _ = cv2.getTextSize(words, font, size, thick)
    at = _dot(text.x - width / DOTS_A_MM / 2, text.y)
    cv2.putText(sheet, words, at, font, size, (40, 36, 36), thick, cv2.LINE_AA)


def _dot(x_mm: float, y_mm: float) -> tuple[int, int]:
    return round(x_mm * DOTS_A_MM), round(y_mm * DOTS_A_MM)
