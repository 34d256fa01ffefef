"""The journal: what was accepted, kept for good in one SQLite file.

An entry is on the disk, synced, before anybody is told that it was accepted. Entries are only ever added;
undo and redo are entries themselves. Deleting a session empties its entries and leaves their numbers and the
ids of their commands. Wall-clock times are kept for people, order comes from the sequence
number alone. A damaged file is never written to again: it is set aside under a new name.
"""

import contextlib
import json
import shutil
import sqlite3
import tempfile
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from companion.errors import StorageError
from companion.events import Json
from companion.text import say

SCHEMA_VERSION = 1

_SCHEMA = """
CREATE TABLE IF NOT EXISTS entry (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    session INTEGER NOT NULL,
    kind TEXT NOT NULL,
    body TEXT NOT NULL,
    source TEXT NOT NULL,
    command TEXT UNIQUE,
    at TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS entry_session ON entry (session, seq);
CREATE TABLE IF NOT EXISTS crop (seq INTEGER PRIMARY KEY REFERENCES entry (seq), jpeg BLOB NOT NULL);
"""


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the journal.

    Attributes:
        seq: its place in the order of all entries, from 1.
        session: the session it belongs to, which is the ``seq`` of the entry that started it.
        kind: ``start``, ``open``, ``event``, ``undo``, ``redo`` or another word of `companion.sessions`.
        body: its content, a JSON object.
        source: who or what said it: ``camera``, ``button``, ``host``, ``seat W``, ``virtual``.
        command: the id that the phone gave its command, or None.
        at: wall-clock time, ISO 8601, for people only.
    """

    seq: int
    session: int
    kind: str
    body: Json
    source: str
    command: str | None
    at: str


class Journal:
    """An open journal; every method may be called from any thread.

    Attributes:
        path: the file.
        set_aside: where a damaged file was moved to when this one was opened, or None.
        read_only: why nothing can be written at all, in words, or None.
    """

    def __init__(self, path: Path) -> None:
        """Open or make the journal at ``path``.

        Raises:
            StorageError: there is a file, but it can't even be read.
        """
        self.path = path
        self.set_aside: Path | None = None
        self.read_only: str | None = None
        self._lock = threading.Lock()
        self._scratch: tempfile.TemporaryDirectory[str] | None = None
        self._db = self._open()

    def _open(self) -> sqlite3.Connection:
        try:
            return _connect(self.path)
        except sqlite3.OperationalError as error:
            return self._open_copy(_plain(error, self.path))
        except sqlite3.DatabaseError:
            self.set_aside = _set_aside(self.path)
            return _connect(self.path)
        except StorageError:
            raise  # a newer version's file: neither written nor taken for read-only
        except OSError as error:
            return self._open_copy(f"the folder {self.path.parent} can't be used ({error.strerror})")

    def _open_copy(self, reason: str) -> sqlite3.Connection:
        """Read what was saved from a copy, for SQLite can't replay a write-ahead log on a read-only disk."""
        self.read_only = reason
        try:
            self._scratch = tempfile.TemporaryDirectory(prefix="companion-")
            copy = Path(self._scratch.name) / self.path.name
            for ending in ("", "-wal"):
                if (saved := Path(f"{self.path}{ending}")).exists():
                    shutil.copyfile(saved, f"{copy}{ending}")
            return _connect(copy)
        except (OSError, sqlite3.Error) as error:
            if self._scratch:
                self._scratch.cleanup()
            raise StorageError(f"{reason}, and it can't be read either: {error}") from error

    def append(
        self, *, session: int | None, kind: str, body: Json, source: str, at: str,
        command: str | None = None, crop: bytes | None = None,
    ) -> Entry:  # fmt: skip
        """Write an entry and sync it to the disk.

        Args:
            session: whose entry it is; None starts a session, whose number is then the entry's own.
            kind: see `Entry`.
            body: a JSON object.
            source: see `Entry`.
            at: see `Entry`.
            command: see `Entry`.
            crop: the piece of the camera's picture that was read, as JPEG.

        Raises:
            StorageError: the disk is full, read-only or gone; nothing was written.
        """
        with self._lock:
            if self.read_only:
                raise StorageError(say("not saved: {reason}. Nothing was changed", reason=self.read_only))
            try:
                with self._db:
                    cursor = self._db.execute(
                        "INSERT INTO entry (session, kind, body, source, command, at) VALUES (?, ?, ?, ?, ?, ?)",
                        (session or 0, kind, json.dumps(body, ensure_ascii=False), source, command, at),
                    )
                    seq = cursor.lastrowid or 0
                    if session is None:
                        self._db.execute("UPDATE entry SET session = seq WHERE seq = ?", (seq,))
                    if crop is not None:
                        self._db.execute("INSERT INTO crop (seq, jpeg) VALUES (?, ?)", (seq, crop))
            except sqlite3.Error as error:
                raise StorageError(
                    say("not saved: {reason}. Nothing was changed", reason=_plain(error, self.path))
                ) from error
        return Entry(seq, session or seq, kind, body, source, command, at)

    def entries(self, session: int | None = None) -> Iterator[Entry]:
        """Read all entries in order, or those of one session; without those that were deleted."""
        where, values = ("AND session = ?", (session,)) if session is not None else ("", ())
        with self._lock:
            rows = self._db.execute(
                f"SELECT seq, session, kind, body, source, command, at FROM entry "
                f"WHERE kind != 'deleted' {where} ORDER BY seq",
                values,
            ).fetchall()
        for seq, of, kind, body, source, command, at in rows:
            yield Entry(seq, of, kind, json.loads(body), source, command, at)

    def delete(self, session: int) -> int:
        """Delete a session for good: names, events and pictures are overwritten on the disk.

        Its entries stay as empty ones of kind ``deleted``, for neither a number nor a command's id may come
        twice; a ``close`` stays what it is, because it tells which session lies on the table.

        Returns:
            How many entries were emptied.

        Raises:
            StorageError: the disk is full, read-only or gone; nothing was deleted.
        """
        with self._lock:
            if self.read_only:
                raise StorageError(say("not deleted: {reason}. Nothing was changed", reason=self.read_only))
            try:
                self._db.execute("PRAGMA secure_delete = ON")
                with self._db:
                    of_session = "SELECT seq FROM entry WHERE session = ?"
                    self._db.execute(f"DELETE FROM crop WHERE seq IN ({of_session})", (session,))
                    emptied = self._db.execute(
                        "UPDATE entry SET body = '{}', source = '', at = '',"
                        " kind = CASE kind WHEN 'close' THEN kind ELSE 'deleted' END"
                        " WHERE session = ? AND source != ''",
                        (session,),
                    ).rowcount
                # The write-ahead log still holds the old pages.
                self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            except sqlite3.Error as error:
                raise StorageError(f"not deleted: {_plain(error, self.path)}. Nothing was changed") from error
        return emptied

    def command_seq(self, command: str) -> int | None:
        """Tell which entry a command made, None when it made none."""
        with self._lock:
            row = self._db.execute("SELECT seq FROM entry WHERE command = ?", (command,)).fetchone()
        return row[0] if row else None

    def crop(self, seq: int) -> bytes | None:
        """The picture kept beside an entry, as JPEG."""
        with self._lock:
            row = self._db.execute("SELECT jpeg FROM crop WHERE seq = ?", (seq,)).fetchone()
        return row[0] if row else None

    def pictured(self, session: int) -> frozenset[int]:
        """Tell beside which entries of a session a picture is kept."""
        query = "SELECT crop.seq FROM crop JOIN entry ON entry.seq = crop.seq WHERE session = ?"
        with self._lock:
            return frozenset(seq for (seq,) in self._db.execute(query, (session,)).fetchall())

    def problem(self) -> str | None:
        """Tell in words what is wrong with the journal, by trying it; None when it can be written."""
        if self.read_only:
            return self.read_only
        with self._lock:
            try:
                self._db.execute("BEGIN IMMEDIATE")
                self._db.execute("PRAGMA user_version = 1")
                self._db.rollback()
            except sqlite3.Error as error:
                return _plain(error, self.path)
        return None

    def close(self) -> None:
        """Close the file; the journal can't be used afterwards."""
        with self._lock, contextlib.suppress(sqlite3.Error):
            self._db.close()
        if self._scratch:
            self._scratch.cleanup()


def damaged_files(folder: Path) -> list[Path]:
    """List the journals that were set aside."""
    return sorted(path for path in folder.glob("*.damaged-*") if not path.name.endswith(("-wal", "-shm")))


def _connect(path: Path) -> sqlite3.Connection:
    path.parent.mkdir(parents=True, exist_ok=True)
    # The table's lock and ours keep threads apart; SQLite's own check would only forbid what is safe.
    db = sqlite3.connect(path, timeout=5, check_same_thread=False)
    try:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
        if db.execute("PRAGMA quick_check").fetchone()[0] != "ok":
            raise sqlite3.DatabaseError("quick_check found damage")
        version = db.execute("PRAGMA user_version").fetchone()[0]
        if version > SCHEMA_VERSION:
            raise StorageError(f"{path} was written by a newer version ({version} > {SCHEMA_VERSION}): update first")
        db.executescript(_SCHEMA)
        db.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        db.commit()
    except BaseException:
        db.close()
        raise
    return db


def _set_aside(path: Path) -> Path:
    """Move a damaged file and its companions out of the way, never over another one."""
    number = 1
    while (new := path.with_name(f"{path.name}.damaged-{number}")).exists():
        number += 1
    for ending in ("-wal", "-shm", ""):
        with contextlib.suppress(FileNotFoundError):
            Path(f"{path}{ending}").rename(f"{new}{ending}")
    return new


def _plain(error: sqlite3.Error, path: Path) -> str:
    """Say in plain words why SQLite can't write."""
    name = getattr(error, "sqlite_errorname", "")
    if name.startswith("SQLITE_FULL"):
        return f"the disk with {path.parent} is full: make room on it"
    if name.startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM")):
        return f"{path} can't be written (a read-only disk, or another owner)"
    if name.startswith("SQLITE_IOERR"):
        return f"the disk with {path.parent} reports errors ({error})"
    return f"{path}: {error}"
