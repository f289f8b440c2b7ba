"""The archive: every finished hand as one row, in SQLite or PostgreSQL.

The rows of a table tile its log (`services/segment.py`), so the archive and what the store still holds join
into one chain. Event bytes are kept as they were stored; their hashes are computed again at every reading.
Insertion is idempotent: the same hand with the same head changes nothing, with another head it is a fork and
stops everything.
"""

from __future__ import annotations

import gzip
import json
import sqlite3
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple, Self

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from engine import snapshot
from engine.state import Table
from services.archive_index import Index, index_of, stored_indexes
from services.archive_tables import METADATA, hand_leaf, hand_player, hand_segment
from services.chain import extend
from services.hand_log import HandLog, append, entry_of
from services.reader import Entry
from services.segment import Segment
from services.wire import fold, pack, unpack

CODEC = "msgpack+gzip/1"
IN_ONE_QUERY = 500
FRESH_S = 10.0
"""How long processes that start together may take to set up a fresh SQLite file."""
MAKING = 0x43524F55
"""PostgreSQL's advisory lock of whoever makes the tables."""


class ArchiveError(Exception):
    """Texts hold table ids, hand numbers and versions, never values."""


class ForkFound(ArchiveError):
    """The archive has this hand, or the one before, with another chain head: one of both logs is not true."""


class ArchiveGap(ArchiveError):
    """The hand before is missing: hands are archived in their order."""


class ArchiveDamaged(ArchiveError):
    """A row does not give the head it is stored with."""


class ArchiveUnfit(ArchiveError):
    """The address names no database that Croupier can keep hands in."""


class Tail(NamedTuple):
    """The last archived hand of a table. (0, 0, b"") where there is none."""

    hand: int
    version: int
    head: bytes


class Archive:
    """`url`: an SQLAlchemy URL; `postgresql://` means psycopg. Tables are made on first use. For `with`.

    Raises ArchiveUnfit, SQLAlchemyError.
    """

    def __init__(self, url: str) -> None:
        self._engine = engine_of(url)
        self._insert: Any = postgresql.insert if self._engine.dialect.name == "postgresql" else sqlite.insert
        if self._engine.dialect.name == "sqlite":
            sa.event.listen(self._engine, "connect", make_durable)
        with self._engine.begin() as connection:
            make_tables(connection)
        self.log = HandLog(self._engine)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    @property
    def engine(self) -> sa.Engine:
        """The database, for what else is kept in it."""
        return self._engine

    def close(self) -> None:
        """Give all connections back."""
        self._engine.dispose()

    # --- writing --------------------------------------------------------------------------------------------

    def insert(self, segment: Segment) -> bool:
        """Add a finished hand whose chain has been checked, and its leaf to the log of hands; False if it was there.

        Raises ForkFound or ArchiveGap, and then nothing was written.
        """
        row, players = rows_of(segment)
        with self._engine.begin() as connection:
            require_follows(segment, tail(connection, segment.table, segment.hand - 1))
            wanted = self._insert(hand_segment).values(row).on_conflict_do_nothing()
            # Not `rowcount`: of such an insert PostgreSQL's driver does not tell it.
            added = connection.execute(wanted.returning(hand_segment.c.hand_no)).first() is not None
            if added:
                connection.execute(hand_player.insert(), players)
                append(connection, segment.table, segment.hand, entry_of(segment))
        if self.heads(segment.table, [segment.hand]).get(segment.hand) != (segment.last, segment.head):
            raise ForkFound(f"{segment.table} hand {segment.hand}")
        return added

    def add_missing_leaves(self) -> int:
        """Hands that an earlier program archived without the log of hands join it, oldest first; how many."""
        c, leaf = hand_segment.c, hand_leaf.c
        same = (c.table_id == leaf.table_id) & (c.hand_no == leaf.hand_no)
        query = sa.select(c.table_id, c.hand_no).join_from(hand_segment, hand_leaf, same, isouter=True)
        query = query.where(leaf.at.is_(None)).order_by(c.ended_ms, c.table_id, c.hand_no)
        with self._engine.connect() as connection:
            missing = connection.execute(query).all()
        for table, hand in missing:
            segment = self.segment(table, hand)
            assert segment is not None
            with suppress(sa.exc.IntegrityError), self._engine.begin() as connection:
                append(connection, table, hand, entry_of(segment))
        return len(missing)

    def set_verdicts(self, verdicts: Mapping[tuple[str, int], str]) -> None:
        """What an audit of each hand (table, number) said: "ok", or the name of the first check that failed."""
        c = hand_segment.c
        found = (c.table_id == sa.bindparam("table")) & (c.hand_no == sa.bindparam("hand"))
        rows = [{"table": table, "hand": hand, "verdict": verdict} for (table, hand), verdict in verdicts.items()]
        if rows:
            with self._engine.begin() as connection:
                connection.execute(hand_segment.update().where(found).values(verdict=sa.bindparam("verdict")), rows)

    # --- reading --------------------------------------------------------------------------------------------

    def tail(self, table: str) -> Tail:
        """The last archived hand of a table."""
        with self._engine.connect() as connection:
            return tail(connection, table)

    def heads(self, table: str, hands: Sequence[int]) -> dict[int, tuple[int, bytes]]:
        """Of these hands those that are archived: last version and head."""
        c = hand_segment.c
        found: dict[int, tuple[int, bytes]] = {}
        with self._engine.connect() as connection:
            for at in range(0, len(hands), IN_ONE_QUERY):
                wanted = (c.table_id == table) & c.hand_no.in_(hands[at : at + IN_ONE_QUERY])
                rows = connection.execute(sa.select(c.hand_no, c.last_version, c.head).where(wanted))
                found.update((hand, (version, head)) for hand, version, head in rows)
        return found

    def segment(self, table: str, hand: int) -> Segment | None:
        """A hand with its whole log. Raises ArchiveDamaged."""
        return next(iter(self.segments(table, hand, hand)), None)

    def segments(self, table: str, first: int = 1, last: int | None = None) -> Iterable[Segment]:
        """Archived hands of a table with their logs, in order."""
        c = hand_segment.c
        wanted = (c.table_id == table) & (c.hand_no >= first)
        if last is not None:
            wanted &= c.hand_no <= last
        with self._engine.connect() as connection:
            for row in connection.execute(sa.select(hand_segment).where(wanted).order_by(c.hand_no)):
                segment = segment_of(row._mapping)
                if not readable(segment.before):
                    segment = segment._replace(before=self._state_before(table, segment.hand))
                yield segment

    def tables(self) -> list[str]:
        """Every table of which a hand is archived."""
        query = sa.select(hand_segment.c.table_id).distinct().order_by("table_id")
        with self._engine.connect() as connection:
            return list(connection.execute(query).scalars())

    def ends(self) -> dict[str, int]:
        """Every table's last archived version."""
        c = hand_segment.c
        query = sa.select(c.table_id, sa.func.max(c.last_version).label("version")).group_by(c.table_id)
        with self._engine.connect() as connection:
            return {str(row.table_id): int(row.version) for row in connection.execute(query)}

    def numbers(self, table: str, first: int = 1, last: int | None = None) -> list[int]:
        """Which hands of a table are archived, in order."""
        c = hand_segment.c
        wanted = (c.table_id == table) & (c.hand_no >= first)
        if last is not None:
            wanted &= c.hand_no <= last
        with self._engine.connect() as connection:
            return list(connection.execute(sa.select(c.hand_no).where(wanted).order_by(c.hand_no)).scalars())

    def count(self) -> int:
        """How many hands are archived."""
        with self._engine.connect() as connection:
            return int(connection.execute(sa.select(sa.func.count()).select_from(hand_segment)).scalar_one())

    def containing(self, table: str, version: int) -> int | None:
        """The number of the archived hand whose log holds this version."""
        c = hand_segment.c
        wanted = (c.table_id == table) & (c.last_version >= version)
        query = sa.select(c.hand_no).where(wanted).order_by(c.hand_no).limit(1)
        with self._engine.connect() as connection:
            return connection.execute(query).scalar()

    def hands(self, table: str, last: int = 50, below: int | None = None) -> list[dict[str, Any]]:
        """Summaries (`services/summary.py`), newest first; `below`: only hands before that number."""
        c = hand_segment.c
        wanted = c.table_id == table
        if below is not None:
            wanted &= c.hand_no < below
        return self._summaries(sa.select(c.summary).where(wanted).order_by(c.hand_no.desc()).limit(last))

    def average_pot(self, table: str, last: int) -> int | None:
        """What was in all pots of a hand, in whole chips, on average over the table's `last` hands; None before any."""
        played = [hand["pots"] for hand in self.hands(table, last) if not hand["voided"]]
        return sum(pot["amount"] for pots in played for pot in pots) // len(played) if played else None

    def hand(self, table: str, number: int) -> dict[str, Any] | None:
        """One summary."""
        found = self.hands(table, 1, number + 1)
        return found[0] if found and found[0]["hand"] == number else None

    def hands_of(self, player: str, last: int = 50) -> list[dict[str, Any]]:
        """Summaries of the hands a player was dealt into, at any table, newest first."""
        c, p = hand_segment.c, hand_player.c
        dealt = sa.select(p.table_id, p.hand_no, p.started_ms).distinct().where(p.player == player)
        latest = dealt.order_by(p.started_ms.desc()).limit(last).subquery()
        same = (c.table_id == latest.c.table_id) & (c.hand_no == latest.c.hand_no)
        return self._summaries(
            sa.select(c.summary).join_from(latest, hand_segment, same).order_by(latest.c.started_ms.desc())
        )

    def indexes(self, table: str, first: int, last: int) -> dict[int, Index]:
        """What the archive tells of these hands beside their logs."""
        with self._engine.connect() as connection:
            return stored_indexes(connection, table, first, last)

    def unverified(self, most: int) -> list[tuple[str, int]]:
        """Hands that no audit has seen yet, oldest first."""
        c = hand_segment.c
        query = sa.select(c.table_id, c.hand_no).where(c.verdict.is_(None)).order_by(c.ended_ms).limit(most)
        with self._engine.connect() as connection:
            return [(table, hand) for table, hand in connection.execute(query)]

    def failed(self) -> list[tuple[str, int, str]]:
        """Hands that an audit found wrong: table, hand, verdict."""
        c = hand_segment.c
        query = sa.select(c.table_id, c.hand_no, c.verdict).where(c.verdict != "ok").order_by(c.ended_ms)
        with self._engine.connect() as connection:
            return [(table, hand, verdict) for table, hand, verdict in connection.execute(query)]

    def _state_before(self, table: str, hand: int) -> tuple[Any, ...]:
        """Folded from the first event on, for a row whose snapshot is of another format than ours."""
        c = hand_segment.c
        wanted = (c.table_id == table) & (c.hand_no < hand)
        state = Table(table)
        with self._engine.connect() as connection:
            for row in connection.execute(sa.select(hand_segment).where(wanted).order_by(c.hand_no)):
                fold(state, [entry.event for entry in segment_of(row._mapping).entries])
        return snapshot.take(state)

    def _summaries(self, query: sa.Select[Any]) -> list[dict[str, Any]]:
        with self._engine.connect() as connection:
            return [json.loads(text) for text in connection.execute(query).scalars()]


def make_durable(connection: Any, record: object) -> None:
    """SQLite: readers beside the one writer, and a commit that is on the disk."""
    connection.execute("PRAGMA busy_timeout=10000")
    connection.execute("PRAGMA synchronous=FULL")
    give_up = time.monotonic() + FRESH_S
    while not in_wal(connection):
        if time.monotonic() > give_up:
            raise ArchiveError("the SQLite file is locked")
        time.sleep(0.01)


def in_wal(connection: Any) -> bool:
    """Whether the file has a write-ahead log now. Where another process is just giving it one, SQLite does not wait."""
    try:
        connection.execute("PRAGMA journal_mode=WAL")
    except sqlite3.OperationalError:
        return False
    return True


def engine_of(url: str) -> sa.Engine:
    """Raises ArchiveUnfit."""
    try:
        made = sa.make_url(url)
        if made.drivername == "postgresql":
            made = made.set(drivername="postgresql+psycopg")
        if made.get_backend_name() in ("sqlite", "postgresql"):
            return sa.create_engine(made)
    except sa.exc.ArgumentError:
        pass
    except ImportError:
        raise ArchiveUnfit("the archive's driver is not installed: pip install 'croupier[postgres]'") from None
    raise ArchiveUnfit("the archive's address is no sqlite:/// or postgresql:// URL")


def make_tables(connection: sa.Connection) -> None:
    """What is not there yet, while other processes do the same, or write into what is there."""
    if connection.dialect.name == "postgresql":  # there even IF NOT EXISTS fails when two come at once
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(MAKING)))
    found = sa.inspect(connection)
    tables = found.get_table_names()
    for table in METADATA.sorted_tables:
        connection.execute(sa.schema.CreateTable(table, if_not_exists=True))
        # PostgreSQL locks a table against writing before it finds that its index is there, so it is not asked for one.
        there = [index["name"] for index in found.get_indexes(table.name)] if table.name in tables else []
        for index in sorted(table.indexes, key=lambda index: str(index.name)):
            if index.name not in there:
                connection.execute(sa.schema.CreateIndex(index, if_not_exists=True))


def tail(connection: sa.Connection, table: str, hand: int | None = None) -> Tail:
    """Of the last archived hand, or of that one."""
    c = hand_segment.c
    wanted = c.table_id == table
    if hand is not None:
        wanted &= c.hand_no == hand
    query = sa.select(c.hand_no, c.last_version, c.head).where(wanted).order_by(c.hand_no.desc()).limit(1)
    row = connection.execute(query).first()
    return Tail(*row) if row else Tail(0, 0, b"")


def require_follows(segment: Segment, before: Tail) -> None:
    """The hand begins where the one before it ended. Raises ArchiveGap or ForkFound."""
    if before.version + 1 != segment.first:
        raise ArchiveGap(f"{segment.table} hand {segment.hand} begins at version {segment.first}")
    if before.head != segment.prev_head:
        raise ForkFound(f"{segment.table} before hand {segment.hand}")


def rows_of(segment: Segment) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The row of the hand and those of its players."""
    index = index_of(segment, segment.events(), segment.end())
    place = {"table_id": segment.table, "hand_no": segment.hand}
    row = {
        **place,
        **index.columns(),
        "first_version": segment.first,
        "last_version": segment.last,
        "prev_head": segment.prev_head,
        "head": segment.head,
        "codec": CODEC,
        "sealed_seed": segment.sealed_seed,
        "before_blob": packed(segment.before),
        "events_blob": packed([entry.event for entry in segment.entries]),
        "commands_blob": packed([entry.command for entry in segment.entries]),
    }
    return row, [{**place, "seat": seat, "player": player, "started_ms": ms} for seat, player, ms in index.players]


def segment_of(row: sa.RowMapping) -> Segment:
    """The hand of a row, its hashes computed anew. Raises ArchiveDamaged."""
    place = f"{row['table_id']} hand {row['hand_no']}"
    if row["codec"] != CODEC:
        raise ArchiveDamaged(f"{place} has an unknown codec")
    events, commands = unpacked(row["events_blob"]), unpacked(row["commands_blob"])
    hashes = extend(row["table_id"], row["prev_head"], events)
    if hashes[-1] != row["head"]:
        raise ArchiveDamaged(place)
    versions = range(row["first_version"], row["last_version"] + 1)
    if not len(versions) == len(events) == len(commands):
        raise ArchiveDamaged(f"{place} has not one event and command for each version")
    entries = tuple(map(Entry, versions, events, hashes, commands))
    before = unpacked(row["before_blob"])
    return Segment(row["table_id"], row["hand_no"], before, row["prev_head"], entries, row["sealed_seed"])


def readable(before: tuple[Any, ...] | None) -> bool:
    """Whether this program knows the snapshot's format; the very first hand needs none.

    One of an earlier format stays as it is: the log of hands has its hash.
    """
    return before is None or before[0] in snapshot.READABLE


def packed(value: Any) -> bytes:
    """The same bytes for the same value: no time in the gzip header."""
    return gzip.compress(pack(value), 6, mtime=0)


def unpacked(blob: bytes) -> Any:
    """Raises ArchiveDamaged."""
    try:
        return unpack(gzip.decompress(blob))
    except (OSError, EOFError) as error:
        raise ArchiveDamaged("a blob that is not gzip") from error
