"""What can happen in Hasaga alone. Cards looked at and received are positions; only their player is told the cards."""

from __future__ import annotations

from typing import NamedTuple

from engine.events import game_event, pay, running_hand, show_cards
from engine.state import Hand, Table


def new_offers(hand: Hand) -> None:
    """What is legal has changed within the turn."""
    hand.legal = hand.choices = None


@game_event("seat", "item", "amount", "to")
class Fee(NamedTuple):
    """The price of an advantage: to the bank, or to the pot (HAS-C12), where it is attached to the seat (HAS-C13)."""

    seat: int
    item: str
    amount: int
    to: str

    def apply(self, table: Table) -> None:
        hand = running_hand(table)
        index, _, amount, to = self
        seat = hand.seats[index]
        seat.stack -= amount
        if to == "bank":
            table.bank += amount
        else:
            seat.fees += amount
            hand.attached += amount
        new_offers(hand)


@game_event("seat", "target", "slot", "at", moves_cards=True)
class Looked(NamedTuple):
    """The seat's player has seen a burned card (`target` BURNED) or a card of a folded seat (HAS-12, HAS-13)."""

    seat: int
    target: int
    slot: int
    at: bytes

    def apply(self, table: Table) -> None:
        index, _, _, at = self
        see(running_hand(table), index, at)


def see(hand: Hand, seat: int, at: bytes) -> None:
    """The player sees these positions with whichever of his seats he paid (HAS-C20)."""
    hand.looks.setdefault(hand.seats[seat].player, []).extend(at)
    new_offers(hand)


@game_event("seat", "target", "left_ms")
class RevealAsked(NamedTuple):
    """The owner of `target` has to show a card to the player of `seat`, whose clock stops with `left_ms` (HAS-C21)."""

    seat: int
    target: int
    left_ms: int

    def apply(self, table: Table) -> None:
        running_hand(table).memo["reveal"] = RevealAsked(*self)


@game_event("seat", "target", "slot", "at", moves_cards=True)
class Revealed(NamedTuple):
    """The player of `seat` is shown the card that the owner of `target` has picked (HAS-42)."""

    seat: int
    target: int
    slot: int
    at: bytes

    def apply(self, table: Table) -> None:
        hand = running_hand(table)
        index, target, _, at = self
        del hand.memo["reveal"]
        hand.memo.setdefault("shown", {}).setdefault(hand.seats[target].player, []).extend(at)
        see(hand, index, at)


@game_event("seat", "at", moves_cards=True)
class CardAdded(NamedTuple):
    """The next card of the deck, face down (HAS-C15)."""

    seat: int
    at: bytes

    def apply(self, table: Table) -> None:
        hand = running_hand(table)
        index, at = self
        hand.seats[index].cards += at
        hand.dealt += len(at)
        new_offers(hand)


@game_event("seat", "target", "slot", "at", moves_cards=True)
class DeadBought(NamedTuple):
    """A burned card, or a card of a folded seat, changes hands; its slot stays empty (HAS-C19)."""

    seat: int
    target: int
    slot: int
    at: bytes

    def apply(self, table: Table) -> None:
        hand = running_hand(table)
        index, target, slot, at = self
        hand.seats[index].cards += at
        hand.gone.append((target, slot))
        new_offers(hand)


@game_event("seat", "absorbed", moves_cards=True)
class Merged(NamedTuple):
    """`seat` takes over the cards, chips, fees and rights of the player's other seat (HAS-C26..C28).

    Of the two bets the higher one stays live; the lower one is left like that of a folded seat.
    """

    seat: int
    absorbed: int

    def apply(self, table: Table) -> None:
        hand = running_hand(table)
        index, absorbed = self
        seat, other = hand.seats[index], hand.seats[absorbed]
        first, second = (seat, other) if index < absorbed else (other, seat)
        seat.cards, other.cards = first.cards + second.cards, []
        seat.stack, other.stack = seat.stack + other.stack, 0
        seat.fees, other.fees = seat.fees + other.fees, 0
        seat.bet, other.bet = max(seat.bet, other.bet), min(seat.bet, other.bet)
        seat.paid, other.paid = max(seat.paid, other.paid), min(seat.paid, other.paid)
        seat.acted = max(seat.acted, other.acted)
        hand.fold(absorbed)
        other.merged = True
        if hand.aggressor == absorbed:
            hand.aggressor = index
        new_offers(hand)


@game_event("seat", "streets")
class Blocked(NamedTuple):
    """These streets will be neither burned for nor dealt (HAS-C31)."""

    seat: int
    streets: tuple[str, ...]

    def apply(self, table: Table) -> None:
        hand = running_hand(table)
        _, streets = self
        hand.skipped.extend(street for street in streets if street not in hand.skipped)
        new_offers(hand)


@game_event("seat", "amount")
class ExtraBlindTaken(NamedTuple):
    """The seat is in with twice the big blind and may not bet any more (HAS-37); `amount`: on top of a blind."""

    seat: int
    amount: int

    def apply(self, table: Table) -> None:
        index, amount = self
        seat = running_hand(table).seats[index]
        pay(seat, amount)
        seat.closed = True


@game_event("seat", "amount")
class BankPaid(NamedTuple):
    """The bank's extra blind, attached to the seat (HAS-38, HAS-C40)."""

    seat: int
    amount: int

    def apply(self, table: Table) -> None:
        hand = running_hand(table)
        index, amount = self
        table.bank -= amount
        hand.seats[index].fees += amount
        hand.attached += amount


@game_event("seat", "at", "cards", "openings", "amount", moves_cards=True)
class Sold(NamedTuple):
    """The seat sells these cards to the bank, which are shown and out of the hand (HAS-24); none: it keeps all."""

    seat: int
    at: bytes
    cards: bytes
    openings: bytes
    amount: int

    def apply(self, table: Table) -> None:
        hand = running_hand(table)
        hand.actor = None
        index, at, cards, _, amount = self
        if not at:
            return
        seat = hand.seats[index]
        seat.stack += amount
        table.bank -= amount
        seat.cards = [position for position in seat.cards if position not in at]
        hand.discards += at
        show_cards(hand, at, cards)


@game_event("seat", "absorbed", "amount")
class PoolSplit(NamedTuple):
    """After the hand the absorbed seat gets its half of the common stack back (HAS-C29)."""

    seat: int
    absorbed: int
    amount: int

    def apply(self, table: Table) -> None:
        hand = running_hand(table)
        index, absorbed, amount = self
        hand.seats[index].stack -= amount
        hand.seats[absorbed].stack += amount
