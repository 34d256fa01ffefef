"""The part of the table that knows who sits where."""

import threading
from abc import ABC, abstractmethod

from companion.events import Json
from companion.journal import Entry
from companion.seating import Seating
from companion.sessions import Session


class Seats(ABC):
    """Seats are taken, given up and handed over under the table's lock; `companion.table.Table` is the rest of it."""

    def __init__(self) -> None:
        """Begin with nobody seated."""
        self._changed = threading.Condition()
        self._seating = Seating()

    @abstractmethod
    def _on_table(self) -> Session: ...

    @abstractmethod
    def _keep(self, kind: str, body: Json, source: str) -> Entry: ...

    @abstractmethod
    def _wake(self) -> None: ...

    def sit(self, phone: str, seats: frozenset[str], source: str) -> None:
        """Note which seats a phone holds from now on; the others' seats stay theirs.

        Raises:
            Refused: there is no such seat, or another phone holds it.
            StorageError: it can't be kept; nothing was changed.
        """
        with self._changed:
            self._seating.check(phone, seats, self._on_table().setup.seats)
            if seats != self._seating.of(phone):
                self._keep("seat", {"phone": phone, "seats": sorted(seats)}, source)

    def release(self, seat: str, source: str) -> None:
        """Take a seat from whichever phone holds it, so that another can sit down."""
        with self._changed:
            holder = self._seating.holder(seat)
            if holder is not None:
                left = sorted(self._seating.of(holder) - {seat})
                self._keep("seat", {"phone": holder, "seats": left}, source)

    def wish(self, phone: str, seat: str) -> None:
        """Ask for a seat that another phone holds; its owner or the host answers with `hand_over`.

        Raises:
            Refused: nobody else holds it, or another phone asked first.
        """
        with self._changed:
            self._seating.wish(phone, seat)
            self._wake()

    def hand_over(self, seat: str, source: str, *, agreed: bool) -> None:
        """Answer the wish for a seat; when agreed, the asking phone holds it from now on."""
        with self._changed:
            asker = self._seating.wishes.get(seat)
            if asker is not None and agreed:
                self.release(seat, source)
                self._keep("seat", {"phone": asker, "seats": sorted(self._seating.of(asker) | {seat})}, source)
            self._seating.wishes.pop(seat, None)
            self._wake()

    def seats_of(self, phone: str) -> frozenset[str]:
        """The seats that a phone holds in the session on the table."""
        with self._changed:
            return self._seating.of(phone)

    def held(self) -> frozenset[str]:
        """The seats that some phone holds."""
        with self._changed:
            return self._seating.held()

    def wished(self, phone: str) -> frozenset[str]:
        """The seats that a phone has asked for and was not yet answered."""
        with self._changed:
            return frozenset(seat for seat, asker in self._seating.wishes.items() if asker == phone)
