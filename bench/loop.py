"""The table worker on a full inbox, beside the bare loops it could at best reach and beside RQ.

The worker reads, decides, seals, projects and commits; its deals are prepared beforehand. The *bare* loops read the
same inbox in the same batches and write what the worker wrote, recorded from a run of it, without any of that work:
one EVALSHA a batch with the very same words, or a redis-py pipeline of the same XADDs and HSETs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from rq import Queue, SimpleWorker
from rq import Worker as ForkWorker
from rq.serializers import JSONSerializer

from bench.inbox import SEED, Play, random_play
from bench.measure import WALL, Row, Subject, rate
from services.batch import Commit
from services.keys import partition_keys, table_keys
from services.log import Durability, Lease, Log
from services.server import start_server
from services.settings import Settings
from services.store import Client, connect, now_ms
from workers.fold import BATCH, Worker
from workers.setup import ENGINE, make_worker

GAMES = ("omaha8", "razz")
TABLES, ACTIONS = 100, 40
JOBS = {SimpleWorker: 150, ForkWorker: 40}
KEYS = partition_keys(0)
LATER_MS = 3_600_000  # entries bear ids of the next hour, so that no real clock fires meanwhile

Batch = tuple[list[str], list[Any]]


class Recorder(Log):
    """A log that remembers what it was asked to write."""

    def __init__(self, client: Client) -> None:
        super().__init__(client, ENGINE, Durability("dev"))
        self.scripted: list[Batch] = []
        self.commits: list[list[Commit]] = []

    def commit(self, lease: Lease, commits: Sequence[Commit], cursor: str | None = None) -> None:
        self.scripted.append(self.arguments(lease, commits, cursor))
        self.commits.append(list(commits))
        super().commit(lease, commits, cursor)


class Store:
    """One server with one partition; every run begins with an empty one."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        assert settings.redis_url is not None
        self.client = connect(settings.redis_url, single=True)
        self.first_ms = now_ms(self.client) + LATER_MS

    def fill(self, entries: Sequence[bytes], after: int = 0) -> None:
        """Append to the inbox, one entry a millisecond, the first one `after` the first of all."""
        pipeline = self.client.pipeline(transaction=False)
        for ms, data in enumerate(entries, self.first_ms + after):
            pipeline.execute_command("XADD", KEYS.inbox, f"{ms}-0", "c", data)
        pipeline.execute()

    def drain(self, worker: Worker, entries: int) -> None:
        """Turn until that many entries are committed."""
        while worker.owners[0].lease.cursor != f"{self.first_ms + entries - 1}-0":
            worker.turn()


class Loop:
    """One game: the worker's run over its inbox, and the bare repetitions of what that run wrote."""

    def __init__(self, store: Store, game: str) -> None:
        self.store, self.game = store, game
        self.play = random_play(game, TABLES, ACTIONS)
        self.recorder = Recorder(store.client)
        worker = self.seated()
        worker.tools = worker.owners[0].tools = replace(worker.tools, log=self.recorder)
        self.consume(worker)

    def seated(self) -> Worker:
        """The shipped worker on an emptied store, tables open, everybody seated, the inbox full."""
        store = self.store
        store.client.flushall()
        worker = make_worker(store.settings, self.play.deal, lambda table: (SEED, None))
        store.fill(self.play.opening)
        worker.beat()
        store.drain(worker, len(self.play.opening))
        store.fill(self.play.playing, len(self.play.opening))
        return worker

    def consume(self, worker: Worker) -> None:
        self.store.drain(worker, len(self.play.opening) + len(self.play.playing))

    def worker_rate(self) -> float:
        """Commands a second of the shipped worker."""
        worker = self.seated()
        return rate(len(self.play.playing), partial(self.consume, worker), WALL)

    def bare(self, write: Callable[[int], object]) -> float:
        """Commands a second of: read a batch, write what belongs to it."""
        inbox = self.seated().tools.inbox
        cursor = f"{self.store.first_ms + len(self.play.opening) - 1}-0"

        def work() -> None:
            at = cursor
            for batch in range(len(self.recorder.scripted)):
                ((_, arrivals),) = inbox.read({0: at}, BATCH, 1000)
                at = arrivals[-1].id
                write(batch)

        return rate(len(self.play.playing), work, WALL)

    def evalsha(self, batch: int) -> None:
        """The commit script with the words of the worker's run."""
        keys, words = self.recorder.scripted[batch]
        answer = Log._commit.call(self.store.client, keys, words)
        assert answer[0] == b"OK", answer
