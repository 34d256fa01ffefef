import pytest
from gpiozero import LED, Device

from companion.errors import BadInput
from hardware.pins import PinError
from hardware.signals import PATTERNS, Beat, Signal, SignalPins, Signals

PINS = SignalPins(rgb=(5, 6, 13), leds=(16, 20, 21), buzzer=12)


@pytest.fixture
def signals(pins, clock):
    made = Signals(PINS, clock=clock)
    yield made
    made.close()


def level(number):
    return Device.pin_factory.pin(number).state


def lamp():
    return tuple(round(level(pin), 3) for pin in PINS.rgb)


def leds():
    return [number for number, pin in enumerate(PINS.leds) if level(pin)]


def test_every_signal_has_a_pattern():
    assert set(PATTERNS) == set(Signal)


def test_your_turn_shows_the_seats_colour(signals):
    signals.show(Signal.YOUR_TURN, (0.2, 0.4, 1.0))
    assert lamp() == (0.2, 0.4, 1.0)
    assert leds() == [2]
    assert signals.current is Signal.YOUR_TURN


def test_ready_breathes_slowly(signals, clock):
    signals.show(Signal.READY)
    seen = []
    clock.sleep(0.05)
    for _ in range(32):
        signals.tick()
        seen.append(lamp() != (0, 0, 0))
        clock.sleep(0.1)
    assert seen == ([True] * 8 + [False] * 8) * 2


def test_not_yet_flashes_red_buzzes_twice_and_gives_way_to_what_was_there(signals, clock):
    signals.show(Signal.YOUR_TURN, (0.0, 1.0, 0.0))
    signals.show(Signal.NOT_YET)
    assert lamp() == (1, 0, 0)
    sounds = []
    for _ in range(89):
        signals.tick()
        sounds.append(bool(level(PINS.buzzer)))
        clock.sleep(0.01)
    assert sum(now and not before for before, now in zip([False, *sounds], sounds, strict=False)) == 2
    clock.sleep(0.05)
    signals.tick()
    assert lamp() == (0, 1, 0)
    assert signals.current is Signal.YOUR_TURN


def test_a_lasting_signal_waits_until_a_passing_one_is_over(signals, clock):
    signals.show(Signal.SAVED)
    signals.show(Signal.ROLLING)
    assert signals.current is Signal.SAVED
    clock.sleep(0.7)
    signals.tick()
    assert signals.current is Signal.ROLLING


def test_saying_the_same_again_does_not_make_the_lamp_stutter(signals, clock):
    signals.show(Signal.OFFLINE)
    clock.sleep(1.0)
    signals.tick()
    assert lamp() == (0, 0, 0)
    signals.show(Signal.OFFLINE)
    signals.tick()
    assert lamp() == (0, 0, 0)


def test_a_buzzer_is_never_left_on(signals, clock):
    for signal in Signal:
        signals.show(signal)
        clock.sleep(2)
        signals.tick()
        assert not level(PINS.buzzer)
    assert Beat.STEADY not in {pattern.buzzer for pattern in PATTERNS.values()}


def test_without_pins_it_still_knows_what_the_page_shows(clock):
    signals = Signals(clock=clock)
    signals.show(Signal.UNSURE)
    assert signals.current is Signal.UNSURE
    signals.close()


def test_closing_switches_all_off_and_frees_the_pins(pins, clock):
    signals = Signals(PINS, clock=clock)
    signals.show(Signal.YOUR_TURN)
    signals.start()
    signals.close()
    Signals(PINS, clock=clock).close()


def test_a_pin_in_use_is_a_plain_message_and_leaves_no_pin_taken(pins, clock):
    other = LED(PINS.buzzer)
    with pytest.raises(PinError, match=r"buzzer can't use pin GPIO12"):
        Signals(PINS, clock=clock)
    other.close()
    Signals(PINS, clock=clock).close()


def test_a_colour_out_of_range_is_refused_before_anything_changes(signals):
    with pytest.raises(BadInput, match="from 0 to 1"):
        signals.show(Signal.YOUR_TURN, (0, 0, 255))
    assert signals.current is Signal.OFFLINE
