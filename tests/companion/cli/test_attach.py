import sys
import threading
from contextlib import ExitStack

import pytest
from gpiozero import LED, Device
from tables import Bench

from companion.cli import attach
from companion.cli.attach import attach_real
from companion.config import Settings, load_settings
from companion.inputs import Button
from hardware.pins import use_pretended_pins


@pytest.fixture
def stack():
    before = Device.pin_factory
    with ExitStack() as stack:
        stack.callback(lambda: setattr(Device, "pin_factory", before))
        yield stack


@pytest.fixture
def bench(tmp_path, stack):
    bench = Bench(tmp_path / "journal.db")
    stack.callback(bench.journal.close)
    return bench


class Again:
    """Eyes that only count how often they are asked to look again, and know whether the camera was lost."""

    def __init__(self):
        self.asked, self.was_lost = 0, threading.Event()

    def __call__(self, tell):
        return self

    def again(self):
        self.asked += 1

    def lost(self):
        self.was_lost.set()

    def look(self, capture):
        pass

    def resume(self):
        pass

    def trouble(self):
        return None

    def set_up_changed(self, thing):
        pass


def attached(bench, folder, stack, monkeypatch, **settings):
    """A real table, but for its pins, which are pretended."""
    monkeypatch.setattr(attach, "use_real_pins", lambda folder: use_pretended_pins())
    again = Again()
    return attach_real(bench.table, Settings(camera="none", **settings), folder, again, stack), again


def test_without_a_pin_library_the_page_says_so_and_its_twins_play(bench, tmp_path, stack, monkeypatch):
    monkeypatch.setitem(sys.modules, "lgpio", None)
    again = Again()
    equipment = attach_real(bench.table, Settings(camera="none"), tmp_path, again, stack)
    assert any("no pin library" in line for line in equipment.missing())
    assert equipment.desk is None
    bench.venecitas()
    equipment.press(Button.READ)
    equipment.press(Button.NEXT)
    assert again.asked == 1
    assert bench.table.board().view["phase"] == "ROLL"


def test_a_lamp_that_is_missing_does_not_silence_the_buttons(bench, tmp_path, stack, monkeypatch):
    use_pretended_pins()
    monkeypatch.setattr(attach, "use_real_pins", lambda folder: None)
    with LED(13):
        equipment = attach_real(bench.table, Settings(camera="none"), tmp_path, Again(), stack)
        assert [line for line in equipment.missing() if "lamp" in line]
        assert equipment.checks["buttons"]() == "ok"
        assert equipment.desk.state()["pins"] == {"next": 17, "read": 27, "undo": 22}


def test_three_leds_stand_for_the_lamp(bench, tmp_path, stack, monkeypatch):
    (tmp_path / "settings.toml").write_text(
        'camera = "none"\n[pins]\nred = false\nbuzzer = false\nled_red = 16\nled_yellow = 20\nled_green = 21\n'
    )
    pins = load_settings(tmp_path).pins
    equipment, _ = attached(bench, tmp_path, stack, monkeypatch, pins=pins)
    assert [line for line in equipment.missing() if "lamp" in line] == []
    free = [LED(pin) for pin in (5, 6, 13, 19)]
    for led in free:
        led.close()
    with pytest.raises(Exception, match="16"):
        LED(16)


def test_a_learnt_pin_is_in_the_settings_of_the_next_start(bench, tmp_path, stack, monkeypatch):
    import time

    equipment, _ = attached(bench, tmp_path, stack, monkeypatch)
    equipment.desk.learn(Button.NEXT)
    Device.pin_factory.pin(23).drive_low()
    deadline = time.monotonic() + 10
    while equipment.desk.state()["learning"] and time.monotonic() < deadline:
        time.sleep(0.01)
    assert load_settings(tmp_path).pins["next"] == 23


def test_readers_are_told_that_a_camera_was_lost(bench, tmp_path, stack, monkeypatch):
    _, again = attached(bench, tmp_path, stack, monkeypatch)
    assert again.was_lost.wait(10)
