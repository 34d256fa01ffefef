import threading

import pytest
from gpiozero import LED, Device

from companion.errors import BadInput, CompanionError
from companion.inputs import Button
from hardware import pins as pin_library
from hardware.buttons import PINS, Buttons, VirtualButtons
from hardware.pins import PinError


@pytest.fixture
def told():
    return []


@pytest.fixture
def buttons(pins, clock, told):
    made = Buttons(
        PINS, lambda button: told.append(("press", button)), lambda button: told.append(("hold", button)), clock=clock
    )
    yield made
    made.close()


@pytest.fixture
def fingers(buttons, clock):
    """Fingers on the pretended pins; while they wait, the buttons are polled as their thread would."""

    def wait(seconds):
        end = clock.now + seconds
        while clock.now < end:
            clock.sleep(0.01)
            buttons.poll()

    virtual = VirtualButtons(PINS, sleep=wait)
    virtual.wait = wait
    return virtual


@pytest.mark.parametrize("button", [Button.NEXT, Button.READ])
def test_a_press_on_a_pretended_pin_is_told_once(fingers, told, button):
    fingers.press(button)
    fingers.wait(1)
    assert told == [("press", button)]


def test_bounces_on_the_pin_are_one_press(fingers, clock, told):
    for _ in range(25):
        fingers.down(Button.NEXT)
        clock.sleep(0.001)
        fingers.up(Button.NEXT)
        clock.sleep(0.001)
    fingers.down(Button.NEXT)
    fingers.wait(0.3)
    fingers.up(Button.NEXT)
    fingers.wait(1)
    assert told == [("press", Button.NEXT)]


def test_undo_acts_when_held_for_a_second_and_only_then(fingers, told):
    fingers.hold(Button.UNDO, 0.98)
    assert ("hold", Button.UNDO) not in told
    fingers.wait(1)
    told.clear()
    fingers.hold(Button.UNDO, 1.1)
    assert told == [("hold", Button.UNDO)]
    fingers.wait(1)
    assert told == [("hold", Button.UNDO)]


def test_two_buttons_at_once_are_both_told(fingers, told):
    fingers.down(Button.NEXT)
    fingers.down(Button.READ)
    fingers.wait(0.2)
    assert sorted(told) == [("press", Button.NEXT), ("press", Button.READ)]


def test_a_lost_edge_is_made_up_for_by_looking_at_the_pin(buttons, fingers, told):
    buttons._devices[Button.NEXT].when_activated = None
    fingers.press(Button.NEXT)
    assert told == [("press", Button.NEXT)]


def test_a_button_that_is_down_can_be_seen_at_once(buttons, fingers):
    assert not buttons.is_down(Button.READ)
    fingers.down(Button.READ)
    assert buttons.is_down(Button.READ)
    fingers.up(Button.READ)
    assert not buttons.is_down(Button.READ)


def test_a_callback_that_fails_does_not_make_the_buttons_dead(pins, clock, caplog):
    told = []

    def on_press(button):
        told.append(button)
        raise RuntimeError("the page fell over")

    buttons = Buttons(PINS, on_press, on_press, clock=clock)
    fingers = VirtualButtons(PINS, sleep=lambda seconds: (clock.sleep(seconds), buttons.poll()))
    for _ in range(2):
        fingers.press(Button.NEXT)
        clock.sleep(1)
        buttons.poll()
    buttons.close()
    assert told == [Button.NEXT] * 2
    assert "the page fell over" in caplog.text


def test_the_thread_tells_presses_and_ends_when_closed(pins):
    pressed = threading.Event()
    buttons = Buttons(PINS, lambda button: pressed.set(), lambda button: None)
    buttons.start()
    VirtualButtons(PINS).press(Button.NEXT)
    assert pressed.wait(2)
    buttons.close()
    assert not buttons._thread.is_alive()


def test_a_pin_in_use_is_a_plain_message_and_leaves_no_pin_taken(pins):
    lamp = LED(PINS[Button.READ])
    with pytest.raises(CompanionError, match=r"READ can't use pin GPIO27 .*another program"):
        Buttons(PINS, print, print)
    lamp.close()
    Buttons(PINS, print, print).close()


def test_a_pin_that_is_not_there_is_a_plain_message(pins):
    with pytest.raises(PinError, match="NEXT can't use pin GPIO99"):
        Buttons({Button.NEXT: 99}, print, print)


def test_a_missing_pin_library_is_a_plain_message(monkeypatch, tmp_path):
    monkeypatch.setitem(__import__("sys").modules, "gpiozero.pins.lgpio", None)
    monkeypatch.setenv("LG_WD", "elsewhere")
    before = Device.pin_factory
    with pytest.raises(PinError, match=r"no pin library.*apt install"):
        pin_library.use_real_pins(tmp_path)
    assert Device.pin_factory is before
    assert __import__("os").environ["LG_WD"] == str(tmp_path)


def test_real_pins_cannot_be_pressed_by_program(pins, monkeypatch):
    monkeypatch.setattr(Device, "pin_factory", object())
    with pytest.raises(BadInput, match="only pretended pins"):
        VirtualButtons(PINS)
    monkeypatch.undo()
