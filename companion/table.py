"""The table: the one meeting place of camera, buttons and phones.

There is one lock and one sequence number. Whatever comes in makes at most one event, which is checked by the
rules, written to the journal and only then shown. What the camera sees at the moment, a question that is
open or a short notice is not kept: it changes the ``tick``, which only wakes up whoever watches.
"""

from collections.abc import Callable, Mapping
from typing import Any

from companion.commands import Board, Command, NewGame, OpenSession, Redo, Seen, Undo
from companion.errors import BadInput, NotAwaited, Refused, Stale, StorageError
from companion.events import Choice, Event, Json, Outcome, event_to_json
from companion.game import Game, Proposal, step
from companion.inputs import Button, Reading, Status
from companion.journal import Entry, Journal
from companion.readings import is_tapped_now, understand
from companion.seating import Seating
from companion.seats import Seats
from companion.sessions import Change, Session, begin, current_id, replay, start_body
from companion.signals import Passing, Signal, Telling, lasting
from companion.text import Say, say

GAME_ENTRIES = frozenset({"start", "open", "close", "event", "undo", "redo"})
"""Entries that change the board, and so make an older board stale."""


class Table(Seats):
    """The meeting place. Every method may be called from any thread.

    Args:
        games: the games that can be played, by name.
        journal: where accepted events are kept.
        now: tells the wall-clock time as ISO 8601 text, for people.
    """

    def __init__(self, games: Mapping[str, Game], journal: Journal, now: Callable[[], str]) -> None:
        """Put the session on the table that lay there last."""
        super().__init__()
        self.games = games
        self.journal = journal
        self._now = now
        self._seq = 0
        self._tick = 0
        self._proposal: Proposal | None = None
        self._crop: bytes | None = None
        self._notice: Say | None = None
        self._seen = Seen("offline")
        self._doubt = False  # whether the camera saw what it can't read, and nobody has said yet what it is
        self._passing: Passing | None = None
        self._undo_asked = False
        self._session: Session | None = None
        self._reading: tuple[int, Reading] | None = None
        self._boards: dict[str | None, Board] = {}
        self.on_corrected: Callable[[Reading, Any], object] = lambda reading, state: None
        """Called with a reading that somebody corrected, and the game's state after that; it must not wait."""
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
            self._notice = error.say or say("the last game can't be opened: {reason}", reason=str(error))
        self._seating = Seating.replayed(entry for entry in entries if entry.session == current)

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
                if self._undo_asked:
                    self._tell(say("undo? confirm it on a phone"))
                else:
                    self._refuse(say("not yet"))
            elif button is Button.NEXT:
                if self._proposal is not None:
                    self._refuse(say("not yet: a question is open on a phone"))
                else:
                    self._play_or_tell(Choice("next"), "button")

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
            meant = understand(session, reading)
            if isinstance(meant, Proposal):
                if meant.question is None and len(meant.options) == 1:
                    entry = self._play_or_tell(meant.options[0][1], source, crop)
                    if entry is not None:
                        self._reading = (entry.seq, reading)
                        self._boards.clear()
                else:
                    self._proposal, self._crop = meant, crop
                    self._tell(None)
            elif meant is not None and reading.status is Status.UNSURE:
                self._tell(meant)
            elif meant is not None:
                self._refuse(meant)

    def sees(self, seen: Seen) -> None:
        """Take what the camera sees at the moment."""
        with self._changed:
            if seen != self._seen:
                self._seen, self._doubt = seen, seen.state == "unsure"
                self._wake()

    def dismiss(self) -> None:
        """Close the open question and take back a button's wish to undo."""
        with self._changed:
            self._proposal, self._crop, self._undo_asked, self._doubt = None, None, False, False
            self._tell(None)

    def delete(self, session: int) -> bool:
        """Delete a session for good; False when there was none.

        Raises:
            Refused: it lies on the table.
            StorageError: it can't be deleted; nothing was changed.
        """
        with self._changed:
            if self._session is not None and self._session.id == session:
                raise Refused("ON_THE_TABLE", "this game lies on the table: clear the table first")
            return self.journal.delete(session) > 0

    # What goes out

    def board(self, seat: str | None = None) -> Board:
        """Tell what a seat may see now (None: a spectator)."""
        with self._changed:
            # Many phones ask for the same board; whatever changes it wakes them, and empties this.
            if seat not in self._boards:
                self._boards[seat] = self._look(seat)
            return self._boards[seat]

    def _look(self, seat: str | None) -> Board:
        session = self._session
        last = session.done[-1].entry if session and session.done else None
        reading = self._reading[1] if self._reading and last and self._reading[0] == last.seq else None
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
            last=last,
            can_redo=bool(session and session.undone),
            change=session.change if session else None,
            proposal=self._proposal,
            reading=reading,
            corrections=session.game.corrections(session.state, reading) if session and reading else (),
            notice=self._notice,
            seen=self._seen,
            telling=self._telling(),
            passing=self._passing,
            undo_asked=self._undo_asked,
            askers=self._seating.askers(),
        )

    def _telling(self) -> Telling:
        session = self._session
        if session is None:
            return lasting(self._seen.state, None, None, in_doubt=False)
        active = session.game.view(session.state, None).get("active")
        return lasting(
            self._seen.state, session.game.awaits(session.state), active if isinstance(active, str) else None,
            in_doubt=self._proposal is not None or (self._doubt and is_tapped_now(session)),
        )  # fmt: skip

    def wait(self, tick: int, timeout_s: float) -> int:
        """Wait until there is something newer than ``tick``; the newest tick is returned in any case."""
        with self._changed:
            self._changed.wait_for(lambda: self._tick != tick, timeout_s)
            return self._tick

    def wake(self) -> None:
        """Wake up whoever waits, for the program is about to stop."""
        with self._changed:
            self._wake()

    def hidden_crops(self) -> int | None:
        """Tell from which entry on pictures of this session would show what the rules hide now, or None."""
        with self._changed:
            session = self._session
            if session is None or not session.game.view(session.state, None).get("picture_hidden"):
                return None
            outcomes = [turn.entry.seq for turn in session.done if isinstance(turn.event, Outcome)]
            return max(outcomes, default=session.id)

    def asked_crop(self) -> bytes | None:
        """The picture that belongs to the open question, as JPEG."""
        with self._changed:
            return self._crop

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
        read = self._reading if event.verb == "correct" and session.done else None
        is_newest = read is not None and session.done[-1].entry.seq == read[0]
        entry = self._keep("event", event_to_json(event), source, command=command, crop=crop, state=state)
        if read is not None and is_newest:
            self.on_corrected(read[1], state)
        return entry

    def _play_or_tell(self, event: Event, source: str, crop: bytes | None = None) -> Entry | None:
        """Play what came from the table itself; nobody waits for an answer there, so a refusal becomes the notice."""
        try:
            return self._play(event, source, crop=crop)
        except NotAwaited:
            self._refuse(say("not yet"))
        except Refused as refused:
            self._refuse(refused.say)
        except StorageError as error:
            self._refuse(error.say or say("{reason}", reason=str(error)))
        return None

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
                self._session, self._seating = begin(self.games, entry), Seating()
            case "open":
                self._session, self._seating = opened, Seating.replayed(self.journal.entries(entry.session))
                self._on_table().change = Change("open", source)
            case "close":
                self._session, self._seating = None, Seating()
            case "seat":
                self._seating.note(body["phone"], frozenset(body["seats"]))
            case _:
                self._on_table().add(entry, state)
        if kind in GAME_ENTRIES:
            self._seq = entry.seq
            self._proposal, self._crop, self._undo_asked, self._doubt = None, None, False, False
            self._notice = None
            self._passing = Passing(self._tick + 1, Signal.SAVED)
        self._wake()
        return entry

    def _tell(self, notice: Say | None) -> None:
        self._notice = notice
        self._wake()

    def _refuse(self, notice: Say) -> None:
        """Tell why what came from the table itself counts for nothing."""
        self._passing = Passing(self._tick + 1, Signal.NOT_YET)
        self._tell(notice)

    def _wake(self) -> None:
        self._tick += 1
        self._boards.clear()
        self._changed.notify_all()
