"""The chores, run by RQ: sweep finished hands into the archive, verify them. Nothing here is part of a turn.

Every job derives its work from the store and the archive: run twice, late, or never, the next one puts it
right. Only the functions in ALLOWED can be run, whatever somebody writes into the queue's Redis.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Literal, TypeVar

import redis
import structlog
from rq import Worker
from rq.job import Job
from rq.serializers import JSONSerializer

from services.archive import Archive
from services.audit_log import AuditLog, Read
from services.errands import Errands, open_queue
from services.history import History
from services.inbox import Inbox
from services.log import Durability, Log
from services.orders import Freeze
from services.reader import Reader
from services.sealing import SealKey, ViewKey
from services.settings import Settings
from services.store import connect, now_ms
from services.sweeping import Sweeper
from services.unsealing import run_errand
from services.wire import COMMANDS, Envelope
from workers.setup import ENGINE

EVERY_S = 10.0

AnyKey = TypeVar("AnyKey", SealKey, ViewKey)
logger = structlog.get_logger()


class JobRefused(Exception):
    """The queue names a function that is no job of ours."""


class AllowedJob(Job):
    """Runs nothing but ALLOWED: RQ would import and call any dotted name that it finds in Redis."""

    @property
    def func(self) -> Callable[..., Any]:
        function = ALLOWED.get(self.func_name)
        if function is None or self.instance is not None:
            raise JobRefused
        return function

    @property
    def success_callback(self) -> None:
        """None: it would be imported by name, too."""

    @property
    def failure_callback(self) -> None:
        """None, as above."""

    @property
    def stopped_callback(self) -> None:
        """None, as above."""

    def send_webhooks(self, *status: object, **texts: object) -> None:
        """Nobody is called."""


class Chores:
    """What the jobs work with, made anew in each job's process."""

    def __init__(self, settings: Settings) -> None:
        assert settings.redis_url is not None, "jobs need a store"
        client = connect(settings.redis_url)
        self.settings = settings
        self.client = client
        self.inbox = Inbox(client, settings.backlog)
        self.archive = Archive(settings.archive_url)
        log = Log(client, ENGINE, Durability(settings.durability))
        self.seal_key = key_of(SealKey, settings, "seal")
        self.view_key = key_of(ViewKey, settings, "view")
        self.history = History(Reader(client), self.archive)
        self.audit_log = AuditLog(self.archive.engine)
        self.sweeper = Sweeper(log, Reader(client), self.archive, self.seal_key)

    def close(self) -> None:
        self.archive.close()
        self.client.close()

    def stop_table(self, table: str, why: str) -> None:
        """The table's log is not what it should be: no card or chip moves until the host has looked."""
        freeze = COMMANDS.encode(Freeze("audit", why))
        self.inbox.append(Envelope(table, "audit", now_ms(self.client), freeze))
        logger.error("table stopped", table=table, why=why)


@contextmanager
def chores() -> Iterator[Chores]:
    made = Chores(Settings())
    try:
        yield made
    finally:
        made.close()


def key_of(kind: type[AnyKey], settings: Settings, purpose: Literal["seal", "view"]) -> AnyKey | None:
    """The key if this process may have it; it is never made here."""
    file = settings.key_file(purpose)
    return kind.load(settings.data_dir, file) if file.exists() else None


# --- the jobs -----------------------------------------------------------------------------------------------


def archive_sweep() -> dict[str, int]:
    """Archive and trim all finished hands, verify new ones; stop tables that contradict their archive."""
    with chores() as made:
        swept = made.sweeper.sweep(range(made.settings.partitions))
        wrong = swept.wrong | made.sweeper.verify_new()
        for table, why in wrong.items():
            made.stop_table(table, why)
        return {"archived": swept.archived, "trimmed": swept.trimmed, "wrong": len(wrong)}


def verify_hand(table: str, hand: int) -> str:
    """Audit one finished hand (again); the verdict, "ok" or the check that failed."""
    with chores() as made:
        verdict = made.sweeper.verify(table, hand)
        if verdict != "ok":
            made.stop_table(table, verdict)
        return verdict


def unseal(errand: str, who: str, what: str, table: str, hand: int, why: str) -> None:
    """The seed of a finished hand for an auditor, logged first; the answer is sealed for who sent the errand."""
    with chores() as made:
        keys = made.seal_key, made.view_key
        run_errand(made.client, keys, made.history, made.audit_log, errand, Read(who, what, table, hand, why))


ALLOWED: dict[str | None, Callable[..., Any]] = {
    "workers.jobs.archive_sweep": archive_sweep,
    "workers.jobs.verify_hand": verify_hand,
    "workers.jobs.unseal": unseal,
}


# --- the process --------------------------------------------------------------------------------------------


def tick(settings: Settings, parent: int) -> None:
    """Ask for a sweep every EVERY_S for as long as the parent lives; Ctrl-C is the parent's to handle."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    errands = Errands(open_queue(settings, AllowedJob))
    while os.getppid() == parent:
        ask_for_sweep(errands)
        time.sleep(EVERY_S)


def ask_for_sweep(errands: Errands) -> None:
    """Unless a job is still waiting: nothing piles up while nobody works."""
    try:
        if errands.queue.is_empty():
            errands.ask(archive_sweep.__name__)
    except redis.RedisError as error:
        logger.warning("no sweep asked for", error=type(error).__name__)


def run(settings: Settings) -> None:
    """One worker and the clock that feeds it, until a signal."""
    queue = open_queue(settings, AllowedJob)
    clock = multiprocessing.get_context("spawn").Process(target=tick, args=(settings, os.getpid()), daemon=True)
    clock.start()
    worker = Worker([queue], connection=queue.connection, job_class=AllowedJob, serializer=JSONSerializer)
    try:
        worker.work(logging_level="WARNING")
    finally:
        clock.terminate()
