import re
import xml.etree.ElementTree as ET

import pytest

from companion.cli import main
from companion.mat import MARKER_MM, PAPERS


def printed(tmp_path, paper, ending):
    path = tmp_path / f"mat.{ending}"
    assert main(["mat", "--paper", paper, "-o", str(path)]) == 0
    return path.read_bytes()


@pytest.mark.parametrize("paper", PAPERS)
def test_the_svg_measures_what_the_paper_does(tmp_path, paper, capsys):
    svg = ET.fromstring(printed(tmp_path, paper, "svg"))
    width, height = PAPERS[paper]
    assert (svg.get("width"), svg.get("height")) == (f"{width:g}mm", f"{height:g}mm")
    assert svg.get("viewBox") == f"0 0 {width:g} {height:g}"
    words = " ".join(text.text for text in svg.iter("{http://www.w3.org/2000/svg}text"))
    assert "SOUTH" in words
    assert "Print at 100 %" in words
    assert "at 100 %" in capsys.readouterr().out


@pytest.mark.parametrize("paper", PAPERS)
def test_the_pdf_measures_what_the_paper_does_to_a_hundredth(tmp_path, paper):
    pdf = printed(tmp_path, paper, "pdf")
    box = re.search(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", pdf)
    assert [float(side) * 25.4 / 72 for side in box.groups()] == pytest.approx(PAPERS[paper], abs=0.01)
    scale = float(re.search(rb"stream\n([\d.]+) 0 0 -", pdf)[1])
    ruler = re.search(rb"0\.3 w ([\d.]+) ([\d.]+) m ([\d.]+) \2 l S", pdf)
    assert (float(ruler[3]) - float(ruler[1])) * scale * 25.4 / 72 == pytest.approx(100, abs=0.01)
    tops = {float(width) for width in re.findall(rb"\n[\d.]+ [\d.]+ ([\d.]+) [\d.]+ re f", pdf)}
    assert max(tops) == pytest.approx(MARKER_MM)


def test_every_object_of_the_pdf_is_where_its_table_says(tmp_path):
    pdf = printed(tmp_path, "a4", "pdf")
    start = int(re.search(rb"startxref\n(\d+)", pdf)[1])
    assert pdf[start:].startswith(b"xref")
    for number, at in enumerate(re.findall(rb"\n(\d{10}) 00000 n", pdf), 1):
        assert pdf[int(at) :].startswith(b"%d 0 obj" % number)
    stream = re.search(rb"/Length (\d+) >>\nstream\n(.*)\nendstream", pdf, re.S)
    assert int(stream[1]) == len(stream[2])


def test_another_ending_is_refused_and_nothing_written(tmp_path, capsys):
    assert main(["mat", "-o", str(tmp_path / "mat.png")]) == 2
    assert "ending in '.png'; expected .pdf or .svg" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_missing_is_told(tmp_path, capsys):
    assert main(["mat", "-o", str(tmp_path / "no" / "mat.pdf")]) == 2
    assert "can't write" in capsys.readouterr().err
