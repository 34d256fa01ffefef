"""The commands: the only place that knows every folder and wires them together.

Each module here adds its commands to the parser with ``add(commands)`` and sets ``run`` to a function that
takes the parsed arguments and returns the exit status: 0 fine, 1 something failed, 2 bad input.
"""

import argparse
import sys
from collections.abc import Sequence

from companion.cli import eyes, spinner_commands
from companion.errors import CompanionError


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; errors of ours become one clear line and exit status 2."""
    parser = argparse.ArgumentParser(
        prog="companion", description="Watches a board game on a real table and keeps score on the phones round it."
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    eyes.add(commands, (spinner_commands,))
    arguments = parser.parse_args(argv)
    try:
        status: int = arguments.run(arguments)
    except CompanionError as error:
        print(f"companion {arguments.command}: {error}", file=sys.stderr)
        return 2
    return status
