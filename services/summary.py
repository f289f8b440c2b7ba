"""A finished hand in a few lines: who played, what the pots were, who won them. Public facts only."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.cards import NAMES
from engine.events import Event, HandVoided
from engine.state import Hand, Table
from engine.table import evolve
from services.segment import Segment


def summary_of(segment: Segment) -> dict[str, Any]:
    """What lists of hands show; plain values.

    `{"table", "hand", "game", "started_ms", "ended_ms", "voided", "players": [{"seat", "player", "start",
    "end", "won"}], "pots": [{"amount", "winners": [{"seat", "player", "share", "amount"}]}], "board",
    "rake"}`
    """
    table, events = segment.start(), segment.events()
    for event in events:
        evolve(table, event)
    return summary_from(segment, events, table)


def summary_from(segment: Segment, events: Iterable[Event], end: Table) -> dict[str, Any]:
    """The same, of events that have been read and the table that they were folded to."""
    hand, voided = end.hand, any(isinstance(event, HandVoided) for event in events)
    assert hand is not None
    return {
        "table": segment.table,
        "hand": hand.number,
        "game": hand.game.name,
        "started_ms": hand.started_ms,
        "ended_ms": segment.ended_ms,
        "voided": voided,
        "players": [player(hand, seat) for seat in hand.order],
        "pots": [] if voided else pots_of(hand),
        "board": [NAMES[card] for at in hand.board if (card := hand.deck[at]) is not None],
        "rake": hand.rake,
    }


def player(hand: Hand, index: int) -> dict[str, Any]:
    """A seat: stacks before and after, and what it was paid."""
    seat = hand.seats[index]
    won = sum(amount for _, _, winner, amount in hand.awards if winner == index)
    return {"seat": index, "player": seat.player, "start": seat.start, "end": seat.stack, "won": won}


def pots_of(hand: Hand) -> list[dict[str, Any]]:
    """Main pot first, then side pots, each with the payments out of it."""
    pots: dict[int, list[dict[str, Any]]] = {}
    for pot, share, index, amount in hand.awards:
        winner = {"seat": index, "player": hand.seats[index].player, "share": share, "amount": amount}
        pots.setdefault(pot, []).append(winner)
    return [
        {"amount": sum(winner["amount"] for winner in winners), "winners": winners}
        for _, winners in sorted(pots.items())
    ]
