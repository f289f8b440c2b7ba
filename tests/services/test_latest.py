"""What a process remembers of its tables: never anything older than what it has heard."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from services.latest import DEAF_S, KEPT_S, Latest
from services.reader import Entry, View
from services.wire import Notice

TABLE = "017-a"


class Store:
    """Stands for reader and feed: one table, looked at any number of times."""

    def __init__(self) -> None:
        self.version, self.looks, self.now, self.heard_at = 1, 0, 100.0, 100.0
        self.meanwhile: Callable[[], None] = lambda: None
        self.tell: Callable[[list[Notice]], None] = lambda notices: None

    def follow(self, follower: Callable[[list[Notice]], None]) -> None:
        self.tell = follower

    def start(self, patience_s: float) -> None:
        """It is heard already."""

    def commit(self) -> None:
        """Another event, and the notice of it."""
        self.version += 1
        self.tell([Notice(TABLE, self.version - 1, self.version, b"", "ann", self.version, b"")])

    def view(self, table: str) -> View | None:
        self.looks += 1
        found = View(self.version, b"", b"")
        self.meanwhile()
        return found if table == TABLE else None

    def page(self, table: str, after: int, count: int) -> list[Entry]:
        self.looks += 1
        return [Entry(version, b"", b"") for version in range(after + 1, min(after + count, self.version) + 1)]

    def news(self, known: Mapping[str, int]) -> dict[str, tuple[View, list[Entry] | None]]:
        return {table: (View(self.version, b"", b""), self.page(table, after, 99)) for table, after in known.items()}


@pytest.fixture
def store() -> Store:
    return Store()


@pytest.fixture
def latest(store: Store) -> Latest:
    return Latest(store, store, lambda: store.now)  # type: ignore[arg-type]


def seen(latest: Latest) -> int:
    view = latest.view(TABLE)
    assert view is not None
    return view.version


def test_a_table_is_looked_at_once_until_something_happens_there(store: Store, latest: Latest) -> None:
    assert [seen(latest) for _ in range(3)] == [1, 1, 1]
    assert store.looks == 1
    store.commit()
    assert [seen(latest) for _ in range(3)] == [2, 2, 2]
    assert store.looks == 2


def test_what_happens_while_a_view_is_being_read_is_not_hidden_by_it(store: Store, latest: Latest) -> None:
    """The view that was read is of before; the next one who asks gets what has come since."""
    store.meanwhile = store.commit
    assert seen(latest) == 1
    store.meanwhile = lambda: None
    assert seen(latest) == 2


def test_a_notice_that_was_lost_hides_nothing_for_long(store: Store, latest: Latest) -> None:
    seen(latest)
    store.version += 1
    assert seen(latest) == 1
    store.now += KEPT_S
    assert seen(latest) == 2


def test_nothing_is_believed_while_the_feed_is_silent(store: Store, latest: Latest) -> None:
    store.heard_at = store.now - DEAF_S
    assert [seen(latest), seen(latest)] == [1, 1]
    assert store.looks == 2


def test_who_knows_more_than_the_kept_view_drops_it(store: Store, latest: Latest) -> None:
    seen(latest)
    store.version += 1
    latest.drop(TABLE)
    assert seen(latest) == 2


def test_a_table_that_is_not_there_is_looked_for_again(store: Store, latest: Latest) -> None:
    assert [latest.view("017-b"), latest.view("017-b")] == [None, None]
    assert store.looks == 2


def test_events_that_were_just_read_are_not_read_again(store: Store, latest: Latest) -> None:
    def versions(after: int, count: int) -> list[Any]:
        return [entry.version for entry in latest.events(TABLE, after, count)]

    store.version = 5
    latest.news({TABLE: 2})
    assert (store.looks, versions(3, 2), store.looks) == (1, [4, 5], 1)
    assert (versions(1, 2), store.looks) == ([2, 3], 2)  # the news began later
    store.commit()
    assert (versions(3, 2), store.looks) == ([4, 5], 3)  # a table may have been set back


def test_who_has_waited_for_news_is_not_shown_older_news_afterwards(store: Store, latest: Latest) -> None:
    """The notice may come later than the answer to who waited."""
    assert seen(latest) == 1
    store.version = 2
    assert seen(latest) == 1
    waited = latest.fresh(TABLE)
    assert waited is not None and waited.version == 2
    assert seen(latest) == 2
