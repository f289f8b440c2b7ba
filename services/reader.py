"""The event log's reading side. What a table is rebuilt from is checked against its hash chain."""

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

from services.chain import first_hash, next_hash
from services.keys import partition_keys, table_keys
from services.public_view import LAYOUT
from services.store import Client, StoreError, now_ms, read_streams, typed_errors
from services.wire import Notice, Receipt, Unreadable, decode_notices, unpack

FINISHED = re.compile(rb"(\d{3}-[0-9a-z]{1,26})\|(\d{1,15})")
"""Table and hand, as `Keys.seal` has them."""
PAGE = 1000
"""Events read in one reply."""
BATCHES = 100
"""Committed batches whose notices are read in one reply."""


class LogDamaged(StoreError):
    """The log cannot be what was written: freeze the table, tell the operator, never go on."""


class ChainBroken(LogDamaged):
    """An event was changed, put in or taken away."""


class LogGap(LogDamaged):
    """Events are missing: trimmed (then the archive has them) or lost."""


class LostTail(LogDamaged):
    """Somebody has seen events that the store no longer has, or has others in their place."""


class Entry(NamedTuple):
    """One event as stored."""

    version: int
    event: bytes
    hash: bytes
    command: bytes = b""
    """the command that caused it, at the first of its events (`wire.Recorded`)"""


@dataclass(slots=True)
class Loaded:
    """A table as its owner needs it: state = snapshot + entries. Version 0: there is no such table."""

    version: int
    head: bytes
    engine: str
    snapshot: bytes
    snapshot_version: int
    archived: int
    frozen: bytes
    entries: list[Entry]
    receipts: dict[str, Receipt]


class View(NamedTuple):
    """The public view: the version it shows and the chain hash there."""

    version: int
    head: bytes
    parts: Mapping[bytes, bytes]
    """read by `services.public_view.joined`"""


class Snapshot(NamedTuple):
    """The table's state at a version, with the chain hash there."""

    version: int
    head: bytes
    data: bytes


class SeatView(NamedTuple):
    """What only one seat may see, sealed, and the version it was sealed at."""

    version: int
    data: bytes


class Reader:
    """Reads tables, by id, and partitions."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def load(self, table: str, *, from_snapshot: bool = True) -> Loaded:
        """Everything needed to go on with a table, its chain checked up to the stored head.

        Without the snapshot the entries start at version 1. Raises ChainBroken, or LogGap: they are trimmed.
        """
        keys = table_keys(table)
        names = ("ver", "head", "engine", "snap", "snap_ver", "snap_head", "arch", "frozen")
        with typed_errors():
            ver, head, engine, snap, snap_ver, snap_head, arch, frozen = self._client.hmget(keys.state, names)
            receipts = self._client.hgetall(keys.actors)
        start = int(snap_ver or 0) if from_snapshot else 0
        entries = self.entries(table, start, int(ver or 0))
        check_chain(table, entries, snap_head if start else b"", head or b"")
        return Loaded(
            version=int(ver or 0),
            head=head or b"",
            engine=(engine or b"").decode(),
            snapshot=snap or b"" if from_snapshot else b"",
            snapshot_version=start,
            archived=int(arch or 0),
            frozen=frozen or b"",
            entries=entries,
            receipts={actor.decode(): Receipt(*unpack(data)) for actor, data in receipts.items()},
        )

    def entries(self, table: str, after: int, to: int) -> list[Entry]:
        """Events `after` + 1 … `to`, every one of them. Raises LogGap."""
        found: list[Entry] = []
        while after < to:
            page = self.page(table, after, min(PAGE, to - after))
            if not page:
                raise LogGap(f"{table}: nothing after version {after}, {to} wanted")
            found += page
            after = page[-1].version
        return found

    def page(self, table: str, after: int, count: int) -> list[Entry]:
        """Up to `count` events after a version, without a hole. Raises LogGap: the next one is not there."""
        with typed_errors():
            found = self._client.xrange(table_keys(table).events, f"{after + 1}-0", "+", count)
        entries = [entry(id_, fields) for id_, fields in found]
        for wanted, got in enumerate(entries, after + 1):
            if got.version != wanted:
                raise LogGap(f"{table}: version {got.version} where {wanted} belongs")
        return entries

    def latest(self, table: str, version: int, count: int) -> list[Entry]:
        """Up to `count` events from a version back, newest first; fewer where older ones were trimmed."""
        with typed_errors():
            found = self._client.xrevrange(table_keys(table).events, f"{version}-0", "-", count)
        return [entry(id_, fields) for id_, fields in found]

    def head(self, table: str) -> tuple[int, bytes]:
        """Version and chain hash of the last event; (0, b"") where there is no such table."""
        with typed_errors():
            version, head = self._client.hmget(table_keys(table).state, "ver", "head")
        return int(version or 0), head or b""

    def snapshot(self, table: str) -> Snapshot | None:
        """What a worker begins to load the table from; None before there is one."""
        with typed_errors():
            version, head, data = self._client.hmget(table_keys(table).state, "snap_ver", "snap_head", "snap")
        return Snapshot(int(version), head or b"", data or b"") if version else None

    def versions(self, tables: Sequence[str]) -> dict[str, int]:
        """Table → version of its last event, of many tables in one round trip."""
        pipeline = self._client.pipeline(transaction=False)
        for table in tables:
            pipeline.hget(table_keys(table).state, "ver")
        with typed_errors():
            found = pipeline.execute()
        return {table: int(version or 0) for table, version in zip(tables, found, strict=True)}

    def require_tail(self, table: str, version: int, head: bytes) -> None:
        """The store still has what was once seen of the table (or the archive has it). Raises LostTail."""
        stored, stored_head = self.head(table)
        if stored < version:
            raise LostTail(f"{table}: version {version} was seen, the store is at {stored}")
        if (stored_head if stored == version else self._hash(table, version)) not in (head, b""):
            raise LostTail(f"{table}: version {version} is another one than was seen")

    def view(self, table: str) -> View | None:
        """The public view. One that an older program has stored does not say its chain hash: the state does."""
        with typed_errors():
            view = stored_view(self._client.hgetall(table_keys(table).public))
        if view is not None and not view.head:
            version, head = self.head(table)
            return view._replace(head=head if version == view.version else self._hash(table, view.version))
        return view

    def news(self, known: Mapping[str, int]) -> dict[str, tuple[View, list[Entry] | None]]:
        """Of those tables that have gone beyond a known version: the public view, and the events up to it.

        One round trip for them all. The events are None where not all of them are to be had.
        """
        pipeline = self._client.pipeline(transaction=False)
        for table, version in known.items():
            pipeline.hgetall(table_keys(table).public)
            pipeline.xrange(table_keys(table).events, f"{version + 1}-0", "+", PAGE)
        with typed_errors():
            answers = iter(pipeline.execute())
        changed = {}
        for (table, version), fields, events in zip(known.items(), answers, answers, strict=True):
            view = stored_view(fields)
            if view is not None and view.version > version:
                changed[table] = view, up_to(view.version, version, events)
        return changed

    def seat_view(self, table: str, seat: int) -> SeatView | None:
        """The sealed private view of a seat."""
        with typed_errors():
            version, data = self._client.hmget(table_keys(table).seat(seat), "ver", "view")
        return SeatView(int(version), data) if version else None

    def receipt(self, table: str, actor: str) -> Receipt | None:
        """The last answer this actor got at the table."""
        with typed_errors():
            data = self._client.hget(table_keys(table).actors, actor)
        return Receipt(*unpack(data)) if data else None

    def seed(self, table: str, hand: int) -> bytes | None:
        """The sealed seed of a hand that is not archived yet."""
        with typed_errors():
            sealed: bytes | None = self._client.hget(table_keys(table).seeds, str(hand))
        return sealed

    def records(self, table: str, player: str) -> list[bytes]:
        """Sealed records of a player's last hands in this session, newest first (COM-64)."""
        with typed_errors():
            found: list[bytes] = self._client.lrange(table_keys(table).hands(player), 0, -1)
        return found

    def lobby(self, partition: int) -> dict[str, bytes]:
        """All tables of a partition with their rows."""
        with typed_errors():
            found = self._client.hgetall(partition_keys(partition).tables)
        return {table.decode(): row for table, row in found.items()}

    def parked(self, partition: int) -> dict[str, bytes]:
        """Frozen tables with the command that froze each."""
        with typed_errors():
            found = self._client.hgetall(partition_keys(partition).parked)
        return {table.decode(): parked for table, parked in found.items()}

    def due(self, partition: int, until_ms: int) -> list[tuple[str, int]]:
        """Tables whose deadline is at or before `until_ms`, earliest first, with it."""
        with typed_errors():
            found = self._client.zrange(partition_keys(partition).due, 0, until_ms, byscore=True, withscores=True)
        return [(table.decode(), int(deadline)) for table, deadline in found]

    def next_deadline(self, partition: int) -> int | None:
        """The earliest deadline of the partition."""
        with typed_errors():
            found = self._client.zrange(partition_keys(partition).due, 0, 0, withscores=True)
        return int(found[0][1]) if found else None

    def finished(self, partition: int) -> list[tuple[str, int, int]]:
        """Hands that wait for the archive: table, hand number, last version. What is no hand of a table is nobody's."""
        with typed_errors():
            found = self._client.zrange(partition_keys(partition).seal, 0, -1, withscores=True)
        waiting = [(FINISHED.fullmatch(member), version) for member, version in found]
        return [(hand[1].decode(), int(hand[2]), int(version)) for hand, version in waiting if hand]

    def _hash(self, table: str, version: int) -> bytes:
        """Chain hash of an event; b"" where it was trimmed, which took the archive's proof of the same."""
        with typed_errors():
            found = self._client.xrange(table_keys(table).events, f"{version}-0", f"{version}-0")
        return entry(*found[0]).hash if found else b""


def stored_view(fields: dict[bytes, bytes]) -> View | None:
    """From the fields of its HASH. One that has lost its layout is no view: it may have lost other parts too."""
    if b"ver" not in fields or LAYOUT not in fields:
        return None
    return View(int(fields.pop(b"ver")), fields.pop(b"head", b""), fields)


def up_to(version: int, after: int, found: list[tuple[bytes, dict[bytes, Any]]]) -> list[Entry] | None:
    """Events `after` + 1 … `version` of those found; None if one of them is missing."""
    entries = [entry(id_, fields) for id_, fields in found[: version - after]]
    complete = [entry.version for entry in entries] == list(range(after + 1, version + 1))
    return entries if complete else None


def entry(id_: bytes, fields: dict[bytes, Any]) -> Entry:
    """From redis-py's shape."""
    version = int(id_.partition(b"-")[0])
    return Entry(version, fields[b"e"], fields[b"h"], fields.get(b"c", b""))


def check_chain(table: str, entries: Iterable[Entry], before: bytes, head: bytes) -> None:
    """Every hash follows from the one before it (b"" before the very first) and the last one is `head`."""
    last = before
    for found in entries:
        last = next_hash(last, found.event) if last else first_hash(table, found.event)
        if last != found.hash:
            raise ChainBroken(f"{table} version {found.version}")
    if last != head:
        raise ChainBroken(f"{table}: the last event is not the head")


class OutReader:
    """Follows the results of partitions from now on. They are hints: `Notice.after` shows what was missed."""

    def __init__(self, client: Client, partitions: Sequence[int]) -> None:
        self._client = client
        self._cursors = {partition_keys(partition).out: self._end(partition) for partition in partitions}

    def read(self, block_ms: int) -> list[Notice]:
        """New notices, in each table's order; [] after `block_ms` of none."""
        notices: list[Notice] = []
        for key, batches in read_streams(self._client, self._cursors, BATCHES, block_ms):
            self._cursors[key] = batches[-1][0].decode()
            for _, fields in batches:
                with suppress(Unreadable):  # somebody else's: nothing that anybody waits for
                    notices += decode_notices(fields.get(b"p", b""))
        return notices

    def now_ms(self) -> int:
        """The store's clock."""
        return now_ms(self._client)

    def _end(self, partition: int) -> str:
        with typed_errors():
            last = self._client.xrevrange(partition_keys(partition).out, count=1)
        return str(last[0][0].decode()) if last else "0-0"
