"""What a reading means for the session on the table."""

from companion.errors import Refused
from companion.events import Event, Outcome
from companion.game import Proposal
from companion.inputs import DieReading, Reading, Status
from companion.sessions import Session
from companion.text import Say, say


def understand(session: Session, reading: Reading) -> Proposal | Say | None:
    """Tell what a reading means: a proposal, a sentence that says why it counts for nothing, or nothing at all."""
    unsure = reading.status is Status.UNSURE
    try:
        meant = _guess(session, reading) if unsure else session.game.interpret(session.state, reading)
    except Refused as refused:
        return refused.say
    if meant is None and unsure and is_tapped_now(session):
        return say("I can't read it ({reason}): please tap what you see", reason=reading.reason or "")
    return meant


def is_tapped_now(session: Session) -> bool:
    """Whether a person could enter now what the camera can't read."""
    return any(awaited.outcome or awaited.verb == "correct" for awaited in session.game.awaits(session.state))


def _guess(session: Session, reading: Reading) -> Proposal | None:
    """Put what an unsure reading may have been to the phones, likeliest first; None when nothing is likely."""
    if not isinstance(reading, DieReading):
        return None
    likely = list(reading.alternatives)
    if reading.top and reading.sides and "S" in reading.sides:
        likely.insert(0, (reading.top, reading.sides["S"]))
    options: list[tuple[Say, Event]] = []
    for top, south in likely:
        sure = DieReading(Status.READ, top, {"S": south}, 0.0)
        proposal = session.game.interpret(session.state, sure)
        if (
            isinstance(proposal, Proposal)
            and isinstance(proposal.options[0][1], Outcome)
            and proposal.options[0] not in options
        ):
            options.append(proposal.options[0])
    if not options:
        return None
    question = say("I can't read it for sure ({reason}): which is it?", reason=reading.reason or "")
    return Proposal(tuple(options), question)
