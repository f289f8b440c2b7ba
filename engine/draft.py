"""A decision being made: every fact is applied at once and collected."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.deck import Deck
from engine.events import GIVES_TURN, Event, GraceGiven, TurnBegan, give_turn
from engine.state import Hand, Table

DealSource = Callable[[bytes, bytes], Deck]  # (seed, hand id) -> deck
new = tuple.__new__


class Draft:
    """What `act` builds up. A step reads the hand, emits facts and gives somebody the turn."""

    __slots__ = ("deal", "events", "hand", "now", "spent", "table")

    hand: Hand  # the running or latest one; before the first hand nobody looks

    def __init__(self, table: Table, now: int, deal: DealSource) -> None:
        self.table = table
        self.now = now
        self.deal = deal
        self.events: list[Event] = []
        self.spent = ""  # the player whose time bank this timeout uses up
        if table.hand is not None:
            self.hand = table.hand

    def emit(self, fact: Event) -> None:
        fact.apply(self.table)
        self.events.append(fact)

    def give_turn(self, index: int) -> None:
        """The seat decides next: action time, the rest of its bank, once per hand the grace (COM-71, COM-72)."""
        hand, place = self.hand, self.table.places[index]
        assert place is not None
        deadline = self.now + hand.script.action_ms
        if place.player != self.spent:
            deadline += place.bank_ms
        if place.connected or hand.seats[index].graced:
            return self.begin_turn(index, deadline)
        grace = hand.options.number("disconnect_grace_seconds") * 1000
        self.begin_turn(index, deadline + grace)
        return self.emit(GraceGiven(index))

    def begin_turn(self, index: int, deadline: int) -> None:
        """The latest event gives the turn if it can, else one of its own does."""
        table, events = self.table, self.events
        last: Any = events[-1]
        kind = type(last)
        turn = table.turn + 1
        if GIVES_TURN[kind] and last.to_act is None:
            give_turn(table, self.hand, index, turn, deadline)
            events[-1] = new(kind, (*last[:-3], index, turn, deadline))  # as `kind._make` would, without asking
        else:
            self.emit(TurnBegan(index, turn, deadline))
