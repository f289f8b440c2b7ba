"""What is stored and sent: MessagePack arrays that name their version, so that old ones can be read for ever.

An event or command is ``[version, name, field…]``. Fields are only ever added at the end, with a default; a
change beyond that raises the version and adds an upcaster. Bytes of an event, once stored, are never encoded
again: chain and archive keep the bytes themselves.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Any, NamedTuple, TypeAlias

import msgpack

import engine.commands
import engine.events
from engine.game import games
from engine.refusals import LogBroken
from engine.state import Table
from services.orders import ORDERS

Upcaster: TypeAlias = Callable[[list[Any]], list[Any]]

ENVELOPE_MOST = 2048
"""Bytes of one command in the inbox."""
ENVELOPE = (int, str, str, int, bytes)
"""Version, table, actor, k, command."""
NOTICE = (str, int, int, bytes, str, int, bytes, bytes)
"""Fields of a `Notice`; the last one may be missing."""

# One packer for the process: making one costs more than packing an event with it.
pack: Callable[[Any], bytes] = msgpack.Packer().pack
unpackb, new = msgpack.unpackb, tuple.__new__
NO_FIT = (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError)
"""What an event raises whose fields are not of their kind, or whose table is not the one it happened at."""
FIELDS = slice(2, None)  # of the array: behind version and name
NOT_READ = (LookupError, TypeError, ValueError, msgpack.UnpackException)


class WireError(Exception):
    """Bytes that cannot be read. Texts name the kind, never the content."""


class Unreadable(WireError):
    """No MessagePack, or not of the shape that belongs here."""


class UnknownName(WireError):
    """An event or command this program has never heard of."""


class NewerVersion(WireError):
    """Written by a newer program than this one."""


class TooLong(WireError):
    """A command of more than ENVELOPE_MOST bytes."""


def unpack(data: bytes) -> Any:
    """The value; arrays come as tuples. Raises Unreadable."""
    try:
        return msgpack.unpackb(data, use_list=False)
    except (ValueError, msgpack.UnpackException) as error:
        raise Unreadable("no MessagePack") from error


class Vocabulary:
    """All kinds of one registry (events, commands), to bytes and back."""

    def __init__(self, kinds: Mapping[str, type[Any]], versions: Mapping[str, int]) -> None:
        self._kinds = kinds
        self._versions = versions
        self._heads: dict[type[Any], tuple[int, str]] = {}
        self.current: dict[str, tuple[int, int, type[Any], Any]] = {}  # version, length of the array, kind, `apply`
        self._upcasters: dict[tuple[str, int], Upcaster] = {}

    def upcaster(self, name: str, version: int) -> Callable[[Upcaster], Upcaster]:
        """Decorate the function that turns fields of `version` into those of the next one."""

        def register(upcast: Upcaster) -> Upcaster:
            self._upcasters[name, version] = upcast
            return upcast

        return register

    def encode(self, thing: Any) -> bytes:
        """Bytes of an event or command (a registered NamedTuple of plain values)."""
        try:
            return pack(self._heads[type(thing)] + thing)
        except KeyError:
            return pack(self._head(type(thing)) + thing)

    def decode(self, data: bytes) -> Any:
        """The event or command. Raises Unreadable, UnknownName or NewerVersion; never a half-read one."""
        try:
            value = unpackb(data, use_list=False)
            version, length, kind, _ = self.current[value[1]]
            if value[0] == version and len(value) == length:
                return new(kind, value[FIELDS])  # as the kind itself would, at half the price
        except NOT_READ:
            pass  # met for the first time, of an older version, or not readable at all
        return self.judge(unpack(data))

    def judge(self, value: Any) -> Any:
        """As `decode`, of what has been unpacked: older versions too, and errors by name."""
        match value:
            case (int(version), str(name), *fields):
                return self._make(version, name, fields)
        raise Unreadable("not [version, name, field…]")

    def _head(self, kind: type[Any]) -> tuple[int, str]:
        name = kind.__name__
        if self._kinds.get(name) is not kind:
            raise UnknownName(name)
        head = self._heads[kind] = (self._versions.get(name, 1), name)
        return head

    def _make(self, version: int, name: str, fields: list[Any]) -> Any:
        kind = self._kinds.get(name)
        if kind is None:
            raise UnknownName(name)
        current = self._versions.get(name, 1)
        if version > current:
            raise NewerVersion(f"{name} version {version}, known up to {current}")
        for old in range(version, current):
            fields = self._upcasters[name, old](fields)
        self.current[name] = current, 2 + len(kind._fields), kind, getattr(kind, "apply", None)
        try:
            return kind(*fields)
        except TypeError as error:
            raise Unreadable(f"{name} with {len(fields)} fields") from error


# A game's own events and commands register when its file is imported.
games()
EVENTS = Vocabulary(engine.events.REGISTRY, engine.events.VERSIONS)
COMMANDS = Vocabulary({**engine.commands.REGISTRY, **ORDERS}, {})


def fold(table: Table, stored: Sequence[bytes]) -> None:
    """Let stored events happen to `table`, one after the other: what `decode` and `evolve` do, without making them.

    Raises a WireError at the first event that cannot be read, LogBroken at one that does not fit, with fields of other
    types for instance; those before it have happened.
    """
    current = EVENTS.current
    try:
        for words in arrays(stored):
            try:
                version, length, _, apply = current[words[1]]
                if words[0] != version or len(words) != length:
                    raise LookupError  # of an older version, at best
            except NOT_READ:
                EVENTS.judge(words).apply(table)
            else:
                apply(words[FIELDS], table)  # which asks of an event nothing but its fields, in their order
    except NO_FIT as error:
        raise LogBroken(f"an event does not fit: {type(error).__name__}") from error


def arrays(stored: Sequence[bytes]) -> Iterable[Any]:
    """Unpacked all at once, which is faster than by turns; one by one if one of them is damaged."""
    try:
        return [unpackb(data, use_list=False) for data in stored]
    except NOT_READ:
        return map(unpack, stored)


class Envelope(NamedTuple):
    """A command on its way: `actor` asks, for the `k`-th time, that `command` be done at `table`."""

    table: str
    actor: str
    k: int
    command: bytes

    @property
    def body(self) -> bytes:
        """16 bytes that tell whether a repeated `k` repeats the same command."""
        return sha256(self.command).digest()[:16]


class Recorded(NamedTuple):
    """A command kept beside its first event, for audits: when it counted, who asked. Without seeds."""

    now_ms: int
    actor: str
    k: int
    command: bytes


class Receipt(NamedTuple):
    """The last answer to an actor at a table. `result` is what the worker said, as bytes."""

    k: int
    body: bytes
    result: bytes


class Notice(NamedTuple):
    """One command's outcome on the `out` stream: events `after` + 1 … `version` (none if they are equal)."""

    table: str
    after: int
    version: int
    head: bytes
    actor: str
    k: int
    result: bytes
    body: bytes = b""
    """of the command, as `Envelope.body`: whose outcome this is if a number was used twice"""


def decode_notices(data: bytes) -> list[Notice]:
    """The results of a batch. Raises Unreadable."""
    notices = unpack(data)
    if type(notices) is tuple and all(shape_of(notice) in (NOTICE, NOTICE[:-1]) for notice in notices):
        return [Notice(*notice) for notice in notices]
    raise Unreadable("no notices")


def shape_of(value: Any) -> tuple[type, ...] | None:
    """Of an array, what each of its fields is."""
    return tuple(map(type, value)) if type(value) is tuple else None


def encode_envelope(envelope: Envelope) -> bytes:
    """Bytes for the inbox. Raises TooLong."""
    data = pack((1, *envelope))
    if len(data) > ENVELOPE_MOST:
        raise TooLong(f"{len(data)} bytes, {ENVELOPE_MOST} at most")
    return data


def decode_envelope(data: bytes) -> Envelope:
    """A command from the inbox. Raises a WireError for what no gateway of ours would have written."""
    value = unpack(data)
    if type(value) is tuple and tuple(map(type, value)) == ENVELOPE and value[0] == 1 and value[3] > 0:
        return new(Envelope, value[1:])
    match value:
        case (int(version), *_) if version > 1:
            raise NewerVersion(f"envelope version {version}")
    raise Unreadable("no envelope")


def decode_request(command: bytes) -> Any:
    """The command of an envelope. Only workers make internal ones: those are UnknownName here."""
    request = COMMANDS.decode(command)
    name = type(request).__name__
    if name in engine.commands.INTERNAL:
        raise UnknownName(name)
    return request
