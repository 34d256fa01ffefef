"""What can go wrong, as types.

One root, so that a caller can catch everything of ours; each child also inherits the builtin it
resembles, so that a caller who knows nothing of us catches the right thing. Messages follow one form:
what came, what was expected, what to do.
"""

from companion.text import Say, Term


class CompanionError(Exception):
    """The root of every error that this program raises on purpose."""


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

    def __init__(self, code: str, template: str, **params: Term) -> None:
        self.code = code
        self.say = Say(template, params)
        super().__init__(f"{code}: {self.say}")


class NotAwaited(Refused):
    """The event may be legal at another moment, but the game waits for something else now."""

    def __init__(self, verb: str, awaited: tuple[str, ...]) -> None:
        expected = ", ".join(awaited) or "nothing (the game is over)"
        super().__init__(
            "WRONG_PHASE", "not now: {verb} came, but the game waits for {awaited}", verb=verb, awaited=expected
        )


class NotYours(Refused):
    """The event is awaited, but from another seat."""

    def __init__(self, verb: str, seat: str, seats: tuple[str, ...]) -> None:
        self.seats = seats
        super().__init__("NOT_YOURS", "{who} can't do this now: it is the turn of {other}", who=seat, other=seats[0])


class Stale(CompanionError, ValueError):
    """A command was made on a board that has changed since."""
