"""A bundle: finished hands of one table in one file, with all that is needed to verify them without the house.

`croupier-bundle/1` and a newline, then MessagePack values one after the other: `[table id, public key of the log]`, and
of each hand `[number, first version, snapshot before, head before, events, hashes, commands, sealed seed, proof]`:

    snapshot before   the bytes that the log of hands has the hash of (nil before the table's first event)
    events, hashes    the stored bytes of each and the chain hash after it, in order
    commands          [number of its first event from 0, time in ms, command] of each that caused events
    sealed seed       only for whoever has the seal key; empty in what the house hands out to everybody
    proof             nil, or [leaf number, audit path, signed note]: the hand's place in the log of hands

The same hand gives the same bytes, once it has a checkpoint. Nothing in it tells a hidden card.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import msgpack

from services.hand_log import HandLog, NoSuchLeaf
from services.reader import Entry
from services.segment import Segment, recorded
from services.wire import Recorded, Unreadable, pack, unpack

MAGIC = b"croupier-bundle/1\n"
MEDIA_TYPE = "application/vnd.croupier.bundle"
FILE_MOST = 256 * 1024 * 1024
EVENTS_MOST = 20_000
"""Events of one hand; it is also the most values that one array of a bundle may announce."""
VALUE_MOST = 32 * 1024
"""Bytes of one event, command, snapshot or note."""
TABLE = re.compile(r"[0-9]{3}-[0-9a-z-]{1,26}")


class BundleBroken(Exception):
    """Not a bundle, or not one of ours. Texts tell the place, never the content."""


class Proof(NamedTuple):
    """The hand is leaf `at` of the log whose head is `note`; `path` leads from leaf to root."""

    at: int
    path: tuple[bytes, ...]
    note: str


class Bundled(NamedTuple):
    """A hand of a bundle. `before`: the snapshot's bytes as they stand in the file."""

    segment: Segment
    before: bytes
    proof: Proof | None


class Bundle(NamedTuple):
    """`key`: the public key of the log's checkpoints, as the house tells it; "" without any."""

    table: str
    key: str
    hands: tuple[Bundled, ...]


# --- writing --------------------------------------------------------------------------------------------------------


def write(segments: Iterable[Segment], log: HandLog, sealed: bool = False) -> Iterator[bytes]:
    """The file of these hands of one table, in order, piece by piece. `sealed`: with their sealed seeds."""
    for number, segment in enumerate(segments):
        if number == 0:
            latest = log.latest()
            yield MAGIC + pack([segment.table, latest.key if latest else ""])
        yield pack(hand_value(segment, proof_of(segment, log), sealed))


def hand_value(segment: Segment, proof: Proof | None, sealed: bool) -> list[Any]:
    commands = [
        [at, kept.now_ms, kept.command]
        for at, entry in enumerate(segment.entries)
        if entry.command
        for kept in [recorded(entry)]
    ]
    events, hashes = [entry.event for entry in segment.entries], [entry.hash for entry in segment.entries]
    return [
        segment.hand, segment.first, pack(segment.before), segment.prev_head, events, hashes, commands,
        segment.sealed_seed if sealed else b"", proof,
    ]  # fmt: skip


def proof_of(segment: Segment, log: HandLog) -> Proof | None:
    """In the earliest checkpoint that has the hand; None before there is one."""
    try:
        at = log.leaf(segment.table, segment.hand).at
    except NoSuchLeaf:
        return None
    kept = log.covering(at)
    return Proof(at, tuple(log.inclusion(at, kept.size)), kept.note) if kept else None


# --- reading --------------------------------------------------------------------------------------------------------


def read(data: bytes) -> Bundle:
    """Raises BundleBroken for whatever we would not have written, before it costs much time or memory."""
    if not data.startswith(MAGIC):
        raise BundleBroken("this is no bundle of croupier")
    if len(data) > FILE_MOST:
        raise BundleBroken(f"a bundle has {FILE_MOST} bytes at most")
    values = values_of(data[len(MAGIC) :])
    match next(values, None):
        case [str(table), str(key)] if TABLE.fullmatch(table) and len(key) < 300:
            hands = tuple(hand_of(table, place, value) for place, value in enumerate(values, 1))
            if not hands:
                raise BundleBroken("there is no hand in it")
            return Bundle(table, key, hands)
    raise BundleBroken("it does not begin with a table")


def values_of(data: bytes) -> Iterator[Any]:
    """The values that follow each other. Lengths are held to what ours have before anything is allocated."""
    unpacker = msgpack.Unpacker(
        use_list=True,
        max_buffer_size=FILE_MOST,
        max_array_len=EVENTS_MOST,
        max_map_len=0,
        max_bin_len=VALUE_MOST,
        max_str_len=VALUE_MOST,
        max_ext_len=0,
    )
    unpacker.feed(data)
    used = 0
    while used < len(data):
        try:
            yield unpacker.unpack()
        except (ValueError, msgpack.UnpackException) as error:
            raise BundleBroken(f"it cannot be read after {used} bytes ({type(error).__name__})") from None
        used = unpacker.tell()


def hand_of(table: str, place: int, value: Any) -> Bundled:
    """Raises BundleBroken."""
    match value:
        case [int(hand), int(first), bytes(before), bytes(head), [*events], [*hashes], [*commands], bytes(seed), proof]:
            numbered = 0 < hand < 2**63 and 0 < first < 2**62
            if numbered and events and len(events) == len(hashes) and len(head) in (0, 32):
                entries = entries_of(place, first, events, hashes, commands_of(place, len(events), commands))
                segment = Segment(table, hand, snapshot_of(place, before), head, entries, seed)
                return Bundled(segment, before, read_proof(place, proof))
    raise BundleBroken(f"its {place}. hand is none")


def entries_of(
    place: int, first: int, events: list[Any], hashes: list[Any], commands: dict[int, bytes]
) -> tuple[Entry, ...]:
    """Raises BundleBroken."""
    if not all(type(event) is bytes for event in events) or not all(is_hash(hash_) for hash_ in hashes):
        raise BundleBroken(f"an event of its {place}. hand is none")
    rows = zip(events, hashes, strict=True)
    return tuple(Entry(first + at, event, hash_, commands.get(at, b"")) for at, (event, hash_) in enumerate(rows))


def commands_of(place: int, count: int, commands: list[Any]) -> dict[int, bytes]:
    """By the number of the event they stand at, as the log keeps them but for who sent them. Raises BundleBroken."""
    kept: dict[int, bytes] = {}
    least = 0
    for command in commands:
        match command:
            case [int(at), int(now_ms), bytes(given)] if least <= at < count:
                kept[at], least = pack(Recorded(now_ms, "", 0, given)), at + 1
            case _:
                raise BundleBroken(f"a command of its {place}. hand is none")
    if 0 not in kept:
        raise BundleBroken(f"its {place}. hand does not begin with a command")
    return kept


def is_hash(value: Any) -> bool:
    return type(value) is bytes and len(value) == 32


def snapshot_of(place: int, before: bytes) -> tuple[Any, ...] | None:
    try:
        value = unpack(before)
    except Unreadable:
        raise BundleBroken(f"the snapshot before its {place}. hand cannot be read") from None
    if value is None or isinstance(value, tuple):
        return value
    raise BundleBroken(f"the snapshot before its {place}. hand is none")


def read_proof(place: int, value: Any) -> Proof | None:
    match value:
        case None:
            return None
        case [int(at), [*path], str(note)] if at >= 0 and all(map(is_hash, path)):
            return Proof(at, tuple(path), note)
    raise BundleBroken(f"the proof of its {place}. hand is none")
