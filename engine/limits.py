"""How much may be bet: fixed limit (COM-20..23), no limit (COM-30..32), pot limit (COM-33).

A limit object answers four questions about the seat on turn: what the street's bet is, whether it may raise at all, the
smallest full and the largest permitted raise-to, and what a raise does to level and size.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from engine.state import NOT_YET, Hand, Seat

if TYPE_CHECKING:
    from engine.game import Options

NO_BOUND = 1 << 62  # more than any stack: only the chips bound a no-limit bet


class Limit(Protocol):
    def barred(self, hand: Hand, seat: Seat) -> str | None:
        """The refusal code if this seat may not raise now, None if it may."""

    def sizes(self, hand: Hand, seat: Seat) -> tuple[int, int]:
        """Smallest full raise-to and largest permitted raise-to, both regardless of the seat's stack."""

    def after(self, hand: Hand, to: int, half_bets: bool) -> tuple[int, int]:
        """Level and size once somebody has bet or raised to `to`."""


@dataclass(frozen=True)
class FixedLimit:
    """One bet and `max_raises` raises of one size per street; short all-ins by the half-bet rule (COM-22).

    `heads_up_uncapped`: any number of raises between two, but a cap that was reached among more stays (Robert's).
    """

    max_raises: int = 3
    heads_up_uncapped: bool = False

    def barred(self, hand: Hand, seat: Seat) -> str | None:
        if hand.raises >= self.max_raises and not (self.heads_up_uncapped and between_two(hand)):
            return "raise_capped"
        return None if seat.acted < hand.level or seat.acted == NOT_YET else "raise_not_reopened"

    def sizes(self, hand: Hand, seat: Seat) -> tuple[int, int]:
        to = hand.level + hand.size
        return to, to

    def after(self, hand: Hand, to: int, half_bets: bool) -> tuple[int, int]:
        level, size = hand.level, hand.size
        if to > level + size:  # the double bet: from now on this street raises by it (STD-10)
            size = hand.stakes.big_bet
        full = to >= level + size or (half_bets and 2 * (to - level) >= size)
        return (to if full else level), size


def between_two(hand: Hand) -> bool:
    """No third hand could answer the last raise: the others had folded or were all-in before it."""
    return sum((seat.live and seat.stack > 0) or seat.acted == hand.level for seat in hand.seats.values()) <= 2


def fixed_limit(options: Options) -> FixedLimit:
    """As the table has it (COM-21)."""
    return FixedLimit(options.number("limit.max_raises"), bool(options["limit.heads_up_uncapped"]))


@dataclass(frozen=True)
class NoLimit:
    """Any raise of at least the last full one; `fixed`: the least raise never grows (Hasaga, HAS-C05)."""

    fixed: bool = False

    def barred(self, hand: Hand, seat: Seat) -> str | None:
        open_again = seat.acted == NOT_YET or hand.level - seat.acted >= hand.size
        return None if open_again else "raise_not_reopened"

    def sizes(self, hand: Hand, seat: Seat) -> tuple[int, int]:
        return hand.price + hand.size, NO_BOUND

    def after(self, hand: Hand, to: int, half_bets: bool) -> tuple[int, int]:
        grown = to - hand.price
        return to, (grown if grown > hand.size and not self.fixed else hand.size)


@dataclass(frozen=True)
class PotLimit(NoLimit):
    """As no limit, at most the pot: what is in the middle plus the call, on top of the price (COM-33)."""

    def sizes(self, hand: Hand, seat: Seat) -> tuple[int, int]:
        pot = hand.in_middle() + missing_blinds(hand) + hand.price - seat.bet
        return hand.price + hand.size, hand.price + pot


def missing_blinds(hand: Hand) -> int:
    """Before the flop a short or dead blind counts as if posted in full (COM-33, TDA 54-B)."""
    if hand.board:
        return 0
    stakes = hand.stakes
    missing = 0
    for position, blind in ((hand.small, stakes.small_blind), (hand.big, stakes.big_blind)):
        seat = hand.seats.get(position)
        able = max(0, seat.start - stakes.ante) if seat else 0
        missing += max(0, blind - able)
    return missing
