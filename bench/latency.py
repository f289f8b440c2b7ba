"""How long one command takes when nothing else happens: from its append to its outcome.

The peer is the least that could be: a client that appends an entry, a process blocked on that stream which appends
another and publishes it, and the client hearing of it.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

from bench.measure import Row, Subject
from bench.processes import running, store
from engine.commands import OpenTable, Sit, SitIn, SitOut
from services.inbox import Inbox
from services.reader import OutReader
from services.settings import Settings
from services.store import Client, connect
from services.wire import COMMANDS, Envelope

ROUND_TRIPS = 200
PAUSE_S = 0.002  # between two, so that the worker is idle again
TABLE = "000-idle"
IN, OUT = "bench:in", "bench:out"
ROWS = (Row("idle command to event, p50", "command", "bare round trip", must=1.5, aim=1.2),)


class Idle:
    """A player who comes and goes at a table of his own."""

    def __init__(self, settings: Settings) -> None:
        assert settings.redis_url is not None
        self.inbox = Inbox(connect(settings.redis_url, single=True), settings.backlog)
        self.out = OutReader(connect(settings.redis_url, single=True), [0])
        self.sent = 0
        self.send(OpenTable("razz", {}))
        self.send(Sit(0, "ann", 1000))

    def send(self, command: object) -> None:
        """Append a command and wait for its outcome."""
        self.sent += 1
        self.inbox.append(Envelope(TABLE, "ann", self.sent, COMMANDS.encode(command)))
        while not any(notice.k == self.sent for notice in self.out.read(1000)):
            pass

    def round_trip(self) -> None:
        self.send(SitIn(0, "ann") if self.sent % 2 else SitOut(0, "ann"))


def answer_entries(url: str) -> None:
    """The bare worker: one entry and one message for every entry."""
    client = connect(url, single=True)
    cursor = b"$"
    while True:
        for _, entries in client.xread({IN: cursor}, block=2000) or []:
            for cursor, fields in entries:
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

    def round_trip(self) -> None:
        self.client.execute_command("XADD", IN, "*", "c", b"x" * 40)
        while self.messages.get_message(timeout=1) is None:
            pass


def median_ms(round_trip: Callable[[], None]) -> float:
    """p50 of ROUND_TRIPS, milliseconds."""
    taken = []
    for _ in range(ROUND_TRIPS):
        time.sleep(PAUSE_S)
        start = time.perf_counter()
        round_trip()
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
        yield Subject(
            {"command": lambda: median_ms(idle.round_trip), "bare round trip": lambda: median_ms(bare.round_trip)}, ROWS
        )


if __name__ == "__main__":
    answer_entries(sys.argv[1])
