import os
import sqlite3
import subprocess
import sys
import tempfile
import threading
from itertools import takewhile
from pathlib import Path

import pytest

from companion.errors import StorageError
from companion.journal import Journal, damaged_files


def add(journal, number=0, session=1, **further):
    return journal.append(session=session, kind="event", body={"n": number}, source="host", at="now", **further)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "data" / "journal.db"


@pytest.fixture
def opened(path):
    journals = []

    def open_journal(where=path):
        journals.append(Journal(where))
        return journals[-1]

    yield open_journal
    for journal in journals:
        journal.close()


def test_entries_come_back_in_the_order_in_which_they_were_kept(opened):
    journal = opened()
    for number in range(5):
        add(journal, number)
    journal.close()
    assert [entry.body["n"] for entry in opened().entries()] == [0, 1, 2, 3, 4]


def test_an_entry_without_a_session_starts_its_own(opened):
    journal = opened()
    add(journal)
    entry = add(journal, session=None)
    assert entry.session == entry.seq == 2
    assert [e.seq for e in journal.entries(2)] == [2]


def test_a_command_is_found_again_after_a_restart(opened):
    seq = add(opened(), command="phone:1").seq
    assert opened().command_seq("phone:1") == seq
    assert opened().command_seq("phone:2") is None


def test_the_same_command_is_never_kept_twice(opened):
    journal = opened()
    add(journal, command="phone:1")
    with pytest.raises(StorageError, match="Nothing was changed"):
        add(journal, command="phone:1")
    assert len(list(journal.entries())) == 1


def test_a_picture_is_kept_beside_its_event(opened):
    journal = opened()
    with_picture, without = add(journal, crop=b"jpeg"), add(journal)
    assert journal.crop(with_picture.seq) == b"jpeg"
    assert journal.crop(without.seq) is None


def test_every_entry_is_synced(opened):
    journal = opened()
    assert journal._db.execute("PRAGMA synchronous").fetchone() == (2,)
    assert journal._db.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_threads_may_write_at_the_same_time(opened):
    journal = opened()
    threads = [threading.Thread(target=lambda: [add(journal, n) for n in range(20)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [entry.seq for entry in journal.entries()] == list(range(1, 81))


def test_a_damaged_journal_is_set_aside_and_never_overwritten(opened, path):
    path.parent.mkdir()
    path.write_bytes(b"this is no database" * 100)
    journal = opened()
    add(journal)
    aside = path.with_name("journal.db.damaged-1")
    assert journal.set_aside == aside
    assert aside.read_bytes().startswith(b"this is no database")
    assert damaged_files(path.parent) == [aside]


def test_a_second_damaged_journal_gets_a_name_of_its_own(opened, path):
    path.parent.mkdir()
    for content in (b"first" * 300, b"second" * 300):
        path.write_bytes(content)
        opened().close()
    names = [file.name for file in damaged_files(path.parent)]
    assert names == ["journal.db.damaged-1", "journal.db.damaged-2"]


def test_a_journal_with_a_torn_page_is_set_aside(opened, path):
    journal = opened()
    for number in range(400):
        add(journal, number)
    journal.close()
    content = bytearray(path.read_bytes())
    content[4096:12288] = os.urandom(8192)
    path.write_bytes(content)
    assert opened().set_aside is not None


def test_a_journal_of_a_newer_version_is_left_alone(opened, path):
    opened().close()
    db = sqlite3.connect(path)
    db.execute("PRAGMA user_version = 99")
    with pytest.raises(StorageError, match="newer version"):
        Journal(path)
    assert db.execute("PRAGMA user_version").fetchone() == (99,)
    db.close()


def test_a_full_disk_is_told_and_nothing_is_changed(opened):
    journal = opened()
    add(journal)
    pages = journal._db.execute("PRAGMA page_count").fetchone()[0]
    journal._db.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(StorageError, match="full: make room"):
        for number in range(2000):
            add(journal, number, crop=os.urandom(2000))
    kept = len(list(journal.entries()))
    journal._db.execute("PRAGMA max_page_count = 1000000")
    add(journal)
    assert len(list(journal.entries())) == kept + 1


READ_ONLY = """
import os, pathlib, sys
from companion.errors import StorageError
from companion.journal import Journal
if os.geteuid() == 0:
    os.setresuid(65534, 65534, 65534)  # root may write anywhere
journal = Journal(pathlib.Path(sys.argv[1]))
assert len(list(journal.entries())) == 2, "what was saved can be read"
assert "can't be written" in journal.problem(), journal.problem()
try:
    journal.append(session=1, kind="event", body={}, source="host", at="now")
except StorageError as error:
    assert "Nothing was changed" in str(error)
else:
    raise AssertionError("a read-only journal took an entry")
"""


def test_what_was_saved_can_be_read_from_a_read_only_disk(opened, path, tmp_path):
    journal = opened()
    add(journal)
    add(journal)
    # Left open: the last entries are in the write-ahead log alone, as after a pulled plug.
    for folder in takewhile(lambda folder: folder != Path(tempfile.gettempdir()), path.parents):
        folder.chmod(0o755)
    path.parent.chmod(0o555)
    for file in path.parent.iterdir():
        file.chmod(0o444)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "TMPDIR": "/tmp"}
    done = subprocess.run([sys.executable, "-c", READ_ONLY, path], env=environment, capture_output=True, text=True)
    path.parent.chmod(0o755)
    assert done.returncode == 0, done.stderr
