"""The commands' way in: one stream per partition. Redis gives the ids: they are the times of arrival."""

import time
from collections.abc import Mapping
from typing import Any, NamedTuple

from services.keys import partition_keys, partition_of
from services.store import Client, StoreError, read_streams, typed_errors
from services.wire import Envelope, encode_envelope

MEASURE_S = 1.0
"""How old the known length of an inbox may be. Every append brings the new one with it."""


class Backlog(StoreError):
    """The partition has more unprocessed commands than it may: try again later."""


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


class Inbox:
    """Appends commands (the API) and reads them (the workers); up to 64 partitions per client."""

    def __init__(self, client: Client, backlog: int = 1000) -> None:
        self._client = client
        self._backlog = backlog
        self._measured: dict[int, tuple[float, int]] = {}

    def append(self, envelope: Envelope) -> str:
        """Put a command into its table's partition; returns the inbox id.

        Raises Backlog or StoreRefused (nothing was appended), TooLong, or OutcomeUnknown: then send the same
        envelope again, the worker knows a repeated `k`.
        """
        data = encode_envelope(envelope)
        partition = partition_of(envelope.table)
        with typed_errors():
            if self._length(partition) >= self._backlog:
                raise Backlog(f"partition {partition}")
            return self._add(partition, data).decode()

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

    def _length(self, partition: int) -> int:
        """Unprocessed entries, and up to a hundred that the commits' cheap trimming has left."""
        now = time.monotonic()
        taken, length = self._measured.get(partition, (0.0, 0))
        if now - taken > MEASURE_S:
            length = self._client.xlen(partition_keys(partition).inbox)
            self._measured[partition] = now, length
        return length

    def _add(self, partition: int, data: bytes) -> bytes:
        key = partition_keys(partition).inbox
        pipeline = self._client.pipeline(transaction=False)
        pipeline.execute_command("XADD", key, "*", "c", data)
        pipeline.execute_command("XLEN", key)
        # Raised by the pipeline an error would carry the command's bytes in its text.
        id_, length = pipeline.execute(raise_on_error=False)
        for answer in (id_, length):
            if isinstance(answer, Exception):
                raise answer
        self._measured[partition] = time.monotonic(), length
        added: bytes = id_
        return added


def arrivals(entries: list[tuple[bytes, dict[bytes, Any]]]) -> list[Arrival]:
    """From redis-py's shape. An entry without a command is somebody's mistake and is read as an empty one."""
    return [Arrival(id_.decode(), fields.get(b"c", b"")) for id_, fields in entries]
