"""The live stream under gunicorn's gevent worker: how late events come, and what a connection costs."""

from __future__ import annotations

import selectors
import socket
import statistics
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from bench.caller import Caller
from bench.measure import Row, Subject
from bench.processes import running, store
from bench.web import free_port, wait_for
from engine.commands import SitIn, SitOut

TABLES = 200
SECONDS = 5  # of one command a second at each table
PATIENCE_S = 20
CROWD = 1000  # connections that are opened to see what they cost
ROWS = (
    Row("SSE p99, 200 tables, a command a second", "p99", None, must=100, aim=34, unit=" ms"),
    Row("SSE memory a client, 1,000 held", "memory", None, must=40, aim=16, unit=" kB"),
)


class Watcher:
    """One open stream, which has had its snapshot. `heard` is when chunks with events came."""

    def __init__(self, port: int, table: str, selector: selectors.BaseSelector) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=30)
        request = f"GET /api/v1/tables/{table}/stream HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n\r\n"
        self.socket.sendall(request.encode())
        self.heard: list[float] = []
        while b"event: snapshot" not in self.chunk():
            pass
        selector.register(self.socket, selectors.EVENT_READ, self)

    def chunk(self) -> bytes:
        """What comes next."""
        received = self.socket.recv(65_536)
        assert received, "the stream ended"
        return received

    def hear(self) -> None:
        """Take what has come; only events count, not pings."""
        if b"event: event" in self.chunk():
            self.heard.append(time.perf_counter())


class Hall:
    """Many tables with a player each who comes and goes, and watchers."""

    def __init__(self, caller: Caller, port: int) -> None:
        self.caller, self.port = caller, port
        self.tables = [caller.sit_down(f"000-live{number}") for number in range(TABLES)]
        self.selector = selectors.DefaultSelector()
        self.there = True

    def listen(self, until: float) -> None:
        """Hear whatever comes until then."""
        while (left := until - time.perf_counter()) > 0:
            for key, _ in self.selector.select(left):
                key.data.hear()

    def listen_to_all(self, watchers: list[Watcher]) -> None:
        """Until each of them has had an event, at most PATIENCE_S."""
        give_up = time.perf_counter() + PATIENCE_S
        while not all(watcher.heard for watcher in watchers):
            assert time.perf_counter() < give_up, "an event did not arrive"
            self.listen(time.perf_counter() + 0.1)

    def p99_ms(self) -> float:
        """99th percentile of append to event, over all tables, while each gets a command a second."""
        watchers = [Watcher(self.port, table, self.selector) for table in self.tables]
        late: list[float] = []
        for _ in range(SECONDS):
            late += self.one_second(watchers)
        self.dismiss(watchers)
        return 1000 * statistics.quantiles(late, n=100)[98]

    def one_second(self, watchers: list[Watcher]) -> list[float]:
        """A command at every table, spread over a second; how long each event took to arrive."""
        self.there = not self.there
        command = SitIn(0, self.caller.actor) if self.there else SitOut(0, self.caller.actor)
        start = time.perf_counter()
        sent = []
        for place, (table, watcher) in enumerate(zip(self.tables, watchers, strict=True)):
            watcher.heard.clear()
            self.listen(start + place / TABLES)
            sent.append(time.perf_counter())
            self.caller.tell(table, command)
        self.listen_to_all(watchers)
        return [watcher.heard[0] - at for watcher, at in zip(watchers, sent, strict=True)]

    def dismiss(self, watchers: list[Watcher]) -> None:
        for watcher in watchers:
            self.selector.unregister(watcher.socket)
            watcher.socket.close()

    def kilobytes_a_client(self, worker: int, before: int) -> float:
        """Growth of the serving process's own memory, `before` in kB, by CROWD connections that all get an event."""
        watchers = [Watcher(self.port, self.tables[n % TABLES], self.selector) for n in range(CROWD)]
        self.there = not self.there
        for table in self.tables:
            self.caller.ask(table, SitIn(0, self.caller.actor) if self.there else SitOut(0, self.caller.actor))
        self.listen_to_all(watchers)
        grown = private_kb(worker) - before
        self.dismiss(watchers)
        return grown / CROWD


def private_kb(pid: int) -> int:
    """Memory that only this process has, from the kernel's summary of its maps."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith("Private_"))


def child_of(pid: int) -> int:
    """The one worker process of a gunicorn."""
    return int(Path(f"/proc/{pid}/task/{pid}/children").read_text().split()[0])


@contextmanager
def subject() -> Iterator[Subject]:
    """A table worker, the live process, and this process as all the watchers."""
    port = free_port()
    with ExitStack() as stack:
        settings = stack.enter_context(store())
        stack.enter_context(running(settings, "-m", "workers", "fold"))
        live = stack.enter_context(running(settings, "-m", "api", "--port", str(port)))
        wait_for(port, "/healthz")
        hall = Hall(Caller(settings), port)
        worker = child_of(live.pid)
        before = private_kb(worker)
        yield Subject({"p99": hall.p99_ms, "memory": lambda: hall.kilobytes_a_client(worker, before)}, ROWS)
