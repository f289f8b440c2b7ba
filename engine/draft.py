"""A decision being made: every fact is applied at once and collected."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.deck import Deck
from engine.events import Event, GraceGiven, TurnBegan, give_turn
from engine.state import Hand, Table

DealSource = Callable[[bytes, bytes], Deck]  # (seed, hand id) -> deck
NOBODYS_TURN = (None, 0, 0)  # the fields TURN where the street or the hand ends
new = tuple.__new__


class Draft:
    """What `act` builds up. A step reads the hand, emits facts and gives somebody the turn."""

    __slots__ = ("deal", "events", "hand", "now", "spent", "table", "untold")

    hand: Hand  # the running or latest one; before the first hand nobody looks

    def __init__(self, table: Table, now: int, deal: DealSource) -> None:
        self.table = table
        self.hand = table.hand  # type: ignore[assignment]
        self.now = now
        self.deal = deal
        self.events: list[Event] = []
        self.untold: tuple[type[Any], tuple[Any, ...]] | None = None  # kind and fields, but for whose turn it is then
        self.spent = ""  # the player whose time bank this timeout uses up

    def emit(self, fact: Event) -> None:
        if self.untold:
            self.conclude()
        fact.apply(self.table)
        self.events.append(fact)

    def tell(self, kind: type[Any], fields: tuple[Any, ...]) -> None:
        """A fact that can give the turn (TURN). It is applied at once, and told when it is known whose turn it is."""
        if self.untold:
            self.conclude()
        kind.apply(fields + NOBODYS_TURN, self.table)
        self.untold = kind, fields

    def conclude(self) -> None:
        """The fact not told yet gives nobody the turn."""
        assert self.untold is not None
        kind, fields = self.untold
        self.events.append(new(kind, fields + NOBODYS_TURN))  # as the kind itself would, without asking
        self.untold = None

    def give_turn(self, index: int) -> None:
        """The seat decides next: action time and the rest of its bank (COM-71)."""
        place, left_ms = self.table.places[index], self.hand.script.action_ms
        assert place is not None
        if place.player != self.spent:
            left_ms += place.bank_ms
        self.resume_turn(index, left_ms)

    def resume_turn(self, index: int, left_ms: int) -> None:
        """The seat decides within that time; if its player is away, once per hand with the grace (COM-72).

        The fact not told yet gives the turn, else one of its own does.
        """
        hand, table = self.hand, self.table
        place, turn = table.places[index], table.turn + 1
        assert place is not None
        graced = not place.connected and not hand.seats[index].graced
        deadline = self.now + left_ms + (self.grace_ms if graced else 0)
        if self.untold is None:
            self.emit(TurnBegan(index, turn, deadline))
        else:
            kind, fields = self.untold
            self.untold, whose = None, (index, turn, deadline)
            give_turn(table, hand, index, turn, deadline)
            self.events.append(new(kind, fields + whose))
        if graced:
            self.emit(GraceGiven(index))

    @property
    def grace_ms(self) -> int:
        return self.hand.options.number("disconnect_grace_seconds") * 1000
