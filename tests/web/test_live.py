"""Streams: how many, how long, and what they send."""

import re
import threading

import pytest

from companion.commands import Undo
from web.live import STREAMS_OF_ONE_PHONE


def open_stream(browser, tab="", path="/live"):
    answer = browser.get(f"{path}{'&' if '?' in path else '?'}tab={tab}", buffered=False)
    return answer, answer.iter_encoded() if answer.status_code == 200 else iter(())


def next_event(events, kind=b"event: board"):
    for chunk in events:
        if kind in chunk:
            return chunk.decode()
    return None


def test_a_stream_begins_with_the_newest_board_and_sends_every_change(site):
    answer, events = open_stream(site.browser("seat S"))
    assert f'data-seq="{site.table.board().seq}"' in next_event(events)
    site.bench.say("next")
    assert f"id: {site.table.board().seq}\n" in next_event(events)
    answer.close()


def test_a_closed_stream_gives_its_place_back(site):
    answer, events = open_stream(site.browser("seat S"))
    next_event(events)
    streams = site.app.extensions["streams"]
    assert streams.open == 1
    answer.close()
    assert streams.open == 0


def test_six_tabs_of_one_browser_leave_it_connections_for_taps(site):
    phone = site.browser("seat S")
    answers = [open_stream(phone, f"tab{n}")[0] for n in range(6)]
    assert [answer.status_code for answer in answers] == [200] * STREAMS_OF_ONE_PHONE + [503] * 4
    assert phone.get("/board").status_code == 200
    for answer in answers:
        answer.close()


def test_a_tab_that_comes_back_takes_over_from_its_dead_stream(site):
    phone = site.browser("seat S")
    old, old_events = open_stream(phone, "one")
    next_event(old_events)
    new, _ = open_stream(phone, "one")
    assert new.status_code == 200
    site.table.wake()
    assert next_event(old_events) is None, "the old one has ended"
    assert site.app.extensions["streams"].open == 1
    old.close()
    new.close()


def test_beyond_the_cap_a_phone_polls_and_misses_nothing(site):
    answers = [open_stream(site.browser("spectator"))[0] for _ in range(4)]
    seat = site.browser("seat S")
    assert open_stream(seat)[0].status_code == 503
    tick = re.search(r'data-tick="(\d+)"', seat.get("/board").text)[1]
    assert seat.get(f"/board?tick={tick}").status_code == 204
    site.bench.say("next")
    fresh = seat.get(f"/board?tick={tick}")
    assert f'data-seq="{site.table.board().seq}"' in fresh.text
    for answer in answers:
        answer.close()


def test_a_new_pin_ends_the_streams_so_that_no_one_stays_host(site):
    host, other = site.browser("host"), site.browser("host")
    answer, events = open_stream(other)
    assert "data-verb" in next_event(events)
    host.form("/host/keys", what="pin", pin="654321")
    assert next_event(events) is None
    answer.close()


def test_a_board_is_rendered_once_for_all_who_see_the_same(site, monkeypatch):
    import web.board

    rendered = []
    real = web.board.render_template
    monkeypatch.setattr(web.board, "render_template", lambda *a, **k: (rendered.append(k["me"]), real(*a, **k))[1])
    watchers = [site.browser("spectator") for _ in range(5)]
    boards = {watcher.get("/board").text for watcher in watchers}
    seat = site.browser("seat S")
    rendered.clear()
    assert len(boards) == 1
    for browser in (*watchers, seat, seat):
        browser.get("/board")
    assert sorted(map(str, rendered)) == ["None", "S"]


def test_two_phones_at_once_one_wins_and_the_other_sees_why(site):
    seen = site.table.board().seq
    browsers = [site.browser("host") for _ in range(4)]
    answers = []
    threads = [threading.Thread(target=lambda b=b: answers.append(b.do(seen, verb="next"))) for b in browsers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answer.status_code for answer in answers) == [200, 409, 409, 409]
    assert all("faster" in answer.json["error"] for answer in answers if answer.status_code == 409)


def test_undo_is_announced_to_all_with_who_and_what(site):
    watcher = site.browser("spectator")
    site.bench.say("next")
    site.bench.chance("roll", top="Y", facing="R")
    site.bench.ask(Undo(), source="seat N")
    html = watcher.get("/board").text
    change = html[html.index('id="change"') :]
    assert "Bruno" in change
    assert "taken back" in change
    assert "rolled yellow" in change


@pytest.mark.parametrize("active", ["S", "N"])
def test_a_picture_that_may_show_the_hidden_face_waits_for_the_marking(site, active):
    from tables import die

    site.bench.venecitas(first=active)
    site.bench.say("next")
    site.table.saw(die("yellow", "red"), b"jpeg")
    seq = site.table.board().last.seq
    watcher = site.browser("spectator")
    expected = 200 if active == "S" else 404
    assert watcher.get(f"/crop/{seq}.jpg").status_code == expected
    assert (f"/crop/{seq}.jpg" in watcher.get("/board").text) == (active == "S")
    assert (f"/crop/{seq}.jpg" in watcher.get("/history", follow_redirects=True).text) == (active == "S")
    site.bench.say("next")
    if active == "N":
        assert watcher.get(f"/crop/{seq}.jpg").status_code == 200
        assert f"/crop/{seq}.jpg" in watcher.get("/history", follow_redirects=True).text


def test_the_page_says_what_the_lamp_says(site):
    from companion.commands import Seen
    from companion.inputs import Button

    phone = site.browser("seat S")
    page = phone.get("/board").text
    assert "signal-your-turn" in page
    assert f'fill="{site.table.board().telling.hex}"' in page
    assert "<bdi>Ana</bdi>: your turn" in page
    assert "passing-saved" not in page, "a seat was taken since the game began"
    site.table.pressed(Button.NEXT)
    assert "passing-saved" in phone.get("/board").text
    site.table.sees(Seen("rolling"))
    page = phone.get("/board").text
    assert "signal-rolling" in page
    assert "passing" not in page
    site.table.pressed(Button.NEXT)
    assert "passing-not-yet" in phone.get("/board").text
