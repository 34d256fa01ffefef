"""Commands about what was kept: ``pin``, ``replay``, ``export``, ``backup`` and ``restore``."""

import argparse
import json
import sys
from dataclasses import replace
from pathlib import Path

from companion.archive import back_up, restore
from companion.cli.eyes import Commands
from companion.cli.lock import alone
from companion.config import default_folder, load_installation, new_pin, save_installation
from companion.errors import BadInput
from companion.export import WRITERS
from companion.games import GAMES
from companion.journal import Journal
from companion.sessions import Session, current_id, replay


def add(commands: "Commands[argparse.ArgumentParser]") -> None:
    """Add the commands."""
    pin = _command(commands, "pin", "show the host's PIN, or make a new one", "companion pin --new")
    pin.add_argument("--new", action="store_true", help="make a new PIN; hosts enter it again")
    pin.set_defaults(run=_pin)
    again = _command(commands, "replay", "play a session again and say what happened", "companion replay --session 12")
    again.add_argument("--session", type=int, help="its number (default: the one on the table)")
    again.set_defaults(run=_replay)
    out = _command(commands, "export", "write a session as JSON or CSV", "companion export --format csv -o evening.csv")
    out.add_argument("--session", type=int, help="its number (default: the one on the table)")
    out.add_argument("--format", choices=tuple(WRITERS), default="json")
    out.add_argument("-o", "--output", type=Path, help="the file to write (default: the terminal)")
    out.set_defaults(run=_export)
    keep = _command(commands, "backup", "save everything as one zip file", "companion backup evening.zip")
    keep.add_argument("zip", type=Path, metavar="FILE.zip")
    keep.set_defaults(run=_backup)
    back = _command(commands, "restore", "bring a backup back, once it was checked", "companion restore evening.zip")
    back.add_argument("zip", type=Path, metavar="FILE.zip")
    back.set_defaults(run=_restore)


def _command(
    commands: "Commands[argparse.ArgumentParser]", name: str, what: str, example: str
) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        name, help=what, description=f"{what.capitalize()}.", epilog=f"example: {example}"
    )
    parser.add_argument("--data", type=Path, default=default_folder(), help="the installation's folder")
    return parser


def _pin(arguments: argparse.Namespace) -> int:
    installation = load_installation(arguments.data)
    if arguments.new:
        installation = replace(installation, pin=new_pin())
        save_installation(arguments.data, installation)
        print("New PIN; a running companion takes it at its next start.")
    print(f"Host's PIN: {installation.pin}   table code: {installation.code}")
    return 0


def _session(folder: Path, number: int | None) -> Session:
    file = folder / "journal.db"
    if not file.exists():
        raise BadInput(f"there is no journal in {folder}: nothing was played with this folder, see --data")
    journal = Journal(file)
    try:
        entries = list(journal.entries())
    finally:
        journal.close()
    number = current_id(entries) if number is None else number
    known = sorted({entry.session for entry in entries if entry.kind == "start"})
    if number not in known:
        raise BadInput(f"there is no session {number}: take one of {known} with --session")
    return replay(GAMES, (entry for entry in entries if entry.session == number and entry.kind != "open"))


def _replay(arguments: argparse.Namespace) -> int:
    session = _session(arguments.data, arguments.session)
    print(f"{session.game.TITLE}, session {session.id}, started {session.started_at}")
    for turn in session.done:
        told = "; ".join(map(str, turn.state.told))
        print(f"{turn.entry.seq:5}  {turn.entry.at}  {turn.entry.source:12}  {turn.event.verb:12}  {told}")
    print(json.dumps(session.game.view(session.state, None), indent=1))
    return 0


def _export(arguments: argparse.Namespace) -> int:
    session = _session(arguments.data, arguments.session)
    out = arguments.output.open("w", encoding="utf-8", newline="") if arguments.output else sys.stdout
    try:
        WRITERS[arguments.format](out, session)
    finally:
        if arguments.output:
            out.close()
    return 0


def _backup(arguments: argparse.Namespace) -> int:
    print(f"{back_up(arguments.data, arguments.zip)} files are saved in {arguments.zip}")
    return 0


def _restore(arguments: argparse.Namespace) -> int:
    with alone(arguments.data):
        aside = restore(arguments.data, arguments.zip, GAMES)
    print(f"{arguments.zip} is back" + (f"; what was there before is in {aside}" if aside else ""))
    return 0
