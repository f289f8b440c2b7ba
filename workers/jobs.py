"""The chores, run by RQ: sweep finished hands into the archive, verify them, sign the head of their log. Nothing here
is part of a turn.

Every job derives its work from the store and the archive: run twice, late, or never, the next one puts it
right. Only the functions in ALLOWED can be run, whatever somebody writes into the queue's Redis.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
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
from services.rng.deals import Deals
from services.sealing import SealKey, SigningKey, ViewKey
from services.settings import Settings
from services.signing import LogRewritten, Signer
from services.store import connect, now_ms
from services.sweeping import Sweeper
from services.unsealing import run_errand
from services.wire import COMMANDS, Envelope
from workers.setup import ENGINE

EVERY_S = 10.0
REPORT_S = 600.0
NICE = 5
"""A quarter of a processor that somebody else wants, too."""

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
        partitions = range(made.settings.partitions)
        behind = made.sweeper.behind(partitions)
        swept = made.sweeper.sweep(partitions)
        wrong = swept.wrong | made.sweeper.verify_new() | behind
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


def report_deals() -> str | None:
    """The next report on the deals that were really made; its state, None if there are too few new ones."""
    with chores() as made:
        if made.seal_key is None:
            return None
        report = Deals(made.archive, made.seal_key).report()
        if report is not None and report["state"] != "ok":
            logger.error("deals look unfair", report=report["number"], state=report["state"])
        return report["state"] if report else None


def sign_checkpoint() -> int | None:
    """Sign the log of hands as far as it is; the number of its leaves, None if nothing was signed."""
    return sign_log(Settings())


def sign_log(settings: Settings) -> int | None:
    """As `sign_checkpoint`. A log that is not what was signed before is an alarm; its last checkpoint stands."""
    with Archive(settings.archive_url) as archive:
        try:
            made = signer(settings, archive).sign(time.time_ns() // 1_000_000)
        except LogRewritten as rewritten:
            logger.error("no checkpoint signed: the log of hands was rewritten", why=str(rewritten))
            archive.log.refuse(str(rewritten), time.time_ns() // 1_000_000)
            return None
    return made.size if made else None


def signer(settings: Settings, archive: Archive) -> Signer:
    """What it signed last is kept beside its key. Raises KeyFileRefused."""
    keys = settings.data_dir / "keys"
    key = SigningKey.load(keys, settings.signing_key_file)
    return Signer(archive, key, settings.signer_memory, settings.log_origin)


ALLOWED: dict[str | None, Callable[..., Any]] = {
    "workers.jobs.archive_sweep": archive_sweep,
    "workers.jobs.verify_hand": verify_hand,
    "workers.jobs.unseal": unseal,
    "workers.jobs.report_deals": report_deals,
    "workers.jobs.sign_checkpoint": sign_checkpoint,
}


# --- the process --------------------------------------------------------------------------------------------


def tick(settings: Settings, parent: int) -> None:
    """Ask for each job when it is time, for as long as the parent lives; Ctrl-C is the parent's to handle."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    errands = Errands(open_queue(settings, AllowedJob))
    every = {archive_sweep: EVERY_S, sign_checkpoint: float(settings.checkpoint_seconds), report_deals: REPORT_S}
    due: dict[Callable[..., Any], float] = {**every, archive_sweep: 0.0}
    started = time.monotonic()
    while os.getppid() == parent:
        now = time.monotonic() - started
        for job in [job for job, at in due.items() if at <= now]:
            ask_for(errands, job)
            due[job] = now + every[job]
        time.sleep(min(due.values()) - now)


def ask_for(errands: Errands, job: Callable[..., Any]) -> None:
    """Unless one like it is still waiting: nothing piles up while nobody works."""
    try:
        waiting = [other.func_name for other in errands.queue.get_jobs()]
        if f"workers.jobs.{job.__name__}" not in waiting:
            errands.ask(job.__name__)
    except redis.RedisError as error:
        logger.warning("no job asked for", job=job.__name__, error=type(error).__name__)


def give_way() -> None:
    """Players first: the chores take what the other processes leave of the processors.

    Linux shares them out among sessions before it looks at processes, so a session of the chores' own is told, too.
    """
    os.nice(NICE)
    if os.getsid(0) == os.getpid():
        with suppress(OSError):  # no such file: sessions are not looked at here
            Path("/proc/self/autogroup").write_text(str(NICE), encoding="ascii")


def run(settings: Settings) -> None:
    """One worker and the clock that feeds it, until a signal; then the log of hands is signed once more.

    Raises KeyFileRefused: chores that cannot sign do not start.
    """
    queue = open_queue(settings, AllowedJob)
    with Archive(settings.archive_url) as archive:
        signer(settings, archive)
        archive.add_missing_leaves()
    clock = multiprocessing.get_context("fork").Process(target=tick, args=(settings, os.getpid()), daemon=True)
    clock.start()
    give_way()
    worker = Worker([queue], connection=queue.connection, job_class=AllowedJob, serializer=JSONSerializer)
    try:
        worker.work(logging_level="WARNING")
    finally:
        clock.terminate()
        sign_log(settings)
