"""Players and watchers of many tables in one thread: commands by POST at fixed times, a live stream of each table."""

from __future__ import annotations

import json
import re
import selectors
import socket
import time
from collections.abc import Callable
from heapq import heapreplace
from random import Random
from typing import Any

from bench.croupier_side import at_random
from bench.http_load import Answer
from services.client import Client

SEATS = 2
PATIENT = {"action_seconds": 600}  # no clock runs out while something else is measured
SIZED = ("bet", "raise", "complete")
IDS = re.compile(rb"^id: (\d+)$", re.MULTILINE)
PATIENCE_S = 20
RETRY_S = 0.005


class Stream:
    """A live stream that has had its snapshot. `view` is the latest; `heard`: (when, version) of each chunk.

    `told` is called after each chunk.
    """

    def __init__(
        self, port: int, table: str, selector: selectors.BaseSelector, told: Callable[[], object] = lambda: None
    ) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=30)
        request = f"GET /api/v1/tables/{table}/stream HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n\r\n"
        self.socket.sendall(request.encode())
        self.heard: list[tuple[float, int]] = []
        self.view: dict[str, Any] = {}  # as of `version`
        self.version = 0
        self.rest = b""
        self.told: Callable[[], object] = lambda: None
        while not self.view:
            self.hear()
        self.told = told
        selector.register(self.socket, selectors.EVENT_READ, self)

    def hear(self) -> None:
        """Take what has come."""
        chunk = self.socket.recv(262_144)
        assert chunk, "the stream ended"
        now = time.perf_counter()
        frames = (self.rest + chunk).split(b"\n\n")
        self.rest = frames.pop()
        for frame in frames:
            if id_ := IDS.search(frame):
                self.heard.append((now, int(id_[1])))
            if b"event: event\n" not in frame and (start := frame.find(b"data: ")) >= 0:
                state = json.loads(frame[start + 6 :])
                self.version, self.view = state["version"], state["view"]
        self.told()

    def close(self, selector: selectors.BaseSelector) -> None:
        selector.unregister(self.socket)
        self.socket.close()


class Player:
    """Acts for both seats of a table of its own; `late` holds seconds from the POST to the last of its events."""

    def __init__(self, port: int, table: str, tokens: list[str], selector: selectors.BaseSelector, number: int) -> None:
        self.table, self.tokens = table, tokens
        self.sent_at = 0.0  # of the command that is on its way, or 0
        self.answered = False
        self.wanted = 0  # the version after the last command that was answered
        self.stream = Stream(port, table, selector, self.settle)
        self.port, self.selector = port, selector
        self.draw = Random(number)
        self.keys = [0] * SEATS
        self.answer = Answer()
        self.socket: socket.socket | None = None
        self.late: list[float] = []

    def connect(self) -> None:
        """Ready to send commands, until `hang_up`: the server ends a connection that is idle for long."""
        self.socket = socket.create_connection(("127.0.0.1", self.port), timeout=30)
        self.selector.register(self.socket, selectors.EVENT_READ, self)

    def hang_up(self) -> None:
        assert self.socket is not None
        self.selector.unregister(self.socket)
        self.socket.close()

    @property
    def free(self) -> bool:
        """Nothing is on its way, the state after it has come, and somebody has the turn."""
        hand = self.stream.view["hand"]
        return not self.sent_at and self.stream.version >= self.wanted and bool(hand and hand["legal"])

    def act(self) -> None:
        """Send a decision of whoever has the turn."""
        view = self.stream.view
        seat = view["hand"]["actor"]
        legal = {verb: (least, most) for verb, (least, most) in view["hand"]["legal"].items()}
        verb = at_random(legal, self.draw.random)
        body: dict[str, Any] = {"verb": verb, "turn": view["turn"]}
        if verb in SIZED:
            body["amount"] = legal[verb][0]
        self.keys[seat] += 1
        self.stream.heard.clear()
        self.answered = False
        assert self.socket is not None
        self.sent_at = time.perf_counter()
        self.socket.sendall(request(self.table, self.tokens[seat], self.keys[seat], json.dumps(body)))

    def hear(self) -> None:
        """Take the answer to the command."""
        assert self.socket is not None
        if self.answer.complete(self.socket.recv(65_536)):
            self.wanted, self.answered = json.loads(self.answer.body)["version"], True
            self.settle()

    def settle(self) -> None:
        """Once answer and events are here: how late the events came."""
        if self.sent_at and self.answered:
            seen = next((at for at, version in self.stream.heard if version >= self.wanted), None)
            if seen is not None:
                self.late.append(seen - self.sent_at)
                self.sent_at = 0.0


def request(table: str, token: str, k: int, body: str) -> bytes:
    """The k-th command of a seat, as a page would send it."""
    return (
        f"POST /api/v1/tables/{table}/commands HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\n"
        f"Idempotency-Key: {k}\r\nPrefer: wait=10\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\n\r\n{body}"
    ).encode()


def open_table(host: Client, game: str, number: int) -> tuple[str, list[str]]:
    """A table with all its seats taken, and their tokens."""
    options = {"name": f"bench {number}", "seats": SEATS, "hand_gap_seconds": 0, "buy_in.max": 0, **PATIENT}
    table = good(host.post("/tables", {"game": game, "options": options}, Prefer="wait=5"))["table"]
    seats = [host.put(f"/tables/{table}/seats/{seat}", {"player": f"p{seat}", "chips": 10**6}) for seat in range(SEATS)]
    return table, [good(seat)["token"] for seat in seats]


def good(answer: Any) -> dict[str, Any]:
    """The body. AssertionError: it was refused."""
    assert answer.ok, answer
    found: dict[str, Any] = answer.body
    return found


class Round:
    """`seconds` of a command a second at each table, evenly spread.

    Where nobody has the turn just then (a hand has ended, the next is being dealt) it is sent as soon as somebody has.
    """

    def __init__(self, players: list[Player], selector: selectors.BaseSelector) -> None:
        self.players, self.selector = players, selector
        self.due: list[tuple[float, int]] = []

    def play(self, seconds: float) -> list[float]:
        """How late every command's events came, in seconds."""
        for player in self.players:
            player.connect()
        start = time.perf_counter()
        self.due = [(start + at / len(self.players), at) for at in range(len(self.players))]
        while time.perf_counter() < start + seconds:
            self.hear(self.due[0][0] - time.perf_counter())
            while self.due[0][0] <= time.perf_counter():
                self.next_command()
        self.finish()
        late = [late for player in self.players for late in player.late]
        for player in self.players:
            player.late.clear()
            player.hang_up()
        return late

    def next_command(self) -> None:
        """Of the table whose time has come."""
        at, number = self.due[0]
        player = self.players[number]
        if player.free:
            player.act()
            heapreplace(self.due, (max(at + 1.0, player.sent_at), number))
        else:
            heapreplace(self.due, (time.perf_counter() + RETRY_S, number))

    def finish(self) -> None:
        """Until all have had their answers and events."""
        give_up = time.perf_counter() + PATIENCE_S
        while any(player.sent_at for player in self.players):
            assert time.perf_counter() < give_up, "an event did not arrive"
            self.hear(0.01)

    def hear(self, patience_s: float) -> None:
        """Whatever comes, or nothing for that long."""
        for key, _ in self.selector.select(max(0.0, patience_s)):
            key.data.hear()
