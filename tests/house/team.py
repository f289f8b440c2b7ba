"""Table workers alone, on a store of the test's own: started, stopped and woken one by one."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from services.inbox import Inbox
from services.keys import WORKERS, partition_keys
from services.outcomes import decode_outcome
from services.reader import OutReader
from services.server import end_with_parent
from services.store import now_ms
from services.wire import COMMANDS, Envelope
from tests.house.houses import ROOT, signal_to, wait_for
from tests.house.stacked import FOLDER
from tests.house.storm import Ack

ANSWER_S = 60.0


@dataclass
class Team:
    """Workers of one partition. `folder` holds data, decks and their log."""

    folder: Path
    url: str
    store: Any
    environment: dict[str, str] = field(default_factory=dict)
    members: list[subprocess.Popen[bytes]] = field(default_factory=list)

    @property
    def decks(self) -> Path:
        return self.folder / "decks"

    def hire(self) -> int:
        """One more worker; its pid, once it has signed on."""
        self.decks.mkdir(exist_ok=True)
        chosen = {
            "CROUPIER_REDIS_URL": self.url,
            "CROUPIER_DATA_DIR": str(self.folder / "data"),
            "CROUPIER_PARTITIONS": "1",
            "CROUPIER_LEASE_MS": "500",
            FOLDER: str(self.decks),
        }
        with (self.folder / "stderr").open("a") as errors:
            member = subprocess.Popen(
                [sys.executable, "-m", "tests.house.stacked", "fold"], cwd=ROOT, stderr=errors,
                env={**os.environ, **chosen, **self.environment}, preexec_fn=end_with_parent,
            )  # fmt: skip
        self.members.append(member)
        wait_for(lambda: self.beat(member.pid), "the worker signs on")
        return member.pid

    def dismiss(self, pid: int) -> None:
        """SIGKILL."""
        signal_to(pid, signal.SIGKILL)
        next(member for member in self.members if member.pid == pid).wait(10)

    def close(self) -> None:
        for member in self.members:
            member.kill()
            member.wait(10)

    def beat(self, pid: int) -> int:
        """When the worker last said that it lives; 0: never."""
        beats = self.store.zrange(WORKERS, 0, -1, withscores=True)
        return max([int(at) for name, at in beats if name.startswith(f"{pid}-".encode())], default=0)

    def wake(self, pid: int) -> None:
        """SIGCONT; returns when the worker has gone through its loop again."""
        woken = now_ms(self.store)
        signal_to(pid, signal.SIGCONT)
        wait_for(lambda: self.beat(pid) > woken, "the worker goes on")
        twice = self.beat(pid)
        wait_for(lambda: self.beat(pid) > twice, "and on")

    def owner(self) -> str:
        return str((self.store.hget(partition_keys(0).own, "owner") or b"").decode())


def is_stopped(pid: int) -> bool:
    """It has been stopped by a signal."""
    listed = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, timeout=10)
    return listed.stdout.startswith("T")


def halt(pid: int) -> None:
    signal_to(pid, signal.SIGSTOP)
    wait_for(lambda: is_stopped(pid), "the worker stops")


class Caller:
    """Sends commands of anybody and remembers what was answered."""

    def __init__(self, store: Any) -> None:
        self.inbox = Inbox(store)
        self.out = OutReader(store, [0])
        self.k: dict[tuple[str, str], int] = {}
        self.acks: list[Ack] = []

    def send(self, table: str, actor: str, command: Any) -> int:
        """Into the inbox; its number."""
        k = self.k[table, actor] = self.k.get((table, actor), 0) + 1
        self.inbox.append(Envelope(table, actor, k, COMMANDS.encode(command)))
        return k

    def answer(self, table: str, actor: str, k: int) -> Ack:
        """What the worker says to it. Everything it says is remembered."""
        give_up = time.monotonic() + ANSWER_S
        while time.monotonic() < give_up:
            for notice in self.out.read(100):
                if notice.actor:
                    code, _, after, version = decode_outcome(notice.result)
                    self.acks.append(Ack(notice.table, notice.actor, notice.k, code, after, version))
            for ack in self.acks:
                if (ack.table, ack.actor, ack.k) == (table, actor, k):
                    return ack
        raise AssertionError(f"no answer to {actor}'s command {k} at {table}")

    def ask(self, table: str, actor: str, command: Any) -> Ack:
        return self.answer(table, actor, self.send(table, actor, command))
