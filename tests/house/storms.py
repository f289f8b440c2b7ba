"""A house under load whose processes are killed and stopped, one after the other, while it is told what to do."""

from __future__ import annotations

import signal
import threading
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from services.keys import partition_keys
from services.server import socket_path, start_server
from services.settings import Settings
from services.store import StoreError, connect
from tests.house.houses import Up, house, signal_to, wait_for
from tests.house.ledger import Ledger
from tests.house.storm import OPTIONS, PARTITIONS, Ack, Crowd, Patron

ENVIRONMENT = {
    "CROUPIER_LEASE_MS": "1000",
    "CROUPIER_PARTITIONS": str(PARTITIONS),
    "CROUPIER_DURABILITY": "standard",
    "CROUPIER_BACKLOG": "10000",
}
ROUND = ("kill worker", "kill api", "kill worker", "stop worker", "kill worker", "kill server", "kill worker")
TABLES = 24
PATRONS = 3
BREATH = 80
"""Acknowledgements between two blows: the service works again, or there would be none."""


@dataclass
class Outcome:
    """What a storm came to. `wrong` must be empty."""

    blows: Counter[str]
    acks: list[Ack]
    hands: int
    troubles: int
    wrong: list[str]


@dataclass
class Storm:
    """`up` runs two workers; the crowd and the patrons run in threads of ours."""

    up: Up
    blows: Counter[str] = field(default_factory=Counter)
    turn: int = 0

    def __post_init__(self) -> None:
        self.url = f"unix://{socket_path((self.up.folder / 'data').resolve() / 'redis')}"
        self.crowd = Crowd(self.url, TABLES)
        table = self.up.open_table("omaha8", **OPTIONS)
        self.patrons = [Patron(self.up.url, self.up.token, seat, table) for seat in range(PATRONS)]
        self.tables = [*self.crowd.table_ids, table]
        self.threads = [threading.Thread(target=source.run) for source in (self.crowd, *self.patrons)]

    def acks(self) -> list[Ack]:
        return [*self.crowd.acks, *(ack for patron in self.patrons for ack in patron.acks)]

    def rage(self, rounds: int, acks: int) -> None:
        for thread in self.threads:
            thread.start()
        try:
            self.breathe()
            for blow in ROUND * rounds:
                getattr(self, blow.replace(" ", "_"))()
                self.blows[blow] += 1
                self.breathe()
            wait_for(lambda: len(self.acks()) >= acks, f"{acks} acknowledgements", 120)
        finally:
            for source in (self.crowd, *self.patrons):
                source.stop.set()
            for thread in self.threads:
                thread.join(60)

    def breathe(self) -> None:
        """Go on when the service has answered, to the crowd and to the patrons."""
        crowd, patrons = len(self.crowd.acks), self.http_acks()
        wait_for(lambda: len(self.crowd.acks) >= crowd + BREATH, "commands are answered")
        wait_for(lambda: self.http_acks() >= patrons + PATRONS, "commands over HTTP are answered")

    def http_acks(self) -> int:
        return sum(len(patron.acks) for patron in self.patrons)

    # --- blows -------------------------------------------------------------------------------------------------------

    def worker(self) -> int:
        """One of the workers, another one each time."""
        self.turn += 1
        found = wait_for(lambda: self.up.pids("stacked fold"), "a worker runs")
        return found[self.turn % len(found)]

    def kill_worker(self) -> None:
        signal_to(self.worker(), signal.SIGKILL)

    def stop_worker(self) -> None:
        """A worker sleeps until others own all its partitions, and then goes on as if nothing had happened."""
        pid = self.worker()
        signal_to(pid, signal.SIGSTOP)
        try:
            wait_for(lambda: not self.owned_by(pid), "its partitions are taken over")
        finally:
            signal_to(pid, signal.SIGCONT)

    def kill_api(self) -> None:
        for pid in wait_for(lambda: self.up.pids("-m api"), "the API runs"):
            signal_to(pid, signal.SIGKILL)

    def kill_server(self) -> None:
        (pid,) = wait_for(lambda: self.up.pids("unixsocket:") or self.up.pids("--unixsocket"), "the store runs")
        signal_to(pid, signal.SIGKILL)

    def owned_by(self, pid: int) -> list[int]:
        return [partition for partition in range(PARTITIONS) if self.owner(partition).startswith(f"{pid}-")]

    def owner(self, partition: int) -> str:
        """The worker whose lease runs."""
        client = connect(self.url)
        try:
            return str((client.hget(partition_keys(partition).own, "owner") or b"").decode())
        except StoreError:
            return ""
        finally:
            client.close()


def weather(folder: Path, rounds: int, acks: int, **environment: str) -> Outcome:
    """A house, a storm, and after an orderly end the reckoning, from the store and the archive alone."""
    with house(folder, workers=2, environment={**ENVIRONMENT, **environment}) as up:
        storm = Storm(up)
        storm.rage(rounds, acks)
    told = storm.acks()
    wrong, hands = reckon(folder / "data", storm.tables, told)
    troubles = sum(patron.troubles for patron in storm.patrons)
    return Outcome(storm.blows, told, hands, troubles, wrong)


def reckon(data: Path, tables: list[str], acks: list[Ack]) -> tuple[list[str], int]:
    """What is wrong, and how many hands were decided again, with nothing running but the store."""
    with start_server(Settings(data_dir=data, durability="standard")) as server:
        store: Any = connect(server.url)
        ledger = Ledger(store, data)
        wrong = ledger.judge(tables, acks)
        ledger.close()
        store.close()
    return wrong, ledger.hands
