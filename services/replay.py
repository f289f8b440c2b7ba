"""A finished hand step by step, forwards and back, as one viewer may see it: from the stored bytes alone.

Step 0 is the table before the first event of the hand, step n the table after its n-th event. Where a step
ends a command, the view is what was served at that moment.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from engine.cards import NAMES
from engine.deck import Deck
from engine.events import HandStarted
from engine.refusals import LogBroken
from engine.state import BURNED, Hand, Table
from engine.table import evolve
from engine.view import own_view, view, view_event
from services.history import History
from services.segment import Segment
from services.wire import NO_FIT

Viewer = int | Literal["full"] | None
"""None: everybody. A seat's index: its player. "full": who may know the whole deck."""


class NoSuchStep(Exception):
    """`steps` is the last one there is."""

    def __init__(self, steps: int) -> None:
        super().__init__(f"steps 0 to {steps}")
        self.steps = steps


class NotForYou(Exception):
    """What the viewer asks for needs the deck, or a record of his own cards."""


def replay_step(
    history: History,
    table: str,
    hand: int,
    step: int,
    viewer: Viewer = None,
    deck: Deck | None = None,
    own: Mapping[int, str] | None = None,
) -> dict[str, Any]:
    """One step of a finished hand, see `Replay`. Raises NoSuchHand, NoSuchStep, NotForYou, LogDamaged."""
    return Replay(history.segment(table, hand), viewer, deck, own).step(step)


class Replay:
    """One hand for one viewer.

    `deck`: the whole deck, for a "full" view and exact private views. `own`: position -> card of all that a seat's
    player came to know, from his sealed record of the hand; enough for that seat without the deck. Raises NotForYou.
    """

    def __init__(
        self,
        segment: Segment,
        viewer: Viewer = None,
        deck: Deck | None = None,
        own: Mapping[int, str] | None = None,
    ) -> None:
        if (viewer == "full" and deck is None) or (isinstance(viewer, int) and deck is None and not own):
            raise NotForYou
        self._segment = segment
        self._viewer = viewer
        self._deck = deck
        self._own = own or {}
        self._events = segment.events()
        self._starts = next(at for at, event in enumerate(self._events) if isinstance(event, HandStarted))

    @property
    def steps(self) -> int:
        """The number of the last step."""
        return len(self._events) - self._starts

    def table(self, step: int) -> Table:
        """The table at a step, with the cards that the viewer knows. Raises NoSuchStep, LogBroken."""
        if not 0 <= step <= self.steps:
            raise NoSuchStep(self.steps)
        table = self._segment.start()
        try:
            for event in self._events[: self._starts + step]:
                evolve(table, event)
                if isinstance(event, HandStarted) and self._deck is not None:
                    assert table.hand is not None
                    table.hand.learn(self._deck)
        except NO_FIT as error:
            raise LogBroken("an event does not fit") from error
        return table

    def all(self) -> list[dict[str, Any]]:
        """Every step, for a page that walks through them by itself."""
        return [self.step(step) for step in range(self.steps + 1)]

    def step(self, step: int) -> dict[str, Any]:
        """Plain values for pages and programs. Raises NoSuchStep; NotForYou where there is no such seat.

        `{"table", "hand", "step", "steps", "version", "event", "command_ends", "view"}`; the view has `you`
        for a seat and `deck` for "full". `event` is what led to this step, None at step 0.
        """
        table = self.table(step)
        at = self._starts + step - 1
        entries = self._segment.entries
        return {
            "table": self._segment.table,
            "hand": self._segment.hand,
            "step": step,
            "steps": self.steps,
            "version": self._segment.first + at,
            "event": view_event(self._events[at]) if step else None,
            "command_ends": at + 1 == len(entries) or bool(entries[at + 1].command),
            "view": self._seen(table),
        }

    def _seen(self, table: Table) -> dict[str, Any]:
        hand = table.hand
        if isinstance(self._viewer, int) and self._viewer >= len(table.places):
            raise NotForYou
        if self._viewer == "full":
            return {**view(table), "deck": whole_deck(hand) if hand else None}
        if self._viewer is not None and self._deck is None and hand is not None:
            return {**view(table), "you": remembered(hand, self._viewer, self._own)}
        return view(table, self._viewer)


def remembered(hand: Hand, seat: int, own: Mapping[int, str]) -> dict[str, Any]:
    """A seat's cards so far, from its player's record of the hand. Their openings were given when they were dealt."""

    def tell(at: list[int]) -> dict[str, Any]:
        return {"at": list(at), "cards": [own[position] for position in at], "openings": []}

    if seat not in hand.seats:
        return {"seat": seat, "hand": hand.number, **tell([])}
    return own_view(hand, seat, hand.seats_of(seat), tell)


def whole_deck(hand: Hand) -> dict[str, Any]:
    """Every seat's cards, what was burned or sold, and what was never dealt, for whoever may know."""
    cards = [NAMES[card] if card is not None else None for card in hand.deck]
    return {
        "seats": {str(index): [cards[at] for at in hand.lying(index)] for index in hand.seats},
        "burned": [cards[at] for at in hand.lying(BURNED)],
        "discards": [cards[at] for at in hand.discards],
        "aside": {name: cards[at] for name, at in hand.aside.items()},
        "stub": [cards[at] for at in hand.take(len(cards) - hand.dealt)],
    }
