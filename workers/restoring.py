"""The archive back into a store that is behind it: exactly the events that are missing there, and nothing else.

Before anything is written the table's whole archive is audited, and what the store still has must be a beginning of
it. A store that has another past is never touched: that is a fork, and one of both is not true. A restored table
stands still until the host has looked; then its log says where it was set back to.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from services.archive import Archive
from services.auditor import Auditor, End, Tally, Watch
from services.keys import partition_keys, partition_of, table_keys
from services.orders import RESTORED
from services.outcomes import Outcome, encode_outcome
from services.reader import LogDamaged, Reader
from services.scripts import Script
from services.segment import Segment, decisions
from services.store import Client
from services.sweeping import HOT
from services.wire import Envelope, Receipt, pack

PAGE = 100


class Refused(Exception):
    """Why nothing was written. Texts hold table ids, hands and versions."""


class Restored(NamedTuple):
    """`done`: "same" (nothing to do), "restored" or "refused"."""

    table: str
    done: str
    detail: str


class Restorer:
    """`engine` marks the snapshots that it writes; `watch` is told how many hands it has looked at."""

    _script = Script("restore")

    def __init__(self, client: Client, archive: Archive, engine: str, watch: Watch = lambda hands: None) -> None:
        self._client = client
        self._reader = Reader(client)
        self._archive = archive
        self._engine = engine
        self._watch = watch

    def table(self, table: str) -> Restored:
        """Restore one table if its store is behind. Doing it twice changes nothing."""
        try:
            end = self.audited(table)
            version, head = self._reader.head(table)
            self.require_beginning(table, end, version, head)
            if version >= end.version:
                return Restored(table, "same", f"at version {version}, the archive at {end.version}")
            self.write(table, end, version, head)
        except (Refused, LogDamaged) as refused:
            return Restored(table, "refused", str(refused))
        return Restored(table, "restored", f"to the end of hand {end.hand}, from version {version} to {end.version}")

    def audited(self, table: str) -> End:
        """Where the archive ends. Raises Refused: it is not what was written."""
        tally = Tally()
        end = Auditor(self._reader, self._archive, watch=self._watch).archived(table, End(), tally)
        wrong = next((check for check in tally.checks() if not check.ok), None)
        if wrong is not None:
            raise Refused(f"the archive itself differs: {wrong.name}, {wrong.detail}")
        return end

    def require_beginning(self, table: str, end: End, version: int, head: bytes) -> None:
        """What the store has is a beginning of the archive, or goes on from it. Raises Refused or LogDamaged."""
        if version > end.version:
            self._reader.load(table)
            kept = self._reader.latest(table, end.version, 1)
            if kept and kept[0].version == end.version and kept[0].hash != end.head:
                raise Refused(f"FORK: version {end.version} is another one in the store than in the archive")
        elif version and head != self.hash_at(table, version):
            raise Refused(f"FORK: version {version} is another one in the store than in the archive")

    def hash_at(self, table: str, version: int) -> bytes:
        """The chain hash that the archive gives at a version."""
        segment = self._archive.segment(table, self._archive.containing(table, version) or 0)
        assert segment is not None, "the archive holds every version up to its end"
        return segment.entries[version - segment.first].hash

    def write(self, table: str, end: End, version: int, head: bytes) -> None:
        """In one script, and only if the store is still as it was found. Raises Refused."""
        receipts, hot = self.missing(table, end, version)
        entries = [entry for segment in hot for entry in segment.entries if entry.version > version]
        why = f"set forward to the end of hand {end.hand}, version {end.version}; the store was at {version}"
        keys, shared = table_keys(table), partition_keys(partition_of(table))
        words: list[Any] = [version, head, table, end.version, end.head, self._engine, *snapshot_of(hot[-1])]
        words += entries[0].version - 1, RESTORED, pack((b"", RESTORED, why)), len(receipts)
        for actor, receipt in receipts.items():
            words += actor, pack(tuple(receipt))
        words.append(len(hot))
        for segment in hot:
            words += segment.hand, segment.sealed_seed, segment.last
        words.append(entries[0].version)
        for entry in entries:
            words += entry.event, entry.hash, entry.command
        names = [keys.state, keys.events, keys.actors, shared.due, shared.parked, keys.seeds, shared.seal]
        answer = self._script.call(self._client, names, words)
        if answer[0] != b"OK":
            raise Refused("the table was changed meanwhile: somebody else writes to this store")

    def missing(self, table: str, end: End, version: int) -> tuple[dict[str, Receipt], list[Segment]]:
        """Answers to commands that the store has forgotten, and the last hands, which it keeps beside the archive.

        Where more is missing than those, the older events stay in the archive alone.
        """
        receipts: dict[str, Receipt] = {}
        hot: list[Segment] = []
        first = min(self._archive.containing(table, version + 1) or 1, max(1, end.hand - HOT + 1))
        for at in range(first, end.hand + 1, PAGE):
            for segment in self._archive.segments(table, at, min(at + PAGE - 1, end.hand)):
                receipts |= answers(segment, version)
                hot = [*hot, segment][-HOT:]
        return receipts, hot


def snapshot_of(last: Segment) -> tuple[bytes, int, bytes]:
    """The table before its last hand, as the store keeps it: state, version, head; none before the first hand."""
    if last.before is None:
        return b"", 0, b""
    return pack(last.before), last.first - 1, last.prev_head


def answers(segment: Segment, after: int) -> dict[str, Receipt]:
    """Actor → what he was told about his last command of a hand, as far as its events are beyond a version."""
    found = {}
    for decision in decisions(segment.entries):
        first, last = decision.entries[0].version, decision.entries[-1].version
        recorded = decision.recorded
        if recorded.actor and last > after:
            body = Envelope(segment.table, recorded.actor, recorded.k, recorded.command).body
            found[recorded.actor] = Receipt(recorded.k, body, encode_outcome(Outcome("", {}, first - 1, last)))
    return found
