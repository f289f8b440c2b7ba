"""How an event is made known, and what all of them share."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Protocol

from engine.refusals import LogBroken
from engine.state import Hand, Seat, Table

REGISTRY: dict[str, type[Event]] = {}
VERSIONS: dict[str, int] = {}
OF_GAMES: dict[str, tuple[str, ...]] = {}  # a game's own events -> the fields everybody may see
MOVES_CARDS = ["Dealt", "RoundDealt"]  # events after which the players of `moved_to` see other cards of their own
TURN = ("to_act", "turn", "deadline")  # the last fields of an event that can give a seat the turn
GIVES_TURN: dict[type[Any], bool] = {}


class Event(Protocol):
    """A NamedTuple of plain values. `apply` asks nothing of it but the fields in their order: a fold has only those."""

    def apply(self, table: Table) -> None: ...


def event(cls: type[Any]) -> type[Any]:
    """Register an event under its class name, first version 1."""
    REGISTRY[cls.__name__] = cls
    VERSIONS[cls.__name__] = 1
    GIVES_TURN[cls] = cls._fields[-3:] == TURN
    return cls


def game_event(*visible: str, moves_cards: bool = False) -> Callable[[type[Any]], type[Any]]:
    """Register an event of one game. `visible`: the fields everybody may see, none of which can hold a hidden card."""

    def register(cls: type[Any]) -> type[Any]:
        OF_GAMES[cls.__name__] = visible
        if moves_cards:
            MOVES_CARDS.append(cls.__name__)
        return event(cls)

    return register


def moved_to(fact: Any) -> Iterable[int]:
    """The seats that an event of MOVES_CARDS gives cards, or a look at some."""
    return fact.seats if hasattr(fact, "seats") else (fact.seat,)


def running_hand(table: Table) -> Hand:
    """The hand being played; a hand event without one is a damaged log. The most frequent ones look themselves."""
    hand = table.hand
    if hand is None or hand.over:
        raise outside_hand()
    return hand


def outside_hand() -> LogBroken:
    return LogBroken("an event of a hand outside a hand")


def give_turn(table: Table, hand: Hand, seat: int, turn: int, deadline: int) -> None:
    """The seat decides next; what it may do is asked anew."""
    table.turn = turn
    hand.actor = seat
    hand.deadline = deadline
    hand.legal = hand.choices = None


def pay(seat: Seat, amount: int) -> None:
    """Chips from the stack to the bet."""
    seat.stack -= amount
    seat.bet += amount
    seat.paid += amount
