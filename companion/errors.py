"""What can go wrong, as types.

One root, so that a caller can catch everything of ours; each child also inherits the builtin it
resembles, so that a caller who knows nothing of us catches the right thing. Messages follow one form:
what came, what was expected, what to do.
"""

from companion.text import Say, Term, say

FASTER = say("somebody was faster: the board has changed. Look again, then tap")


class CompanionError(Exception):
    """The root of every error that this program raises on purpose.

    Attributes:
        say: what went wrong as a sentence that can be translated; None where only the one who set the program up,
            or who wrote another program, meets it.
    """

    say: Say | None = None

    def __init__(self, message: str | Say) -> None:
        if isinstance(message, Say):
            self.say = message
        super().__init__(str(message))


class BadInput(CompanionError, ValueError):
    """A file, a setting or a message from outside is not what it should be."""


class StorageError(CompanionError, OSError):
    """The journal can't be written or read; nothing was changed."""


class Refused(CompanionError, ValueError):
    """The rules refuse an event; the state is as it was.

    Attributes:
        code: one of the reject codes of the rules pages, such as ``NOT_ENOUGH``.
        say: the reason in words, with the rule's number, ready to be translated.
    """

    say: Say

    def __init__(self, code: str, sentence: str | Say, **params: Term) -> None:
        self.code = code
        self.say = sentence if isinstance(sentence, Say) else Say(sentence, params)
        super().__init__(f"{code}: {self.say}")


class NotAwaited(Refused):
    """The event may be legal at another moment, but the game waits for something else now."""

    def __init__(self, verb: str, awaited: tuple[str, ...]) -> None:
        if awaited:
            reason = say("not now: {verb} came, but the game waits for {awaited}", verb=verb, awaited=awaited)
        else:
            reason = say("not now: {verb} came, but the game is over", verb=verb)
        super().__init__("WRONG_PHASE", reason)


class NotYours(Refused):
    """The event is awaited, but from another seat."""

    def __init__(self, verb: str, seat: str, seats: tuple[str, ...]) -> None:
        self.seats = seats
        super().__init__(
            "NOT_YOURS", say("{who} can't do this now: it is the turn of {other}", who=seat, other=seats[0])
        )


class Stale(CompanionError, ValueError):
    """A command was made on a board that has changed since."""

    say = FASTER
