"""Cards are dealt, burned, shown and mucked."""

from __future__ import annotations

from typing import NamedTuple

from engine.events.registry import event, give_turn, outside_hand, running_hand
from engine.refusals import LogBroken
from engine.state import Hand, Table


def show_cards(hand: Hand, at: bytes, cards: bytes) -> None:
    """These positions are public from now on."""
    if len(at) != len(cards):
        raise LogBroken("not one card for each position")
    deck, is_open = hand.deck, hand.open
    for position, card in zip(at, cards):
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
        index, at, cards, _ = self
        seat = hand.seats[index]
        seat.cards += at
        hand.dealt += len(at)
        if cards:
            seat.up += at
            show_cards(hand, at, cards)


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
        hand = table.hand
        if hand is None or hand.over:
            raise outside_hand()
        seats, at, down, cards, _, burned = self
        dealt, hidden = hand.seats, down * len(seats)
        if len(at) != hidden + len(cards):
            raise LogBroken("not one card for each position that lies face up")
        if down:
            for index, position in zip(seats * down, at):
                dealt[index].cards.append(position)
        if cards:
            deck, is_open = hand.deck, hand.open
            rounds = seats * len(cards)  # at least as often as there are rounds
            for index, position, card in zip(rounds, at[hidden:], cards):
                seat = dealt[index]
                seat.cards.append(position)
                seat.up.append(position)
                deck[position] = card
                is_open[position] = 1
        if burned:
            hand.burned += burned
        hand.dealt += len(at) + len(burned)


@event
class BoardDealt(NamedTuple):
    """Common cards, after the cards `burned` if any."""

    at: bytes
    cards: bytes
    openings: bytes
    burned: bytes = b""

    def apply(self, table: Table) -> None:
        hand = table.hand
        if hand is None or hand.over:
            raise outside_hand()
        at, cards, _, burned = self
        if burned:
            hand.burned += burned
        hand.board += at
        hand.dealt += len(at) + len(burned)
        show_cards(hand, at, cards)


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
        hand = table.hand
        if hand is None or hand.over:
            raise outside_hand()
        index, at, cards, _, to_act, turn, deadline = self
        hand.seats[index].shown = True
        show_cards(hand, at, cards)
        hand.actor = None
        if to_act is not None:
            give_turn(table, hand, to_act, turn, deadline)


@event
class Mucked(NamedTuple):
    seat: int
    to_act: int | None = None
    turn: int = 0
    deadline: int = 0

    def apply(self, table: Table) -> None:
        hand = table.hand
        if hand is None or hand.over:
            raise outside_hand()
        index, to_act, turn, deadline = self
        hand.seats[index].mucked = True
        hand.actor = None
        if to_act is not None:
            give_turn(table, hand, to_act, turn, deadline)
