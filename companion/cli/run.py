"""``companion run`` and ``companion demo``: the whole product on what is attached, or on the virtual table."""

import argparse
import os
import sys
from contextlib import ExitStack
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path

import segno

from companion.cli.eyes import Commands
from companion.cli.local_name import LocalName
from companion.cli.lock import alone
from companion.cli.network import own_names, page_address
from companion.cli.serve import serve
from companion.cli.service import Pulse, is_service, server_answers
from companion.config import Installation, Settings, default_folder, load_installation, load_settings
from companion.games import GAMES
from companion.journal import Journal
from companion.table import Table
from hardware.memory import share_arenas
from web import Equipment, create_app


def add(commands: "Commands[argparse.ArgumentParser]") -> None:
    """Add ``run`` and ``demo``."""
    for name, what in (
        ("run", "play on what is attached: camera and buttons"),
        ("demo", "play on the virtual table: a drawn die and card before a drawn camera"),
    ):
        parser = commands.add_parser(
            name,
            help=what,
            description=f"{what.capitalize()}. Example: companion {name} --port 8080",
        )
        parser.add_argument("--data", type=Path, help="the installation's folder (default: %(default)s)")
        parser.add_argument("--port", type=int, help="port of the page (default: 8000, or as set)")
        parser.set_defaults(run=run, data=default_folder())


def now() -> str:
    """The wall clock, for people."""
    return datetime.now().astimezone().isoformat(timespec="seconds")


def run(arguments: argparse.Namespace) -> int:
    """Start everything, serve the page, and close everything again."""
    share_arenas()
    with alone(arguments.data):
        return _run(arguments)


def _run(arguments: argparse.Namespace) -> int:
    settings = load_settings(arguments.data)
    installation = load_installation(arguments.data)
    port = arguments.port or settings.port
    journal = Journal(arguments.data / "journal.db")
    table = Table(GAMES, journal, now)
    try:
        with ExitStack() as stack:
            equipment = _attach(arguments, table, settings, stack)
            return _serve(table, installation, equipment, settings, port)
    finally:
        journal.close()


def _attach(arguments: argparse.Namespace, table: Table, settings: Settings, stack: ExitStack) -> Equipment:
    # The drivers and the reader take a second to load, which other commands needn't wait for.
    from companion.cli import attach, look
    from companion.cli.corrections import Corrections
    from companion.cli.lessons import in_background, make_lessons

    lessons, corrections = make_lessons(arguments.data), Corrections(arguments.data, in_background)
    if arguments.command == "demo":
        virtual_eyes = partial(look.virtual_eyes, table, arguments.data, corrections=corrections)
        equipment = attach.attach_virtual(table, settings, virtual_eyes, stack, lessons)
    else:
        real_eyes = partial(look.real_eyes, table, arguments.data, corrections=corrections)
        equipment = attach.attach_real(table, settings, arguments.data, real_eyes, stack, lessons)
    lessons.on_saved = equipment.set_up_changed
    corrections.on_learnt = partial(equipment.set_up_changed, "die")
    table.on_corrected = corrections.corrected
    return replace(equipment, corrections=corrections.count, forget_corrections=corrections.forget)


def _serve(table: Table, installation: Installation, equipment: Equipment, settings: Settings, port: int) -> int:
    app = create_app(
        table,
        installation,
        equipment,
        hosts=lambda: own_names(settings.names),
        address=partial(page_address, port),
        local_name=LocalName(),
        streams=settings.streams,
    )
    greet(page_address(port), installation, port)
    pulse = Pulse(
        {"table": lambda: table.wait(-1, 0) >= 0, "server": partial(server_answers, port), **equipment.progress},
        partial(status, table, equipment),
    )
    on_open = pulse.start if is_service() else lambda: None
    serve(app, table, port=port, streams=settings.streams, on_open=on_open, on_stop=pulse.stop)
    return 0


def status(table: Table, equipment: Equipment) -> str:
    """Tell in one line what is played and what is wrong."""
    board = table.board()
    game = f"{board.title} for {len(board.seats)}, event {board.seq}" if board.session else "no game on the table"
    answers = {name: check() for name, check in equipment.checks.items()}
    return "; ".join([game, *(f"{name}: {answer}" for name, answer in answers.items() if answer != "ok")])


def greet(address: str, installation: Installation, port: int) -> None:
    """Print how to come in: address, QR code, table code and PIN.

    Under systemd what is printed is kept in a log, which is no place for a PIN or a code.
    """
    out = sys.stdout
    if is_service() or (os.environ.get("INVOCATION_ID") and not out.isatty()):
        print(
            f"The table is open on {address}; `sudo companion pin` shows the host's PIN and the table's code", file=out
        )
        out.flush()  # the system's journal is no place for secrets
        return
    link = f"{address}/join/{installation.code}"
    print(f"\nThe table is open on http://localhost:{port}", file=out)
    print(f"Phones on the same Wi-Fi: {address}   table code {installation.code}\n", file=out)
    segno.make(link, error="l").terminal(out=out, compact=True, border=2)
    print(f"\nHost's PIN: {installation.pin}" + ("" if installation.kept else "   (can't be kept: new at every start)"))
    out.flush()
