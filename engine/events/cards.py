"""Cards are dealt, burned, shown and mucked."""

from __future__ import annotations

from typing import NamedTuple

from engine.events.registry import event, running_hand
from engine.state import Hand, Table


def show_cards(hand: Hand, at: bytes, cards: bytes) -> None:
    """These positions are public from now on."""
    deck, is_open = hand.deck, hand.open
    for position, card in zip(at, cards, strict=True):
        deck[position] = card
        is_open[position] = 1


@event
class Dealt(NamedTuple):
    """Cards to a seat, face down (`cards` empty) or face up."""

    seat: int
    at: bytes
    cards: bytes
    openings: bytes

    def apply(self, table: Table) -> None:
        hand = running_hand(table)
        seat = hand.seats[self.seat]
        seat.cards.extend(self.at)
        hand.dealt += len(self.at)
        if self.cards:
            seat.up.extend(self.at)
            show_cards(hand, self.at, self.cards)


@event
class BoardDealt(NamedTuple):
    at: bytes
    cards: bytes
    openings: bytes

    def apply(self, table: Table) -> None:
        hand = running_hand(table)
        hand.board.extend(self.at)
        hand.dealt += len(self.at)
        show_cards(hand, self.at, self.cards)


@event
class Burned(NamedTuple):
    at: bytes

    def apply(self, table: Table) -> None:
        hand = running_hand(table)
        hand.burned.extend(self.at)
        hand.dealt += len(self.at)


@event
class Shown(NamedTuple):
    seat: int
    at: bytes
    cards: bytes
    openings: bytes

    def apply(self, table: Table) -> None:
        hand = running_hand(table)
        hand.seats[self.seat].shown = True
        show_cards(hand, self.at, self.cards)
        hand.actor = None


@event
class Mucked(NamedTuple):
    seat: int

    def apply(self, table: Table) -> None:
        hand = running_hand(table)
        hand.seats[self.seat].mucked = True
        hand.actor = None
