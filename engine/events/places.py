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
        index, player, chips, bank_ms, _ = self
        table.places[index] = Place(player, chips, bank_ms)


@event
class Stood(NamedTuple):
    seat: int
    player: str
    chips: int
    transfer: str

    def apply(self, table: Table) -> None:
        index, player, _, _ = self
        table.places[index] = None
        table.pledges.pop(player, None)


@event
class LeaveAsked(NamedTuple):
    """The player goes; his turns time out at once and the seat is freed after the hand (COM-11)."""

    seat: int

    def apply(self, table: Table) -> None:
        (index,) = self
        table.place(index).leaving = True


@event
class TopUpAsked(NamedTuple):
    """Chips asked for during a hand; they are added when it is over (COM-15)."""

    seat: int
    amount: int

    def apply(self, table: Table) -> None:
        index, amount = self
        table.place(index).top_up += amount


@event
class ChipsAdded(NamedTuple):
    seat: int
    amount: int
    transfer: str
    why: str

    def apply(self, table: Table) -> None:
        index, amount, _, _ = self
        place = table.place(index)
        place.chips += amount
        place.top_up = 0


@event
class SatOut(NamedTuple):
    seat: int
    why: str

    def apply(self, table: Table) -> None:
        index, _ = self
        place = table.place(index)
        place.sitting_out = True
        place.posting = False


@event
class SatIn(NamedTuple):
    seat: int

    def apply(self, table: Table) -> None:
        (index,) = self
        place = table.place(index)
        place.sitting_out = False
        place.missed_orbits = 0


@event
class BlindsOwed(NamedTuple):
    """What the seat owes before it is dealt in again, unless it waits for the big blind (COM-69)."""

    seat: int
    small: int
    big: int

    def apply(self, table: Table) -> None:
        index, small, big = self
        place = table.place(index)
        place.owes_small = small
        place.owes_big = big


@event
class PostAsked(NamedTuple):
    """The player will post what he owes at the next deal instead of waiting (OM8-16, OM8-18)."""

    seat: int

    def apply(self, table: Table) -> None:
        (index,) = self
        place = table.place(index)
        place.sitting_out = False
        place.posting = True
        place.missed_orbits = 0


@event
class OrbitMissed(NamedTuple):
    """The big blind (or the dealer) passed a seat that sits out (COM-70)."""

    seat: int

    def apply(self, table: Table) -> None:
        (index,) = self
        table.place(index).missed_orbits += 1


@event
class Disconnected(NamedTuple):
    seat: int

    def apply(self, table: Table) -> None:
        (index,) = self
        table.place(index).connected = False


@event
class Connected(NamedTuple):
    seat: int

    def apply(self, table: Table) -> None:
        (index,) = self
        table.place(index).connected = True
