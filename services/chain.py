"""The hash chain over a table's events, exactly over the bytes that are stored.

h_0 = SHA-256(0x03 ‖ table id ‖ bytes of TableOpened)
h_n = SHA-256(0x02 ‖ h_{n-1} ‖ length of the event bytes (4 bytes) ‖ event bytes)

The opening event is version 1 and has h_0, so the event of version v has h_{v-1}.
"""

from collections.abc import Iterable
from hashlib import sha256


def first_hash(table: str, opened: bytes) -> bytes:
    """h_0, the chain hash of a table's first event."""
    return sha256(b"\x03" + table.encode("ascii") + opened).digest()


def next_hash(head: bytes, event: bytes) -> bytes:
    """The chain hash of an event that follows `head`."""
    return sha256(b"\x02" + head + len(event).to_bytes(4) + event).digest()


def extend(table: str, head: bytes, events: Iterable[bytes]) -> list[bytes]:
    """Chain hashes of new events. `head` is b"" for a table that does not exist yet."""
    hashes = []
    for event in events:
        head = next_hash(head, event) if head else first_hash(table, event)
        hashes.append(head)
    return hashes
