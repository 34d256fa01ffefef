"""Backups: an installation's journal, settings and set-ups as one zip file.

Keys, PIN and code stay out, so that a backup can be sent to somebody.
"""

import sqlite3
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

from companion.errors import BadInput, CompanionError, StorageError
from companion.game import Game
from companion.journal import Journal
from companion.sessions import replay

JOURNAL = "journal.db"
FILES = (JOURNAL, "settings.toml", "die.json", "spinner.json")
"""What a backup may hold."""


def back_up(folder: Path, target: Path) -> int:
    """Save an installation; the companion may be running.

    Returns:
        How many files were saved.

    Raises:
        BadInput: there is nothing to save.
        StorageError: the zip file can't be written.
    """
    present = [name for name in FILES if (folder / name).exists()]
    if not present:
        raise BadInput(f"there is nothing to save in {folder}: see --data")
    scratch = target.with_name(target.name + ".new")
    try:
        with tempfile.TemporaryDirectory() as work, zipfile.ZipFile(scratch, "w", zipfile.ZIP_DEFLATED) as archive:
            for name in present:
                source = folder / name
                if name == JOURNAL:
                    source = _copy_journal(source, Path(work) / name)
                archive.write(source, name)
        scratch.replace(target)
    except (OSError, sqlite3.Error) as error:
        scratch.unlink(missing_ok=True)
        raise StorageError(f"{target} can't be written: {error}") from error
    return len(present)


def _copy_journal(source: Path, copy: Path) -> Path:
    """Copy a journal as of one moment, whoever writes to it."""
    original, duplicate = sqlite3.connect(source), sqlite3.connect(copy)
    try:
        original.backup(duplicate)
    finally:
        duplicate.close()
        original.close()
    return copy


def restore(folder: Path, source: Path, games: Mapping[str, Game]) -> Path | None:
    """Bring a backup back; nothing is replaced before all of it was checked.

    Returns:
        Where the files that were there before are now, None when there were none.

    Raises:
        BadInput: the zip file is damaged, holds something else, or its journal can't be played.
        StorageError: the folder can't be written.
    """
    with tempfile.TemporaryDirectory() as work:
        names = _unpack(source, Path(work))
        if JOURNAL in names:
            _check_journal(Path(work) / JOURNAL, games)
        try:
            return _replace(folder, Path(work), names)
        except OSError as error:
            raise StorageError(f"{folder} can't be written: {error}") from error


def _unpack(source: Path, work: Path) -> list[str]:
    try:
        with zipfile.ZipFile(source) as archive:
            names = archive.namelist()
            if not names or not set(names) <= set(FILES):
                raise BadInput(f"{source} holds {names[:5]}, but a backup holds some of {', '.join(FILES)}")
            if (damaged := archive.testzip()) is not None:
                raise BadInput(f"{damaged} in {source} is damaged: take another backup")
            archive.extractall(work)
    except (OSError, zipfile.BadZipFile, EOFError) as error:
        raise BadInput(f"{source} can't be read as a backup: {error}") from error
    return names


def _check_journal(file: Path, games: Mapping[str, Game]) -> None:
    """Play every session of a journal.

    Raises:
        BadInput: one can't be played, or the file is damaged.
    """
    journal = Journal(file)
    try:
        if journal.set_aside:
            raise BadInput("the journal in the backup is damaged: take another backup")
        entries = list(journal.entries())
        for number in sorted({entry.session for entry in entries if entry.kind == "start"}):
            replay(games, (entry for entry in entries if entry.session == number and entry.kind != "open"))
    except (CompanionError, ValueError) as error:
        raise BadInput(f"the journal in the backup can't be played: {error}") from error
    finally:
        journal.close()


def _replace(folder: Path, work: Path, names: list[str]) -> Path | None:
    folder.mkdir(parents=True, exist_ok=True)
    number = 1
    while (aside := folder / f"before-restore-{number}").exists():
        number += 1
    old = [folder / name for base in names for name in (base, f"{base}-wal", f"{base}-shm") if (folder / name).exists()]
    if old:
        aside.mkdir()
        for file in old:
            file.rename(aside / file.name)
    for name in names:
        arriving = folder / f"{name}.new"
        arriving.write_bytes((work / name).read_bytes())
        arriving.replace(folder / name)
    return aside if old else None
