"""How an event is made known, and what all of them share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from engine.refusals import LogBroken
from engine.state import Hand, Seat, Table

REGISTRY: dict[str, type[Event]] = {}
VERSIONS: dict[str, int] = {}
OF_GAMES: dict[str, tuple[str, ...]] = {}  # a game's own events -> the fields everybody may see
MOVES_CARDS = ["Dealt"]  # events after which the player of their `seat` sees other cards of his own than before


class Event(Protocol):
    """A NamedTuple of plain values with `apply`."""

    def apply(self, table: Table) -> None: ...


def event(cls: type[Any]) -> type[Any]:
    """Register an event under its class name, first version 1."""
    REGISTRY[cls.__name__] = cls
    VERSIONS[cls.__name__] = 1
    return cls


def game_event(*visible: str, moves_cards: bool = False) -> Callable[[type[Any]], type[Any]]:
    """Register an event of one game. `visible`: the fields everybody may see, none of which can hold a hidden card."""

    def register(cls: type[Any]) -> type[Any]:
        OF_GAMES[cls.__name__] = visible
        if moves_cards:
            MOVES_CARDS.append(cls.__name__)
        return event(cls)

    return register


def running_hand(table: Table) -> Hand:
    """The hand being played; a hand event without one is a damaged log."""
    hand = table.hand
    if hand is None or hand.over:
        raise LogBroken("an event of a hand outside a hand")
    return hand


def pay(seat: Seat, amount: int) -> None:
    """Chips from the stack to the bet."""
    seat.stack -= amount
    seat.bet += amount
    seat.paid += amount
