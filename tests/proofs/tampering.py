"""What somebody may do to a hand who can write everything: naively, or with every hash computed anew."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from services.bundle import Bundled
from services.chain import extend
from services.reader import Entry
from services.segment import Segment
from services.wire import EVENTS, pack, unpack

Pair = tuple[bytes, bytes]
"""An event and the command that caused it (b"" for those that follow)."""


def pairs(segment: Segment) -> list[Pair]:
    return [(entry.event, entry.command) for entry in segment.entries]


def rebuilt(segment: Segment, changed: Sequence[Pair], honest: bool = False) -> Segment:
    """The hand with these events and the hashes they give. `honest`: with the old hashes, as far as there are any."""
    events = [event for event, _ in changed]
    hashes = extend(segment.table, segment.prev_head, events)
    if honest:
        old = [entry.hash for entry in segment.entries]
        hashes = (old + hashes[len(old) :])[: len(events)]
    rows = zip(changed, hashes, strict=True)
    entries = tuple(
        Entry(segment.first + at, event, hash_, command) for at, ((event, command), hash_) in enumerate(rows)
    )
    return segment._replace(entries=entries)


def dropped(found: list[Pair], at: int) -> list[Pair]:
    """Without one event; its command stays with the rest of what it caused."""
    command, rest = found[at][1], found[at + 1 :]
    if command and rest and not rest[0][1]:
        rest = [(rest[0][0], command), *rest[1:]]
    return found[:at] + rest


def inserted(found: list[Pair], at: int, event: bytes) -> list[Pair]:
    """With one event more, in front of which its command stays."""
    return [*found[:at], (event, found[at][1]), (found[at][0], b""), *found[at + 1 :]]


def swapped(found: list[Pair], at: int) -> list[Pair]:
    """An event and the next one change places, commands stay where they were."""
    (one, first), (two, second) = found[at], found[at + 1]
    return [*found[:at], (two, first), (one, second), *found[at + 2 :]]


def changed(found: list[Pair], at: int, event: bytes) -> list[Pair]:
    return [*found[:at], (event, found[at][1]), *found[at + 1 :]]


def changes(event: bytes) -> Iterator[tuple[str, bytes]]:
    """The event with each of its fields as another value, by the field's name."""
    version, name, *fields = unpack(event)
    names = type(EVENTS.decode(event))._fields
    for place, (field, value) in enumerate(zip(names, fields, strict=True)):
        for other in others(value):
            yield f"{name}.{field}", pack([version, name, *fields[:place], other, *fields[place + 1 :]])


def others(value: Any) -> Iterator[Any]:
    """Neighbours of a value: one off, one bit off, one character more; of a list, with its first item like that."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield value + 1
    elif isinstance(value, str):
        yield value + "x"
    elif isinstance(value, bytes) and value:
        yield bytes([value[0] ^ 1]) + value[1:]
    elif isinstance(value, tuple) and value:
        yield from ((other, *value[1:]) for other in others(value[0]))
        yield value[1:]


def hand_row(hand: Bundled, segment: Segment) -> bytes:
    """The hand as a bundle has it, with the events of `segment`."""
    events, hashes = [entry.event for entry in segment.entries], [entry.hash for entry in segment.entries]
    return pack([segment.hand, segment.first, hand.before, segment.prev_head, events, hashes, [], b"", hand.proof])
