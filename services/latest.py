"""What a process has just read of its tables and need not read again until it hears of something newer.

The feed's notices are hints and may be lost, so nothing is kept for long, and nothing is believed while the feed has
not been heard.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from services.feed import BLOCK_MS, Feed
from services.reader import Entry, Reader, View
from services.wire import Notice

KEPT_S = 0.2
"""How long a view is shown without a look at the store, if nothing is heard of its table."""
DEAF_S = 1.5 * BLOCK_MS / 1000
"""A feed that was silent for longer is not heard at all: it tells at least every BLOCK_MS that there is no news."""
TABLES_MOST = 1000


@dataclass(slots=True)
class Kept:
    """A view that is being read, or was; it is good `until` then (s, monotonic)."""

    until: float
    view: View | None = None


class Latest:
    """Follows the feed before anybody who acts on what it tells. `clock`: as `time.monotonic`."""

    def __init__(self, reader: Reader, feed: Feed, clock: Callable[[], float] = time.monotonic) -> None:
        self._reader = reader
        self._feed = feed
        self._clock = clock
        self._views: dict[str, Kept] = {}
        self._news: dict[str, list[Entry]] = {}
        feed.follow(self.forget)

    def forget(self, notices: list[Notice]) -> None:
        """Something newer has happened there."""
        self._news = {}
        for notice in notices:
            self.drop(notice.table)

    def drop(self, table: str) -> None:
        """Somebody here knows more of the table than its kept view may show."""
        self._views.pop(table, None)

    def view(self, table: str) -> View | None:
        """As `Reader.view`, from memory if it was read just now."""
        now = self._clock()
        kept = self._views.get(table)
        if kept is not None and kept.view is not None and now < kept.until and now - self._feed.heard_at < DEAF_S:
            return kept.view
        self._feed.start(patience_s=0)
        if len(self._views) >= TABLES_MOST:
            self._views.clear()
        # Put down before it is read: if news comes in between, it is forgotten before it is known.
        kept = self._views[table] = Kept(now + KEPT_S)
        kept.view = self._reader.view(table)
        return kept.view

    def fresh(self, table: str) -> View | None:
        """As `Reader.view`. Whoever has been told this is not shown anything older afterwards."""
        found, kept = self._reader.view(table), self._views.get(table)
        if kept and (kept.view is None or found is None or kept.view.version < found.version):
            self.drop(table)
        return found

    def news(self, known: Mapping[str, int]) -> dict[str, tuple[View, list[Entry] | None]]:
        """As `Reader.news`; the events are remembered for those who are about to ask for them."""
        found = self._reader.news(known)
        self._news |= {table: entries for table, (_, entries) in found.items() if entries}
        return found

    def events(self, table: str, after: int, count: int) -> list[Entry]:
        """As `Reader.page`."""
        found = [entry for entry in self._news.get(table, ()) if after < entry.version <= after + count]
        return found if len(found) == count else self._reader.page(table, after, count)
