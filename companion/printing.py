"""Black drawings of exact size for a printer, as SVG and PDF: boxes, lines and words, in millimetres."""

from dataclasses import dataclass
from xml.sax.saxutils import escape

POINTS_A_MM = 72 / 25.4
"""PDF's unit is the point, 1/72 inch (ISO 32000-1, 8.3.2.3)."""

_WIDTHS = (
    "278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 278 278 "
    "584 584 584 556 1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 722 667 611 722 667 944 "
    "667 667 611 278 278 278 469 556 333 556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 556 556 333 500 "
    "278 556 500 722 500 500 500 334 260 334 584"
)
"""Helvetica's widths of the characters 32 to 126, in thousandths of the type size (Adobe's core font metrics)."""


@dataclass(frozen=True, slots=True)
class Box:
    """A black box: its top-left corner from the paper's, x right, y down, and its size, in mm."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Line:
    """A black line from one point to another, ``width`` mm thick."""

    x1: float
    y1: float
    x2: float
    y2: float
    width: float


@dataclass(frozen=True, slots=True)
class Text:
    """Words centred on ``x``, their baseline at ``y``, ``size`` mm high from baseline to baseline."""

    x: float
    y: float
    size: float
    words: str
    bold: bool = False


@dataclass(frozen=True, slots=True)
class Drawing:
    """A page; ``size_mm`` is its width and height."""

    title: str
    size_mm: tuple[float, float]
    marks: tuple[Box | Line | Text, ...]


def to_svg(drawing: Drawing) -> str:
    """Write a drawing as SVG, one user unit a millimetre (SVG 1.1)."""
    width, height = drawing.size_mm
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}mm" height="{height:g}mm" '
        f'viewBox="0 0 {width:g} {height:g}">',
        f"<title>{escape(drawing.title)}</title>",
        f'<rect width="{width:g}" height="{height:g}" fill="#fff"/>',
        *(_svg_mark(mark) for mark in drawing.marks),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def to_pdf(drawing: Drawing) -> bytes:
    """Write a drawing as PDF 1.4 of one page at its true size (ISO 32000-1); the same drawing gives the same bytes."""
    width, height = (side * POINTS_A_MM for side in drawing.size_mm)
    page = "\n".join([f"{POINTS_A_MM:.9f} 0 0 {-POINTS_A_MM:.9f} 0 {height:.6f} cm", *map(_pdf_mark, drawing.marks)])
    content = page.encode("cp1252")
    fonts = "/F0 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >> "
    fonts += "/F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>"
    objects = [
        # A viewer that heeds it then offers "actual size" itself.
        b"<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None >> >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width:.4f} {height:.4f}] /Contents 4 0 R "
        f"/Resources << /Font << {fonts} >> >> >>".encode("ascii"),
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
        b"<< /Title (%s) >>" % _pdf_words(drawing.title),
    ]
    out, starts = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n", []
    for number, body in enumerate(objects, 1):
        starts.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % start for start in starts)
    count = len(objects) + 1
    end = (
        b"xref\n0 %d\n0000000000 65535 f \n%strailer\n<< /Size %d /Root 1 0 R /Info 5 0 R >>\nstartxref\n%d\n%%%%EOF\n"
    )
    return out + end % (count, table, count, len(out))


def _svg_mark(mark: Box | Line | Text) -> str:
    match mark:
        case Box():
            return f'<rect x="{mark.x:.4f}" y="{mark.y:.4f}" width="{mark.width:.4f}" height="{mark.height:.4f}"/>'
        case Line():
            ends = f'x1="{mark.x1:.4f}" y1="{mark.y1:.4f}" x2="{mark.x2:.4f}" y2="{mark.y2:.4f}"'
            return f'<line {ends} stroke="#000" stroke-width="{mark.width:g}"/>'
        case Text():
            weight = ' font-weight="bold"' if mark.bold else ""
            face = f'font-family="Helvetica, Arial, sans-serif" font-size="{mark.size:g}"{weight}'
            return f'<text x="{mark.x:.4f}" y="{mark.y:.4f}" text-anchor="middle" {face}>{escape(mark.words)}</text>'


def _pdf_mark(mark: Box | Line | Text) -> str:
    match mark:
        case Box():
            return f"{mark.x:.4f} {mark.y:.4f} {mark.width:.4f} {mark.height:.4f} re f"
        case Line():
            return f"{mark.width:g} w {mark.x1:.4f} {mark.y1:.4f} m {mark.x2:.4f} {mark.y2:.4f} l S"
        case Text():
            left = mark.x - _width(mark) / 2
            words = _pdf_words(mark.words).decode("cp1252")
            # The page is turned so that y runs down; words must stand upright all the same.
            return f"BT /F{int(mark.bold)} {mark.size:g} Tf 1 0 0 -1 {left:.4f} {mark.y:.4f} Tm ({words}) Tj ET"


def _width(mark: Text) -> float:
    """About how wide words are, to centre them: Helvetica's widths, its bold face a little wider."""
    widths = [int(width) for width in _WIDTHS.split()]
    thousandths = sum(widths[ord(c) - 32] if 32 <= ord(c) <= 126 else 500 for c in mark.words)
    return thousandths / 1000 * mark.size * (1.07 if mark.bold else 1.0)


def _pdf_words(words: str) -> bytes:
    """Write words as the inside of a PDF string."""
    data = words.encode("cp1252", "replace")
    for special in (b"\\", b"(", b")"):
        data = data.replace(special, b"\\" + special)
    return data
