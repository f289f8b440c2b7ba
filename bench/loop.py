"""The table worker on a full inbox, beside the bare loops it could at best reach and beside RQ.

The worker reads, decides, seals, projects and commits; its deals are prepared beforehand. The *bare* loops read
the same inbox in the same batches and write what the worker wrote, recorded from a run of it, without any of that
work: one EVALSHA a batch with the very same words, or a redis-py pipeline of the same writes, a command each.
"""

from __future__ import annotations

import resource
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any

from redis import Redis
from rq import Queue, SimpleWorker
from rq import Worker as RqWorker
from rq.serializers import JSONSerializer
from rq.worker import BaseWorker

from bench.inbox import SEED, random_play
from bench.measure import WALL, Row, Subject, rate
from bench.processes import store as store_settings
from services.batch import HANDS_MOST, Commit
from services.keys import partition_keys, table_keys
from services.log import Durability, Lease, Log
from services.server import label_of
from services.settings import Settings
from services.store import Client, connect, now_ms
from services.wire import pack
from workers.fold import BATCH, Worker
from workers.setup import ENGINE, make_worker

GAMES = ("omaha8", "razz")
TABLES, ACTIONS = 100, 40
JOBS: dict[type[BaseWorker], int] = {SimpleWorker: 150, RqWorker: 40}
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

    def seconds(self) -> float:
        """CPU time of this process, its children and the server.

        They take turns here, so on an idle machine this is what the wall shows; on a busy one it is what counts.
        """
        used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        server = self.client.info("cpu")
        own = sum(usage.ru_utime + usage.ru_stime for usage in used)
        return float(own + server["used_cpu_user"] + server["used_cpu_sys"])

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
    """One game: the worker's run over its inbox, and bare repetitions of what that run wrote."""

    def __init__(self, store: Store, game: str) -> None:
        self.store, self.game = store, game
        self.play = random_play(game, TABLES, ACTIONS)
        self.recorder = Recorder(store.client)
        worker = self.seated()
        worker.owners[0].tools = replace(worker.tools, log=self.recorder)
        self.consume(worker)
        self.outcomes = [notices(commits) for commits in self.recorder.commits]

    def seated(self) -> Worker:
        """The shipped worker on an emptied store, tables open, everybody seated, the inbox full."""
        store, play = self.store, self.play
        store.client.flushall()
        worker = make_worker(store.settings, play.deal, lambda table: (SEED, None))
        store.fill(play.opening)
        worker.beat()
        store.drain(worker, len(play.opening))
        store.fill(play.playing, len(play.opening))
        return worker

    def consume(self, worker: Worker) -> None:
        self.store.drain(worker, len(self.play.opening) + len(self.play.playing))

    def worker(self) -> float:
        """Commands a second of the shipped worker."""
        return rate(len(self.play.playing), partial(self.consume, self.seated()), self.store.seconds)

    def bare(self, write: Callable[[int], object], durability: Mapping[str, str] | None = None) -> float:
        """Commands a second of reading a batch and writing what the worker wrote for it.

        Under another `durability` by the wall, for syncing to disk takes no CPU.
        """
        inbox = self.seated().tools.inbox
        self.configure(durability or {})
        first = f"{self.store.first_ms + len(self.play.opening) - 1}-0"

        def work() -> None:
            cursor = first
            for batch in range(len(self.recorder.scripted)):
                ((_, arrivals),) = inbox.read({0: cursor}, BATCH, 1000)
                cursor = arrivals[-1].id
                write(batch)

        return rate(len(self.play.playing), work, WALL if durability else self.store.seconds)

    def evalsha(self, batch: int) -> None:
        """The commit script with the very words of the worker's run."""
        answer = Log._commit.call(self.store.client, *self.recorder.scripted[batch])
        assert answer[0] == b"OK", answer

    def pipeline(self, batch: int) -> None:
        """The same entries and fields, a command each."""
        pipeline = self.store.client.pipeline(transaction=False)
        for commit in self.recorder.commits[batch]:
            for words in plain_writes(commit):
                pipeline.execute_command(*words)
        pipeline.execute_command("XADD", KEYS.out, "MAXLEN", "~", 10_000, "*", "p", self.outcomes[batch])
        pipeline.execute()

    def synced(self, **durability: str) -> float:
        """The bare EVALSHA loop under another `appendonly` or `appendfsync`."""
        usual = {name: self.store.client.config_get(name)[name] for name in durability}
        try:
            return self.bare(self.evalsha, durability)
        finally:
            self.configure(usual)

    def configure(self, durability: Mapping[str, str]) -> None:
        for name, value in durability.items():
            self.store.client.config_set(name, value)

    def candidates(self) -> dict[str, Callable[[], float]]:
        return {
            f"{self.game} worker": self.worker,
            f"{self.game} bare EVALSHA": partial(self.bare, self.evalsha),
            f"{self.game} bare pipeline": partial(self.bare, self.pipeline),
            f"{self.game} bare, AOF off": partial(self.synced, appendonly="no"),
            f"{self.game} bare, everysec": partial(self.synced, appendfsync="everysec"),
            f"{self.game} bare, always": partial(self.synced, appendfsync="always"),
        }

    def rows(self) -> list[Row]:
        """Against the bare loops, these among themselves by durability, then against jobs."""
        ours = f"{self.game} worker"
        bare, off = f"{self.game} bare", f"{self.game} bare, AOF off"
        return [
            Row(f"{ours} : bare EVALSHA loop", ours, f"{bare} EVALSHA", 0.30, 0.42),
            Row(f"{ours} : bare pipeline loop", ours, f"{bare} pipeline", 0.55, 0.70),
            Row(f"{bare} loop, everysec : AOF off", f"{bare}, everysec", off, 0.60, 0.75),
            Row(f"{bare} loop, always : AOF off", f"{bare}, always", off, 0.35, 0.40),
            Row(f"{ours} : RQ SimpleWorker", ours, "RQ SimpleWorker", 100, 230),
            Row(f"{ours} : RQ Worker, forking", ours, "RQ Worker", 400, 950),
        ]

    def note(self) -> str:
        commits = [commit for batch in self.recorder.commits for commit in batch]
        events = [event for commit in commits for event in commit.events]
        words = sum(len(word) for _, words in self.recorder.scripted for word in words if isinstance(word, bytes))
        count = len(self.play.playing)
        return (
            f"{self.game}: {TABLES} tables, batches of {BATCH}; a command writes {len(events) / count:.1f} events, "
            f"{words / count:,.0f} bytes in all"
        )


def plain_writes(commit: Commit) -> Iterator[tuple[Any, ...]]:
    """What a commit writes on each command, as commands of their own: the same entries, fields and bytes."""
    keys = table_keys(commit.table)
    version, command = commit.expected, commit.command
    for version, (event, hash_) in enumerate(zip(commit.events, commit.hashes, strict=True), commit.expected + 1):
        yield "XADD", keys.events, f"{version}-0", "e", event, "h", hash_, *(("c", command) if command else ())
        command = b""
    head = commit.hashes[-1] if commit.hashes else b""
    if commit.events:
        yield "HSET", keys.state, "ver", version, "head", head
    if commit.view:
        parts = (word for part in commit.view.items() for word in part)
        yield "HSET", keys.public, "ver", version, "head", head, *parts
    for seat, view in (commit.seats or {}).items():
        yield "HSET", keys.seat(seat), "ver", version, "view", view
    if commit.actor:
        yield "HSET", keys.actors, commit.actor, pack((commit.k, commit.body, commit.result))
    if commit.seed:
        yield "HSET", keys.seeds, str(commit.seed[0]), commit.seed[1]
    if commit.snapshot:
        at, before, state = commit.snapshot
        yield "HSET", keys.state, "snap", state, "snap_ver", at, "snap_head", before, "engine", ENGINE
    for player, record in (commit.records or {}).items():
        yield "LPUSH", keys.hands(player), record
        yield "LTRIM", keys.hands(player), 0, HANDS_MOST - 1
    if commit.lobby is not None:
        yield "HSET", KEYS.tables, commit.table, commit.lobby
    if commit.deadline:
        yield "ZADD", KEYS.due, commit.deadline, commit.table
    if commit.ended is not None:
        yield "ZADD", KEYS.seal, version, f"{commit.table}|{commit.ended}"


def notices(commits: Sequence[Commit]) -> bytes:
    """Their outcomes, as they are announced: one entry for all."""
    told = [(one.table, one.expected, one.expected + len(one.events), b"".join(one.hashes[-1:]), one.actor, one.k,
             one.result, one.body) for one in commits]  # fmt: skip
    return pack(told)


def nothing() -> None:
    """The job of the RQ rows: all that is measured is RQ."""


def jobs(store: Store, client: Redis, worker_class: type[BaseWorker]) -> float:
    """Jobs a second of a burst over a full queue."""
    client.flushall()
    queue = Queue("bench", connection=client, serializer=JSONSerializer)
    queue.enqueue_many([Queue.prepare_data(nothing) for _ in range(JOBS[worker_class])])
    worker = worker_class([queue], connection=client, serializer=JSONSerializer)
    return rate(JOBS[worker_class], partial(worker.work, burst=True, logging_level="WARNING"), store.seconds)


@contextmanager
def subject() -> Iterator[Subject]:
    """On the embedded server as `croupier up --demo` runs it: a unix socket, append-only file, everysec."""
    with store_settings() as settings:
        store = Store(settings)
        loops = [Loop(store, game) for game in GAMES]
        candidates = {name: work for loop in loops for name, work in loop.candidates().items()}
        queue = Redis.from_url(str(settings.redis_url))
        candidates |= {f"RQ {kind.__name__}": partial(jobs, store, queue, kind) for kind in JOBS}
        rows = tuple(row for loop in loops for row in loop.rows())
        yield Subject(candidates, rows, lambda: [label_of(queue), *(loop.note() for loop in loops)])
