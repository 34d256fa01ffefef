import time

import pytest
from gpiozero import LED, Device

from companion.cli import desk as desk_module
from companion.cli.desk import TEST_S, Desk
from companion.errors import StorageError
from companion.inputs import Button
from hardware.buttons import VirtualButtons
from hardware.pins import use_pretended_pins

PINS = {Button.NEXT: 17, Button.READ: 27, Button.UNDO: 22}
OTHERS = {"red": 5, "buzzer": 19}
PATIENCE_S = 10


class Bench:
    def __init__(self, pins=PINS):
        self.played, self.saved = [], []
        self.now = 100.0
        self.refuse = None
        self.desk = Desk(
            pins, OTHERS, self.played.append, lambda button: self.played.append(f"{button} held"),
            save=self.save, clock=lambda: self.now,
        )  # fmt: skip
        self.fingers = VirtualButtons(pins)

    def save(self, name, pin):
        if self.refuse:
            raise self.refuse
        self.saved.append((name, pin))

    def until(self, is_so):
        deadline = time.monotonic() + PATIENCE_S
        while not is_so():
            assert time.monotonic() < deadline, self.desk.state()
            time.sleep(0.005)

    def press_pin(self, number):
        pin = Device.pin_factory.pin(number)
        pin.drive_low()
        time.sleep(0.1)
        pin.drive_high()

    def learn(self, button, pin):
        self.desk.learn(button)
        assert self.desk.state()["learning"] == button
        self.press_pin(pin)
        self.until(lambda: self.desk.state()["learning"] is None)


@pytest.fixture
def bench():
    before = Device.pin_factory
    use_pretended_pins()
    bench = Bench()
    yield bench
    bench.desk.close()
    Device.pin_factory.reset()
    Device.pin_factory = before


def test_presses_go_to_the_game_and_are_counted(bench):
    bench.fingers.press(Button.NEXT)
    bench.until(lambda: bench.played == [Button.NEXT])
    assert bench.desk.state()["pressed"] == {"next": 1, "read": 0, "undo": 0}


def test_a_button_that_is_down_is_told(bench):
    bench.fingers.down(Button.READ)
    assert bench.desk.state()["down"] == ["read"]
    bench.fingers.up(Button.READ)
    assert bench.desk.state()["down"] == []


def test_while_the_page_tests_nothing_is_played_and_soon_after_everything_is(bench):
    bench.desk.state(testing=True)
    bench.fingers.press(Button.NEXT)
    bench.fingers.hold(Button.UNDO)
    bench.until(lambda: sum(bench.desk.state()["pressed"].values()) == 2)
    assert bench.played == []
    bench.now += TEST_S + 0.1
    time.sleep(0.45)  # the lock-out of a real button
    bench.fingers.press(Button.NEXT)
    bench.until(lambda: bench.played == [Button.NEXT])


def test_a_button_is_on_the_pin_that_was_pressed_while_it_was_learnt(bench):
    bench.learn(Button.NEXT, 23)
    assert bench.saved == [("next", 23)]
    assert bench.desk.state()["pins"]["next"] == 23
    assert bench.played == [], "the press that taught it doesn't count"
    bench.press_pin(23)
    bench.until(lambda: bench.played == [Button.NEXT])
    time.sleep(0.45)
    bench.press_pin(17)
    bench.fingers.press(Button.READ)
    bench.until(lambda: bench.played == [Button.NEXT, Button.READ])


def test_another_buttons_pin_is_not_taken_from_it(bench):
    bench.learn(Button.NEXT, 27)
    assert bench.saved == []
    state = bench.desk.state()
    assert state["pins"]["next"] == 17
    assert str(state["said"]) == "GPIO27 is READ's: press NEXT, or find the pin of READ first"


def test_a_pin_of_the_lamp_is_not_even_listened_to(bench):
    bench.desk.learn(Button.NEXT)
    with LED(5):
        pass
    bench.desk.cancel()
    bench.fingers.press(Button.NEXT)
    bench.until(lambda: bench.played == [Button.NEXT])


def test_what_cannot_be_written_down_changes_nothing_and_is_told(bench):
    bench.refuse = StorageError("settings.toml can't be written: Read-only file system")
    bench.learn(Button.NEXT, 23)
    assert bench.desk.state()["pins"]["next"] == 17
    assert "Read-only" in str(bench.desk.state()["said"])
    bench.fingers.press(Button.NEXT)
    bench.until(lambda: bench.played == [Button.NEXT])


def test_learning_ends_by_itself_and_the_buttons_play_again(bench, monkeypatch):
    monkeypatch.setattr(desk_module, "LEARN_S", 0.05)
    bench.desk.learn(Button.NEXT)
    bench.until(lambda: bench.desk.state()["learning"] is None)
    bench.fingers.press(Button.NEXT)
    bench.until(lambda: bench.played == [Button.NEXT])


def test_a_pin_in_use_silences_its_own_button_alone():
    before = Device.pin_factory
    use_pretended_pins()
    with LED(17):
        bench = Bench()
        assert "GPIO17" in bench.desk.problem()
        bench.fingers.press(Button.READ)
        bench.until(lambda: bench.played == [Button.READ])
        bench.desk.close()
    Device.pin_factory = before


def test_a_button_that_was_on_no_pin_can_be_learnt():
    before = Device.pin_factory
    use_pretended_pins()
    bench = Bench({Button.NEXT: 17})
    assert bench.desk.state()["pins"] == {"next": 17, "read": None, "undo": None}
    bench.learn(Button.UNDO, 6)
    assert bench.saved == [("undo", 6)]
    bench.desk.close()
    Device.pin_factory = before
