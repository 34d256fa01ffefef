"""``companion mat``: writes the mat that tells the camera where the table is, to be printed."""

import argparse
from pathlib import Path

from companion.cli.eyes import Commands
from companion.errors import BadInput
from companion.files import write_whole
from companion.mat import PAPERS, TITLES, draw_mat
from companion.printing import to_pdf, to_svg


def add(commands: "Commands[argparse.ArgumentParser]") -> None:
    """Add ``mat``."""
    parser = commands.add_parser(
        "mat",
        help="write the mat that tells the camera where the table is, to be printed",
        description="Writes a mat with a marker in each corner. Printed at 100 % and laid where the die is rolled, it "
        "tells the camera where the table is, how large, and where south is.",
        epilog="example: companion mat --paper a4 -o mat.pdf",
    )
    parser.add_argument("--paper", choices=sorted(PAPERS), default="a4", help="the printer's paper (default: a4)")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="FILE", help="mat.pdf or mat.svg")
    parser.set_defaults(run=_write)


def _write(arguments: argparse.Namespace) -> int:
    drawing, output = draw_mat(arguments.paper), arguments.output
    match output.suffix.lower():
        case ".pdf":
            data = to_pdf(drawing)
        case ".svg":
            data = to_svg(drawing).encode()
        case other:
            raise BadInput(f"the mat's file is {output.name!r}, ending in {other!r}; expected .pdf or .svg")
    write_whole(output, data)
    print(f"{output}: print it on {TITLES[arguments.paper]} at 100 %, and check its ruler of 100 mm")
    return 0
