"""`croupier up` as a process of its own, with everything it starts; nothing of it outlives the test."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from secrets import choice
from threading import Timer
from typing import Any, TypeVar

from services.client import Answer, Client
from services.keys import partition_keys
from services.server import end_with_parent, socket_path
from services.store import connect
from tests.house.stacked import FOLDER

ROOT = Path(__file__).parents[2]
PORTS = range(10_000, 32_768)
START_S = 150.0
STOP_S = 60.0
PATIENCE_S = 60.0  # what takes a moment takes long on a machine that does other things too
Found = TypeVar("Found")


def free_port() -> int:
    """Of those that the system gives to nobody by itself: it is still free when it is used, whatever runs beside us."""
    while True:
        port = choice(PORTS)
        with socket.socket() as listener, suppress(OSError):
            listener.bind(("127.0.0.1", port))
            return port


def wait_for(what: Callable[[], Found], why: str, patience_s: float = PATIENCE_S) -> Found:
    """The first answer that is not empty. AssertionError after `patience_s` seconds."""
    give_up = time.monotonic() + patience_s
    while time.monotonic() < give_up:
        if found := what():
            return found
        time.sleep(0.01)
    raise AssertionError(f"waited {patience_s} s in vain: {why}")


@dataclass
class Up:
    """The house in `folder`. `environment` adds to ours; `command` is what starts it, `{port}` filled in."""

    folder: Path
    workers: int = 1
    demo: bool = False
    environment: dict[str, str] = field(default_factory=dict)
    port: int = field(default_factory=free_port)
    token: str = ""
    said: list[str] = field(default_factory=list)
    process: subprocess.Popen[str] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def decks(self) -> Path:
        return self.folder / "decks"

    @property
    def errors(self) -> Path:
        """Where all its processes write their log."""
        return self.folder / "stderr"

    def command(self) -> list[str]:
        words = ["up", str(self.port), str(self.workers), *(["demo"] if self.demo else [])]
        return [sys.executable, "-m", "tests.house.stacked", *words]

    def start(self) -> Up:
        """Returns once it serves. AssertionError with its log if it does not."""
        self.decks.mkdir(parents=True, exist_ok=True)
        chosen = {"CROUPIER_DATA_DIR": str(self.folder / "data"), FOLDER: str(self.decks), **self.environment}
        with self.errors.open("a") as errors:
            self.process = subprocess.Popen(
                self.command(), cwd=ROOT, env={**os.environ, **chosen}, text=True, stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=errors, preexec_fn=end_with_parent,
            )  # fmt: skip
        watchdog = Timer(START_S, self.kill)
        watchdog.start()
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said.append(line.rstrip())
            if line.startswith("host token"):
                self.token = line.split()[-1]
            if line.startswith("Ctrl-C"):
                break
        watchdog.cancel()
        assert self.token, self.errors.read_text()[-3000:]
        return self

    def stop(self, how: signal.Signals = signal.SIGINT) -> int:
        """As the operator would; the exit status."""
        process = self.process
        assert process is not None
        if process.poll() is None:
            process.send_signal(how)
        try:
            return process.wait(STOP_S)
        finally:
            self.kill()

    def kill(self) -> None:
        """Whatever is left of it."""
        if self.process is not None:
            for pid in [self.process.pid, *descendants(self.process.pid)]:
                signal_to(pid, signal.SIGKILL)
            self.process.wait(10)
            if self.process.stdout is not None:
                self.process.stdout.close()

    # --- what tests need of it ---------------------------------------------------------------------------------------

    def client(self, token: str | None = None) -> Client:
        """Over HTTP, by default as the host."""
        return Client(self.url, self.token if token is None else token)

    def store(self) -> Any:
        """Straight into the embedded server."""
        return connect(f"unix://{socket_path((self.folder / 'data').resolve() / 'redis')}")

    def open_table(self, game: str, **options: Any) -> str:
        client = self.client()
        try:
            answer = client.post("/tables", {"game": game, "options": options})
        finally:
            client.close()
        assert answer.status == 201, answer
        return str(answer.body["table"])

    def stack(self, table: str, hands: dict[str, Any]) -> None:
        """From now on this table deals these hands only (see `stacked`)."""
        draft = self.decks / f"{table}.new"
        draft.write_text(json.dumps(hands), "utf-8")
        draft.rename(self.decks / f"{table}.json")

    def pids(self, words: str) -> list[int]:
        """Its processes whose command line holds `words`."""
        assert self.process is not None
        running = processes()
        return [pid for pid in descendants(self.process.pid, running) if words in running[pid][1]]


@contextmanager
def house(folder: Path, **choices: Any) -> Iterator[Up]:
    """A running house that is gone afterwards."""
    up = Up(folder, **choices)
    try:
        yield up.start()
        up.stop()
    finally:
        up.kill()


class Table:
    """A table over HTTP: seats' clients with their numbers."""

    def __init__(self, up: Up, game: str, **options: Any) -> None:
        self.up = up
        self.id = up.open_table(game, **options)
        self.host = up.client()
        self.public = up.client("")
        self.seats: dict[int, Client] = {}
        self.actors: dict[int, str] = {}
        self.k: dict[str, int] = {}
        self.firsts: dict[int, int] = {}

    def sit(self, seat: int, player: str, chips: int, each: int = 1) -> None:
        """On `each` chairs from `seat` on: the session is that of the first and plays them all."""
        client = self.up.client("")
        answer = client.put(f"/tables/{self.id}/seats/{seat}", {"player": player, "chips": chips})
        assert answer.status == 201, answer
        client.token = answer.body["token"]
        self.k[answer.body["actor"]] = 1
        for chair in range(seat, seat + each):
            self.seats[chair], self.actors[chair], self.firsts[chair] = client, answer.body["actor"], seat

    def state(self, state: str) -> Answer:
        return self.host.post(f"/tables/{self.id}/state", {"state": state})

    def command(self, seat: int, **body: Any) -> Answer:
        """The seat's next command; its outcome."""
        actor = self.actors[seat]
        self.k[actor] += 1
        if seat != self.firsts[seat]:
            body["seat"] = seat
        send = partial(self.seats[seat].command, self.id, self.k[actor], body, 10)
        return wait_for(lambda: None if (answer := send()).status == 202 else answer, "the command is decided")

    def see(self, seat: int | None = None) -> dict[str, Any]:
        """The view document, public or a seat's."""
        client = self.public if seat is None else self.seats[seat]
        answer = client.get(f"/tables/{self.id}")
        assert answer.ok, answer
        return answer.body

    def wait(self, what: Callable[[dict[str, Any]], bool], why: str, patience_s: float = PATIENCE_S) -> dict[str, Any]:
        """The first public view of which `what` is true; the service tells when to look again."""
        give_up = time.monotonic() + patience_s
        seen = self.see()
        while not what(seen["view"]):
            assert time.monotonic() < give_up, f"waited {patience_s} s in vain: {why}"
            seen = self.public.get(f"/tables/{self.id}?after={seen['version']}&wait=2").body
        view: dict[str, Any] = seen["view"]
        return view

    def close(self) -> None:
        for client in (self.host, self.public, *self.seats.values()):
            client.close()


# --- processes -------------------------------------------------------------------------------------------------------


def processes() -> dict[int, tuple[int, str]]:
    """pid → parent's pid, whole command line (a piped `ps` may cut it at 80 columns); of everything that runs here."""
    listed = subprocess.run(["ps", "-axwwo", "pid=,ppid=,stat=,args="], capture_output=True, text=True, timeout=10)
    rows = [line.split(None, 3) for line in listed.stdout.splitlines()]
    return {int(row[0]): (int(row[1]), row[3]) for row in rows if len(row) == 4 and not row[2].startswith("Z")}


def descendants(pid: int, running: dict[int, tuple[int, str]] | None = None) -> list[int]:
    """Its children and theirs."""
    found, running = [pid], running or processes()
    for parent in found:
        found += [child for child, (its_parent, _) in running.items() if its_parent == parent]
    return found[1:]


def signal_to(pid: int, what: signal.Signals) -> None:
    try:
        os.kill(pid, what)
    except ProcessLookupError:
        return


def waiting(store: Any, partition: int) -> int:
    """Commands in the inbox that nobody has decided yet."""
    keys = partition_keys(partition)
    cursor = store.hget(keys.own, "cur") or b"0-0"
    return len(store.xrange(keys.inbox, f"({cursor.decode()}", "+"))
