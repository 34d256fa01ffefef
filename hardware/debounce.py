"""From a switch's edges to presses and holds: pure, time comes in."""

from enum import StrEnum

QUIET_S = 0.05
"""A switch counts as settled when it has not changed for so long."""

LOCKOUT_S = 0.4
"""After a press so long no other of the same button counts, so that a double press can't skip a step."""


class Gesture(StrEnum):
    """What somebody did with a button."""

    PRESS = "press"
    HOLD = "hold"


class Debouncer:
    """Follows one button.

    A button that can't be held tells a press as soon as the switch has settled. One that can be held tells a press
    when it is let go early, and a hold while it is still down: never both.

    Args:
        hold_s: a hold lasts so long; None for a button that is only pressed.
        quiet_s: see `QUIET_S`.
        lockout_s: see `LOCKOUT_S`.
    """

    def __init__(self, hold_s: float | None = None, quiet_s: float = QUIET_S, lockout_s: float = LOCKOUT_S) -> None:
        self._hold_s, self._quiet_s, self._lockout_s = hold_s, quiet_s, lockout_s
        self._level = self._settled = False  # down or not: as last seen, and as believed
        self._changed_at = float("-inf")
        self._down_since: float | None = None  # None once this going down has been told or ignored
        self._told_at = float("-inf")

    def edge(self, at_s: float, down: bool) -> Gesture | None:
        """Take in that the switch is now down or up.

        Args:
            at_s: when, in seconds that never go back.
            down: whether it is pressed.

        Returns:
            What had become certain by then, as from `poll`.
        """
        gesture = self.poll(at_s)
        if down != self._level:
            self._level, self._changed_at = down, at_s
        return gesture

    def poll(self, at_s: float) -> Gesture | None:
        """Say what has become certain by ``at_s``; each gesture is told once."""
        if self._level != self._settled and at_s - self._changed_at >= self._quiet_s:
            self._settled = self._level
            return self._pushed() if self._settled else self._let_go(at_s)
        hold_due = self._hold_due()
        if hold_due is not None and at_s >= hold_due:
            self._down_since, self._told_at = None, at_s
            return Gesture.HOLD
        return None

    @property
    def due_s(self) -> float | None:
        """When `poll` may have something to tell, unless an edge comes first; None when only an edge can change it."""
        if self._level != self._settled:
            return self._changed_at + self._quiet_s
        return self._hold_due()

    def _hold_due(self) -> float | None:
        if self._hold_s is None or self._down_since is None or not self._level:
            return None
        return self._down_since + self._hold_s

    def _pushed(self) -> Gesture | None:
        if self._changed_at - self._told_at < self._lockout_s:
            return None
        if self._hold_s is not None:
            self._down_since = self._changed_at
            return None
        self._told_at = self._changed_at
        return Gesture.PRESS

    def _let_go(self, at_s: float) -> Gesture | None:
        down_since, self._down_since = self._down_since, None
        if down_since is None:
            return None
        self._told_at = at_s
        return Gesture.PRESS
