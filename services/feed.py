"""The one reader of the partitions' results in a process, whatever the number of clients that wait for them.

Notices are hints: they may come late or be missed while the store is away. So whoever waits looks at the stored
receipt or view when his patience ends, and followers are woken from time to time without any news.
"""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeAlias

import structlog

from services.reader import OutReader
from services.store import Client, StoreError, typed_errors
from services.wire import Notice

BLOCK_MS = 1000
PAUSE_S = 0.5
"""Between attempts while the store is away."""
SET_S = 10.0
"""Between two looks at the store's clock."""

Follower: TypeAlias = Callable[[list[Notice]], None]
CommandKey: TypeAlias = tuple[str, str, int, bytes]
"""table, actor, k, and the command's `Envelope.body`"""
log = structlog.get_logger()


class Waiter:
    """Wakes up once. `result`: what the worker said, None while (or because) it was not heard."""

    def __init__(self) -> None:
        self._told = threading.Event()
        self.result: bytes | None = None

    def tell(self, result: bytes) -> None:
        self.result = result
        self._told.set()

    def wait(self, seconds: float) -> bytes | None:
        self._told.wait(max(0.0, seconds))
        return self.result


class Feed:
    """Starts its thread when first needed, so that a process may still fork before."""

    def __init__(self, connect: Callable[[], Client], partitions: Sequence[int]) -> None:
        self._connect = connect
        self._partitions = partitions
        self._lock = threading.Lock()
        self._waiters: dict[object, list[Waiter]] = {}
        self._followers: list[Follower] = []
        self._stopping = False
        self._listening = threading.Event()
        self._thread: threading.Thread | None = None
        self.heard_at = 0.0
        """when the store last answered, by `time.monotonic`"""
        self._ahead_ms = 0
        self._set_at = -SET_S

    def follow(self, follower: Follower) -> None:
        """Call `follower` with every batch of notices, and with an empty one after a second without news.

        Followers come in their order, and before whoever waits: he finds done what they do about it.
        """
        self._followers.append(follower)

    @contextmanager
    def outcome_of(self, key: CommandKey) -> Iterator[Waiter]:
        """Wait for a command's result; enter before the command is sent."""
        with self._waiting(key) as waiter:
            yield waiter

    @contextmanager
    def change_of(self, table: str) -> Iterator[Waiter]:
        """Wait for the next events of a table; enter before looking at its version."""
        with self._waiting(table) as waiter:
            yield waiter

    def start(self, patience_s: float = 2.0) -> None:
        """Be listening when this returns, or after so many seconds while the store is away."""
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="feed", daemon=True)
                self._thread.start()
        self._listening.wait(patience_s)

    def stop(self) -> None:
        """End the thread; it may take a second."""
        self._stopping = True
        if self._thread is not None:
            self._thread.join(timeout=2 * BLOCK_MS / 1000)

    @contextmanager
    def _waiting(self, key: object) -> Iterator[Waiter]:
        self.start()
        waiter = Waiter()
        with self._lock:
            self._waiters.setdefault(key, []).append(waiter)
        try:
            yield waiter
        finally:
            with self._lock:
                self._waiters[key].remove(waiter)
                if not self._waiters[key]:
                    del self._waiters[key]

    def _run(self) -> None:
        reader: OutReader | None = None
        while not self._stopping:
            try:
                reader = reader or self._reader()
                self._listening.set()
                self._set_clock(reader)
                notices = reader.read(BLOCK_MS)
            except StoreError as error:
                log.warning("results cannot be read", error=type(error).__name__)
                time.sleep(PAUSE_S)
                continue
            self.heard_at = time.monotonic()
            try:
                self._tell(notices)
            except Exception as error:  # a fault of one follower must not leave the whole process deaf
                log.error("results not passed on", error=type(error).__name__)

    def now_ms(self) -> int:
        """The store's time, by which deadlines are: ours, and how far it was ahead when last looked at."""
        return int(time.time() * 1000) + self._ahead_ms

    def _set_clock(self, reader: OutReader) -> None:
        """Every SET_S seconds. Raises StoreError."""
        if time.monotonic() - self._set_at >= SET_S:
            self._ahead_ms = reader.now_ms() - int(time.time() * 1000)
            self._set_at = time.monotonic()

    def _reader(self) -> OutReader:
        """Raises StoreError: a client with a connection of its own connects at once."""
        with typed_errors():
            return OutReader(self._connect(), self._partitions)

    def _tell(self, notices: list[Notice]) -> None:
        for follower in self._followers:
            follower(notices)
        for notice in notices:
            with self._lock:
                waiters = list(self._waiters.get((notice.table, notice.actor, notice.k, notice.body), ()))
                if notice.version > notice.after:
                    waiters += self._waiters.get(notice.table, ())
            for waiter in waiters:
                waiter.tell(notice.result)
