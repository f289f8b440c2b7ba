"""Everything an outsider can get hold of, as documents: what was said, to whom, about which hand, at which version."""

from __future__ import annotations

import http.client
import json
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from engine.view import view_event
from services.client import Client
from services.public_view import joined
from services.wire import EVENTS, Unreadable, unpack
from tests.house.houses import Up, descendants, processes


class Document(NamedTuple):
    """`number`: the hand it speaks of, None: it may name no card at all. `version`: None if the hand was over.

    `seat`: whose eyes it is for. `raw`: as it came; `text`: what it says, as far as that can be read.
    """

    channel: str
    raw: bytes
    text: str = ""
    number: int | None = None
    version: int | None = None
    seat: int | None = None


# --- the store -------------------------------------------------------------------------------------------------------


def of_store(store: Any, table: str) -> Iterator[Document]:
    """Every key that belongs to the table, and every key that belongs to none."""
    for key in sorted(store.scan_iter("*", count=1000)):
        name = key.decode()
        if ":t:" in name and table not in name:
            continue
        values = list(values_of(store, key))
        if name.endswith(":ev"):
            yield from events_of(values)
        elif name.endswith(":pub"):
            fields = dict(zip(values[::2], values[1::2], strict=True))
            view, version = joined(fields), int(fields[b"ver"])
            yield Document("store pub", b"\0".join(values), json.dumps(view), view["number"], version)
        elif sealed(name):
            yield Document(f"store {name.split(':')[3]}", b"\0".join(values))
        else:
            kind = name.split(":")[-1][:12]
            yield Document(f"store {kind}", b"\0".join([key, *values]), " ".join(strings([key, *values])))


def sealed(name: str) -> bool:
    return ":t:" in name and name.split(":")[3] in ("sec", "seat", "last")


def values_of(store: Any, key: bytes) -> Iterator[bytes]:
    """All a key holds, flat."""
    match store.type(key):
        case b"string":
            yield store.get(key)
        case b"hash":
            yield from (word for pair in store.hgetall(key).items() for word in pair)
        case b"list":
            yield from store.lrange(key, 0, -1)
        case b"set":
            yield from store.smembers(key)
        case b"zset":
            yield from store.zrange(key, 0, -1)
        case b"stream":
            yield from (word for _, fields in store.xrange(key) for pair in fields.items() for word in pair)


def events_of(values: list[bytes]) -> Iterator[Document]:
    """Stored events one by one; each is of the hand that had begun last."""
    number = version = 0
    for name, value in zip(values[::2], values[1::2], strict=True):
        if name == b"e":
            version += 1
            event = EVENTS.decode(value)
            number = event.number if type(event).__name__ == "HandStarted" else number
            yield Document("store ev", value, json.dumps(view_event(event)), number, None)
        else:
            yield Document("store ev", value)


def strings(values: Any) -> Iterator[str]:
    """All texts in values, also in MessagePack within MessagePack."""
    for value in values:
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            yield from strings([*value, *value.values()])
        elif isinstance(value, list | tuple):
            yield from strings(value)
        elif isinstance(value, bytes) and len(value) > 1:
            yield from strings(read(value))


def read(value: bytes) -> list[Any]:
    """MessagePack if it is some, else the text if it is one."""
    try:
        found = unpack(value)
        if isinstance(found, dict | tuple):
            return [found]
    except Unreadable:
        pass
    return [value.decode()] if value.isascii() else []


# --- HTTP ------------------------------------------------------------------------------------------------------------


def of_http(client: Client, table: str, seat: int | None, hands: list[int]) -> Iterator[Document]:
    """Every answer about the table that this client gets."""
    seen = client.get(f"/tables/{table}").body
    number, version = seen["view"]["number"], seen["version"]
    yield said("http view", seen, number, version, seat)
    yield said("http seats", client.get(f"/tables/{table}/seats").body, number, version, seat)
    yield from paged_events(client, table, seat)
    for path in ("chain", "ledger"):
        yield said(f"http {path}", client.get(f"/tables/{table}/{path}").body, None)
    if seat is not None:
        yield said("http actions", client.get(f"/tables/{table}/seats/{seat}/actions").body, number, version, seat)
    for item in client.get(f"/tables/{table}/hands?last=200").body["items"]:
        yield said("http hands", item, item["hand"], None, seat)
    for hand in hands:
        yield from of_hand(client, table, seat, hand)


def said(channel: str, body: Any, number: int | None, version: int | None = None, seat: int | None = None) -> Document:
    text = json.dumps(body)
    return Document(channel, text.encode(), text, number, version, seat)


def paged_events(client: Client, table: str, seat: int | None) -> Iterator[Document]:
    number, after = 0, 0
    while True:
        page = client.get(f"/tables/{table}/events?after={after}&limit=1000").body
        for event in page["items"]:
            number = event["number"] if event["event"] == "HandStarted" else number
            yield said("http events", event, number, event["version"], seat)
        if page["next"] is None:
            return
        after = page["next"]


def of_hand(client: Client, table: str, seat: int | None, hand: int) -> Iterator[Document]:
    """A finished hand, however it can be asked for. What a seat keeps of it for itself (COM-64) is not looked at."""
    base = f"/tables/{table}/hands/{hand}"
    document = client.get(base).body
    document.pop("yours", None)
    yield said("http hand", document, hand, None, seat)
    for view in ("public", "full", *(f"seat:{other}" for other in range(8))):
        replay = client.get(f"{base}/replay?view={view}").body
        for step in replay.get("steps", [replay]):
            yield said(f"http replay {view}", step, hand if "version" in step else None, step.get("version"), seat)
    for path in ("deal", "verify"):
        yield said(f"http {path}", client.get(f"{base}/{path}").body, hand, None, seat)


def of_files(up: Up, table: str, seat: int | None, token: str, hands: list[int]) -> Iterator[Document]:
    """What can be downloaded of each hand; in a bundle there are bytes that only look like cards."""
    connection = http.client.HTTPConnection("127.0.0.1", up.port, timeout=30)
    for hand in hands:
        for name in ("bundle", "export.phh", "export.txt", "export.json", "export.ohh"):
            headers = {"Authorization": f"Bearer {token}"} if token else {}
            connection.request("GET", f"/api/v1/tables/{table}/hands/{hand}/{name}", headers=headers)
            raw = connection.getresponse().read()
            yield Document(f"http {name}", raw, "" if name == "bundle" else raw.decode(), hand, None, seat)
    connection.close()


def of_pages(up: Up, table: str, number: int, version: int) -> Iterator[Document]:
    """Pages and plumbing, as anybody gets them."""
    connection = http.client.HTTPConnection("127.0.0.1", up.port, timeout=30)
    pages = {"/": None, f"/tables/{table}": number, "/metrics": None, "/readyz": None, "/healthz": None}
    for path, hand in pages.items():
        connection.request("GET", path)
        body = connection.getresponse().read()
        yield Document(f"page {path.split('/')[1]}", body, body.decode(), hand, version)
    connection.close()


@dataclass
class Listener:
    """A live stream from its beginning, as it came."""

    up: Up
    table: str
    seat: int | None
    token: str
    raw: bytearray = field(default_factory=bytearray)

    def __post_init__(self) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", self.up.port, timeout=120)
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        self.connection.request("GET", f"/api/v1/tables/{self.table}/stream", headers=headers)
        self.response = self.connection.getresponse()
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self) -> None:
        with suppress(http.client.HTTPException, OSError):  # the house ends in the middle of it
            while chunk := self.response.read1(65536):
                self.raw += chunk

    def close(self) -> None:
        """Call it when the API has ended: then the stream ends, too."""
        self.thread.join(30)
        self.response.close()
        self.connection.close()

    def documents(self) -> Iterator[Document]:
        """Frame by frame."""
        number = 0
        for block in bytes(self.raw).decode().split("\n\n"):
            lines = dict(line.split(": ", 1) for line in block.splitlines() if ": " in line)
            if "data" not in lines:
                continue
            data = json.loads(lines["data"])
            kind = lines["event"]
            if kind != "event":
                number = data["view"]["number"]
            elif data["event"] == "HandStarted":
                number = data["number"]
            yield said(f"stream {kind}", data, number, data["version"], self.seat)


# --- the machine -----------------------------------------------------------------------------------------------------


def of_machine(up: Up) -> Iterator[Document]:
    """Logs, files a backup would hold, and what `ps` shows. None of them may name a card."""
    log = up.errors.read_bytes()
    yield Document("log", log, log.decode())
    data = up.folder / "data"
    for path in sorted(path for path in data.rglob("*") if path.is_file() and not secret_file(path)):
        yield Document(f"file {path.name.split('.')[0]}", path.read_bytes())
    assert up.process is not None
    running = processes()
    lines = "\n".join(running[pid][1] for pid in descendants(up.process.pid, running))
    yield Document("command lines", lines.encode(), lines)


def secret_file(path: Path) -> bool:
    """Only its owner can read it, and backups are told to leave it out."""
    kept = path.parent.name == "keys" or path.name in ("host.token", "demo-bots.json")
    assert not kept or path.stat().st_mode & 0o077 == 0, str(path)
    return kept
