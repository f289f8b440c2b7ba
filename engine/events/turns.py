"""A street and a turn begin, wait, time out and end."""

from __future__ import annotations

from typing import NamedTuple

from engine.events.registry import event, give_turn, outside_hand, running_hand
from engine.state import NOT_YET, Table


@event
class StreetBegan(NamedTuple):
    """`first`: first in the order of action; `price`: the blind that already is the bet; `size`: of a full raise."""

    street: str
    first: int
    price: int
    size: int
    to_act: int | None = None
    turn: int = 0
    deadline: int = 0

    def apply(self, table: Table) -> None:
        hand = table.hand
        if hand is None or hand.over:
            raise outside_hand()
        street, first, price, size, to_act, turn, deadline = self
        hand.street = street
        hand.step = hand.script.index[street]
        hand.first = first
        hand.price = hand.level = price
        hand.size = size
        hand.raises = 0
        if size:
            hand.round = street
        keep = price > 0  # a street that opens with a price keeps the blinds that made it
        for seat in hand.seats.values():
            seat.acted = NOT_YET
            if not keep:
                seat.bet = 0
        if to_act is not None:
            give_turn(table, hand, to_act, turn, deadline)


@event
class TurnBegan(NamedTuple):
    """`turn` is what a command must name; `deadline` in ms of the log's clock.

    Most turns are given by the event that they follow from; this is for those that cannot.
    """

    seat: int
    turn: int
    deadline: int

    def apply(self, table: Table) -> None:
        give_turn(table, running_hand(table), *self)


@event
class TurnEnded(NamedTuple):
    """The seat has nothing left to decide: what it did besides betting took its last chip, or its last opponent's."""

    seat: int

    def apply(self, table: Table) -> None:
        running_hand(table).actor = None


@event
class Awaited(NamedTuple):
    """These seats may answer in any order until `deadline`, all under this turn; whoever is first has it."""

    seats: tuple[int, ...]
    turn: int
    deadline: int

    def apply(self, table: Table) -> None:
        hand = running_hand(table)
        seats, turn, deadline = self
        hand.awaited = tuple(seats)
        give_turn(table, hand, seats[0], turn, deadline)


@event
class ChoiceSealed(NamedTuple):
    """The seat has chosen; what, is told when all have (`engine/choosing.py`). `seal`: salted commitment, 32 bytes."""

    seat: int
    seal: bytes

    def apply(self, table: Table) -> None:
        hand = running_hand(table)
        index, seal = self
        hand.sealed[index] = seal
        hand.actor = None


@event
class AnswersOpened(NamedTuple):
    """Nobody is awaited any longer: (seat, choice) of all who have answered, and the salt of each seal, 16 bytes."""

    choices: tuple[tuple[int, str], ...]
    salts: bytes

    def apply(self, table: Table) -> None:
        hand = running_hand(table)
        hand.awaited = ()
        hand.sealed.clear()
        hand.actor = None


@event
class TimedOut(NamedTuple):
    """The clock ran out, or the player left; the resolved action follows as its own event (COM-71, COM-73)."""

    seat: int
    turn: int
    deadline: int
    at: int

    def apply(self, table: Table) -> None:
        running_hand(table)


@event
class TimeBankUsed(NamedTuple):
    seat: int
    ms: int

    def apply(self, table: Table) -> None:
        index, ms = self
        table.place(index).bank_ms -= ms


@event
class ClockExtended(NamedTuple):
    """The running turn gets `by` ms more: after an outage, or once for a disconnected player (COM-72)."""

    by: int
    reason: str

    def apply(self, table: Table) -> None:
        by, _ = self
        running_hand(table).deadline += by


@event
class GraceGiven(NamedTuple):
    """The seat has had its disconnection grace of this hand (COM-72)."""

    seat: int

    def apply(self, table: Table) -> None:
        (index,) = self
        running_hand(table).seats[index].graced = True
