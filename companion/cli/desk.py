"""The buttons at the table as the host's page tries them: in play, in a test, or while a pin is learnt.

Whatever happens here, the buttons go back to play: a test ends when the page no longer asks, learning after
`LEARN_S`. On a pin that can't be used the other buttons work on.
"""

import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from companion.errors import CompanionError
from companion.inputs import Button
from companion.text import Say, say
from hardware.buttons import Buttons
from hardware.finder import ALL_PINS, PinFinder
from hardware.pins import PinError

TEST_S = 3.0
"""So long after the page asked last, presses count for nothing in the game."""

LEARN_S = 20.0
"""So long a press is waited for while a pin is learnt."""


class Desk:
    """Owns the buttons.

    Args:
        pins: BCM number of each button that there is.
        others: what else is on pins, by name: no button can be there.
        on_press: takes a press in play.
        on_hold: takes a hold in play.
        save: writes down which pin a button is on, by the settings' name; raises `CompanionError` when it can't.
        clock: seconds that never go back.
    """

    def __init__(
        self,
        pins: Mapping[Button, int],
        others: Mapping[str, int],
        on_press: Callable[[Button], None],
        on_hold: Callable[[Button], None],
        *,
        save: Callable[[str, int], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._pins, self._others = dict(pins), dict(others)
        self._on_press, self._on_hold, self._save, self._clock = on_press, on_hold, save, clock
        self._lock = threading.RLock()
        self._buttons: list[Buttons[Button]] = []
        self._troubles: dict[Button, str] = {}
        self._said: Say | None = None
        self._pressed: Counter[Button] = Counter()
        self._testing_until = float("-inf")
        self._learning: tuple[Button, PinFinder] | None = None
        self._timer: threading.Timer | None = None
        self._listen()

    def problem(self) -> str | None:
        """Say which buttons don't work, or None."""
        return "; ".join(self._troubles.values()) or None

    def state(self, *, testing: bool = False) -> dict[str, Any]:
        """Tell how the buttons are, as JSON values; what is ``said`` is a sentence, or a line about a pin.

        Args:
            testing: from now on for `TEST_S`, presses count for the test alone and not in the game.
        """
        with self._lock:
            if testing:
                self._testing_until = self._clock() + TEST_S
            down = [str(button) for button in self._pins for each in self._buttons if each.is_down(button)]
            return {
                "pins": {str(button): self._pins.get(button) for button in Button},
                "down": down,
                "pressed": {str(button): self._pressed[button] for button in Button},
                "testing": self._clock() < self._testing_until,
                "learning": str(self._learning[0]) if self._learning else None,
                "said": self._said or self.problem(),
            }

    def learn(self, button: Button) -> None:
        """Listen on every pin that is free, until one is pressed; that is the button's from then on, and kept.

        Raises:
            PinError: none can be listened to.
        """
        with self._lock:
            self.cancel()
            self._hush()
            candidates = [pin for pin in ALL_PINS if pin not in self._others.values()]
            try:
                finder = PinFinder(candidates, lambda pin: self._hand_over(button, pin))
            except PinError:
                self._listen()
                raise
            self._said, self._learning = None, (button, finder)
            self._timer = threading.Timer(LEARN_S, self.cancel)
            self._timer.daemon = True
            self._timer.start()

    def cancel(self) -> None:
        """Learn nothing; the buttons are back in play."""
        with self._lock:
            if self._stop_learning():
                self._listen()

    def close(self) -> None:
        """Let all pins go."""
        with self._lock:
            self._stop_learning()
            self._hush()

    def _hand_over(self, button: Button, pin: int) -> None:
        # In another thread, for this one belongs to the finder, which is closed now.
        threading.Thread(target=self._learnt, args=(button, pin), name="learnt", daemon=True).start()

    def _learnt(self, button: Button, pin: int) -> None:
        with self._lock:
            if self._learning is None or self._learning[0] is not button:
                return
            self._stop_learning()
            taken = [str(other).upper() for other, its in self._pins.items() if its == pin and other is not button]
            if taken:
                self._said = say(
                    "GPIO{pin} is {other_button}'s: press {button}, or find the pin of {other_button} first",
                    pin=pin, other_button=taken[0], button=button.upper(),
                )  # fmt: skip
            else:
                try:
                    self._save(button.value, pin)
                    self._pins[button] = pin
                except CompanionError as error:
                    self._said = error.say or say("{reason}", reason=str(error))
            self._listen()

    def _stop_learning(self) -> bool:
        learning, self._learning = self._learning, None
        timer, self._timer = self._timer, None
        if timer is not None:
            timer.cancel()
        if learning is not None:
            learning[1].close()
        return learning is not None

    def _listen(self) -> None:
        """Take the buttons' pins, each by itself: one that can't be used doesn't silence the others."""
        self._troubles = {}
        for button, pin in self._pins.items():
            try:
                buttons = Buttons({button: pin}, self._press, self._hold)
            except PinError as error:
                self._troubles[button] = str(error)
                continue
            buttons.start()
            self._buttons.append(buttons)

    def _hush(self) -> None:
        while self._buttons:
            self._buttons.pop().close()

    def _press(self, button: Button) -> None:
        if not self._counts_for_the_test(button):
            self._on_press(button)

    def _hold(self, button: Button) -> None:
        if not self._counts_for_the_test(button):
            self._on_hold(button)

    def _counts_for_the_test(self, button: Button) -> bool:
        self._pressed[button] += 1
        return self._clock() < self._testing_until
