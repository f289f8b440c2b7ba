"""What a seat does in the betting."""

from __future__ import annotations

from typing import NamedTuple

from engine.events.registry import event, pay, running_hand
from engine.state import Table


@event
class Folded(NamedTuple):
    seat: int

    def apply(self, table: Table) -> None:
        hand = running_hand(table)
        hand.seats[self.seat].live = False
        hand.actor = None


@event
class Checked(NamedTuple):
    seat: int

    def apply(self, table: Table) -> None:
        hand = running_hand(table)
        hand.seats[self.seat].acted = hand.level
        hand.actor = None


@event
class Called(NamedTuple):
    """`amount`: chips added, the whole stack if it is not enough (COM-12)."""

    seat: int
    amount: int

    def apply(self, table: Table) -> None:
        hand = running_hand(table)
        seat = hand.seats[self.seat]
        pay(seat, self.amount)
        seat.acted = hand.level
        hand.actor = None


@event
class RaisedTo(NamedTuple):
    """A bet or raise to `to`. `level` and `size` after it: a short all-in leaves one or both as they were."""

    seat: int
    to: int
    level: int
    size: int

    def apply(self, table: Table) -> None:
        hand = running_hand(table)
        seat = hand.seats[self.seat]
        pay(seat, self.to - seat.bet)
        hand.raises += self.level > hand.level > 0
        hand.price = self.to
        seat.acted = hand.level = self.level
        hand.size = self.size
        hand.aggressor, hand.aggressor_street = self.seat, hand.street
        hand.actor = None


@event
class BroughtIn(NamedTuple):
    """The forced opening of third street, short if the stack is: the price stays `price` (RAZ-C09)."""

    seat: int
    amount: int
    price: int

    def apply(self, table: Table) -> None:
        hand = running_hand(table)
        seat = hand.seats[self.seat]
        pay(seat, self.amount)
        hand.price = self.price
        seat.acted = hand.level
        hand.actor = None
