"""What a seat does in the betting, and whose turn it is then: `to_act`, None where the street or hand ends."""

from __future__ import annotations

from typing import NamedTuple

from engine.events.registry import event, give_turn, outside_hand, pay, running_hand
from engine.state import Table


@event
class Folded(NamedTuple):
    seat: int
    to_act: int | None = None
    turn: int = 0
    deadline: int = 0

    def apply(self, table: Table) -> None:
        hand = table.hand
        if hand is None or hand.over:
            raise outside_hand()
        index, to_act, turn, deadline = self
        hand.seats[index].acted = hand.level
        hand.fold(index)
        hand.actor = None
        if to_act is not None:
            give_turn(table, hand, to_act, turn, deadline)


@event
class Checked(NamedTuple):
    seat: int
    to_act: int | None = None
    turn: int = 0
    deadline: int = 0

    def apply(self, table: Table) -> None:
        hand = table.hand
        if hand is None or hand.over:
            raise outside_hand()
        index, to_act, turn, deadline = self
        hand.seats[index].acted = hand.level
        hand.actor = None
        if to_act is not None:
            give_turn(table, hand, to_act, turn, deadline)


@event
class Called(NamedTuple):
    """`amount`: chips added, the whole stack if it is not enough (COM-12)."""

    seat: int
    amount: int
    to_act: int | None = None
    turn: int = 0
    deadline: int = 0

    def apply(self, table: Table) -> None:
        hand = table.hand
        if hand is None or hand.over:
            raise outside_hand()
        index, amount, to_act, turn, deadline = self
        seat = hand.seats[index]
        seat.stack -= amount
        seat.bet += amount
        seat.paid += amount
        seat.acted = hand.level
        hand.actor = None
        if to_act is not None:
            give_turn(table, hand, to_act, turn, deadline)


@event
class RaisedTo(NamedTuple):
    """A bet or raise to `to`. `level` and `size` after it: a short all-in leaves one or both as they were."""

    seat: int
    to: int
    level: int
    size: int
    to_act: int | None = None
    turn: int = 0
    deadline: int = 0

    def apply(self, table: Table) -> None:
        hand = table.hand
        if hand is None or hand.over:
            raise outside_hand()
        index, to, level, size, to_act, turn, deadline = self
        seat = hand.seats[index]
        added = to - seat.bet
        seat.stack -= added
        seat.bet = to
        seat.paid += added
        if level > hand.level > 0:
            hand.raises += 1
        hand.price = to
        seat.acted = hand.level = level
        hand.size = size
        hand.aggressor, hand.aggressor_street = index, hand.street
        hand.actor = None
        if to_act is not None:
            give_turn(table, hand, to_act, turn, deadline)


@event
class BroughtIn(NamedTuple):
    """The forced opening of third street, short if the stack is: the price stays `price` (RAZ-C09)."""

    seat: int
    amount: int
    price: int
    to_act: int | None = None
    turn: int = 0
    deadline: int = 0

    def apply(self, table: Table) -> None:
        hand = running_hand(table)
        index, amount, price, to_act, turn, deadline = self
        seat = hand.seats[index]
        pay(seat, amount)
        hand.price = price
        seat.acted = hand.level
        hand.actor = None
        if to_act is not None:
            give_turn(table, hand, to_act, turn, deadline)
