"""Names of everything Croupier keeps in Redis, and of tables.

All keys of a partition carry its tag ``{p017}``, so one script may touch any of them on a Redis Cluster too.
A table's id carries its partition (``017-<ulid>``): whoever knows a table knows where it lives.
"""

import secrets
from functools import lru_cache
from typing import NamedTuple

PARTITIONS_MOST = 999
WORKERS = "workers"
"""ZSET worker → heartbeat in ms. The one key outside the partitions."""

CROCKFORD = "0123456789abcdefghjkmnpqrstvwxyz"


class PartitionKeys(NamedTuple):
    """What a partition has once."""

    own: str
    """HASH epoch, owner, until and seen (ms), cur (last processed inbox id)"""
    inbox: str
    """STREAM, field c = command envelope; the id is the official arrival time"""
    due: str
    """ZSET table → next deadline in ms"""
    out: str
    """STREAM of results, one entry a batch; trimmed by length, for it is only a hint"""
    seal: str
    """ZSET table|hand → last version of a finished hand that waits for the archive"""
    tables: str
    """HASH table → its row in the lobby; also the index of all tables"""
    parked: str
    """HASH table → the command that froze it, with its traceback"""


class TableKeys(NamedTuple):
    """What a table has once; seats and players' records have keys of their own."""

    start: str
    """what all keys of the table begin with"""
    events: str
    """STREAM <version>-0, fields e = event bytes, h = chain hash, c = command (first event of each)"""
    state: str
    """HASH ver, head, engine, snap, snap_ver, snap_head, arch, frozen"""
    public: str
    """HASH ver, view"""
    seeds: str
    """HASH hand → sealed seed. Readable by workers and the auditor only"""
    actors: str
    """HASH actor → last client number with its result"""

    def seat(self, seat: int) -> str:
        """HASH ver, view: the sealed private view of one seat."""
        return f"{self.start}:seat:{seat}"

    def hands(self, player: str) -> str:
        """LIST, newest first: sealed records of the last 50 hands of a player's session (COM-64)."""
        return f"{self.start}:last:{player}"


@lru_cache(maxsize=1024)
def partition_keys(partition: int) -> PartitionKeys:
    """Keys of partition 0…999."""
    names = ("own", "in", "due", "out", "seal", "tables", "parked")
    return PartitionKeys(*(f"{{p{partition:03d}}}:{name}" for name in names))


@lru_cache(maxsize=65536)
def table_keys(table: str) -> TableKeys:
    """Keys of a table, by its id."""
    start = f"{{p{partition_of(table):03d}}}:t:{table}"
    return TableKeys(start, *(f"{start}:{name}" for name in ("ev", "st", "pub", "sec", "act")))


@lru_cache(maxsize=65536)
def partition_of(table: str) -> int:
    """The partition a table id names. ValueError: it is no table id."""
    number, dash, ulid = table.partition("-")
    if not (dash and len(number) == 3 and number.isdecimal() and number.isascii() and is_name(ulid)):
        raise ValueError("not a table id")
    return int(number)


def is_name(text: str) -> bool:
    """1–26 lower-case letters and digits: nothing that could reach into another key or a path."""
    return 1 <= len(text) <= 26 and text.isascii() and text.isalnum() and text == text.lower()


def new_table_id(partition: int, now_ms: int) -> str:
    """A fresh id: ids of one partition sort by the time of their making."""
    return f"{partition:03d}-{ulid(now_ms, secrets.token_bytes(10))}"


def ulid(now_ms: int, chance: bytes) -> str:
    """26 characters, Crockford's alphabet in lower case: 48 bits of time, then the 80 given bits."""
    number = now_ms << 80 | int.from_bytes(chance)
    return "".join(CROCKFORD[number >> shift & 31] for shift in range(125, -1, -5))
