"""Tables and players as tests tell of them, all by HTTP."""

from __future__ import annotations

import http.client
import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

API = "/api/v1"
QUICK = {"hand_gap_seconds": 0, "seats": 6}
PATIENCE_S = 120


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


@dataclass
class Player:
    story: Story
    seat: int
    name: str
    token: str
    actor: str
    k: int = 0

    def send(self, body: Any, k: int | None = None, wait: int = 5, **headers: str) -> TestResponse:
        """A command under the next key, or the given one; the body may be anything."""
        if k is None:
            self.k += 1
            k = self.k
        return self.story.client.post(
            f"{self.story.path}/commands",
            data=body if isinstance(body, (bytes, str)) else json.dumps(body),
            headers={
                **bearer(self.token),
                "Content-Type": "application/json",
                "Idempotency-Key": str(k),
                "Prefer": f"wait={wait}",
                **headers,
            },
        )

    def act(self, verb: str, amount: int | None = None) -> dict[str, Any]:
        """Do it on the running turn, and it must be allowed."""
        body = {"verb": verb, "turn": self.story.view()["turn"]}
        response = self.send(body if amount is None else {**body, "amount": amount})
        assert response.status_code == 200, response.text
        return dict(response.get_json())

    def actions(self, seat: int | None = None) -> dict[str, Any]:
        """Of his seat, or of the other one where he has two."""
        path = f"{self.story.path}/seats/{self.seat if seat is None else seat}/actions"
        response = self.story.client.get(path, headers=bearer(self.token))
        assert response.status_code == 200, response.text
        return dict(response.get_json())

    def view(self) -> dict[str, Any]:
        return self.story.view(self.token)


@dataclass
class Story:
    client: FlaskClient
    host_token: str
    table: str
    players: dict[int, Player] = field(default_factory=dict)

    @classmethod
    def opened(cls, client: FlaskClient, host_token: str, game: str = "razz", **options: Any) -> Story:
        body = {"game": game, "options": {**QUICK, **options}}
        response = client.post(f"{API}/tables", json=body, headers=bearer(host_token))
        assert response.status_code == 201, response.text
        return cls(client, host_token, response.get_json()["table"])

    @property
    def path(self) -> str:
        return f"{API}/tables/{self.table}"

    def sit(self, seat: int, name: str, chips: int = 1000) -> Player:
        response = self.client.put(f"{self.path}/seats/{seat}", json={"player": name, "chips": chips})
        assert response.status_code == 201, response.text
        told = response.get_json()
        player = Player(self, seat, told["player"], told["token"], told["actor"], told["last"])
        self.players[seat] = player
        return player

    def order(self, state: str) -> None:
        """The host has the table run, pause or close."""
        host = bearer(self.host_token)
        response = self.client.post(f"{self.path}/state", json={"state": state}, headers=host)
        assert response.status_code == 200, response.text

    def row(self, query: str = "") -> dict[str, Any] | None:
        """Of the lobby, among those that fit the query; the other tests' tables do not push it from the page."""
        before = f"{self.table[:4]}0"
        page = self.client.get(f"{API}/tables?limit=200&cursor={before}{query}").get_json()
        return next((row for row in page["items"] if row["table"] == self.table), None)

    def seen(self, token: str = "") -> dict[str, Any]:
        response = self.client.get(self.path, headers=bearer(token) if token else {})
        assert response.status_code == 200, response.text
        return dict(response.get_json())

    def view(self, token: str = "") -> dict[str, Any]:
        return dict(self.seen(token)["view"])

    def until(self, holds: Callable[[dict[str, Any]], bool], seconds: float = 30) -> dict[str, Any]:
        """The public view, once it is as wanted."""
        give_up = time.monotonic() + seconds
        while time.monotonic() < give_up:
            view = self.view()
            if holds(view):
                return view
            time.sleep(0.02)
        raise AssertionError(f"never happened; the table: {view}")

    def dealt(self) -> dict[str, Any]:
        return self.until(lambda view: bool(view["hand"] and view["hand"]["actor"] is not None))

    def on_turn(self) -> Player:
        return self.players[self.dealt()["hand"]["actor"]]

    def waiting(self) -> Player:
        """The player who is not on turn."""
        turn = self.on_turn()
        return next(player for player in self.players.values() if player is not turn)

    def events(self, after: int = 0, token: str = "") -> list[dict[str, Any]]:
        headers = bearer(token) if token else {}
        return list(self.client.get(f"{self.path}/events?after={after}", headers=headers).get_json()["items"])


class Watcher:
    """A live stream over a real connection."""

    def __init__(self, address: str, story: Story, token: str = "", last: int | None = None, accept: str = "") -> None:
        self.connection = http.client.HTTPConnection(address, timeout=60)
        headers = bearer(token) if token else {}
        if last is not None:
            headers["Last-Event-ID"] = str(last)
        if accept:
            headers["Accept"] = accept
        self.connection.request("GET", f"{story.path}/stream", headers=headers)
        self.response = self.connection.getresponse()

    def __enter__(self) -> Watcher:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def close(self) -> None:
        self.response.close()
        self.connection.close()

    def raw(self) -> Iterator[str]:
        """Lines; a stream that only pings does not keep a test waiting for ever."""
        give_up = time.monotonic() + PATIENCE_S
        for line in self.response:
            assert time.monotonic() < give_up, "what was waited for has not come"
            yield line.decode().rstrip("\n")

    def messages(self) -> Iterator[dict[str, Any]]:
        """Server-sent events as `{"kind", "id", "data"}`."""
        message: dict[str, Any] = {"id": None}
        for line in self.raw():
            name, _, value = line.partition(": ")
            if line == "" and "data" in message:
                yield message
                message = {"id": None}
            elif name == "event":
                message["kind"] = value
            elif name == "id":
                message["id"] = int(value)
            elif name == "data":
                message["data"] = json.loads(value)

    def until(self, holds: Callable[[dict[str, Any]], bool]) -> list[dict[str, Any]]:
        """Messages up to the first that is as wanted."""
        found = []
        for message in self.messages():
            found.append(message)
            if holds(message):
                return found
        raise AssertionError("the stream ended")
