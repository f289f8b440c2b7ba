"""What the archive asks of SQLite and of PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
import sqlalchemy as sa

from services.archive import Archive
from tests.jobs.house import TABLE, House

both = pytest.mark.parametrize("kind", ["sqlite", "postgresql"])


def test_sqlite_keeps_a_commit_through_a_power_cut(house: House) -> None:
    with house.archive.engine.connect() as connection:
        assert connection.execute(sa.text("PRAGMA journal_mode")).scalar() == "wal"
        assert connection.execute(sa.text("PRAGMA synchronous")).scalar() == 2


def test_a_database_url_for_postgresql_means_psycopg() -> None:
    pytest.importorskip("psycopg")
    with pytest.raises(sa.exc.OperationalError):
        Archive("postgresql://nobody@127.0.0.1:1/nothing?connect_timeout=1")


@both
def test_processes_that_start_together_on_a_fresh_archive_all_open_it(database: Callable[[], str]) -> None:
    """Two API processes, or an API and the chores: whoever comes second finds the tables made."""
    together = Barrier(4)

    def tail(url: str) -> int:
        together.wait()
        with Archive(url) as archive:
            return archive.tail(TABLE).hand

    with ThreadPoolExecutor(4) as processes:
        for url in [database() for _ in range(5)]:
            assert list(processes.map(tail, [url] * 4)) == [0] * 4


@both
def test_two_sweepers_at_once_archive_every_hand_once(house: House) -> None:
    """Chores that are started twice, or a sweep beside one that hangs."""
    house.play(4)
    waiting = house.history.waiting(TABLE)
    together = Barrier(3)

    def insert(number: int) -> list[bool]:
        together.wait()
        with Archive(house.archive_url) as archive:
            return [archive.insert(segment) for segment in waiting]

    with ThreadPoolExecutor(3) as sweepers:
        added = list(sweepers.map(insert, range(3)))
    assert [sum(by_one) for by_one in zip(*added, strict=True)] == [1] * len(waiting)
    assert list(house.archive.segments(TABLE)) == waiting
