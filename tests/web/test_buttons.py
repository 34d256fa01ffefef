import pytest

from companion.errors import StorageError
from companion.inputs import Button


class Desk:
    def __init__(self):
        self.asked, self.refuse = [], None

    def state(self, *, testing=False):
        self.asked.append(("state", testing))
        return {
            "pins": {"next": 17, "read": 27, "undo": None}, "down": ["next"],
            "pressed": {"next": 1, "read": 0, "undo": 0}, "testing": testing, "learning": None, "said": None,
        }  # fmt: skip

    def learn(self, button):
        if self.refuse:
            raise self.refuse
        self.asked.append(("learn", button))

    def cancel(self):
        self.asked.append("cancel")


@pytest.fixture
def desk(site):
    from dataclasses import replace

    desk = Desk()
    equipment = site.app.extensions["equipment"]
    site.app.extensions["equipment"] = replace(equipment, desk=desk)
    return desk


def test_the_page_shows_every_button_and_its_twin(site, desk):
    page = site.browser("host").get("/host/buttons").text
    for name in ("next", "read", "undo"):
        assert f'data-button="{name}"' in page
        assert f'data-press="{name}"' in page


def test_the_twins_stay_where_there_are_no_pins(site):
    browser = site.browser("host")
    page = browser.get("/host/buttons").text
    assert "No pins here" in page
    assert 'data-press="next"' in page
    answer = browser.json("/host/buttons/state", {})
    assert answer.status_code == 400
    assert "no pins" in answer.json["error"]


def test_how_the_buttons_are_is_told_with_the_headers_pins(site, desk):
    told = site.browser("host").json("/host/buttons/state", {"testing": True}).json
    assert told["down"] == ["next"]
    assert told["header"] == {"next": 11, "read": 13, "undo": None}
    assert desk.asked == [("state", True)]


def test_a_pin_is_learnt_and_learning_is_cancelled(site, desk):
    browser = site.browser("host")
    assert browser.json("/host/buttons/learn", {"button": "undo"}).status_code == 200
    assert browser.json("/host/buttons/cancel", {}).status_code == 200
    assert [each for each in desk.asked if each[0] != "state"] == [("learn", Button.UNDO), "cancel"]


@pytest.mark.parametrize("name", ["shutdown", "", None, 3, ["next"]])
def test_only_buttons_are_learnt(site, desk, name):
    answer = site.browser("host").json("/host/buttons/learn", {"button": name})
    assert answer.status_code == 400
    assert "expected one of next, read, undo" in answer.json["error"]


def test_a_refusal_is_one_plain_line(site, desk):
    desk.refuse = StorageError("settings.toml can't be written: full")
    answer = site.browser("host").json("/host/buttons/learn", {"button": "undo"})
    assert answer.json["error"] == "settings.toml can't be written: full"
