"""Pots are computed, never stored: layers of what each seat has paid (COM-50..55)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from typing import NamedTuple

from engine.middle import Middle, Share
from engine.state import Hand, Seat


class Pot(NamedTuple):
    """`eligible`: the live seats that may win it, in dealing order. The main pot is first."""

    amount: int
    eligible: tuple[int, ...]


def uncalled(hand: Hand) -> tuple[int, int] | None:
    """(seat, excess) if one bet on this street exceeds every other, live or folded (COM-50).

    Of a closed seat's bet nothing returns before the hand is over (HAS-C42).
    """
    if hand.price == 0:
        return None
    bets = [seat.bet for seat in hand.seats.values()]
    *_, second, best = sorted(bets)
    if second == best:
        return None
    owner = hand.order[bets.index(best)]
    return None if hand.seats[owner].closed else (owner, best - second)


def unmatched(hand: Hand) -> tuple[int, int] | None:
    """(seat, excess) of a closed seat that has paid more than any other, live or folded, over the hand (HAS-C42).

    Its ante, paid in full, is no part of the extra blind (HAS-C38) and stays in, like every ante (COM-41).
    """
    for index, seat in hand.seats.items():
        if seat.closed:
            most = max([other.paid for other in hand.seats.values() if other is not seat] + [hand.stakes.ante])
            if seat.paid > most:
                return index, seat.paid - most
    return None


def pots(hand: Hand | Middle) -> list[Pot]:
    """Main pot and side pots. Folded chips stay in; layers with the same owners are one pot (COM-51).

    Dead chips go to the main pot, attached ones to the highest pot that their seat has paid into (COM-52).
    """
    seats = hand.seats
    paid = [seat.paid for seat in seats.values()]
    levels = sorted({seats[index].paid for index in hand.in_it})
    if len(levels) == 1:  # nobody is in for less than another
        whole = [Pot(sum(paid) + hand.dead + hand.attached, tuple(hand.in_it))]
        return raked(whole, hand.rake) if hand.rake else whole
    found: list[Pot] = []
    below = -hand.dead
    for level in levels:
        upto = sum([min(chips, level) for chips in paid]) if level < levels[-1] else sum(paid)
        found.append(Pot(upto - below, tuple([i for i, seat in seats.items() if seat.live and seat.paid >= level])))
        below = upto
    if hand.attached:
        found = with_fees(found, levels, seats.values())
    return raked(joined(found), hand.rake) if hand.rake else joined(found)


def with_fees(layers: list[Pot], levels: list[int], seats: Iterable[Seat | Share]) -> list[Pot]:
    """Each layer with the chips attached to the seats that reach into it and no higher."""
    amounts = [pot.amount for pot in layers]
    for seat in seats:
        if seat.fees:
            amounts[min(bisect_left(levels, seat.paid), len(levels) - 1)] += seat.fees
    return [pot._replace(amount=amount) for pot, amount in zip(layers, amounts, strict=True)]


def joined(layers: list[Pot]) -> list[Pot]:
    """Neighbouring layers with the same owners become one pot; empty pots vanish."""
    found: list[Pot] = []
    for pot in layers:
        if found and (found[-1].eligible == pot.eligible or found[-1].amount == 0):
            pot = Pot(found.pop().amount + pot.amount, pot.eligible)
        found.append(pot)
    return found


def raked(whole: list[Pot], rake: int) -> list[Pot]:
    """What is left of the pots: the rake comes from the main pot, what is more than that from the next (COM-55)."""
    found = []
    for pot in whole:
        taken = min(rake, pot.amount)
        rake -= taken
        found.append(Pot(pot.amount - taken, pot.eligible))
    return found


def equal_shares(amount: int, winners: list[int], unit: int) -> list[tuple[int, int]]:
    """Split among `winners`, one odd unit each from the first on; what is less than a unit goes to the first."""
    units, crumbs = divmod(amount, unit)
    each, odd = divmod(units, len(winners))
    parts = [(seat, (each + (place < odd)) * unit) for place, seat in enumerate(winners)]
    return [(parts[0][0], parts[0][1] + crumbs), *parts[1:]]


def all_odd_to_first(amount: int, winners: list[int], unit: int) -> list[tuple[int, int]]:
    """Split among `winners` in whole units, the whole remainder to the first (ABY-35)."""
    each = amount // unit // len(winners) * unit
    return [(winners[0], amount - each * (len(winners) - 1)), *((seat, each) for seat in winners[1:])]
