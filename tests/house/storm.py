"""Many players who command without pause and never give up a command before it is answered.

`Crowd` talks to the inbox and the results directly, for volume; `Patron` is one player over HTTP. Both keep what
they were told: an `Ack` is a promise of the service.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any, NamedTuple

from engine.commands import Act, AddChips, OpenTable, Sit, SitIn, SitOut
from services.client import Client, Unreachable
from services.inbox import Backlog, Inbox
from services.outcomes import decode_outcome
from services.reader import OutReader
from services.store import StoreError, connect
from services.wire import COMMANDS, Envelope

PARTITIONS = 8
REPEAT_S = 1.0
OPTIONS = {
    "seats": 4, "hand_gap_seconds": 1, "action_seconds": 2, "time_bank_seconds": 0, "buy_in.min": 1, "buy_in.max": 0,
}  # fmt: skip


class Ack(NamedTuple):
    """What was said of the actor's k-th command: refused with `code`, or done as events `after` + 1 … `version`.

    A refusal has no events; neither has the host's word that lets a frozen table go on.
    """

    table: str
    actor: str
    k: int
    code: str
    after: int
    version: int


@dataclass
class Actor:
    """One command in flight at a time; `waiting` is repeated as it is until it is answered."""

    table: str
    name: str
    commands: Iterator[Any]
    k: int = 0
    waiting: Envelope | None = None
    sent_at: float = 0.0

    def next(self) -> None:
        command = next(self.commands, None)
        self.k += 1
        self.sent_at = 0.0
        self.waiting = Envelope(self.table, self.name, self.k, COMMANDS.encode(command)) if command else None


def player_commands(seat: int, name: str, random: Random) -> Iterator[Any]:
    """Sits down, then plays whatever comes to mind; much of it is refused, which is an answer too."""
    yield Sit(seat, name, 400)
    while True:
        verb = random.choice(("call", "call", "check", "check", "fold", "bring_in", "muck"))
        yield Act(seat, name, verb, 5 if verb == "bring_in" else None)
        yield random.choice((AddChips(seat, name, 10), SitOut(seat, name), SitIn(seat, name), SitIn(seat, name)))


@dataclass
class Crowd:
    """All players of `tables` tables in one thread, until `stop`."""

    url: str
    tables: int
    seed: int = 1
    acks: list[Ack] = field(default_factory=list)
    stop: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        self.actors: dict[tuple[str, str], Actor] = {}
        for number in range(self.tables):
            table = f"{number % PARTITIONS:03d}-storm{self.seed}x{number}"
            game = ("razz", "omaha8")[number % 2]
            self.add(Actor(table, "host", iter([OpenTable(game, dict(OPTIONS))])))
            for seat in range(4):
                name = f"p{seat}"
                commands = player_commands(seat, name, Random(f"{self.seed} {number} {seat}"))
                self.add(Actor(table, name, commands))

    def add(self, actor: Actor) -> None:
        actor.next()
        self.actors[actor.table, actor.name] = actor

    @property
    def table_ids(self) -> list[str]:
        return sorted({table for table, _ in self.actors})

    def run(self) -> None:
        """Players wait until their table is open: before that they would be refused for ever."""
        client, results = connect(self.url), connect(self.url)
        inbox, out = Inbox(client, backlog=10_000), None
        while not self.stop.is_set():
            try:
                out = out or OutReader(results, range(PARTITIONS))
                self.send(inbox)
                for notice in out.read(50):
                    self.hear(notice)
            except StoreError:
                self.stop.wait(0.1)
        client.close()
        results.close()

    def send(self, inbox: Inbox) -> None:
        """What is new, and again what was not answered in time."""
        now = time.monotonic()
        for actor in self.actors.values():
            opened = actor.name == "host" or self.actors[actor.table, "host"].waiting is None
            if actor.waiting is None or not opened or now - actor.sent_at < REPEAT_S:
                continue
            try:
                inbox.append(actor.waiting)
            except Backlog:
                return
            actor.sent_at = now

    def hear(self, notice: Any) -> None:
        actor = self.actors.get((notice.table, notice.actor))
        if actor is None or actor.waiting is None or notice.k != actor.k:
            return
        outcome = decode_outcome(notice.result)
        self.acks.append(Ack(notice.table, notice.actor, notice.k, outcome.code, outcome.after, outcome.version))
        actor.next()


@dataclass
class Patron:
    """One seat over HTTP. `answered` wakes whoever waits for the next answer."""

    url: str
    host_token: str
    seat: int
    table: str
    acks: list[Ack] = field(default_factory=list)
    stop: threading.Event = field(default_factory=threading.Event)
    troubles: int = 0

    def run(self) -> None:
        client = Client(self.url)
        answer = client.put(f"/tables/{self.table}/seats/{self.seat}", {"player": f"patron{self.seat}", "chips": 400})
        client.token, actor, k = answer.body["token"], answer.body["actor"], 1
        while not self.stop.is_set():
            k += 1
            body = {"verb": "add_chips", "amount": k} if k % 3 else {"verb": "sit_out" if k % 2 else "sit_in"}
            self.insist(client, actor, k, body)
        client.close()

    def insist(self, client: Client, actor: str, k: int, body: dict[str, Any]) -> None:
        """The same command under the same number until there is an answer."""
        while True:
            try:
                answer = client.command(self.table, k, body)
            except Unreachable:
                self.troubles += 1
                time.sleep(0.05)
                continue
            if answer.ok and answer.status == 200:
                version = int(answer.body["version"])
                self.acks.append(Ack(self.table, actor, k, "", version - len(answer.body["events"]), version))
                return
            if answer.status not in (202, 429, 500, 502, 503):
                self.acks.append(Ack(self.table, actor, k, answer.code, 0, 0))
                return
            self.troubles += 1
