"""Who is there: the first live stream of a seat connects it, the end of the last one disconnects it.

A page that is loaded again closes its stream and opens another: only who stays away for some seconds has gone.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

import structlog

from api.frames import Frame
from engine.commands import Connect, Disconnect
from services.store import StoreError
from services.tables import Tables
from services.wire import Receipt

GRACE_S = 4.0
log = structlog.get_logger()


class Presence:
    """Counts the streams of this process. `grace_s`: seconds without a stream before a seat is disconnected."""

    def __init__(self, tables: Tables, grace_s: float = GRACE_S) -> None:
        self._tables = tables
        self._grace_s = grace_s
        self._lock = threading.Lock()
        self._open: dict[tuple[str, int, str], int] = {}
        self._k = 0

    @contextmanager
    def of(self, table: str, seat: int, player: str) -> Iterator[None]:
        """The player watches his table from within this block."""
        key = (table, seat, player)
        with self._lock:
            self._open[key] = self._open.get(key, 0) + 1
        self._tell(table, seat, player, here=True)
        try:
            yield
        finally:
            with self._lock:
                self._open[key] -= 1
                gone = self._open[key] == 0
                if gone:
                    del self._open[key]
            if gone:
                self._later(key)

    def noticing(self, table: str, seat: int, player: str, bursts: Iterator[list[Frame]]) -> Iterator[list[Frame]]:
        """The same bursts. If they tell that the player has gone, the process that took his last stream for his last
        one knew nothing of this one: he is here.
        """
        return map(partial(self._notice, (table, seat, player)), bursts)

    def _notice(self, key: tuple[str, int, str], frames: list[Frame]) -> list[Frame]:
        if any(frame.tells("Disconnected", key[1]) for frame in frames):
            self._tell(*key, here=True)
        return frames

    def _later(self, key: tuple[str, int, str]) -> None:
        timer = threading.Timer(self._grace_s, self._gone, (key,))
        timer.daemon = True
        timer.start()

    def _gone(self, key: tuple[str, int, str]) -> None:
        with self._lock:
            back = key in self._open
        if not back:
            self._tell(*key, here=False)

    def _tell(self, table: str, seat: int, player: str, here: bool) -> None:
        """Send the command if it would change anything. It is a courtesy: trouble with the store is only logged."""
        try:
            seen = self._tables.see(table)
            place = seen.view["seats"][seat] if seen else None
            if place and place["player"] == player and place["connected"] != here:
                command = Connect(seat, player) if here else Disconnect(seat, player)
                actor = f"presence-{seat}"
                self._tables.submit(table, actor, self._next_k(self._tables.last(table, actor)), command, 0)
        except StoreError as error:
            log.warning("presence not told", table=table, error=type(error).__name__)

    def _next_k(self, last: Receipt | None) -> int:
        """Grows across restarts and processes too: the time, or one more than the last where its clock was ahead."""
        with self._lock:
            self._k = max(self._k + 1, int(time.time() * 1000), last.k + 1 if last else 0)
            return self._k
