"""A disk that can't be written: a plain message, and the game stays where it was."""

import os

import pytest


def test_a_full_disk_is_told_in_plain_words_and_the_board_stays(site):
    host = site.browser("host")
    db, before = site.bench.journal._db, site.table.board()
    db.execute(f"PRAGMA max_page_count = {db.execute('PRAGMA page_count').fetchone()[0]}")
    big = os.urandom(20_000)  # the next page of the file is needed for sure
    with pytest.raises(OSError, match="full"):
        site.bench.journal.append(session=1, kind="event", body={}, source="host", at="now", crop=big)
    site.bench.journal.read_only = "the disk is full: make room on it"
    answer = host.do(before.seq, verb="next", data={})
    assert answer.status_code == 507
    assert answer.json["error"] == "Not saved: the disk is full: make room on it. Nothing was changed"
    assert site.table.board() == before
    site.bench.journal.read_only = None
    db.execute("PRAGMA max_page_count = 1000000")
    assert host.do(before.seq, verb="next", data={}).status_code == 200
    assert site.table.board().view["phase"] == "ROLL"
