"""A whole house on one machine: the embedded server, table workers, chores, API, and in a demo the bots.

The house starts processes and keeps them running; it knows them by their command lines only.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from services.server import end_with_parent
from services.settings import Settings
from services.store import StoreUnfit

RESTART_PAUSE_S = 1.0
STORE_PAUSE_S = 5.0
READY_S = 120.0  # a busy machine takes its time to import everything
STOP_PATIENCE_S = 10.0
Process = subprocess.Popen[bytes]


@dataclass
class Member:
    """One process of the house, started again when it ends by itself."""

    name: str
    command: list[str]
    process: Process | None = None
    started: float = 0.0

    def start(self, environment: dict[str, str]) -> None:
        self.started = time.monotonic()
        self.process = subprocess.Popen(
            self.command,
            env=environment,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=end_with_parent if sys.platform == "linux" else None,
        )

    def stop(self) -> None:
        """Ask it to finish what it is doing; insist after a while."""
        if self.process is None or self.process.poll() is not None:
            return
        self.process.terminate()
        try:
            self.process.wait(STOP_PATIENCE_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


@dataclass
class House:
    """`worker_module` is what table workers and chores run; the tests' stacked decks come in by another one."""

    settings: Settings
    host: str
    port: int
    workers: int = 1
    worker_module: str = "workers"
    members: list[Member] = field(default_factory=list)

    @property
    def url(self) -> str:
        shown = "127.0.0.1" if self.host in ("0.0.0.0", "::") else self.host
        return f"http://{shown}:{self.port}"

    def environment(self) -> dict[str, str]:
        """Settings of this process, as its children read them."""
        chosen = {
            f"CROUPIER_{name.upper()}": str(value)
            for name, value in self.settings.model_dump().items()
            if value is not None
        }
        return {**os.environ, **chosen, "PYTHONUNBUFFERED": "1"}

    def open(self) -> None:
        """Start workers, chores and API, in this order."""
        python = sys.executable
        for number in range(self.workers):
            self.add(f"worker {number + 1}", [python, "-m", self.worker_module, "fold"])
        self.add("jobs", [python, "-m", self.worker_module, "jobs"])
        self.add("api", [python, "-m", "api", "--host", self.host, "--port", str(self.port)])

    def add(self, name: str, command: list[str]) -> None:
        member = Member(name, command)
        self.members.append(member)
        member.start(self.environment())

    def wait_until_ready(
        self, keep_store: Callable[[], None], stopped: Callable[[], bool] = lambda: False, patience_s: float = READY_S
    ) -> bool:
        """Until the API answers that it can serve; False if it does not, or `stopped` comes first. Raises StoreUnfit if
        the store is lost meanwhile for good.
        """
        give_up = time.monotonic() + patience_s
        while time.monotonic() < give_up and not stopped():
            try:
                with urlopen(f"{self.url}/readyz", timeout=2) as answer:
                    if answer.status == 200:
                        return True
            except (URLError, OSError):
                time.sleep(0.1)
            keep_store()
            self.keep()
        return False

    def keep(self) -> None:
        """Start again what has ended."""
        for member in self.members:
            ended = member.process is not None and member.process.poll() is not None
            if ended and time.monotonic() - member.started > RESTART_PAUSE_S:
                print(f"{member.name} ended and is started again", file=sys.stderr)
                member.start(self.environment())

    def run(self, stopped: Callable[[], bool], keep_store: Callable[[], None]) -> None:
        """Until `stopped`. A store that cannot be started, as on a full disk, is tried again; clients have 503."""
        again = 0.0
        while not stopped():
            time.sleep(0.2)
            if time.monotonic() >= again:
                try:
                    keep_store()
                except (StoreUnfit, OSError) as error:
                    print(f"the store cannot be started: {error}; clients wait", file=sys.stderr)
                    again = time.monotonic() + STORE_PAUSE_S
            self.keep()

    def close(self) -> None:
        """In the opposite order: nobody is asked who has already gone."""
        for member in reversed(self.members):
            member.stop()


@contextmanager
def signals() -> Iterator[Callable[[], bool]]:
    """Ctrl-C or SIGTERM become an answer to "stopped?"; a second Ctrl-C insists. A second SIGTERM does not: `timeout`
    tells a process and its group.
    """
    seen: list[int] = []

    def note(signum: int, frame: object) -> None:
        if seen and signum == signal.SIGINT:
            raise KeyboardInterrupt
        seen.append(signum)

    before = {number: signal.signal(number, note) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield lambda: bool(seen)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def free_space(folder: Path) -> int:
    """Bytes left where the data lives."""
    stats = os.statvfs(folder)
    return stats.f_bavail * stats.f_frsize
