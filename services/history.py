"""A table's whole past: what the archive holds and what only the store holds yet, checked where they meet."""

from __future__ import annotations

from collections.abc import Iterator

from engine import snapshot
from services.archive import Archive, Tail
from services.public_view import joined
from services.reader import Entry, LostTail, Reader, check_chain
from services.segment import Segment, hands_of


class NoSuchHand(Exception):
    """There is no finished hand of that number at the table."""


class History:
    """Reads finished hands and events of any age."""

    def __init__(self, reader: Reader, archive: Archive) -> None:
        self._reader = reader
        self._archive = archive

    def segment(self, table: str, hand: int) -> Segment:
        """A finished hand with its log. Raises NoSuchHand, LogDamaged or ArchiveDamaged."""
        found = self._archive.segment(table, hand)
        if found is None:
            found = next((waiting for waiting in self.waiting(table) if waiting.hand == hand), None)
        if found is None:
            raise NoSuchHand(f"{table} hand {hand}")
        return found

    def playing(self, table: str, hand: int) -> bool:
        """Whether that hand is being played now."""
        stored = self._reader.view(table)
        shown = joined(stored.parts)["hand"] if stored else None
        return shown is not None and shown["number"] == hand and not shown["over"]

    def waiting(self, table: str) -> list[Segment]:
        """Finished hands that the archive does not hold yet, oldest first, with their sealed seeds."""
        tail = self._archive.tail(table)
        entries = self._after(table, tail)
        last = self._archive.segment(table, tail.hand)
        before = snapshot.take(last.end()) if last else None
        return list(hands_of(table, entries, before, tail.head, lambda hand: self._reader.seed(table, hand) or b""))

    def finished(self, table: str, first: int = 1) -> Iterator[Segment]:
        """All finished hands from that number on, wherever they are. Raises LogDamaged or ArchiveDamaged."""
        for segment in self._archive.segments(table, first):
            yield segment
            first = segment.hand + 1
        yield from (segment for segment in self.waiting(table) if segment.hand >= first)

    def events(self, table: str, after: int) -> Iterator[Entry]:
        """All events after a version. Raises LogDamaged where archive and store do not fit each other."""
        tail = self._archive.tail(table)
        hand = self._archive.containing(table, after + 1)
        if hand is not None:
            for segment in self._archive.segments(table, hand, tail.hand):
                yield from (entry for entry in segment.entries if entry.version > after)
        yield from (entry for entry in self._after(table, tail) if entry.version > after)

    def _after(self, table: str, tail: Tail) -> list[Entry]:
        """What the store has beyond the archive; its first event follows from the archive's head."""
        version, head = self._reader.head(table)
        if version < tail.version:
            raise LostTail(f"{table}: the archive has version {tail.version}, the store is at {version}")
        entries = self._reader.entries(table, tail.version, version)
        check_chain(table, entries, tail.head, head)
        return entries
