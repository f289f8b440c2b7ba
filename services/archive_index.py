"""What the archive tells of a hand beside its log, for lists and searches: all of it follows from the log."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, NamedTuple

import sqlalchemy as sa

from engine.events import Event, HandStarted
from engine.state import Table
from services.archive_tables import hand_player, hand_segment
from services.segment import Segment
from services.summary import summary_from


class Index(NamedTuple):
    """Columns of the hand's row, and (seat, player, started_ms) of each row of a player."""

    rules: str
    game: str
    started_ms: int
    ended_ms: int
    summary: str
    players: tuple[tuple[int, str, int], ...]

    def columns(self) -> dict[str, Any]:
        """Those of the hand's own row."""
        return {name: value for name, value in self._asdict().items() if name != "players"}


def index_of(segment: Segment, events: Iterable[Event], end: Table) -> Index:
    """What follows from the log of a finished hand; `events` are its own, `end` the table they were folded to."""
    started = next(event for event in events if isinstance(event, HandStarted))
    summary = summary_from(segment, events, end)
    players = tuple((seat["seat"], seat["player"], started.started_ms) for seat in summary["players"])
    return Index(
        started.rules, started.game, started.started_ms, segment.ended_ms, json.dumps(summary), tuple(sorted(players))
    )


def stored_indexes(connection: sa.Connection, table: str, first: int, last: int) -> dict[int, Index]:
    """Of the archived hands `first` to `last` of a table, by number."""
    c, p = hand_segment.c, hand_player.c
    dealt = sa.select(p.hand_no, p.seat, p.player, p.started_ms)
    players: dict[int, list[tuple[int, str, int]]] = {}
    for hand, seat, player, ms in connection.execute(dealt.where(p.table_id == table, p.hand_no.between(first, last))):
        players.setdefault(hand, []).append((seat, player, ms))
    rows = connection.execute(
        sa.select(c.hand_no, c.rules, c.game, c.started_ms, c.ended_ms, c.summary).where(
            c.table_id == table, c.hand_no.between(first, last)
        )
    )
    return {row[0]: Index(*row[1:], players=tuple(sorted(players.get(row[0], [])))) for row in rows}
