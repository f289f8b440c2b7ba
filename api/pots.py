"""Average pots for the lobby: of each table's last archived hands, looked up at most every few seconds."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from typing import Protocol

from sqlalchemy.exc import SQLAlchemyError

LAST_HANDS = 20
FRESH_S = 10.0
TABLES_MOST = 10_000
"""Known at a time; then all are looked up anew."""


class Pots(Protocol):
    def average_pot(self, table: str, last: int) -> int | None:
        """As `services.archive.Archive.average_pot`."""
        ...


class AveragePots:
    """`clock`: seconds that only go on."""

    def __init__(self, archive: Pots, clock: Callable[[], float] = time.monotonic) -> None:
        self._archive = archive
        self._clock = clock
        self._known: dict[str, tuple[float, int | None]] = {}

    def of(self, table: str) -> int | None:
        """Chips; None where no hand is archived yet. While the archive is away, what was known before."""
        now = self._clock()
        at, pot = self._known.get(table, (now - FRESH_S, None))
        if now - at < FRESH_S:
            return pot
        with suppress(SQLAlchemyError):
            pot = self._archive.average_pot(table, LAST_HANDS)
        if len(self._known) >= TABLES_MOST:
            self._known.clear()
        self._known[table] = now, pot
        return pot
