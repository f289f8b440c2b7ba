"""The one reader of results in a process, and a store that is away when it is first needed."""

from __future__ import annotations

import time
from pathlib import Path
from types import SimpleNamespace

import pytest
import redis

from services import feed
from services.keys import partition_keys
from services.server import start_server
from services.settings import Settings
from services.store import Client, connect
from services.wire import Notice, pack


def test_a_feed_that_finds_no_store_looks_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A client with a connection of its own connects when it is made: refused there, the reader must not end."""
    monkeypatch.setattr(feed, "PAUSE_S", 0.01)
    monkeypatch.setattr(feed, "BLOCK_MS", 10)
    attempts = []

    def connect_at_last() -> Client:
        attempts.append(len(attempts))
        if len(attempts) < 3:
            raise redis.ConnectionError("refused")
        return connect(server.url, single=True)

    with start_server(Settings(data_dir=tmp_path, durability="dev")) as server:
        heard = feed.Feed(connect_at_last, [0])
        heard.start(patience_s=30)
        until = time.monotonic() + 30
        while not heard.heard_at and time.monotonic() < until:
            time.sleep(0.01)
        assert heard.heard_at and attempts == [0, 1, 2]
        heard.stop()


def test_a_fault_of_one_follower_leaves_the_others_hearing(tmp_path: Path) -> None:
    """P147: no process is left deaf by what one batch of results does to one of those who follow them."""
    news: list[str] = []

    def follow(notices: list[Notice]) -> None:
        news.extend(notice.table for notice in notices)
        assert news != ["000-first"], "a fault"

    with start_server(Settings(data_dir=tmp_path, durability="dev")) as server:
        store, heard = connect(server.url, single=True), feed.Feed(lambda: connect(server.url, single=True), [0])
        heard.follow(follow)
        heard.start(patience_s=30)
        for table in ("000-first", "000-second"):
            store.xadd(partition_keys(0).out, {"p": pack([Notice(table, 0, 1, b"", "ann", 1, b"")])})
            until = time.monotonic() + 30
            while table not in news and time.monotonic() < until:
                time.sleep(0.01)
        assert news == ["000-first", "000-second"]
        heard.stop()
        store.close()


def test_deadlines_are_told_by_the_clock_of_the_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """This machine's is an hour slow; a page that shows how much time is left goes by what it is told (COM-73)."""
    slow = SimpleNamespace(time=lambda: time.time() - 3600, monotonic=time.monotonic, sleep=time.sleep)
    with start_server(Settings(data_dir=tmp_path, durability="dev")) as server:
        monkeypatch.setattr(feed, "time", slow)
        heard = feed.Feed(lambda: connect(server.url, single=True), [0])
        heard.start(patience_s=30)
        give_up = time.monotonic() + 30
        while abs(heard.now_ms() - time.time() * 1000) > 60_000 and time.monotonic() < give_up:
            time.sleep(0.01)
        assert abs(heard.now_ms() - time.time() * 1000) <= 60_000
        heard.stop()
