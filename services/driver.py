"""Plays a prescribed hand: the little that a checker needs of a table, wherever the table runs.

`InProcess` drives the engine directly. A driver of a running service answers the same calls from its HTTP
interface; everything a checker learns comes through public events, the public view and the seats' own views.
"""

from __future__ import annotations

from typing import Any, Protocol

from engine.commands import Act, Expire, OpenTable, StartHand
from engine.deck import bare_deck
from engine.events import Event, Sat
from engine.refusals import Refused
from engine.table import Table, act
from engine.view import view, view_event
from services.formats.setting import Setting

_CLOCK_MS = 1_700_000_000_000


class Driver(Protocol):
    """One table on which one hand after another is set up and played."""

    def start(self, setting: Setting) -> None:
        """Set the table and deal. Raises `Refused` if it cannot be set like that."""

    def send(
        self, seat: int, verb: str, amount: int | None = None, args: dict[str, Any] | None = None
    ) -> str | None:
        """Let the seat act; the refusal code, lower case, or None if it was accepted."""

    def run_out(self) -> bool:
        """Let the clock of the running decision run out; False if this driver cannot."""

    def events(self) -> list[dict[str, Any]]:
        """Public events since the last call, as `engine.view.view_event` gives them."""

    def view(self, seat: int | None = None) -> dict[str, Any]:
        """The public view, or that of the player of `seat`, as `engine.view.view` gives it."""


class InProcess:
    """The engine itself, with a stacked deck."""

    def __init__(self) -> None:
        self.table = Table("check")
        self._new: list[Event] = []

    def start(self, setting: Setting) -> None:
        self.table = Table("check")
        act(self.table, OpenTable(setting.game, setting.options), _CLOCK_MS)
        for index, chair in enumerate(setting.chairs):
            if chair is not None:
                Sat(index, chair[0], chair[1], 0, "").apply(self.table)
        deck = bare_deck(setting.deck)
        self._new = act(
            self.table, StartHand(bytes(32), b"", setting.plan), _CLOCK_MS, lambda seed, hand: deck
        )

    def send(
        self, seat: int, verb: str, amount: int | None = None, args: dict[str, Any] | None = None
    ) -> str | None:
        player = self.table.place(seat).player
        try:
            self._new += act(self.table, Act(seat, player, verb, amount, self.table.turn, args), _CLOCK_MS)
        except Refused as refused:
            return refused.code
        return None

    def run_out(self) -> bool:
        hand = self.table.hand
        assert hand is not None, "a hand is running"
        self._new += act(self.table, Expire(self.table.turn, hand.deadline), hand.deadline)
        return True

    def events(self) -> list[dict[str, Any]]:
        fresh, self._new = self._new, []
        return [seen for event in fresh if (seen := view_event(event)) is not None]

    def view(self, seat: int | None = None) -> dict[str, Any]:
        return view(self.table, seat)
