"""Bytes of an event as stored, beside MessagePack of the same event with its field names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from bench.croupier_side import decks, open_table, packed, play
from bench.hands import random_hands
from bench.measure import Row, Subject
from engine.events import Event
from services.wire import pack

GAMES = ("omaha8", "razz")
HANDS = 60


def as_dictionaries(events: Sequence[Event]) -> list[bytes]:
    """What a log with named fields would store."""
    return [pack({"version": 1, "name": type(event).__name__, **fields(event)}) for event in events]


def fields(event: Any) -> dict[str, Any]:
    """Names and values of an event, which is a NamedTuple."""
    named: dict[str, Any] = event._asdict()
    return named


def size(stored: Sequence[bytes]) -> float:
    """Bytes an event."""
    return sum(map(len, stored)) / len(stored)


@contextmanager
def subject() -> Iterator[Subject]:
    """All events of random hands, without openings, which no format makes smaller."""
    candidates, rows = {}, []
    for game in GAMES:
        hands, table = random_hands(0, HANDS), open_table(game)
        events = [e for hand, deck in zip(hands, decks(hands), strict=True) for e in play(table, "random", hand, deck)]
        ours, named = packed(events), as_dictionaries(events)
        candidates[f"{game} stored"] = lambda ours=ours: size(ours)
        candidates[f"{game} named fields"] = lambda named=named: size(named)
        rows.append(Row(f"{game} event bytes", f"{game} stored", f"{game} named fields", must=0.55, aim=0.31))
    yield Subject(candidates, tuple(rows))
