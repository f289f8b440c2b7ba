"""A finished hand as the log holds it: a piece of a table's log to store, replay and audit by itself.

Segments tile the log. One begins with the first event after the hand before (sitting down, chips) and ends
with the command that ended its own hand, with all that followed from it at once (leavers, waiting chips).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from engine import snapshot
from engine.events import Event, HandEnded, HandStarted, HandVoided, earlier_words
from engine.state import Table
from services.reader import Entry
from services.wire import EVENTS, Recorded, Unreadable, fold, pack, unpack

ENDS = (HandEnded, HandVoided)


class Segment(NamedTuple):
    """Everything of one hand, hidden cards only as a sealed seed."""

    table: str
    hand: int
    before: tuple[Any, ...] | None
    """`engine.snapshot` of the table before the first entry; None at the very beginning of the log"""
    prev_head: bytes
    """chain hash before the first entry; b"" at the very beginning"""
    entries: tuple[Entry, ...]
    sealed_seed: bytes = b""

    @property
    def first(self) -> int:
        """Version of the first event."""
        return self.entries[0].version

    @property
    def last(self) -> int:
        """Version of the last event."""
        return self.entries[-1].version

    @property
    def head(self) -> bytes:
        """Chain hash of the last event."""
        return self.entries[-1].hash

    @property
    def ended_ms(self) -> int:
        """When the command that ended it counted."""
        return next(recorded(entry) for entry in reversed(self.entries) if entry.command).now_ms

    def start(self) -> Table:
        """The table as it was before the first entry."""
        return table_from(self.table, self.before)

    def events(self) -> list[Event]:
        """All events, decoded. Raises a WireError."""
        return [EVENTS.decode(entry.event) for entry in self.entries]

    def end(self) -> Table:
        """The table after the last entry, folded without its deck."""
        table = self.start()
        fold(table, [entry.event for entry in self.entries])
        return table


class Decision(NamedTuple):
    """One recorded command with the entries it caused."""

    recorded: Recorded
    entries: tuple[Entry, ...]


def recorded(entry: Entry) -> Recorded:
    """The command kept at an entry. Raises a WireError."""
    match unpack(entry.command):
        case (int(now_ms), str(actor), int(k), bytes(command)):
            return Recorded(now_ms, actor, k, command)
    raise Unreadable("no recorded command")


def table_from(table_id: str, before: tuple[Any, ...] | None) -> Table:
    """The table of a snapshot, or a new one. ValueError: the snapshot is of a format we do not read."""
    if before is None:
        return Table(table_id)
    table = snapshot.restore(table_id, before)
    if table is None:
        raise ValueError("a snapshot of another format")
    return table


def decisions(entries: Iterable[Entry]) -> Iterator[Decision]:
    """Entries by the command that caused them, which stands at the first of each."""
    group: list[Entry] = []
    for entry in entries:
        if entry.command and group:
            yield Decision(recorded(group[0]), tuple(group))
            group = []
        group.append(entry)
    if group:
        yield Decision(recorded(group[0]), tuple(group))


def told_the_same(entries: Iterable[Entry], events: Iterable[Event]) -> bool:
    """Whether these facts are the stored bytes, in today's words or in the earlier ones."""
    stored, events = [entry.event for entry in entries], list(events)
    if stored == [EVENTS.encode(event) for event in events]:
        return True
    return stored == [pack(words) for event in events for words in earlier_words(event)]


def finished_hands(entries: Iterable[Entry]) -> Iterator[tuple[int, tuple[Entry, ...]]]:
    """Number and entries of every hand that is over; what belongs to no finished hand yet is left out."""
    collected: list[Entry] = []
    number, over = 0, False
    for entry in entries:
        if over and entry.command:
            yield number, tuple(collected)
            collected, over = [], False
        collected.append(entry)
        event = EVENTS.decode(entry.event)
        if isinstance(event, HandStarted):
            number = event.number
        over = over or isinstance(event, ENDS)
    if over:
        yield number, tuple(collected)


def hands_of(
    table: str, entries: Iterable[Entry], before: tuple[Any, ...] | None, head: bytes, seed: Callable[[int], bytes]
) -> Iterator[Segment]:
    """The finished hands among entries that follow a table in the state `before`, whose chain hash was `head`.

    `seed` gives the sealed seed of a hand's number.
    """
    for hand, own in finished_hands(entries):
        segment = Segment(table, hand, before, head, own, seed(hand))
        yield segment
        before, head = snapshot.take(segment.end()), segment.head
