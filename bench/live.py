"""The live stream: how late an event comes after its command was posted, and what a connection costs.

Lateness is that of the whole service as `croupier up` starts it (worker, chores, API, store), with players over HTTP.
"""

from __future__ import annotations

import selectors
import statistics
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from bench.caller import Caller
from bench.crowd import PATIENCE_S, Player, Round, Stream, open_table
from bench.measure import Row, Subject
from bench.processes import free_port, house, running, store, wait_for
from engine.commands import SitIn, SitOut
from services.client import Client
from services.settings import Settings

TABLES = 200
GAMES = ("razz", "omaha8")
SECONDS = 10  # of one command a second at each table
CROWD = 1000  # connections that are opened to see what they cost
CROWDED = 200  # tables that they watch
ROWS = (
    Row("POST to event on SSE p99, 200 tables", "p99", None, must=25, aim=15, unit=" ms"),
    Row("SSE memory a client, 1,000 held", "memory", None, must=40, aim=16, unit=" kB"),
)


class Play:
    """200 tables of two players with a watcher each, in the house at `port`."""

    def __init__(self, port: int, folder: Path) -> None:
        host = Client(f"http://127.0.0.1:{port}", (folder / "host.token").read_text().strip())
        selector = selectors.DefaultSelector()
        opened = [open_table(host, GAMES[number % len(GAMES)], number) for number in range(TABLES)]
        self.round = Round([Player(port, *table, selector, at) for at, table in enumerate(opened)], selector)
        self.late: list[float] = []

    def p99_ms(self) -> float:
        """99th percentile of a command's way from the POST to the last of its events on the stream."""
        late = self.round.play(SECONDS)
        self.late += late
        return 1000 * statistics.quantiles(late, n=100)[98]

    def note(self) -> str:
        cuts = [1000 * cut for cut in statistics.quantiles(self.late, n=1000)]
        return (
            f"{len(self.late)} commands, {TABLES} tables, durability standard: p50 {cuts[499]:.1f}, "
            f"p90 {cuts[899]:.1f}, p99 {cuts[989]:.1f}, p99.9 {cuts[998]:.1f} ms"
        )


class Hall:
    """Tables with a player each who comes and goes, and far more streams than tables."""

    def __init__(self, settings: Settings) -> None:
        self.settings, self.caller = settings, Caller(settings)
        self.tables = [self.caller.sit_down(f"000-live{number}") for number in range(CROWDED)]
        self.there = True

    def kilobytes_a_client(self) -> float:
        """Growth of a fresh process by CROWD connections: one that has had others before has not given all back."""
        port = free_port()
        with running(self.settings, "-m", "api", "--port", str(port)) as live:
            wait_for(port, "/healthz")
            return self.grown_kb(port, child_of(live.pid)) / CROWD

    def grown_kb(self, port: int, worker: int) -> float:
        """The process's own memory once all connections have had an event, less what it was before."""
        before, selector = private_kb(worker), selectors.DefaultSelector()
        streams = [Stream(port, self.tables[n % CROWDED], selector) for n in range(CROWD)]
        self.there = not self.there
        for table in self.tables:
            self.caller.ask(table, SitIn(0, self.caller.actor) if self.there else SitOut(0, self.caller.actor))
        give_up = time.perf_counter() + PATIENCE_S
        while not all(len(stream.heard) > 1 for stream in streams):
            assert time.perf_counter() < give_up, "an event did not arrive"
            for key, _ in selector.select(0.1):
                key.data.hear()
        grown = private_kb(worker) - before
        for stream in streams:
            stream.close(selector)
        return grown


def private_kb(pid: int) -> int:
    """Memory that only this process has, from the kernel's summary of its maps."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith("Private_"))


def child_of(pid: int) -> int:
    """The one worker process of a gunicorn."""
    return int(Path(f"/proc/{pid}/task/{pid}/children").read_text().split()[0])


@contextmanager
def subject() -> Iterator[Subject]:
    """A whole house; and beside it a table worker for a live process that is weighed alone."""
    with ExitStack() as stack:
        play = Play(*stack.enter_context(house("standard")))
        settings = stack.enter_context(store())
        stack.enter_context(running(settings, "-m", "workers", "fold"))
        hall = Hall(settings)
        yield Subject({"p99": play.p99_ms, "memory": hall.kilobytes_a_client}, ROWS, lambda: [play.note()])
