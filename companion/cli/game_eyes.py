"""Which eyes look: those that the game on the table needs. They change with the game, without a restart."""

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from companion.commands import Seen
from companion.errors import BadInput

THING_OF = {"venecitas": "die", "venezia": "card"}
"""What the camera reads for each game; for the others it only shows its picture."""

Make = Callable[[bool], "Eyes"]
"""Makes eyes; told whether the thing was set up since the program began. `BadInput` says why they can't be made."""


@dataclass(frozen=True, slots=True)
class Eyes:
    """What looks at the frames for one thing.

    Attributes:
        look: takes each frame (BGR, uint8), in the camera's thread.
        again: makes it look afresh.
        resume: frames come again after some that nobody saw: what can't be known any more is forgotten, and what is
            seen is told again.
    """

    look: Callable[[Any], None]
    again: Callable[[], None]
    resume: Callable[[], None]


class GameEyes:
    """The eyes for the game on the table, made in the camera's thread when they are first needed.

    Args:
        game: tells the name of the game on the table, or None.
        makers: makes the eyes for each thing, which may take seconds.
        tell: takes what is seen at the moment.
        on_thing: is told which thing is looked for from now on, or None; the virtual table lays it there.
    """

    def __init__(
        self,
        game: Callable[[], str | None],
        makers: Mapping[str, Make],
        tell: Callable[[Seen], None],
        on_thing: Callable[[str | None], object] = lambda thing: None,
    ) -> None:
        self._game, self._makers, self._tell, self._on_thing = game, makers, tell, on_thing
        self._lock = threading.Lock()
        self._thing: str | None = ""  # whatever game lies there is another one
        self._made: dict[str, Eyes] = {}
        self._troubles: dict[str, str] = {}
        self._set_up = dict.fromkeys(makers, 0)

    def look(self, frame: Any) -> None:
        """Take the next frame (BGR, uint8)."""
        game = self._game()
        thing = None if game is None else THING_OF.get(game)
        if thing != self._thing:
            self._change_to(thing)
            return  # this picture still shows what lay there before
        eyes = self._eyes(thing) if thing else None
        if thing is None or eyes is None:
            return
        try:
            eyes.look(frame)
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
            eyes, times = self._made.get(thing), self._set_up[thing]
        if eyes is not None or thing in self._troubles:
            return eyes
        self._tell(Seen("learning"))
        try:
            eyes = self._makers[thing](times > 0)
        except BadInput as error:
            self._trouble(thing, str(error))
            return None
        with self._lock:
            if self._set_up[thing] == times:  # else it was set up anew meanwhile: the next frame's are better
                self._made[thing] = eyes
        return eyes

    def _trouble(self, thing: str, line: str) -> None:
        if self._troubles.get(thing) != line:
            self._troubles[thing] = line
            self._tell(Seen("not set up"))

    def _each(self, do: Callable[[Eyes], None]) -> None:
        with self._lock:
            eyes = self._made.get(self._thing or "")
        if eyes is not None:
            do(eyes)
