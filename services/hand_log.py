"""The log of finished hands over all tables: one Merkle tree of RFC 6962, a leaf for every archived hand.

It lies in the archive's database. A hand's leaf is added in the transaction that archives the hand, so there is never
one without the other; leaves are only ever added, in the order of archiving. Its head is signed by
`services/signing.py`. Leaves are public: they name tables and hands, and hashes.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterable, Sequence
from contextlib import suppress
from hashlib import sha256
from typing import Any, NamedTuple

import sqlalchemy as sa

from engine.deck import hand_id
from engine.merkle import leaf_hash
from services.archive_tables import checkpoint, hand_leaf, hand_node, hand_segment, refused_signature
from services.growing_tree import Node, Range, completes, consistency, folded, grown, inclusion
from services.segment import Segment
from services.wire import pack

NO_HEAD = bytes(32)
"""In place of the chain head before a table's first event."""
GROWING = 0x48414E44
"""PostgreSQL's advisory lock of whoever adds a leaf."""


class NoSuchLeaf(Exception):
    """The hand is not in the log, or the log never had that size."""


class Leaf(NamedTuple):
    """One hand in the log. `entry`: the bytes that are hashed."""

    at: int
    table: str
    hand: int
    entry: bytes


class Kept(NamedTuple):
    """A checkpoint as it was published, and the public key to check it with."""

    size: int
    note: str
    key: str


def entry_of(segment: Segment) -> bytes:
    """What the log says of a hand."""
    return entry(
        segment.table, segment.hand, segment.first, segment.last, segment.prev_head, segment.head, pack(segment.before)
    )


def entry(table: str, hand: int, first: int, last: int, prev_head: bytes, head: bytes, before: bytes) -> bytes:
    """Where a hand stands in its table's chain, and what the table was before it.

    Hand id ‖ first version (8) ‖ last version (8) ‖ chain head before (32; zeros before a table's first event) ‖
    chain head (32) ‖ SHA-256 of `before`, the table's snapshot as it is stored (nil before the first hand).
    """
    versions = first.to_bytes(8) + last.to_bytes(8)
    return hand_id(table, hand) + versions + (prev_head or NO_HEAD) + head + sha256(before).digest()


def append(connection: sa.Connection, table: str, hand: int, said: bytes) -> None:
    """Add a hand's leaf, in the transaction of whoever has just written the hand and so holds SQLite's write lock.

    Raises IntegrityError if the hand has a leaf already.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(GROWING)))
    at = size_of(connection)
    nodes = grown(at, leaf_hash(said), hashes_of(connection, completes(at)))
    connection.execute(hand_leaf.insert().values(at=at, table_id=table, hand_no=hand, entry=said))
    connection.execute(
        hand_node.insert(), [{"level": level, "at": at >> level, "hash": node} for level, node in enumerate(nodes)]
    )


def size_of(connection: sa.Connection) -> int:
    """The number of leaves."""
    last = connection.execute(sa.select(sa.func.max(hand_leaf.c.at))).scalar()
    return 0 if last is None else int(last) + 1


def hashes_of(connection: sa.Connection, nodes: Sequence[Node]) -> list[bytes]:
    """Stored hashes in the order asked for. Raises NoSuchLeaf if one is missing."""
    if not nodes:
        return []
    c = hand_node.c
    wanted = sa.tuple_(c.level, c.at).in_([tuple(node) for node in nodes])
    rows = connection.execute(sa.select(c.level, c.at, c.hash).where(wanted))
    found = {Node(level, at): hash_ for level, at, hash_ in rows}
    if len(found) < len({*nodes}):
        raise NoSuchLeaf("a stored hash is missing")
    return [found[node] for node in nodes]


class HandLog:
    """Reads the log and keeps its checkpoints."""

    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine

    def size(self) -> int:
        with self._engine.connect() as connection:
            return size_of(connection)

    def root(self, size: int) -> bytes:
        """Of the tree when it had that many leaves; of an empty one the hash of nothing. Raises NoSuchLeaf."""
        return self.hashes([Range(0, size)])[0] if size else sha256().digest()

    def hashes(self, ranges: Iterable[Range]) -> list[bytes]:
        """The hash of each range. Raises NoSuchLeaf beyond the end."""
        parts = [one.nodes() for one in ranges]
        with self._engine.connect() as connection:
            found = iter(hashes_of(connection, [node for part in parts for node in part]))
        return [folded([next(found) for _ in part]) for part in parts]

    def full_subtrees(self, size: int) -> list[bytes]:
        """The hashes of the full subtrees that a tree of that size is made of, left to right. Raises NoSuchLeaf."""
        with self._engine.connect() as connection:
            return hashes_of(connection, Range(0, size).nodes())

    def leaf(self, table: str, hand: int) -> Leaf:
        """Raises NoSuchLeaf."""
        wanted = (hand_leaf.c.table_id == table) & (hand_leaf.c.hand_no == hand)
        for leaf in self._leaves(sa.select(hand_leaf).where(wanted)):
            return leaf
        raise NoSuchLeaf(f"{table} hand {hand} is not in the log")

    def leaves(self, first: int, end: int) -> list[Leaf]:
        """Leaves first … end − 1, as far as there are any."""
        c = hand_leaf.c
        return self._leaves(sa.select(hand_leaf).where(c.at >= first, c.at < end).order_by(c.at))

    def inclusion(self, at: int, size: int) -> list[bytes]:
        """The audit path of a leaf in the tree of that size, leaf to root. Raises NoSuchLeaf."""
        try:
            return self.hashes(inclusion(at, size))
        except IndexError as error:
            raise NoSuchLeaf(str(error)) from None

    def consistency(self, old: int, new: int) -> list[bytes]:
        """What proves that the tree of one size begins with that of another. Raises NoSuchLeaf."""
        try:
            return self.hashes(consistency(old, new))
        except IndexError as error:
            raise NoSuchLeaf(str(error)) from None

    def with_hands(self, first: int, end: int) -> list[tuple[Leaf, bytes | None]]:
        """Leaves first … end − 1, each with the entry that its archived hand gives (None where that is missing)."""
        c, leaf = hand_segment.c, hand_leaf.c
        same = (c.table_id == leaf.table_id) & (c.hand_no == leaf.hand_no)
        hand = (c.first_version, c.last_version, c.prev_head, c.head, c.before_blob)
        query = sa.select(leaf.at, leaf.table_id, leaf.hand_no, leaf.entry, *hand)
        joined = query.join_from(hand_leaf, hand_segment, same, isouter=True)
        with self._engine.connect() as connection:
            rows = connection.execute(joined.where(leaf.at >= first, leaf.at < end).order_by(leaf.at))
            return [(Leaf(*row[:4]), of_row(row[1], row[2], *row[4:])) for row in rows]

    def nodes(self, first: int, end: int) -> dict[Node, bytes]:
        """What is stored of the subtrees that leaves first … end − 1 have completed."""
        c = hand_node.c
        completed = (c.at + 1).op("<<")(c.level) - 1
        query = sa.select(c.level, c.at, c.hash).where(completed.between(first, end - 1))
        with self._engine.connect() as connection:
            return {Node(level, at): hash_ for level, at, hash_ in connection.execute(query)}

    # --- checkpoints ------------------------------------------------------------------------------------------------

    def keep(self, kept: Kept, signed_ms: int) -> None:
        """Publish a checkpoint; one of that size that is there already stays."""
        with suppress(sa.exc.IntegrityError), self._engine.begin() as connection:
            connection.execute(checkpoint.insert().values(**kept._asdict(), signed_ms=signed_ms))

    def refuse(self, why: str, at_ms: int) -> None:
        """The head could not be signed: kept once, until one can be again."""
        if not self.refused():
            with self._engine.begin() as connection:
                connection.execute(refused_signature.insert().values(at_ms=at_ms, why=why))

    def refused(self) -> bool:
        """Whether a signature has been refused since the last checkpoint."""
        refused = sa.select(sa.func.max(refused_signature.c.at_ms)).scalar_subquery()
        signed = sa.select(sa.func.max(checkpoint.c.signed_ms)).scalar_subquery()
        with self._engine.connect() as connection:
            return bool(connection.execute(sa.select(refused > sa.func.coalesce(signed, 0))).scalar())

    def latest(self) -> Kept | None:
        """The checkpoint of the largest tree."""
        return self._kept(checkpoint.c.size.desc())

    def covering(self, at: int) -> Kept | None:
        """The earliest checkpoint whose tree has leaf `at`: the same one for ever, once it is there."""
        return self._kept(checkpoint.c.size, checkpoint.c.size > at)

    def checkpoints(self) -> list[Kept]:
        """All that were published, smallest tree first."""
        c = checkpoint.c
        with self._engine.connect() as connection:
            rows = connection.execute(sa.select(c.size, c.note, c.key).order_by(c.size))
            return [Kept(*row) for row in rows]

    def _kept(self, order: Any, *wanted: Any) -> Kept | None:
        c = checkpoint.c
        query = sa.select(c.size, c.note, c.key).where(*wanted).order_by(order).limit(1)
        with self._engine.connect() as connection:
            row = connection.execute(query).first()
        return Kept(*row) if row else None

    def _leaves(self, query: sa.Select[Any]) -> list[Leaf]:
        with self._engine.connect() as connection:
            return [Leaf(*row) for row in connection.execute(query)]


def of_row(
    table: str, hand: int, first: int | None, last: int, prev_head: bytes, head: bytes, blob: bytes
) -> bytes | None:
    """The entry of an archived row; None without one, or if its snapshot cannot be read."""
    if first is None:
        return None
    try:
        return entry(table, hand, first, last, prev_head, head, gzip.decompress(blob))
    except (OSError, EOFError, zlib.error):
        return None
