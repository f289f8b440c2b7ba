"""Who looked at what is hidden, when and why: entries that are only ever added, each chained to the one before.

hash_n = SHA-256(0x04 ‖ hash_{n-1} ‖ MessagePack of (n, at_ms, who, what, table, hand, why)); hash_0 is empty.
An entry is written before anything is unsealed: what cannot be logged is not read. Entries hold no card and no seed.
"""

from __future__ import annotations

import time
from hashlib import sha256
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from services.archive_tables import audit_entry
from services.wire import pack

CHORES = "chores"
WHY_MOST = 200
WRITING = 0x41554449
"""PostgreSQL's advisory lock of whoever appends."""


class NotLogged(Exception):
    """The entry could not be written, so nothing may be read."""


class Read(NamedTuple):
    """What somebody wants to look at. `table` "" and `hand` 0: not one alone."""

    who: str
    what: str
    table: str
    hand: int
    why: str


class Logged(NamedTuple):
    """An entry. `hash` is that of the chain."""

    number: int
    at_ms: int
    who: str
    what: str
    table: str
    hand: int
    why: str
    hash: bytes


class Head(NamedTuple):
    """How many entries there are, and the hash of the last one."""

    entries: int
    hash: bytes


class AuditLog:
    """In the archive's database, where every process that may unseal can write."""

    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine

    def write(self, read: Read) -> Logged:
        """Append an entry; it is on the disk when this returns. Raises NotLogged."""
        try:
            with self._engine.connect() as connection:
                take_turn(connection)
                entry = after(last(connection), read, int(time.time() * 1000))
                connection.execute(audit_entry.insert().values(row_of(entry)))
                connection.commit()
        except SQLAlchemyError as error:
            raise NotLogged(type(error).__name__) from error
        return entry

    def page(self, many: int, below: int | None = None, *, people: bool = False) -> list[Logged]:
        """The newest entries, or the newest of those before number `below`; newest first. `people`: not the chores'."""
        query = sa.select(audit_entry).order_by(audit_entry.c.number.desc()).limit(many)
        if below is not None:
            query = query.where(audit_entry.c.number < below)
        if people:
            query = query.where(audit_entry.c.who != CHORES)
        with self._engine.connect() as connection:
            return [Logged(*row) for row in connection.execute(query)]

    def head(self) -> Head:
        """As it is now."""
        with self._engine.connect() as connection:
            entry = last(connection)
        return Head(entry.number, entry.hash)

    def begins_with(self, head: Head) -> bool:
        """Whether the log still has what it ended with then."""
        query = sa.select(audit_entry.c.hash).where(audit_entry.c.number == head.entries)
        with self._engine.connect() as connection:
            return connection.execute(query).scalar() == head.hash

    def check(self) -> tuple[int, str]:
        """How many entries follow from each other, and what is wrong with the next one ("" if nothing is)."""
        before = NONE
        with self._engine.connect() as connection:
            for row in connection.execute(sa.select(audit_entry).order_by(audit_entry.c.number)):
                entry = Logged(*row)
                if entry.number != before.number + 1:
                    return before.number, f"entry {before.number + 1} is missing"
                if after(before, Read(*entry[2:7]), entry.at_ms) != entry:
                    return before.number, f"entry {entry.number} is not what was written"
                before = entry
        return before.number, ""


NONE = Logged(0, 0, "", "", "", 0, "", b"")
"""Before the first entry."""


def after(before: Logged, read: Read, at_ms: int) -> Logged:
    """The entry that follows."""
    number = before.number + 1
    return Logged(number, at_ms, *read, sha256(b"\x04" + before.hash + pack((number, at_ms, *read))).digest())


def take_turn(connection: sa.Connection) -> None:
    """One writer at a time, from its look at the last entry to its commit."""
    if connection.dialect.name == "postgresql":
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(WRITING)))
    else:
        connection.exec_driver_sql("BEGIN IMMEDIATE")


def last(connection: sa.Connection) -> Logged:
    row = connection.execute(sa.select(audit_entry).order_by(audit_entry.c.number.desc()).limit(1)).first()
    return Logged(*row) if row else NONE


def row_of(entry: Logged) -> dict[str, Any]:
    return dict(zip(audit_entry.c.keys(), entry, strict=True))
