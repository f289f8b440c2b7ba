"""The event log's writing side: leases on partitions, commits, trimming.

A partition has one owner, under a lease with an epoch. `Log.commit` writes a batch of many commands over many
tables of the partition in one script call, and only if the epoch is still the owner's, the cursor is where he
left it and every table has the version he decided on. So a command has exactly one effect, whoever is killed
or paused when. The log knows bytes and versions, no poker.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from services.batch import Batch, Commit
from services.keys import partition_keys, partition_of, table_keys
from services.scripts import Script
from services.settings import DurabilityLevel
from services.store import Client, StoreError, WrongType, is_cluster, typed_errors

CURSOR = re.compile(r"\d+-\d+")


class Fenced(StoreError):
    """Another owner has the partition: drop everything, it is his now."""


class StaleCursor(StoreError):
    """The batch (or part of it) was committed before, or the cursor was lost: acquire again and re-read."""


class Conflict(StoreError):
    """A table has another version than the one the batch was decided on."""


class Unproven(StoreError):
    """What the archive holds is not what the log holds: nothing was trimmed."""


class StillNeeded(StoreError):
    """The table's snapshot is older than what should be trimmed: nothing was trimmed."""


class DurabilityDegraded(StoreError):
    """Committed, but on too few replicas for the promised level: publish nothing, stop the partition."""


@dataclass(slots=True)
class Lease:
    """The right to write to a partition. `idle_ms`: how long nobody had it until `taken_ms`; deadlines move by that."""

    partition: int
    owner: str
    epoch: str
    cursor: str
    idle_ms: int = 0
    taken_ms: int = 0


class Durability:
    """What must be true of a commit before its results may be told."""

    def __init__(self, level: DurabilityLevel, timeout_ms: int = 1000) -> None:
        self.level = level
        self._timeout_ms = timeout_ms

    def confirm(self, client: Client, key: str) -> None:
        """Level strict: one replica has all writes of this connection. Raises DurabilityDegraded."""
        if self.level != "strict":
            return
        where = {"target_nodes": client.get_node_from_key(key)} if is_cluster(client) else {}
        with typed_errors():
            copies = client.execute_command("WAIT", 1, self._timeout_ms, **where)
        if copies < 1:
            raise DurabilityDegraded(f"no replica within {self._timeout_ms} ms")


class Log:
    """Writes events. `client`: from `connect(url, single=True)`; `engine`: version that marks snapshots."""

    _acquire = Script("acquire")
    _renew = Script("renew")
    _commit = Script("commit")
    _trim = Script("trim")

    def __init__(self, client: Client, engine: str, durability: Durability) -> None:
        self._client = client
        self._engine = engine
        self._durability = durability

    def acquire(self, partition: int, owner: str, lease_ms: int) -> Lease | None:
        """Take the partition under a fresh epoch; None while another owner's lease runs.

        Also after any error of `commit`: it tells the cursor up to which everything is done. Raises WrongType.
        """
        answer = self._acquire.call(self._client, [partition_keys(partition).own], [owner, lease_ms, "new"])
        if answer[0] == b"HELD":
            return None
        epoch, cursor, seen, now = (part.decode() for part in answer[1:])
        if not CURSOR.fullmatch(cursor):
            raise WrongType(f"partition {partition} has another cursor than an inbox id")
        return Lease(partition, owner, epoch, cursor, int(now) - int(seen or now), int(now))

    def renew(self, lease: Lease, lease_ms: int) -> None:
        """Keep the lease for `lease_ms` from now. Raises Fenced."""
        own = partition_keys(lease.partition).own
        answer = self._renew.call(self._client, [own], [lease.epoch, lease_ms])
        if answer[0] == b"FENCED":
            raise Fenced(f"partition {lease.partition}")

    def renew_all(self, leases: Sequence[Lease], lease_ms: int) -> list[int]:
        """The same for many in one round trip, and one write to the disk; partitions that are another owner's now."""
        calls = [([partition_keys(lease.partition).own], [lease.epoch, lease_ms]) for lease in leases]
        answers = self._renew.call_all(self._client, calls)
        return [lease.partition for lease, answer in zip(leases, answers, strict=True) if answer[0] == b"FENCED"]

    def release(self, lease: Lease) -> None:
        """Give the partition up at once. Raises Fenced."""
        self.renew(lease, 0)

    def commit(self, lease: Lease, commits: Sequence[Commit], cursor: str | None = None) -> None:
        """Write the batch, all of it or nothing, and move the cursor to `cursor` (None: it stays).

        Raises Fenced, StaleCursor, Conflict or StoreRefused: nothing was written. Raises OutcomeUnknown or
        DurabilityDegraded: it may have been. After each of them drop all caches and acquire again.
        """
        keys, words = self.arguments(lease, commits, cursor)
        answer = self._commit.call(self._client, keys, words)
        match answer[0]:
            case b"OK":
                self._durability.confirm(self._client, keys[0])
                lease.cursor = cursor or lease.cursor
            case b"FENCED":
                raise Fenced(f"partition {lease.partition}")
            case b"STALE_CURSOR":
                raise StaleCursor(f"partition {lease.partition}: {answer[1].decode()}, not {lease.cursor}")
            case _:
                raise Conflict(f"{answer[1].decode()} has version {answer[2].decode()}")

    def arguments(
        self, lease: Lease, commits: Sequence[Commit], cursor: str | None
    ) -> tuple[list[str], list[Any]]:
        """KEYS and ARGV of the commit script for this batch."""
        batch = Batch(lease.partition, self._engine)
        for commit in commits:
            batch.add(commit)
        return batch.keys_and_words(lease.epoch, lease.cursor, cursor or lease.cursor)

    def trim(self, table: str, version: int, head: bytes, hands: Sequence[int] = ()) -> None:
        """Drop events up to `version`, and the sealed seeds of `hands`, which the archive holds now.

        `head`: the chain hash of that version as the archive has it. Doing it twice is fine. Raises Unproven
        when the log has another hash there, StillNeeded when a reader would miss those events.
        """
        keys = table_keys(table)
        words = [version, head, *hands]
        answer = self._trim.call(self._client, [keys.events, keys.state, keys.seeds], words)
        match answer[0]:
            case b"UNPROVEN":
                raise Unproven(f"{table} version {version}")
            case b"NEEDED":
                raise StillNeeded(f"{table}: version {version}, snapshot {answer[1].decode()}")

    def archived(self, table: str, hands: Sequence[int]) -> None:
        """The finished hands are safe in the archive and wait no longer."""
        with typed_errors():
            self._client.zrem(partition_keys(partition_of(table)).seal, *(f"{table}|{hand}" for hand in hands))
