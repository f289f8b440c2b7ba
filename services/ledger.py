"""The money of a table, session by session: what was brought, what was taken away, what still lies on the table.

Chips in the middle of a running hand count as still lying in front of whoever put them there.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from engine.events import ChipsAdded, HandEnded, Sat, Stood
from engine.state import Table
from engine.table import evolve
from services.reader import Entry
from services.wire import EVENTS, Recorded, unpack

COLUMNS = (
    "player_nickname", "player_id", "session_start_at", "session_end_at", "buy_in", "buy_out", "stack", "net",
)  # fmt: skip


@dataclass
class Session:
    """From sitting down to leaving. Times in ms; `ended` is None and `stack` counts while the player is there."""

    player: str
    seat: int
    began: int
    buy_in: int
    buy_out: int = 0
    stack: int = 0
    ended: int | None = None

    @property
    def net(self) -> int:
        return self.buy_out + self.stack - self.buy_in

    def as_json(self) -> dict[str, Any]:
        """Times as RFC 3339."""
        return {
            "player": self.player,
            "seat": self.seat,
            "began": moment(self.began),
            "ended": moment(self.ended),
            "buy_in": self.buy_in,
            "buy_out": self.buy_out,
            "stack": self.stack,
            "net": self.net,
        }


class Ledger:
    """Folded from all events of a table."""

    def __init__(self, table: str) -> None:
        self.sessions: list[Session] = []
        self.rake = 0
        self._table = Table(table)
        self._seated: dict[int, Session] = {}
        self._now = 0

    @property
    def balanced(self) -> bool:
        """What players won, others or the game's bank lost; the house took the rake."""
        return sum(session.net for session in self.sessions) + self.rake + self._table.bank == 0

    def fold(self, entries: Iterable[Entry]) -> Ledger:
        """Take the events in; they begin at version 1. Returns itself."""
        for entry in entries:
            if entry.command:
                self._now = Recorded(*unpack(entry.command)).now_ms
            event = EVENTS.decode(entry.event)
            evolve(self._table, event)
            self._note(event)
        for seat, session in self._seated.items():
            session.stack = self._table.place(seat).chips
        return self

    def _note(self, event: object) -> None:
        match event:
            case Sat():
                session = Session(event.player, event.seat, self._now, event.chips)
                self._seated[event.seat] = session
                self.sessions.append(session)
            case ChipsAdded():
                self._seated[event.seat].buy_in += event.amount
            case Stood():
                session = self._seated.pop(event.seat)
                session.buy_out, session.ended = event.chips, self._now
            case HandEnded():
                self.rake += self._table.hand.rake if self._table.hand else 0

    def as_csv(self) -> str:
        """The columns that players' tools for settling up read."""
        file = io.StringIO()
        sheet = csv.writer(file)
        sheet.writerow(COLUMNS)
        for one in self.sessions:
            times = moment(one.began), moment(one.ended) or ""
            sheet.writerow((one.player, one.player, *times, one.buy_in, one.buy_out, one.stack, one.net))
        return file.getvalue()


def moment(ms: int | None) -> str | None:
    """RFC 3339, UTC."""
    if ms is None:
        return None
    return datetime.fromtimestamp(ms / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
