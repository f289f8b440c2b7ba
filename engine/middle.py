"""What lies in the middle, told in few numbers: pot and pots follow from them, and take longer to make (COM-51)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from engine.state import Hand, in_middle


class Share(NamedTuple):
    """What a seat has put in; `live`: it may still win."""

    paid: int
    live: bool
    fees: int


@dataclass(slots=True)
class Middle:
    """As much of a hand as its pots are made of (`engine.pots`)."""

    seats: dict[int, Share]
    in_it: Sequence[int]
    over: bool
    dead: int
    attached: int
    awarded: int
    rake: int

    def in_middle(self) -> int:
        """As `Hand.in_middle`."""
        return in_middle(self)


def numbers_of(hand: Hand) -> tuple[Any, ...]:
    """over, dead, awarded, rake, what each seat has paid, the live seats, the fees of each seat if there are any."""
    seats = hand.seats.values()
    fees = [seat.fees for seat in seats] if hand.attached else []
    return hand.over, hand.dead, hand.awarded, hand.rake, [seat.paid for seat in seats], hand.in_it, fees


def middle_of(order: Sequence[int], numbers: Sequence[Any]) -> Middle:
    """From `numbers_of` a hand whose seats are `order`, in dealing order."""
    over, dead, awarded, rake, paid, in_it, fees = numbers
    fees = fees or [0] * len(paid)
    shares = {seat: Share(paid[at], seat in in_it, fees[at]) for at, seat in enumerate(order)}
    return Middle(shares, in_it, over, dead, sum(fees), awarded, rake)
