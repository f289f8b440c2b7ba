"""A running service under load: players over HTTP, and the proof from the log that each command counted once.

Every table has one player of commands and one reader of its live stream. A command's latency is the time from
submitting it until the stream shows its effect.
"""

from __future__ import annotations

import http.client
import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Set
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from engine.game import find_game
from services.client import Answer, Client, Unreachable, good
from services.policies import POLICIES, Draw, offers_of
from services.sitting_down import usual_buy_in

SEATS = 4
STREAM_PATIENCE_S = 40.0
SEEN_PATIENCE_S = 10.0
REPEATS = 5
"""Of a command whose outcome is not known: after a second each."""
DECISIONS = (
    "Folded", "Checked", "Called", "RaisedTo", "BroughtIn", "Bought", "ChoiceSealed", "Fee", "Revealed", "Sold",
)  # fmt: skip
"""Events that come from a player's command, or from a clock (then TimedOut is right before)."""


class Report(NamedTuple):
    """`lost`: accepted commands without their event in the log. `doubled`: events of decisions nobody sent."""

    commands: int
    commands_per_second: float
    p50_ms: float
    p99_ms: float
    errors: int
    codes: dict[str, int]
    lost: int
    doubled: int


class Stream:
    """The live stream of a table, read by a thread: the latest view, and when each version was first seen."""

    def __init__(self, url: str, table: str) -> None:
        parts = urlsplit(url)
        self._connection = http.client.HTTPConnection(
            parts.hostname or "127.0.0.1", parts.port or 80, timeout=STREAM_PATIENCE_S
        )
        self._path = f"{parts.path.rstrip('/')}/api/v1/tables/{table}/stream"
        self._news = threading.Condition()
        self._closed = False
        self.view: dict[str, Any] = {}
        self.seen: dict[int, float] = {}
        self.version = 0
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def wait_for(self, version: int, patience_s: float) -> bool:
        """Until the stream has shown a state of at least that version."""
        with self._news:
            return self._news.wait_for(lambda: self.version >= version, patience_s)

    def close(self) -> None:
        """Stop reading."""
        self._closed = True
        self._connection.close()

    def _read(self) -> None:
        while not self._closed:
            try:
                self._connection.request("GET", self._path, headers={"Accept": "text/event-stream"})
                for kind, id_, data in frames(self._connection.getresponse()):
                    self._take(kind, id_, data)
            # ValueError and AttributeError are what http.client raises when it is closed while it reads.
            except (http.client.HTTPException, OSError, ValueError, AttributeError):
                self._connection.close()
                time.sleep(0.2)

    def _take(self, kind: str, id_: int | None, data: str) -> None:
        with self._news:
            now = time.perf_counter()
            if id_ is not None:
                self.seen.setdefault(id_, now)
            if kind != "event":
                state = json.loads(data)
                self.view, self.version = state["view"], state["version"]
                self.seen.setdefault(self.version, now)
            self._news.notify_all()


def frames(response: http.client.HTTPResponse) -> Iterator[tuple[str, int | None, str]]:
    """Kind, id and data of each frame of an event stream (WHATWG HTML, 9.2.6)."""
    kind, id_, data = "message", None, ""
    while line := response.readline():
        field, _, value = line.decode().rstrip("\n").partition(": ")
        if field == "event":
            kind = value
        elif field == "id":
            id_ = int(value)
        elif field == "data":
            data = value
        elif not field and data:
            yield kind, id_, data
            kind, id_, data = "message", None, ""


class Table:
    """One table under load: opens it, sits down, acts for every seat, every `interval_s` from `first_s` on."""

    def __init__(self, url: str, host: Client, game: str, number: int, interval_s: float, first_s: float) -> None:
        options = {"name": f"load {number}", "hand_gap_seconds": 0, "seats": SEATS}
        opened = good(host.post("/tables", {"game": game, "options": options}))
        self.id: str = opened["table"]
        self._client = Client(url)
        self._draw = Draw(number)
        self._interval_s = interval_s
        self._first_s = first_s
        self._stack = usual_buy_in(host, self.id)
        self._each = find_game(game).seats_each
        self._sessions = {seat: self._sit(seat) for seat in range(0, SEATS, self._each)}
        self._stream = Stream(url, self.id)
        self.latencies: list[float] = []
        self.accepted: dict[int, int] = {}
        """version of a decision's event → how many commands claim it"""
        self.codes: Counter[str] = Counter()
        self.unknown = 0
        """commands of which the service never said what became of them"""

    def play(self, until: float) -> None:
        """Act whenever somebody has the turn, until that moment (`time.perf_counter`)."""
        self._stream.wait_for(1, SEEN_PATIENCE_S)
        pause(self._first_s, until)
        while (now := time.perf_counter()) < until:
            if not self._act():
                self._look_after()
                self._stream.wait_for(self._stream.version + 1, 0.5)
            pause(now + self._interval_s - time.perf_counter(), until)
        self._stream.close()

    def _sit(self, seat: int) -> list[Any]:
        """Token, and the number of the last command."""
        seated = good(self._client.put(f"/tables/{self.id}/seats/{seat}", {"player": f"p{seat}", "chips": self._stack}))
        return [seated["token"], seated["last"]]

    def _act(self) -> bool:
        """One decision, if there is one to take."""
        view = self._stream.view
        hand = view["hand"]
        if hand is None or not hand["legal"]:
            return False
        legal = {verb: (bounds[0], bounds[1]) for verb, bounds in hand["legal"].items()}
        offers = offers_of(hand["choices"], hand.get("market", {}))
        verb, amount, args = POLICIES["random"](legal, float, self._draw, offers)
        body = {"verb": verb, "turn": view["turn"], "seat": hand["actor"], **(args or {})}
        if amount is not None:
            body["amount"] = amount
        started = time.perf_counter()
        answer = self._command(hand["actor"], body)
        if answer.ok:
            self._count(answer.body, started)
        return True

    def _command(self, seat: int, body: dict[str, Any]) -> Answer:
        """Send it, and again under the same number for as long as nobody knows what became of it."""
        session = self._sessions[seat - seat % self._each]
        session[1] += 1
        self._client.token = session[0]
        answer = Answer(0, {})
        for _ in range(REPEATS):
            try:
                answer = self._client.command(self.id, session[1], body)
            except Unreachable:
                answer = Answer(0, {"code": "unreachable"})
            if not unknown(answer):
                break
            time.sleep(1)
        self.unknown += unknown(answer)
        if not answer.ok:
            self.codes[answer.code] += 1
        return answer

    def _count(self, body: dict[str, Any], started: float) -> None:
        """An accepted command: its event, and how long it took to be seen."""
        for event in body["events"]:
            if event["event"] in DECISIONS:
                self.accepted[event["version"]] = self.accepted.get(event["version"], 0) + 1
                break
        if self._stream.wait_for(body["version"], SEEN_PATIENCE_S):
            first = min(at for version, at in self._stream.seen.items() if version >= body["version"])
            self.latencies.append(1000 * (first - started))
        self._stream.seen.clear()

    def _look_after(self) -> None:
        """Between hands the broke buy in again, unless they play a tournament."""
        view = self._stream.view
        if "tournament" in view:
            return
        for seat, place in enumerate(view["seats"]):
            if place is not None and place["chips"] < self._stack // 5:
                self._command(seat, {"verb": "add_chips", "amount": self._stack - place["chips"]})
            if place is not None and place["sitting_out"]:
                self._command(seat, {"verb": "sit_in"})

    def proof(self) -> tuple[int, int]:
        """Lost and doubled commands: what players were told, against what the log says."""
        return compare(self.accepted, decisions(log_of(self._client, self.id)), self.unknown)


def pause(seconds: float, until: float) -> None:
    """That long, but not beyond that moment."""
    time.sleep(max(0.0, min(seconds, until - time.perf_counter())))


def compare(claimed: Mapping[int, int], logged: Set[int], unknown: int) -> tuple[int, int]:
    """Lost: claimed by a player (or by two) without an event of its own. Doubled: logged and claimed by nobody."""
    lost = sum(version not in logged for version in claimed) + sum(count - 1 for count in claimed.values())
    return lost, max(0, len(logged - claimed.keys()) - unknown)


def unknown(answer: Answer) -> bool:
    """Nobody knows yet whether the command counted."""
    return answer.status in (0, 202, 429) or answer.status >= 500


def decisions(events: Iterator[dict[str, Any]]) -> set[int]:
    """Versions of decisions that players took themselves."""
    taken: set[int] = set()
    timed_out = False
    for event in events:
        if event["event"] in DECISIONS and not timed_out:
            taken.add(event["version"])
        timed_out = event["event"] == "TimedOut"
    return taken


def log_of(client: Client, table: str) -> Iterator[dict[str, Any]]:
    """All events of a table, as everybody may see them."""
    after: int | None = 0
    while after is not None:
        page = good(client.get(f"/tables/{table}/events?after={after}&limit=1000"))
        yield from page["items"]
        after = page["next"]


def run(
    url: str,
    host: Client,
    games: list[str],
    tables: int,
    seconds: float,
    rate: float | None,
    progress: Callable[[float], object] = lambda seconds: None,
) -> Report:
    """Play `tables` tables for that long, together at most `rate` commands a second (None: as fast as it goes).

    They take turns, for what people do at many tables does not come in bursts.
    """
    interval = tables / rate if rate else 0.0
    playing = [Table(url, host, games[at % len(games)], at, interval, at * interval / tables) for at in range(tables)]
    until = time.perf_counter() + seconds
    threads = [threading.Thread(target=table.play, args=(until,), daemon=True) for table in playing]
    for thread in threads:
        thread.start()
    while (left := until - time.perf_counter()) > 0:
        time.sleep(min(0.5, left))
        progress(seconds - left)
    for thread in threads:
        thread.join()
    for table in playing:
        good(host.post(f"/tables/{table.id}/state", {"state": "closed", "why": "end of the load"}))
    return report(playing, seconds)


def report(playing: list[Table], seconds: float) -> Report:
    """What all tables together say."""
    latencies = sorted(latency for table in playing for latency in table.latencies)
    proofs = [table.proof() for table in playing]
    codes = sum((table.codes for table in playing), Counter[str]())
    return Report(
        commands=len(latencies),
        commands_per_second=round(len(latencies) / seconds, 1),
        p50_ms=quantile(latencies, 0.5),
        p99_ms=quantile(latencies, 0.99),
        errors=codes.total(),
        codes=dict(codes),
        lost=sum(lost for lost, _ in proofs),
        doubled=sum(doubled for _, doubled in proofs),
    )


def quantile(values: list[float], part: float) -> float:
    """Of sorted values; 0.0 of none."""
    return round(values[min(len(values) - 1, int(part * len(values)))], 1) if values else 0.0
