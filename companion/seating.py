"""Who sits where: which phone holds which seats, and which phone would like a seat that another one holds."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from companion.errors import Refused
from companion.journal import Entry


@dataclass(slots=True)
class Seating:
    """The seats of one session; the table's lock keeps it whole.

    Attributes:
        phones: the seats of each phone.
        wishes: the phone that asks for a seat which another one holds, by seat. Not kept: it asks again.
    """

    phones: dict[str, frozenset[str]] = field(default_factory=dict)
    wishes: dict[str, str] = field(default_factory=dict)

    @classmethod
    def replayed(cls, entries: Iterable[Entry]) -> "Seating":
        """Seat everybody as a session's entries tell."""
        return cls({e.body["phone"]: frozenset(e.body["seats"]) for e in entries if e.kind == "seat"})

    def of(self, phone: str) -> frozenset[str]:
        """The seats of a phone."""
        return self.phones.get(phone, frozenset())

    def held(self) -> frozenset[str]:
        """The seats that some phone holds."""
        return frozenset(seat for seats in self.phones.values() for seat in seats)

    def holder(self, seat: str) -> str | None:
        """The phone that holds a seat."""
        return next((phone for phone, seats in self.phones.items() if seat in seats), None)

    def check(self, phone: str, seats: frozenset[str], there: Collection[str]) -> None:
        """Check that a phone may hold these of the seats that are there.

        Raises:
            Refused: there is no such seat, or another phone holds it.
        """
        if not seats <= set(there) or any(self.holder(seat) not in (None, phone) for seat in seats):
            raise Refused("SEAT_TAKEN", "that seat isn't free: its phone or the host can hand it over")

    def wish(self, phone: str, seat: str) -> None:
        """Note that a phone asks for a seat.

        Raises:
            Refused: nobody else holds it, or another phone asked first.
        """
        if self.holder(seat) in (None, phone):
            raise Refused("SEAT_FREE", "nobody else holds that seat: take it")
        if self.wishes.get(seat, phone) != phone:
            raise Refused("SEAT_TAKEN", "another phone has asked for that seat already")
        self.wishes[seat] = phone

    def note(self, phone: str, seats: frozenset[str]) -> None:
        """Take what an entry says; a wish for a seat that has changed hands is over."""
        before = self.of(phone)
        self.phones[phone] = seats
        for seat in before ^ seats:
            self.wishes.pop(seat, None)

    def askers(self) -> dict[str, tuple[str, ...]]:
        """For each seat asked for: the seats that the asking phone holds already."""
        return {seat: tuple(sorted(self.of(phone))) for seat, phone in self.wishes.items()}
