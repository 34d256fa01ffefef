"""The mat that tells the camera where the table is, as a drawing in millimetres: markers, ruler and south.

The markers are those numbered 0 to 7 of OpenCV's dictionary of 4 x 4 bits (S. Garrido-Jurado et al., "Automatic
generation and detection of highly reliable fiducial markers under occlusion", Pattern Recognition 47, 2014).
"""

from companion.printing import Box, Drawing, Line, Text

PAPERS = {"a4": (297.0, 210.0), "letter": (279.4, 215.9)}
"""Width and height of the papers in mm, lying on their long side: ISO 216 and ANSI/ASME Y14.1."""

TITLES = {"a4": "A4", "letter": "Letter"}

FIRST_MARKER = {"a4": 0, "letter": 4}
"""The marker in each mat's north-west corner; the next three are NE, SE and SW. So a mat says which paper it is."""

MARKER_MM = 42.0
"""Side of a marker: at 70 cm from the camera one of its six cells is still seen seven pixels wide."""

MARGIN_MM = 14.0
"""From the paper's edge to a marker: no printer prints to the edge, and a marker needs white round it."""

RULER_MM = 100.0

_BITS = (
    ".#..#.#.##..##.#", "####.....##..#.#", "##..##..##.#..#.", ".##..##.#.###..#",
    "#.#.#.##.##....#", "#....##...##..#.", ".##....###.#...#", "..###.##....##.#",
)  # fmt: skip
"""The inner cells of markers 0 to 7 by rows, ``#`` for black."""


def marker_cells(number: int) -> tuple[str, ...]:
    """Give the rows of a marker with its border, ``#`` for black, six of six."""
    bits = _BITS[number]
    return ("######", *(f"#{bits[at : at + 4]}#" for at in range(0, 16, 4)), "######")


def marker_place(paper: str, corner: int) -> tuple[float, float]:
    """Give the top-left corner of a marker from the paper's own, x right, y down, in mm.

    Args:
        paper: a key of ``PAPERS``.
        corner: 0 to 3 for NW, NE, SE, SW.
    """
    width, height = PAPERS[paper]
    far_x, far_y = width - MARGIN_MM - MARKER_MM, height - MARGIN_MM - MARKER_MM
    return (far_x if corner in (1, 2) else MARGIN_MM), (far_y if corner in (2, 3) else MARGIN_MM)


def draw_mat(paper: str) -> Drawing:
    """Draw the mat for a paper, a key of ``PAPERS``."""
    width, height = PAPERS[paper]
    marks: list[Box | Line | Text] = []
    for corner in range(4):
        left, top = marker_place(paper, corner)
        cell = MARKER_MM / 6
        for row, cells in enumerate(marker_cells(FIRST_MARKER[paper] + corner)):
            marks += [Box(left + x * cell, top + row * cell, count * cell, cell) for x, count in _runs(cells)]
    middle = width / 2
    marks += _ruler(middle - RULER_MM / 2, height / 2 - 12)
    marks += [
        Text(middle, height / 2 - 38, 9, "Table companion: where the table is", bold=True),
        Text(middle, height / 2 - 30, 4.2, f"Print at 100 %, not “fit to page”, on {TITLES[paper]} lying on its side."),
        Text(middle, height / 2 - 24, 4.2, "Then this line measures 100 mm. If not, tell the companion its length."),
        Text(middle, height / 2 + 12, 4.2, "Lay the mat flat where the die is rolled: the camera must see it whole."),
        Text(middle, MARGIN_MM + 8, 7, "N", bold=True),
        Text(MARGIN_MM + 6, height / 2 + 2.5, 7, "W", bold=True),
        Text(width - MARGIN_MM - 6, height / 2 + 2.5, 7, "E", bold=True),
        Text(middle, height - MARGIN_MM - 12, 9, "SOUTH", bold=True),
        Text(middle, height - MARGIN_MM - 5, 4.2, "towards player S"),
        Line(middle - 6, height - 13, middle, height - 8, 1.2),
        Line(middle, height - 8, middle + 6, height - 13, 1.2),
    ]
    return Drawing(f"Table companion, mat for {TITLES[paper]}", (width, height), tuple(marks))


def _ruler(left: float, y: float) -> list[Box | Line | Text]:
    """A line of 100 mm with a tick each 10 mm."""
    line = Line(left, y, left + RULER_MM, y, 0.3)
    ticks = [
        Line(left + at, y - (4 if at % 50 == 0 else 2), left + at, y, 0.3) for at in range(0, int(RULER_MM) + 1, 10)
    ]
    words = [Text(left + at, y + 5, 3.6, f"{at} mm" if at else "0") for at in (0, 50, 100)]
    return [line, *ticks, *words]


def _runs(cells: str) -> list[tuple[int, int]]:
    """Find the runs of black cells: where each begins, and its length. Fewer boxes leave fewer hairlines in print."""
    found, start = [], None
    for at, cell in enumerate(cells + "."):
        if cell == "#" and start is None:
            start = at
        elif cell != "#" and start is not None:
            found.append((start, at - start))
            start = None
    return found
