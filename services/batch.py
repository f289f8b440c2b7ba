"""One command's outcome (`Commit`), and how many of them become the words of one commit script call.

What the commits of a batch write to the same place is written once, with the last value: nobody can see
between two commits of a batch. Events, results and records are all kept. Every word costs about half a
microsecond on its way into Lua, so what most commits have has fixed places there; the rest is spelt out.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from services.keys import TableKeys, partition_keys, partition_of, table_keys
from services.wire import pack

HANDS_MOST = 50
"""Hands in a player's record of his session (COM-64)."""
TYPES = {"HSET": "h", "HDEL": "h", "LPUSH": "l", "LTRIM": "l", "DEL": "l", "ZADD": "z", "ZREM": "z"}
"""Command → type of its key, as `scripts/commit.lua` asks for it."""


@dataclass(slots=True)
class Commit:
    """What one command does to one table. Everything but `table` and `expected` may be left out.

    A refusal has no events; it is told (`result`) and kept as the actor's receipt all the same. With `keep`
    False the result is only told: for a repeated command, and for one that names a table that does not exist.
    """

    table: str
    expected: int
    """the table's version this was decided on; 0 opens the table"""
    events: Sequence[bytes] = ()
    hashes: Sequence[bytes] = ()
    """one chain hash per event"""
    command: bytes = b""
    """what to keep beside the first event for audits (`wire.Recorded`), without seeds"""

    actor: str = ""
    """whose command it was; "" for internal ones, which nobody waits for"""
    k: int = 0
    body: bytes = b""
    result: bytes = b""
    keep: bool = True

    view: Mapping[str, bytes] | None = None
    """parts of the public view that are not as they were stored before (`services/public_view.py`)"""
    seats: Mapping[int, bytes] | None = None
    """sealed private views by seat"""
    lobby: bytes | None = None
    """the table's row in the lobby; every table needs one from its first commit on"""
    deadline: int | None = None
    """next deadline in ms; 0 = the clock stands still, None = as before"""

    seed: tuple[int, bytes] | None = None
    """hand number and its sealed seed"""
    snapshot: tuple[int, bytes, bytes] | None = None
    """version, head and state of the table between hands, before these events: with a HandStarted"""
    ended: int | None = None
    """number of the hand these events finished: it now waits for the archive"""
    records: Mapping[str, bytes] | None = None
    """by player: his sealed record of the finished hand"""
    forget: Sequence[str] = ()
    """players whose session ended: their records go"""

    frozen: bytes | None = None
    """why the table stands still from now on; b"" = it runs again"""
    parked: bytes | None = None
    """the command that froze it, with its traceback; b"" = done with"""


class TableChanges:
    """What a batch does to one table, as far as most commits do it."""

    __slots__ = ("actors", "count", "events", "expected", "keys", "seats", "view")

    def __init__(self, table: str, expected: int) -> None:
        self.keys = table_keys(table)
        self.expected = expected
        self.count = 0
        self.events: list[bytes] = []  # event, chain hash, command or b"", for each
        self.view: dict[str, bytes] = {}
        self.actors: dict[str, bytes] = {}
        self.seats: dict[int, bytes] = {}

    def append(self, commit: Commit) -> int:
        """Takes the commit's events; returns the version after them. ValueError: they cannot follow."""
        count = len(commit.events)
        if commit.expected != self.expected + self.count or count != len(commit.hashes):
            raise ValueError("commits of one table must follow each other, with a hash for each event")
        command = commit.command
        for event, hash_ in zip(commit.events, commit.hashes, strict=True):
            self.events += event, hash_, command
            command = b""
        self.count += count
        return self.expected + self.count


class Batch:
    """Collects commits of one partition, in order."""

    def __init__(self, partition: int, engine: str) -> None:
        self._shared = partition_keys(partition)
        self._partition = partition
        self._engine = engine
        self._tables: dict[str, TableChanges] = {}
        self._hashes: dict[str, dict[str, Any]] = {}  # key → field → value
        self._due: dict[str, int] = {}
        self._lists: list[tuple[Any, ...]] = []
        self._ended: list[Any] = []
        self._notices: list[tuple[Any, ...]] = []  # fields of `wire.Notice`

    def add(self, commit: Commit) -> None:
        """One more commit, after those before. ValueError: it cannot follow them."""
        changes = self._tables.get(commit.table) or self._open(commit)
        version = changes.append(commit)
        if commit.view:
            changes.view.update(commit.view)
        if commit.seats:
            changes.seats.update(commit.seats)
        if commit.deadline is not None:
            self._due[commit.table] = commit.deadline
        if commit.actor or commit.events:
            self._tell(commit, version)
        if commit.actor and commit.keep:
            changes.actors[commit.actor] = pack((commit.k, commit.body, commit.result))
        if commit.snapshot is not None or commit.seed or commit.ended is not None:
            self._between_hands(commit, changes.keys, version)
        if commit.records or commit.forget:
            self._remember(commit, changes.keys)
        if commit.lobby is not None or commit.frozen is not None:
            self._show_or_freeze(commit, changes.keys)

    def keys_and_words(self, epoch: str, before: str, after: str) -> tuple[list[str], list[Any]]:
        """KEYS and ARGV of `scripts/commit.lua`."""
        keys, types = [self._shared.own, self._shared.inbox, self._shared.out], ""
        words: list[Any] = [epoch, before, after, pack(self._notices) if self._notices else b"", "", len(self._tables)]
        for changes in self._tables.values():
            words += changes.expected, changes.count
            keys += changes.keys.events, changes.keys.state, changes.keys.public, changes.keys.actors
        for changes in self._tables.values():
            words += changes.events
            words.append(2 * len(changes.view))
            words += flat(changes.view)
            words.append(2 * len(changes.actors))
            words += flat(changes.actors)
            words.append(len(changes.seats))
            for seat, view in changes.seats.items():
                keys.append(changes.keys.seat(seat))
                words += len(keys), view
                types += "h"
        words[4] = types + self._spell_out(keys, words)
        return keys, words

    def _open(self, commit: Commit) -> TableChanges:
        if partition_of(commit.table) != self._partition:
            raise ValueError("a table of another partition")
        changes = self._tables[commit.table] = TableChanges(commit.table, commit.expected)
        return changes

    def _tell(self, commit: Commit, version: int) -> None:
        head = commit.hashes[-1] if commit.hashes else b""
        notice = (commit.table, commit.expected, version, head, commit.actor, commit.k, commit.result, commit.body)
        self._notices.append(notice)

    def _between_hands(self, commit: Commit, keys: TableKeys, version: int) -> None:
        if commit.seed:
            hand, sealed = commit.seed
            self._fields(keys.seeds)[str(hand)] = sealed
        if commit.snapshot is not None:
            at, head, state = commit.snapshot
            self._fields(keys.state).update(snap=state, snap_ver=at, snap_head=head, engine=self._engine)
        if commit.ended is not None:
            self._ended += version, f"{commit.table}|{commit.ended}"

    def _remember(self, commit: Commit, keys: TableKeys) -> None:
        for player, record in (commit.records or {}).items():
            self._lists.append(("LPUSH", keys.hands(player), record))
            self._lists.append(("LTRIM", keys.hands(player), 0, HANDS_MOST - 1))
        for player in commit.forget:
            self._lists.append(("DEL", keys.hands(player)))

    def _show_or_freeze(self, commit: Commit, keys: TableKeys) -> None:
        if commit.lobby is not None:
            self._fields(self._shared.tables)[commit.table] = commit.lobby
        if commit.frozen is not None:
            self._fields(keys.state)["frozen"] = commit.frozen
        if commit.parked:
            self._fields(self._shared.parked)[commit.table] = commit.parked
        elif commit.parked == b"":
            self._lists.append(("HDEL", self._shared.parked, commit.table))

    def _fields(self, key: str) -> dict[str, Any]:
        return self._hashes.setdefault(key, {})

    def _spell_out(self, keys: list[str], words: list[Any]) -> str:
        """The types of the keys that it adds."""
        types = ""
        for command, key, *arguments in self._other_writes():
            keys.append(key)
            words += len(arguments) + 2, command, len(keys), *arguments
            types += TYPES[command]
        return types

    def _other_writes(self) -> Iterable[tuple[Any, ...]]:
        for key, fields in self._hashes.items():
            yield "HSET", key, *flat(fields)
        yield from self._lists
        running = [word for table, deadline in self._due.items() if deadline for word in (deadline, table)]
        stopped = [table for table, deadline in self._due.items() if not deadline]
        if running:
            yield "ZADD", self._shared.due, *running
        if stopped:
            yield "ZREM", self._shared.due, *stopped
        if self._ended:
            yield "ZADD", self._shared.seal, *self._ended


def flat(fields: Mapping[str, Any]) -> Iterable[Any]:
    """Each field and its value."""
    return chain.from_iterable(fields.items())
