"""The table: the one meeting place of camera, buttons and phones.

There is one lock and one sequence number. Whatever comes in makes at most one event, which is checked by the
rules, written to the journal and only then shown. What the camera sees at the moment, a question that is
open or a short notice is not kept: it changes the ``tick``, which only wakes up whoever watches.
"""

import threading
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from companion.commands import Board, Command, NewGame, OpenSession, Redo, Seen, Undo
from companion.errors import BadInput, NotAwaited, Refused, Stale
from companion.events import Choice, Event, Json, event_to_json
from companion.game import Game, Proposal, step
from companion.inputs import Button, Reading, Status
from companion.journal import Entry, Journal
from companion.sessions import Session, begin, current_id, replay, start_body
from companion.text import Say, say

GAME_ENTRIES = frozenset({"start", "open", "close", "event", "undo", "redo"})
"""Entries that change the board, and so make an older board stale."""


class Table:
    """The meeting place. Every method may be called from any thread.

    Args:
        games: the games that can be played, by name.
        journal: where accepted events are kept.
        now: tells the wall-clock time as ISO 8601 text, for people.
    """

    def __init__(self, games: Mapping[str, Game], journal: Journal, now: Callable[[], str]) -> None:
        """Put the session on the table that lay there last."""
        self.games = games
        self.journal = journal
        self._now = now
        self._changed = threading.Condition()
        self._seq = 0
        self._tick = 0
        self._proposal: Proposal | None = None
        self._crop: bytes | None = None
        self._notice: Say | None = None
        self._seen = Seen("offline")
        self._undo_asked = False
        self._session: Session | None = None
        self._phones: dict[str, frozenset[str]] = {}
        self._load()

    def _load(self) -> None:
        entries = list(self.journal.entries())
        self._seq = max((entry.seq for entry in entries if entry.kind in GAME_ENTRIES), default=0)
        current = current_id(entries)
        if current is None:
            return
        try:
            self._session = replay(self.games, (e for e in entries if e.session == current and e.kind != "open"))
        except BadInput as error:
            self._notice = say("the last game can't be opened: {reason}", reason=str(error))
        self._phones = _phones(entry for entry in entries if entry.session == current)

    # What comes in

    def asked(self, command: Command) -> int:
        """Carry out a phone's command.

        Returns:
            The sequence number of the entry that it made, now or when it came first.

        Raises:
            Stale: the board has changed since the phone saw it.
            Refused: the rules or the moment don't allow it.
            StorageError: it can't be kept; nothing was changed.
            BadInput: a new game's set-up can't be played, or there is no such session.
        """
        with self._changed:
            earlier = self.journal.command_seq(command.id)
            if earlier is not None:
                return earlier
            if command.seen != self._seq:
                raise Stale(f"the board has changed: you saw {command.seen}, now it is {self._seq}. Look again")
            return self._carry_out(command).seq

    def _carry_out(self, command: Command) -> Entry:
        act = command.act
        match act:
            case NewGame():
                return self._new_game(act, command)
            case OpenSession():
                return self._open(act.session, command.source, command.id)
            case Undo():
                return self._undo(command.source, command.id)
            case Redo():
                session = self._on_table()
                if not session.undone:
                    raise Refused("NOTHING_TO_REDO", "there is nothing to bring back")
                return self._keep("redo", {}, command.source, command=command.id)
        return self._play(act, command.source, command=command.id)

    def pressed(self, button: Button) -> None:
        """Take a press of a button at the table: NEXT goes on, UNDO asks the phones, READ is the watcher's."""
        with self._changed:
            if button is Button.UNDO:
                self._undo_asked = self._session is not None
                self._tell(say("undo? confirm it on a phone") if self._undo_asked else say("not yet"))
            elif button is Button.NEXT:
                try:
                    if self._proposal is not None:
                        raise Refused("WRONG_PHASE", "not yet: a question is open on a phone")
                    self._play(Choice("next"), "button")
                except NotAwaited:
                    self._tell(say("not yet"))
                except Refused as refused:
                    self._tell(refused.say)
                except OSError as error:
                    self._tell(say("{reason}", reason=str(error)))

    def saw(self, reading: Reading, crop: bytes | None = None, source: str = "camera") -> None:
        """Take a reading of what came to rest; one that nobody waits for changes nothing.

        Args:
            reading: what was read.
            crop: the piece of the picture that was read, as JPEG.
            source: ``camera``, or ``virtual`` for the drawn table.
        """
        with self._changed:
            session = self._session
            if session is None:
                return
            if reading.status is Status.UNSURE:
                self._tell(say("I can't read it ({reason}): please tap what you see", reason=reading.reason or ""))
                return
            try:
                proposal = session.game.interpret(session.state, reading)
            except Refused as refused:
                self._tell(refused.say)
                return
            if proposal is None:
                if any(awaited.verb == "next" for awaited in session.game.awaits(session.state)):
                    self._tell(say("that came too early and doesn't count: roll again when it is asked for"))
                return
            if proposal.question is None and len(proposal.options) == 1:
                self._accept(proposal.options[0][1], source, crop)
            else:
                self._proposal, self._crop = proposal, crop
                self._tell(None)

    def _accept(self, event: Event, source: str, crop: bytes | None) -> None:
        try:
            self._play(event, source, crop=crop)
        except Refused as refused:
            self._tell(refused.say)
        except OSError as error:
            self._tell(say("{reason}", reason=str(error)))

    def sees(self, seen: Seen) -> None:
        """Take what the camera sees at the moment."""
        with self._changed:
            if seen != self._seen:
                self._seen = seen
                self._wake()

    def dismiss(self) -> None:
        """Close the open question and take back a button's wish to undo."""
        with self._changed:
            self._proposal, self._crop, self._undo_asked = None, None, False
            self._tell(None)

    def sit(self, phone: str, seats: frozenset[str], source: str) -> None:
        """Note which seats a phone holds from now on; the others' seats stay theirs.

        Raises:
            Refused: there is no such seat, or another phone holds it.
        """
        with self._changed:
            session = self._on_table()
            taken = {seat for other, held in self._phones.items() if other != phone for seat in held}
            if not seats <= set(session.setup.seats) or seats & taken:
                raise Refused("SEAT_TAKEN", "that seat isn't free: its phone or the host can hand it over")
            self._keep("seat", {"phone": phone, "seats": sorted(seats)}, source)

    def release(self, seat: str, source: str) -> None:
        """Take a seat from whichever phone holds it, so that another can sit down."""
        with self._changed:
            for phone, seats in list(self._phones.items()):
                if seat in seats:
                    self._keep("seat", {"phone": phone, "seats": sorted(seats - {seat})}, source)

    # What goes out

    def board(self, seat: str | None = None) -> Board:
        """Tell what a seat may see now (None: a spectator)."""
        with self._changed:
            session = self._session
            return Board(
                seq=self._seq,
                tick=self._tick,
                session=session.id if session else None,
                game=session.game.NAME if session else None,
                title=session.game.TITLE if session else "",
                names=session.names if session else {},
                seats=session.setup.seats if session else (),
                view=session.game.view(session.state, seat) if session else {},
                awaits=session.game.awaits(session.state) if session else (),
                told=session.state.told if session else (),
                last=session.done[-1].entry if session and session.done else None,
                can_redo=bool(session and session.undone),
                proposal=self._proposal,
                proposal_seq=self._tick,
                notice=self._notice,
                seen=self._seen,
                undo_asked=self._undo_asked,
            )

    def wait(self, tick: int, timeout_s: float) -> int:
        """Wait until there is something newer than ``tick``; the newest tick is returned in any case."""
        with self._changed:
            self._changed.wait_for(lambda: self._tick != tick, timeout_s)
            return self._tick

    def wake(self) -> None:
        """Wake up whoever waits, for the program is about to stop."""
        with self._changed:
            self._wake()

    def seats_of(self, phone: str) -> frozenset[str]:
        """The seats that a phone holds in the session on the table."""
        with self._changed:
            return self._phones.get(phone, frozenset())

    def held(self) -> frozenset[str]:
        """The seats that some phone holds."""
        with self._changed:
            return frozenset(seat for seats in self._phones.values() for seat in seats)

    def asked_crop(self) -> bytes | None:
        """The picture that belongs to the open question, as JPEG."""
        with self._changed:
            return self._crop

    def history(self) -> list[tuple[Entry, Event, tuple[Say, ...]]]:
        """All events of the session that count, each with what it led to."""
        with self._changed:
            done = list(self._session.done) if self._session else []
        return [(turn.entry, turn.event, turn.state.told) for turn in done]

    # Inside, under the lock

    def _on_table(self) -> Session:
        if self._session is None:
            raise Refused("NO_GAME", "no game lies on the table: start one")
        return self._session

    def _play(self, event: Event, source: str, *, command: str | None = None, crop: bytes | None = None) -> Entry:
        session = self._on_table()
        state = step(session.game, session.state, event)
        # The picture that led to a question belongs to its answer.
        crop = self._crop if crop is None else crop
        return self._keep("event", event_to_json(event), source, command=command, crop=crop, state=state)

    def _undo(self, source: str, command: str | None) -> Entry:
        session = self._on_table()
        if session.done:
            return self._keep("undo", {}, source, command=command)
        opened = [e for e in self.journal.entries() if e.kind in ("start", "open", "close")]
        before = next((e for e in reversed(opened) if e.session != session.id), None)
        return self._open(before.session if before and before.kind != "close" else None, source, command)

    def _new_game(self, act: NewGame, command: Command) -> Entry:
        game = self.games.get(act.game)
        if game is None:
            raise BadInput(f"got game {act.game!r}, but expected one of {', '.join(self.games)}")
        game.start(act.setup)  # refuses a set-up that can't be played before anything is kept
        return self._keep("start", start_body(game, act.setup, act.names), command.source, command=command.id)

    def _open(self, session: int | None, source: str, command: str | None) -> Entry:
        if session is None:
            self._on_table()
            return self._keep("close", {}, source, command=command)
        opened = replay(self.games, (e for e in self.journal.entries(session) if e.kind != "open"))
        return self._keep("open", {}, source, command=command, opened=opened)

    def _keep(
        self, kind: str, body: Json, source: str, *, command: str | None = None,
        crop: bytes | None = None, state: Any = None, opened: Session | None = None,
    ) -> Entry:  # fmt: skip
        """Write an entry, and once it is on the disk let it take effect and wake up who watches."""
        current = self._session.id if self._session else None
        entry = self.journal.append(
            session=None if kind == "start" else opened.id if opened else current,
            kind=kind, body=body, source=source, at=self._now(), command=command, crop=crop,
        )  # fmt: skip
        match kind:
            case "start":
                self._session, self._phones = begin(self.games, entry), {}
            case "open":
                self._session, self._phones = opened, _phones(self.journal.entries(entry.session))
            case "close":
                self._session, self._phones = None, {}
            case "seat":
                self._phones[body["phone"]] = frozenset(body["seats"])
            case _:
                self._on_table().add(entry, state)
        if kind in GAME_ENTRIES:
            self._seq = entry.seq
            self._proposal, self._crop, self._undo_asked = None, None, False
            self._notice = None
        self._wake()
        return entry

    def _tell(self, notice: Say | None) -> None:
        self._notice = notice
        self._wake()

    def _wake(self) -> None:
        self._tick += 1
        self._changed.notify_all()


def _phones(entries: Iterable[Entry]) -> dict[str, frozenset[str]]:
    return {e.body["phone"]: frozenset(e.body["seats"]) for e in entries if e.kind == "seat"}
