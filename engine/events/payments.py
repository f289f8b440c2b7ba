"""Chips move without a decision: forced bets, what comes back, rake, pots."""

from __future__ import annotations

from typing import NamedTuple

from engine.events.registry import event, pay, running_hand
from engine.state import Table


@event
class AntesPaid(NamedTuple):
    """(seat, amount) in dealing order: dead chips, of a short stack what it has (COM-40)."""

    antes: tuple[tuple[int, int], ...]

    def apply(self, table: Table) -> None:
        seats = running_hand(table).seats
        (antes,) = self
        for index, amount in antes:
            seat = seats[index]
            seat.stack -= amount
            seat.paid += amount


@event
class BlindPosted(NamedTuple):
    """`kind`: small or big. A short stack posts what it has (COM-34)."""

    seat: int
    amount: int
    kind: str

    def apply(self, table: Table) -> None:
        index, amount, _ = self
        pay(running_hand(table).seats[index], amount)


@event
class Posted(NamedTuple):
    """A returning or new player's blinds: `live` is his bet, `dead` belongs to the pot (COM-69)."""

    seat: int
    live: int
    dead: int

    def apply(self, table: Table) -> None:
        hand = running_hand(table)
        index, live, dead = self
        seat = hand.seats[index]
        pay(seat, live)
        seat.stack -= dead
        hand.dead += dead


@event
class Returned(NamedTuple):
    """Uncalled chips go back before pots are formed (COM-50)."""

    seat: int
    amount: int

    def apply(self, table: Table) -> None:
        hand = running_hand(table)
        index, amount = self
        pay(hand.seats[index], -amount)
        hand.returns.append((hand.street, index, amount))


@event
class UnmatchedReturned(NamedTuple):
    """At the end of the hand a closed seat gets back what nobody has matched over the whole hand (HAS-C42)."""

    seat: int
    amount: int

    def apply(self, table: Table) -> None:
        hand = running_hand(table)
        index, amount = self
        seat = hand.seats[index]
        seat.stack += amount
        seat.paid -= amount
        hand.returns.append(("settlement", index, amount))


@event
class Raked(NamedTuple):
    amount: int

    def apply(self, table: Table) -> None:
        (amount,) = self
        running_hand(table).rake += amount


@event
class Awarded(NamedTuple):
    """`pot` counts from the main pot (0); `share`: high, low, both (one split of the whole), only, all (no contest)."""

    pot: int
    share: str
    seat: int
    amount: int

    def apply(self, table: Table) -> None:
        hand = running_hand(table)
        pot, share, index, amount = self
        hand.seats[index].stack += amount
        hand.awarded += amount
        hand.awards.append((pot, share, index, amount))
