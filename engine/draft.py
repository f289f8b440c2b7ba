"""A decision being made: every fact is applied at once and collected."""

from __future__ import annotations

from collections.abc import Callable

from engine.deck import Deck
from engine.events import GIVES_TURN, Event, GraceGiven, TurnBegan, give_turn
from engine.state import Hand, Table

DealSource = Callable[[bytes, bytes], Deck]  # (seed, hand id) -> deck


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
        table = self.table
        hand = self.hand
        place = table.place(index)
        bank = 0 if place.player == self.spent else place.bank_ms
        deadline = self.now + hand.script.action_ms + bank
        if place.connected or hand.seats[index].graced:
            self.begin_turn(index, deadline)
        else:
            grace = hand.options.number("disconnect_grace_seconds") * 1000
            self.begin_turn(index, deadline + grace)
            self.emit(GraceGiven(index))

    def begin_turn(self, index: int, deadline: int) -> None:
        """The latest event gives the turn if it can, else one of its own does."""
        last = self.events[-1]
        kind = type(last)
        turn = (index, self.table.turn + 1, deadline)
        if GIVES_TURN[kind] and last.to_act is None:  # type: ignore[attr-defined]
            give_turn(self.table, self.hand, *turn)
            self.events[-1] = kind._make((*last[:-3], *turn))  # type: ignore[attr-defined, index]
        else:
            self.emit(TurnBegan(*turn))
