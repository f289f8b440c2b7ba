"""What happens to a place: a player comes, goes, sits out, owes blinds, brings chips."""

from __future__ import annotations

from typing import NamedTuple

from engine.events.registry import event
from engine.state import Place, Table


@event
class Sat(NamedTuple):
    seat: int
    player: str
    chips: int
    bank_ms: int
    transfer: str

    def apply(self, table: Table) -> None:
        table.places[self.seat] = Place(self.player, self.chips, self.bank_ms)


@event
class Stood(NamedTuple):
    seat: int
    player: str
    chips: int
    transfer: str

    def apply(self, table: Table) -> None:
        table.places[self.seat] = None
        table.pledges.pop(self.player, None)


@event
class LeaveAsked(NamedTuple):
    """The player goes; his turns time out at once and the seat is freed after the hand (COM-11)."""

    seat: int

    def apply(self, table: Table) -> None:
        table.place(self.seat).leaving = True


@event
class TopUpAsked(NamedTuple):
    """Chips asked for during a hand; they are added when it is over (COM-15)."""

    seat: int
    amount: int

    def apply(self, table: Table) -> None:
        table.place(self.seat).top_up += self.amount


@event
class ChipsAdded(NamedTuple):
    seat: int
    amount: int
    transfer: str
    why: str

    def apply(self, table: Table) -> None:
        place = table.place(self.seat)
        place.chips += self.amount
        place.top_up = 0


@event
class SatOut(NamedTuple):
    seat: int
    why: str

    def apply(self, table: Table) -> None:
        place = table.place(self.seat)
        place.sitting_out = True
        place.posting = False


@event
class SatIn(NamedTuple):
    seat: int

    def apply(self, table: Table) -> None:
        place = table.place(self.seat)
        place.sitting_out = False
        place.missed_orbits = 0


@event
class BlindsOwed(NamedTuple):
    """What the seat owes before it is dealt in again, unless it waits for the big blind (COM-69)."""

    seat: int
    small: int
    big: int

    def apply(self, table: Table) -> None:
        place = table.place(self.seat)
        place.owes_small = self.small
        place.owes_big = self.big


@event
class PostAsked(NamedTuple):
    """The player will post what he owes at the next deal instead of waiting (OM8-16, OM8-18)."""

    seat: int

    def apply(self, table: Table) -> None:
        place = table.place(self.seat)
        place.sitting_out = False
        place.posting = True
        place.missed_orbits = 0


@event
class OrbitMissed(NamedTuple):
    """The big blind (or the dealer) passed a seat that sits out (COM-70)."""

    seat: int

    def apply(self, table: Table) -> None:
        table.place(self.seat).missed_orbits += 1


@event
class Disconnected(NamedTuple):
    seat: int

    def apply(self, table: Table) -> None:
        table.place(self.seat).connected = False


@event
class Connected(NamedTuple):
    seat: int

    def apply(self, table: Table) -> None:
        table.place(self.seat).connected = True
