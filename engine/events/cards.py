"""Cards are dealt, burned, shown and mucked."""

from __future__ import annotations

from typing import NamedTuple

from engine.events.registry import event, give_turn, running_hand
from engine.refusals import LogBroken
from engine.state import Hand, Table


def show_cards(hand: Hand, at: bytes, cards: bytes) -> None:
    """These positions are public from now on."""
    if len(at) != len(cards):
        raise LogBroken("not one card for each position")
    deck, is_open = hand.deck, hand.open
    for position, card in zip(at, cards, strict=True):
        deck[position] = card
        is_open[position] = 1


@event
class Dealt(NamedTuple):
    """Cards to one seat, face down (`cards` empty) or face up."""

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
class RoundDealt(NamedTuple):
    """Rounds of one card to each of `seats`, in this order, after the cards `burned` if any.

    `at` runs along the rounds; the cards of the first `down` rounds lie face down, `cards` are those of the others.
    """

    seats: bytes
    at: bytes
    down: int
    cards: bytes
    openings: bytes
    burned: bytes

    @property
    def up(self) -> bytes:
        """Positions of the cards that lie face up."""
        return self.at[self.down * len(self.seats) :]

    def apply(self, table: Table) -> None:
        hand = running_hand(table)
        seats, at, down, cards, _, burned = self
        count = len(seats)
        for place, index in enumerate(seats):
            seat, received = hand.seats[index], at[place::count]
            seat.cards.extend(received)
            seat.up.extend(received[down:])
        if cards:
            show_cards(hand, at[down * count :], cards)
        hand.burned.extend(burned)
        hand.dealt += len(at) + len(burned)


@event
class BoardDealt(NamedTuple):
    """Common cards, after the cards `burned` if any."""

    at: bytes
    cards: bytes
    openings: bytes
    burned: bytes = b""

    def apply(self, table: Table) -> None:
        hand = running_hand(table)
        hand.burned.extend(self.burned)
        hand.board.extend(self.at)
        hand.dealt += len(self.at) + len(self.burned)
        show_cards(hand, self.at, self.cards)


@event
class Shown(NamedTuple):
    seat: int
    at: bytes
    cards: bytes
    openings: bytes
    to_act: int | None = None
    turn: int = 0
    deadline: int = 0

    def apply(self, table: Table) -> None:
        hand = running_hand(table)
        hand.seats[self.seat].shown = True
        show_cards(hand, self.at, self.cards)
        hand.actor = None
        if self.to_act is not None:
            give_turn(table, hand, self.to_act, self.turn, self.deadline)


@event
class Mucked(NamedTuple):
    seat: int
    to_act: int | None = None
    turn: int = 0
    deadline: int = 0

    def apply(self, table: Table) -> None:
        hand = running_hand(table)
        hand.seats[self.seat].mucked = True
        hand.actor = None
        if self.to_act is not None:
            give_turn(table, hand, self.to_act, self.turn, self.deadline)
