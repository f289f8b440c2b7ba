"""What hands were told in before facts told their consequences (docs/decisions/0013-fewer-events.md).

A log of that time folds as it is: the kinds that are written no more are still known. A hand of then that is decided
again gives today's facts; `earlier_words` tells them as they were stored then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from engine.deck import split_openings
from engine.events.cards import BoardDealt, RoundDealt
from engine.events.payments import AntesPaid
from engine.events.registry import GIVES_TURN, event, running_hand
from engine.state import Table

Words = tuple[Any, ...]  # an event as it is stored: version, name, fields


@event
class AntePaid(NamedTuple):
    """Now `AntesPaid`."""

    seat: int
    amount: int

    def apply(self, table: Table) -> None:
        index, amount = self
        seat = running_hand(table).seats[index]
        seat.stack -= amount
        seat.paid += amount


@event
class Burned(NamedTuple):
    """Now told by the event that deals."""

    at: bytes

    def apply(self, table: Table) -> None:
        hand = running_hand(table)
        (at,) = self
        hand.burned += at
        hand.dealt += len(at)


def earlier_words(fact: Any) -> Iterator[Words]:
    """A fact of today as it would have been stored."""
    kind = type(fact)
    if kind in SPLIT:
        yield from SPLIT[kind](fact)
    elif GIVES_TURN[kind]:
        yield 1, kind.__name__, *fact[:-3]
        if fact.to_act is not None:
            yield 1, "TurnBegan", fact.to_act, fact.turn, fact.deadline
    else:
        yield 1, kind.__name__, *fact


def antes(fact: AntesPaid) -> Iterator[Words]:
    for seat, amount in fact.antes:
        yield 1, "AntePaid", seat, amount


def dealt(fact: RoundDealt) -> Iterator[Words]:
    """First what every seat was dealt face down, then what face up."""
    yield from burned(fact.burned)
    count, up = len(fact.seats), fact.up
    down = fact.at[: len(fact.at) - len(up)]
    openings = split_openings(up, fact.openings)
    for place, seat in enumerate(fact.seats if down else b""):
        yield 1, "Dealt", seat, down[place::count], b"", b""
    for place, seat in enumerate(fact.seats if up else b""):
        yield 1, "Dealt", seat, up[place::count], fact.cards[place::count], b"".join(openings[place::count])


def board(fact: BoardDealt) -> Iterator[Words]:
    yield from burned(fact.burned)
    yield 1, "BoardDealt", fact.at, fact.cards, fact.openings


def burned(at: bytes) -> Iterator[Words]:
    if at:
        yield 1, "Burned", at


SPLIT: dict[type[Any], Callable[[Any], Iterator[Words]]] = {AntesPaid: antes, RoundDealt: dealt, BoardDealt: board}
