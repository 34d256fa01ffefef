"""Which eyes look: those that the game on the table needs. They change with the game, without a restart."""

import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from companion.capture import Capture
from companion.commands import Seen
from companion.errors import BadInput

THING_OF = {"venecitas": "die", "venezia": "card"}
"""What the camera reads for each game; for the others it only shows its picture."""

_log = logging.getLogger(__name__)

Make = Callable[[bool], "Eyes"]
"""Makes eyes; told whether the thing was set up since the program began. `BadInput` says why they can't be made."""


@dataclass(frozen=True, slots=True)
class Eyes:
    """What looks at the frames for one thing.

    Attributes:
        look: takes each capture, in the camera's thread.
        again: makes it look afresh.
        resume: frames come again after some that nobody saw: what can't be known any more is forgotten, and what is
            seen is told again.
        lost: the camera was lost for a while, so that anything may have happened meanwhile.
    """

    look: Callable[[Capture[Any]], None]
    again: Callable[[], None]
    resume: Callable[[], None]
    lost: Callable[[], None]


class GameEyes:
    """The eyes for the game on the table, made when they are first needed; the camera's frames go on meanwhile.

    Args:
        game: tells the name of the game on the table, or None.
        makers: makes the eyes for each thing, which may take seconds.
        tell: takes what is seen at the moment.
        on_thing: is told which thing is looked for from now on, or None; the virtual table lays it there.
        start: does a job that takes long, in a thread of its own unless told otherwise.
    """

    def __init__(
        self,
        game: Callable[[], str | None],
        makers: Mapping[str, Make],
        tell: Callable[[Seen], None],
        on_thing: Callable[[str | None], object] = lambda thing: None,
        *,
        start: Callable[[Callable[[], None]], object] = lambda job: threading.Thread(target=job, daemon=True).start(),
    ) -> None:
        self._game, self._makers, self._tell, self._on_thing = game, makers, tell, on_thing
        self._start = start
        self._lock = threading.Lock()
        self._thing: str | None = ""  # whatever game lies there is another one
        self._made: dict[str, Eyes] = {}
        self._troubles: dict[str, str] = {}
        self._making: set[str] = set()
        self._set_up = dict.fromkeys(makers, 0)

    def look(self, capture: Capture[Any]) -> None:
        """Take the next capture."""
        game = self._game()
        thing = None if game is None else THING_OF.get(game)
        if thing != self._thing:
            self._change_to(thing)
            return  # this picture still shows what lay there before
        eyes = self._eyes(thing) if thing else None
        if thing is None or eyes is None:
            return
        try:
            eyes.look(capture)
        except BadInput as error:
            # A picture of another size than that of the set-up: the next one is no better, but another camera's is.
            self._trouble(thing, str(error))
        else:
            if self._troubles.pop(thing, None):
                eyes.resume()

    def again(self) -> None:
        """Look afresh."""
        self._each(lambda eyes: eyes.again())

    def resume(self) -> None:
        """The camera gives pictures again."""
        self._each(lambda eyes: eyes.resume())

    def lost(self) -> None:
        """The camera was lost: anything may happen until it gives pictures again."""
        self._each(lambda eyes: eyes.lost())

    def set_up_changed(self, thing: str) -> None:
        """Make the eyes for ``die`` or ``card`` anew with the next frame, for their set-up was written.

        Raises:
            BadInput: there is no such thing.
        """
        if thing not in self._makers:
            raise BadInput(f"got {thing!r}, but expected one of {', '.join(self._makers)}")
        with self._lock:
            self._set_up[thing] += 1
            self._made.pop(thing, None)
            self._troubles.pop(thing, None)

    def trouble(self) -> str | None:
        """Say in one line why what the game needs can't be looked for; None while all is well."""
        return self._troubles.get(self._thing or "")

    def _change_to(self, thing: str | None) -> None:
        self._thing = thing
        self._on_thing(thing)
        with self._lock:
            eyes = self._made.get(thing or "")
        if eyes is not None:
            eyes.resume()
        elif thing in self._troubles:
            self._tell(Seen("not set up"))
        elif thing is None:
            self._tell(Seen("idle"))

    def _eyes(self, thing: str) -> Eyes | None:
        with self._lock:
            is_wanted = not (thing in self._made or thing in self._troubles or thing in self._making)
            if is_wanted:
                self._making.add(thing)
        if is_wanted:
            self._tell(Seen("learning"))
            self._start(lambda: self._make(thing))
        return self._made.get(thing)

    def _make(self, thing: str) -> None:
        with self._lock:
            times = self._set_up[thing]
        eyes, line = None, ""
        try:
            eyes = self._makers[thing](times > 0)
        except BadInput as error:
            line = str(error)
        except Exception as error:  # noqa: BLE001 - whatever goes wrong, the game goes on by hand and the page says so
            _log.exception("making eyes for the %s failed", thing)
            line = f"the camera can't look for the {thing}: {error!r}"
        with self._lock:
            self._making.discard(thing)
            if self._set_up[thing] != times:
                return  # it was set up anew meanwhile: the next frame's are better
            if eyes is not None:
                self._made[thing] = eyes
            else:
                self._troubles[thing] = line
        if eyes is None and thing == self._thing:
            self._tell(Seen("not set up"))

    def _trouble(self, thing: str, line: str) -> None:
        if self._troubles.get(thing) != line:
            self._troubles[thing] = line
            self._tell(Seen("not set up"))

    def _each(self, do: Callable[[Eyes], None]) -> None:
        with self._lock:
            eyes = self._made.get(self._thing or "")
        if eyes is not None:
            do(eyes)
