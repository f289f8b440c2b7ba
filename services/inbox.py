"""The commands' way in: one stream per partition. Redis gives the ids: they are the times of arrival."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any, NamedTuple

from services.keys import partition_keys, partition_of
from services.scripts import Script
from services.store import Client, StoreError, read_streams, typed_errors
from services.wire import Envelope, Unreadable, encode_envelope


class Backlog(StoreError):
    """The partition has more unprocessed commands than it may: try again later."""


class ClaimLost(Exception):
    """What a command's sender believed when he was let in is true no longer: nothing was appended."""


class Claim(NamedTuple):
    """What must still be stored in a HASH of the table when its command is appended."""

    key: str
    field: str
    value: bytes


class Arrival(NamedTuple):
    """One entry: `data` is an encoded envelope, still unread."""

    id: str
    data: bytes

    @property
    def at_ms(self) -> int:
        """When it counts as having arrived."""
        return arrived_ms(self.id)


def arrived_ms(inbox_id: str) -> int:
    """The milliseconds of an inbox id."""
    return int(inbox_id.partition("-")[0])


def require_home(table: str, partition: int) -> None:
    """A command's table lives in this partition, by its id: what is answered is kept with it. Raises Unreadable."""
    with suppress(ValueError):
        if partition_of(table) == partition:
            return
    raise Unreadable("a command for no table of this partition")


class Inbox:
    """Appends commands (the API) and reads them (the workers); up to 64 partitions per client."""

    _append = Script("append")

    def __init__(self, client: Client, backlog: int = 1000) -> None:
        self._client = client
        self._backlog = backlog

    def append(self, envelope: Envelope, claim: Claim | None = None) -> str:
        """Put a command into its table's partition; returns the inbox id.

        Raises ClaimLost, Backlog or StoreRefused (nothing was appended), TooLong, or OutcomeUnknown: then send the
        same envelope again, the worker knows a repeated `k`. The inbox counts what the commits' cheap trimming has
        left, too: up to a hundred entries.
        """
        keys = [partition_keys(partition_of(envelope.table)).inbox]
        words: list[Any] = [encode_envelope(envelope), self._backlog]
        if claim is not None:
            keys.append(claim.key)
            words += claim.field, claim.value
        answer = self._append.call(self._client, keys, words)
        match answer[0]:
            case b"OK":
                return str(answer[1].decode())
            case b"LOST":
                raise ClaimLost
            case _:
                raise Backlog(keys[0])

    def read(self, cursors: Mapping[int, str], count: int, block_ms: int) -> list[tuple[int, list[Arrival]]]:
        """New entries after each partition's cursor, at most `count` of each; [] after `block_ms` of none."""
        streams = {partition_keys(partition).inbox: partition for partition in cursors}
        found = read_streams(
            self._client, {key: cursors[partition] for key, partition in streams.items()}, count, block_ms
        )
        return [(streams[key], arrivals(entries)) for key, entries in found]

    def drain(self, partition: int, cursor: str, until_ms: int) -> list[Arrival]:
        """All entries after the cursor that arrived at or before `until_ms`: they beat a deadline of then."""
        with typed_errors():
            found = self._client.xrange(partition_keys(partition).inbox, f"({cursor}", str(until_ms))
        return arrivals(found)


def arrivals(entries: list[tuple[bytes, dict[bytes, Any]]]) -> list[Arrival]:
    """From redis-py's shape. An entry without a command is somebody's mistake and is read as an empty one."""
    return [Arrival(id_.decode(), fields.get(b"c", b"")) for id_, fields in entries]
