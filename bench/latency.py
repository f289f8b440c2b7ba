"""How long one command takes when nothing else happens: from its append to its outcome.

The peer is the least that could be: a client that appends an entry, a process blocked on that stream which appends
another and publishes it, and the client hearing of it.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial

from bench.caller import Caller
from bench.measure import Row, Subject
from bench.processes import running, store
from engine.commands import SitIn, SitOut
from services.keys import partition_keys
from services.settings import Settings
from services.store import Client, connect
from services.wire import Notice, unpack

ROUND_TRIPS = 200
PAUSE_S = 0.002  # between two, so that the worker is idle again
IN, OUT = "bench:in", "bench:out"
KEYS = partition_keys(0)
ROWS = (Row("idle command to event, p50", "command", "bare round trip", must=1.5, aim=1.2),)


class Idle:
    """A player who comes and goes at a table of his own, and listens to the outcomes as the API's feed does: a reader
    of theirs is blocked at the server before the command is sent.
    """

    def __init__(self, settings: Settings) -> None:
        assert settings.redis_url is not None
        self.caller = Caller(settings)
        self.table = self.caller.sit_down("000-idle")
        self.client: Client = connect(settings.redis_url, single=True)
        self.cursor = b"$"

    def listen(self) -> None:
        self.client.connection.send_command("XREAD", "BLOCK", 1000, "STREAMS", KEYS.out, self.cursor)

    def round_trip(self) -> None:
        there, actor = self.caller.sent % 2, self.caller.actor
        self.caller.tell(self.table, SitIn(0, actor) if there else SitOut(0, actor))
        while not any(notice.k == self.caller.sent for notice in self.heard()):
            self.listen()

    def heard(self) -> list[Notice]:
        """What the reader was woken by; [] after a second of nothing."""
        found = self.client.parse_response(self.client.connection, "XREAD")
        if not found:
            return []
        ((_, ((self.cursor, fields), *_)),) = found
        return [Notice(*notice) for notice in unpack(fields[b"p"])]


def answer_entries(url: str) -> None:
    """The bare worker: one entry and one message for every entry."""
    client = connect(url, single=True)
    cursor = b"$"
    while True:
        for _, entries in client.xread({IN: cursor}, block=2000) or []:
            cursor = entries[-1][0]
            for _, fields in entries:
                pipeline = client.pipeline(transaction=False)
                pipeline.execute_command("XADD", OUT, "*", "e", fields[b"c"])
                pipeline.execute_command("PUBLISH", OUT, fields[b"c"])
                pipeline.execute()


class Bare:
    """The client of `answer_entries`."""

    def __init__(self, settings: Settings) -> None:
        assert settings.redis_url is not None
        self.client: Client = connect(settings.redis_url, single=True)
        self.messages = connect(settings.redis_url).pubsub(ignore_subscribe_messages=True)
        self.messages.subscribe(OUT)

    def listen(self) -> None:
        """A subscriber always does."""

    def round_trip(self) -> None:
        self.client.execute_command("XADD", IN, "*", "c", b"x" * 40)
        while self.messages.get_message(timeout=1) is None:
            pass


def median_ms(side: Idle | Bare) -> float:
    """p50 of ROUND_TRIPS, milliseconds."""
    taken = []
    for _ in range(ROUND_TRIPS):
        side.listen()
        time.sleep(PAUSE_S)
        start = time.perf_counter()
        side.round_trip()
        taken.append(time.perf_counter() - start)
    return 1000 * statistics.median(taken)


@contextmanager
def subject() -> Iterator[Subject]:
    """The table worker and the bare worker, each a process beside this one."""
    with ExitStack() as stack:
        settings = stack.enter_context(store())
        stack.enter_context(running(settings, "-m", "workers", "fold"))
        stack.enter_context(running(settings, "-m", __name__, str(settings.redis_url)))
        idle, bare = Idle(settings), Bare(settings)
        yield Subject({"command": partial(median_ms, idle), "bare round trip": partial(median_ms, bare)}, ROWS)


if __name__ == "__main__":
    answer_entries(sys.argv[1])
