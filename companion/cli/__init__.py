"""The commands: the only place that knows every folder and wires them together.

Each module here adds its commands to the parser with ``add(commands)`` and sets ``run`` to a function that
takes the parsed arguments and returns the exit status: 0 fine, 1 something failed, 2 bad input.
"""

import argparse
import os
import sys
from collections.abc import Sequence

from companion.cli import (
    die_commands,
    doctor,
    eyes,
    keep,
    local_name,
    mat_command,
    run,
    spinner_commands,
    watch,
)
from companion.errors import CompanionError


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; errors of ours become one clear line and exit status 2."""
    # The matrices here are too small to be shared out: threads that wait for each other cost more than they save.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    parser = argparse.ArgumentParser(
        prog="companion", description="Watches a board game on a real table and keeps score on the phones round it."
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    run.add(commands)
    doctor.add(commands)
    keep.add(commands)
    eyes.add(commands, (die_commands, spinner_commands))
    watch.add(commands)
    mat_command.add(commands)
    local_name.add(commands)
    arguments = parser.parse_args(argv)
    try:
        status: int = arguments.run(arguments)
    except CompanionError as error:
        print(f"companion {arguments.command}: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # Whoever read our output has seen enough; Python would complain once more when it closes the pipe.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return status
