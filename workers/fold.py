"""The table worker: one process, one loop, as many partitions as are its share.

Read new commands of all owned partitions, decide them, commit per partition; in between keep the leases and run the
clocks. Whatever goes wrong with a commit, the partition's memory is dropped and the partition acquired anew.
"""

from __future__ import annotations

import gc
import os
import secrets
import signal
import time
from functools import partial
from types import FrameType

import structlog

from services.inbox import Arrival
from services.keys import WORKERS
from services.reader import LogDamaged
from services.settings import Settings
from services.store import Client, OutcomeUnknown, StoreError, StoreRefused, WrongType, now_ms, typed_errors
from workers.owner import Owner, Tools

BATCH = 100  # commands of a partition decided before the next commit
WAIT_MS = 200  # longest sleep while nothing arrives; with short leases a fifteenth of one, or they would run out
HEARTBEAT_S = 1.0
DRIFT_MS = 1000  # what `local_ms` may be behind the store's clock
GONE_MS = 3000  # a worker silent for this long does not count when partitions are shared out
log = structlog.get_logger()


class Worker:
    """`run` until `stop` is called (or SIGTERM, SIGINT)."""

    def __init__(self, settings: Settings, client: Client, tools: Tools) -> None:
        self.settings = settings
        self.client = client
        self.tools = tools
        self.name = f"{os.getpid()}-{secrets.token_hex(4)}"
        self.owners: dict[int, Owner] = {}
        self.renewed: dict[int, float] = {}
        self.stopping = False
        self.next_beat = 0.0
        self.clock_offset_ms = 0

    def run(self) -> None:
        log.info("worker started", worker=self.name)
        while not self.stopping:
            try:
                self.beat()
                self.renew()
                self.turn()
            except StoreError as error:
                log.warning("store trouble", error=type(error).__name__)
                self.drop_all()
                time.sleep(0.2)
        self.release()
        log.info("worker stopped", worker=self.name)

    def stop(self, signum: int = 0, frame: FrameType | None = None) -> None:
        self.stopping = True

    # --- partitions --------------------------------------------------------------------------------------------------

    def beat(self) -> None:
        """Once a second: say that we live, and take or give back partitions to hold our share."""
        if time.monotonic() < self.next_beat:
            return
        self.next_beat = time.monotonic() + HEARTBEAT_S
        now = now_ms(self.client)
        self.clock_offset_ms = now - int(time.time() * 1000)
        with typed_errors():
            self.client.zadd(WORKERS, {self.name: now})
            self.client.zremrangebyscore(WORKERS, "-inf", now - GONE_MS)
            living = max(1, self.client.zcard(WORKERS))
        share = -(-self.settings.partitions // living)
        for partition in list(self.owners)[share:]:
            self.give_back(partition)
        self.acquire(share)

    def acquire(self, share: int) -> None:
        for partition in range(self.settings.partitions):
            if len(self.owners) >= share:
                return
            if partition in self.owners:
                continue
            try:
                lease = self.tools.log.acquire(partition, self.name, self.settings.lease_ms)
                owner = None if lease is None else Owner(lease, self.tools)
            except WrongType:  # somebody has overwritten it: the others are kept going
                log.warning("partition cannot be taken", partition=partition, error="WrongType")
                continue
            if owner is not None:
                self.owners[partition] = owner
                self.renewed[partition] = time.monotonic()
                self.guard(owner, start_owning)

    def renew(self) -> None:
        """A lease is renewed after a third of its life, with all others that will soon be as old."""
        sixth, now = self.settings.lease_ms / 6000, time.monotonic()
        if not any(now - self.renewed[partition] > 2 * sixth for partition in self.owners):
            return
        stale = [owner.lease for partition, owner in self.owners.items() if now - self.renewed[partition] > sixth]
        self.renewed.update((lease.partition, now) for lease in stale)
        for partition in self.tools.log.renew_all(stale, self.settings.lease_ms):
            log.warning("partition dropped", partition=partition, error="Fenced")
            self.owners.pop(partition, None)
            self.next_beat = 0.0

    def give_back(self, partition: int) -> None:
        owner = self.owners.pop(partition)
        try:
            self.tools.log.release(owner.lease)
        except StoreError as error:
            log.warning("lease not released", partition=partition, error=type(error).__name__)

    def release(self) -> None:
        for partition in list(self.owners):
            self.give_back(partition)
        try:
            with typed_errors():
                self.client.zrem(WORKERS, self.name)
        except StoreError as error:
            log.warning("not signed off", error=type(error).__name__)

    def drop_all(self) -> None:
        """What memory holds is worth nothing after an unknown outcome; the store knows (eventlog W7)."""
        self.owners.clear()
        self.next_beat = 0.0

    # --- one turn of the loop ----------------------------------------------------------------------------------------

    def turn(self) -> None:
        """Wait for commands or for the next clock, decide, commit."""
        cursors = {partition: owner.cursor for partition, owner in self.owners.items()}
        if not cursors:
            time.sleep(WAIT_MS / 1000)
            return
        asked = time.time()
        found = self.tools.inbox.read(cursors, BATCH, self.patience_ms())
        if self.overslept(asked):
            return
        for partition, arrivals in found:
            owner = self.owners[partition]
            gc.disable()  # a batch makes thousands of small things that live until it is committed
            try:
                self.guard(owner, partial(decide, arrivals=arrivals, latest=self.local_ms() + DRIFT_MS))
            finally:
                gc.enable()
        self.run_clocks()

    def run_clocks(self) -> None:
        now = self.local_ms()
        overdue = [owner for owner in self.owners.values() if owner.overdue(now)]
        if not overdue:
            return
        asked = time.time()
        now = now_ms(self.client)
        if self.overslept(asked):
            return
        for owner in overdue:
            self.guard(owner, partial(run_out, now=now))

    def overslept(self, asked: float) -> bool:
        """Whether an answer took longer than a lease lasts: this process, or its store, was stopped or suspended, or
        the clock was put forward. Nobody had the partitions meanwhile; taken anew, they give running turns that time.
        """
        slept = time.time() - asked
        if slept < self.settings.lease_ms / 1000:
            return False
        log.warning("overslept", seconds=round(slept))
        self.drop_all()
        return True

    def patience_ms(self) -> int:
        """How long to wait for commands: until the next clock, at most WAIT_MS."""
        most = min(WAIT_MS, self.settings.lease_ms // 15)
        due = min((due for owner in self.owners.values() for due in owner.due.values() if due), default=0)
        wait = due + 1 - self.local_ms() if due else most
        return max(1, min(most, wait))

    def local_ms(self) -> int:
        """The store's clock as we last saw it: good enough to decide when to ask it."""
        return int(time.time() * 1000) + self.clock_offset_ms

    def guard(self, owner: Owner, step: object) -> None:
        """Run a step of one owner; an error costs that partition's memory, not the others'."""
        partition = owner.lease.partition
        try:
            step(owner)  # type: ignore[operator]
        except OutcomeUnknown:
            raise
        except LogDamaged:
            raise
        except StoreError as error:
            log.warning("partition dropped", partition=partition, error=type(error).__name__)
            self.owners.pop(partition, None)
            self.next_beat = 0.0
            if isinstance(error, StoreRefused):
                time.sleep(0.2)


def decide(owner: Owner, arrivals: list[Arrival], latest: int) -> None:
    """What has arrived, and its outcome into the store."""
    owner.take(arrivals, latest)
    owner.flush()


def run_out(owner: Owner, now: int) -> None:
    """The clocks that have run out, and what follows into the store."""
    owner.fire(now)
    owner.flush()


def start_owning(owner: Owner) -> None:
    """Give running turns the time of an outage back before anything else happens."""
    owner.resume_clocks()
    owner.flush()


def run(worker: Worker) -> None:
    """Until a signal: the batch in hand is finished, then all leases are given up."""
    signal.signal(signal.SIGTERM, worker.stop)
    signal.signal(signal.SIGINT, worker.stop)
    worker.run()
