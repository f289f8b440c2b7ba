"""How the service is: who owns the partitions, what waits, what stands still. For hosts and monitoring."""

from __future__ import annotations

from typing import Any

from services.inbox import arrived_ms
from services.keys import WORKERS, partition_keys
from services.reader import Reader
from services.store import Client, now_ms, typed_errors
from services.wire import Unreadable, unpack

START = "0-0"


def partitions(client: Client, count: int) -> list[dict[str, Any]]:
    """One row each: owner and how long its lease runs (ms), commands that wait and since when (ms), clocks, hands."""
    now = now_ms(client)
    return [partition_row(client, partition, now) for partition in range(count)]


def partition_row(client: Client, partition: int, now: int) -> dict[str, Any]:
    keys = partition_keys(partition)
    with typed_errors():
        owner, until, epoch, cursor = client.hmget(keys.own, "owner", "until", "epoch", "cur")
        waiting = client.xrange(keys.inbox, f"({(cursor or START.encode()).decode()}", "+", 1)
        row = {
            "inbox": client.xlen(keys.inbox),
            "clocks": client.zcard(keys.due),
            "unarchived": client.zcard(keys.seal),
            "tables": client.hlen(keys.tables),
        }
    left = int(until or 0) - now
    return {
        "partition": partition,
        "owner": owner.decode() if owner and left > 0 else None,
        "lease_ms": max(0, left),
        "epoch": int(epoch or 0),
        "lag_ms": max(0, now - arrived_ms(waiting[0][0].decode())) if waiting else 0,
        **row,
    }


def workers(client: Client) -> list[dict[str, Any]]:
    """Table workers that have signed on, with the age of their last heartbeat (ms)."""
    now = now_ms(client)
    with typed_errors():
        found = client.zrange(WORKERS, 0, -1, withscores=True)
    return [{"worker": name.decode(), "silent_ms": max(0, now - int(beat))} for name, beat in found]


def frozen(reader: Reader, count: int) -> list[dict[str, Any]]:
    """Tables stopped by a fault: its kind and where in the program it happened. Never the command's content."""
    return [
        {"table": table, "error": why[0], "where": why[1]}
        for partition in range(count)
        for table, parked in sorted(reader.parked(partition).items())
        if (why := reason(parked))
    ]


def reason(parked: bytes) -> tuple[str, str] | None:
    """Kind and place of a fault as the worker wrote them; None for what somebody else has put there."""
    try:
        _, kind, where = unpack(parked)
    except (TypeError, ValueError, Unreadable):
        return None
    return kind, where
