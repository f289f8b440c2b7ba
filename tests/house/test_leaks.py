"""No hidden card leaves the house, by whatever way, as long as it is hidden (COM-75, P116-P121).

Bots play at all demo tables. Then everything an outsider can get is collected and searched for what only the seal
key knows: cards by name, number and byte, the salts that prove them, seeds, keys and tokens. Three more tables leak
on purpose, and secrets are planted everywhere: what is not found there would not have been found here.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from services.archive_tables import hand_segment
from services.bots import TableBots
from services.client import Client
from services.demo import DEMO_TABLES, DemoTable
from services.keys import table_keys
from services.policies import NO_OFFERS, POLICIES, Choice, Draw, Legal, Offers, Strength, one_of_a_kind, taking
from services.records import opened as opened_record
from services.sealing import SealKey, ViewKey
from services.wire import unpack
from tests.house.channels import (
    Document,
    Listener,
    of_files,
    of_http,
    of_machine,
    of_pages,
    of_store,
    sealed,
    values_of,
)
from tests.house.houses import Up, house, wait_for
from tests.house.truth import UP_CARDS, Hand, Needle, hands_of, needles, present, spelt, spoken

HANDS = 2
"""Each demo table plays that many, and is stopped within the next one."""
HIDDEN, LOOKS = 2, {"hasaga": 5}
"""It plays on until so many cards of its hands stayed hidden, and until that many were looked at for money: else there
is nothing to search for.
"""
SECRETIVE = DemoTable("Bought blind", "abyssinia", {"abyssinia.hidden": True, "abyssinia.declare": True}, 4, 100)
SEARCHED = [*(table for table in DEMO_TABLES if table.game in UP_CARDS and table.game != SECRETIVE.game), SECRETIVE]
LEAKING = {"view": ("razz", 800), "event": ("razz", 800), "log": ("razz", 800), "looks": ("hasaga", 3000)}
"""What is told too much, of which game, and the chips to sit down with there. The chores freeze the table whose events
are not what is decided again, as soon as they have seen its first hand.
"""


def buying(legal: Legal, strength: Strength, draw: Draw, offers: Offers = NO_OFFERS) -> Choice:
    """A bot that looks into other hands and buys unseen cards wherever it may, and plays on like the others."""
    if "purchase" in legal and draw.next() < 0.6:
        return taking(one_of_a_kind(offers["purchase"], strength, draw), Choice("purchase"))
    unseen = [offer for offer in offers.get("buy", ()) if offer.card is None]
    if "buy" in legal and unseen:
        return taking(unseen[0], Choice("buy"))
    return POLICIES["bots"](legal, strength, draw, offers)


@dataclass
class Scene:
    """A table with its players, what is true of its hands, and all that was heard of it."""

    id: str
    game: str
    bots: TableBots
    thread: threading.Thread
    listeners: list[Listener] = field(default_factory=list)
    hands: dict[int, Hand] = field(default_factory=dict)
    documents: list[Document] = field(default_factory=list)

    def hidden(self) -> int:
        """How many of the players' cards never became public."""
        return sum(len(positions) for hand in self.hands.values() for positions in hand.hidden().values())

    def looks(self) -> int:
        """How often a player paid to see a card."""
        return sum(hand.looks for hand in self.hands.values())

    def is_worth_it(self) -> bool:
        """Now that it stands still there is something to search for, also in the hand that is shown."""
        looks = LOOKS.get(self.game, 0)
        return self.hidden() >= HIDDEN and self.looks() >= looks and self.hands[max(self.hands)].looks >= min(looks, 1)

    def tokens(self) -> dict[int, str]:
        return {seat: bot.token for seat, bot in self.bots.bots.items()}


@dataclass
class Evidence:
    """`machine`: what is of no table. `secrets`: keys and tokens."""

    up: Up
    demo: list[Scene]
    leaking: dict[str, Scene]
    machine: list[Document]
    secrets: list[Needle]
    store: dict[str, list[bytes]]

    def scenes(self) -> list[Scene]:
        return [*self.demo, *self.leaking.values()]


def open_scene(up: Up, number: int, game: str, options: dict[str, Any], bots: int, chips: int, leak: str = "") -> Scene:
    table = up.open_table(game, **{**options, "hand_gap_seconds": 0})
    if leak:
        (up.decks / f"leak-{table}").write_text(leak)
    names = [f"bot {number}-{i}" for i in range(bots)]
    pledge = number == 1  # at one of the demo's tables the players cut the deck
    crew = TableBots(up.url, table, names, chips, number + 1, 0.0, buying, pledge)
    scene = Scene(table, game, crew, threading.Thread(target=crew.run, daemon=True))
    scene.thread.start()
    return scene


def listen(up: Up, scene: Scene) -> None:
    """As a spectator, and from two of the seats."""
    wait_for(lambda: len(scene.bots.bots) >= 2, "the bots sit down")
    eyes = [(None, ""), *list(scene.tokens().items())[:2]]
    scene.listeners = [Listener(up, scene.id, seat, token) for seat, token in eyes]


def stop_in_a_hand(up: Up, scene: Scene) -> tuple[int, int]:
    """Number and version of a hand that stands still in the middle, after at least HANDS others; it has to be worth
    the search (HIDDEN, LOOKS). The chores may stop a table before, whose leak they found.
    """
    path = f"/tables/{scene.id}"
    with closing(up.client()) as host, closing(up.store()) as store:
        wait_for(lambda: glance(host, path)["number"] > HANDS or frozen(host, scene), f"{HANDS} hands are played", 200)
        while True:
            host.post(f"{path}/state", {"state": "paused"})
            seen = host.get(path).body
            scene.hands = hands_of(scene.id, store, up.folder / "data")
            if frozen(host, scene) or (seen["view"]["hand"]["actor"] is not None and scene.is_worth_it()):
                scene.bots.stop.set()
                return seen["view"]["number"], seen["version"]
            host.post(f"{path}/state", {"state": "running"})
            glance(host, path)


def glance(host: Client, path: str) -> dict[str, Any]:
    """The view, asked for seldom: all tables of the house play on meanwhile."""
    time.sleep(0.3)
    return dict(host.get(path).body["view"])


def frozen(host: Client, scene: Scene) -> bool:
    return scene.id in {row["table"] for row in host.get("/ops/frozen").body["items"]}


def collect(up: Up, scene: Scene, store: Any, number: int, version: int) -> None:
    scene.hands = hands_of(scene.id, store, up.folder / "data")
    scene.documents += of_store(store, scene.id)
    scene.documents += of_pages(up, scene.id, number, version)
    for seat, token in [(None, ""), *scene.tokens().items()]:
        with closing(up.client(token)) as client:
            scene.documents += of_http(client, scene.id, seat, list(range(1, number + 1)))
        scene.documents += of_files(up, scene.id, seat, token, list(range(1, number + 1)))


@pytest.fixture(scope="module")
def evidence(tmp_path_factory: pytest.TempPathFactory) -> Evidence:
    """One house, its tables played and stopped, everything collected; the house has ended when it is looked at."""
    environment = {"CROUPIER_LOG_LEVEL": "debug", "CROUPIER_DURABILITY": "dev"}
    with house(tmp_path_factory.mktemp("leaks"), environment=environment) as up:
        demo = [
            open_scene(up, number, table.game, {**table.options, "name": table.name}, table.bots, table.chips)
            for number, table in enumerate(SEARCHED)
        ]
        leaking = {
            leak: open_scene(up, number, game, {}, 3, chips, leak)
            for number, (leak, (game, chips)) in enumerate(LEAKING.items(), 10)
        }
        evidence = Evidence(up, demo, leaking, [], [], {})
        for scene in evidence.scenes():
            listen(up, scene)
        with ThreadPoolExecutor(len(evidence.scenes())) as pool:  # none plays on while another one is waited for
            halts = [pool.submit(stop_in_a_hand, up, scene) for scene in evidence.scenes()]
        stopped = [halt.result() for halt in halts]
        with closing(up.store()) as store:
            for scene, (number, version) in zip(evidence.scenes(), stopped, strict=True):
                collect(up, scene, store, number, version)
            keys = [key for key in store.scan_iter("*") if sealed(key.decode())]
            evidence.store = {key.decode(): list(values_of(store, key)) for key in keys}
        evidence.machine = list(of_machine(up))
        evidence.secrets = list(secrets(up, evidence.scenes()))
    for scene in evidence.scenes():
        scene.bots.stop.set()
        scene.thread.join(60)
        scene.bots.client.close()
        for listener in scene.listeners:
            listener.close()
            scene.documents += listener.documents()
    return evidence


def secrets(up: Up, scenes: list[Scene]) -> Iterator[Needle]:
    """Keys and tokens; the store holds hashes of tokens only."""
    for path in sorted((up.folder / "data" / "keys").glob("*.key")):
        yield from (Needle(path.name, data) for data in spelt(path.read_bytes()))
    for token in [up.token, *(token for scene in scenes for token in scene.tokens().values())]:
        yield from (Needle("a token", data) for data in spelt(token.encode()))


# --- the search ------------------------------------------------------------------------------------------------------


def found_in(documents: list[Document], hands: dict[int, Hand], secrets: list[Needle]) -> set[tuple[str, str]]:
    """(channel, what was found there). Nothing in it shows a secret."""
    by_bytes = {(channel, needle.what) for channel, needle in bytes_found(documents, hands, secrets)}
    return {*names_found(documents, hands), *by_bytes}


def names_found(documents: list[Document], hands: dict[int, Hand]) -> Iterator[tuple[str, str]]:
    """Cards that a text names and its reader may not know, at the time it speaks of."""
    for document in documents:
        hand = hands.get(document.number or 0)
        allowed = hand.allowed(document.version, document.seat) if hand else set()
        if spoken(document.text) - allowed:
            yield document.channel, f"a card by name ({hand.name if hand else 'no hand'}, seat {document.seat})"


def bytes_found(
    documents: list[Document], hands: dict[int, Hand], secrets: list[Needle]
) -> Iterator[tuple[str, Needle]]:
    """Secrets in any spelling; everything of one channel and reader is searched at once."""
    heaps: dict[tuple[str, int | None], bytearray] = {}
    for document in documents:
        heaps.setdefault((document.channel, document.seat), bytearray()).extend(document.raw + b"\n")
    wanted = {
        seat: [*secrets, *(needle for hand in hands.values() for needle in needles(hand, seat))]
        for seat in dict.fromkeys(seat for _, seat in heaps)
    }
    for (channel, seat), heap in heaps.items():
        yield from ((channel, needle) for needle in present(wanted[seat], heap))


# --- the tests -------------------------------------------------------------------------------------------------------


def test_nothing_about_the_demo_tables_tells_a_hidden_card(evidence: Evidence) -> None:
    """P116, P117, P118, P119: in no view, event, stream, record, page or key, for nobody, at no time too early."""
    for scene in evidence.demo:
        assert len(scene.hands) > HANDS
        assert found_in(scene.documents, scene.hands, evidence.secrets) == set(), scene.id


def test_much_was_searched(evidence: Evidence) -> None:
    """The search is worth something only if there was something to hide and many places to look at."""
    for scene in evidence.demo:
        assert scene.hidden() >= HIDDEN, scene.game
        channels = {document.channel for document in scene.documents}
        assert {"store ev", "store pub", "store st", "store sec", "store seat", "store out", "http view"} <= channels
        assert {"http events", "http actions", "http hand", "http deal", "stream snapshot", "stream event"} <= channels
        assert {"page metrics", "page tables", "http replay public", "http replay full", "http bundle"} <= channels
        assert {"http export.phh", "http export.txt", "http export.json"} <= channels
        assert sum(len(document.raw) for document in scene.documents) > 500_000
        own = [d for d in scene.documents if d.channel == "stream state" and d.seat is not None and spoken(d.text)]
        assert own, "players see their own cards"
        assert scene.looks() >= LOOKS.get(scene.game, 0), scene.game
    exports = [d for scene in evidence.demo for d in scene.documents if d.channel == "http export.json"]
    assert any(spoken(export.text) for export in exports), "they name the cards that everybody has seen"
    assert {"log", "command lines", "file archive", "file appendonly"} <= {d.channel for d in evidence.machine}


def test_nothing_on_the_machine_tells_a_secret(evidence: Evidence) -> None:
    """Logs at debug level, the archive, the server's own files, command lines: no card, salt, seed, key, token."""
    hands = [hand for scene in evidence.demo for hand in scene.hands.values()]
    sought = [*evidence.secrets, *(needle for hand in hands for needle in needles(hand))]
    for document in evidence.machine:
        lines = [line for line in document.text.splitlines() if evidence.leaking["log"].id not in line]
        assert not spoken("\n".join(lines)), document.channel
        assert [needle.what for needle in present(sought, document.raw)] == [], document.channel


def test_what_is_sealed_is_sealed(evidence: Evidence) -> None:
    """Seeds, private views and records are ciphertext that opens with the right key, at its own place only."""
    seal, view = (kind.load(evidence.up.folder / "data" / "keys") for kind in (SealKey, ViewKey))
    kinds = {name.split(":")[3] for name in evidence.store}
    assert kinds == {"sec", "seat", "last"}
    for name, values in evidence.store.items():
        table, kind = name.split(":")[2:4]
        match kind:
            case "sec":
                for hand, sealed_seed in zip(values[::2], values[1::2], strict=True):
                    assert len(seal.open(sealed_seed, table, int(hand))) == 32
            case "seat":
                stored = dict(zip(values[::2], values[1::2], strict=True))
                opened = unpack(view.open(stored[b"view"], table, int(name.split(":")[4]), int(stored[b"ver"])))
                assert opened["hand"]
            case "last":
                seat, hand, record = unpack(values[0])
                assert opened_record(view.open(record, table, seat, hand))["own"] == seat


# --- would it have been found? ---------------------------------------------------------------------------------------

LEAKS = [
    ("view", {"store pub", "http view", "stream state"}),
    ("event", {"store ev", "http events", "stream event"}),
    ("looks", {"store pub", "stream state"}),
]


@pytest.mark.parametrize(("leak", "channels"), LEAKS)
def test_a_worker_that_tells_too_much_is_found(evidence: Evidence, leak: str, channels: set[str]) -> None:
    """The same search at a table whose worker leaks: it is found wherever it comes out."""
    scene = evidence.leaking[leak]
    found = found_in(scene.documents, scene.hands, evidence.secrets)
    assert channels <= {channel for channel, _ in found}


def test_a_log_line_that_tells_too_much_is_found(evidence: Evidence) -> None:
    log = [document for document in evidence.machine if document.channel == "log"]
    found = found_in(log, evidence.leaking["log"].hands, [])
    assert found == {("log", "a card by name (no hand, seat None)")}


def test_a_secret_in_any_spelling_is_found_in_any_channel(evidence: Evidence) -> None:
    """Every spelling of every sort of secret, planted at the end of what was collected of every channel."""
    scene = evidence.demo[1]
    hand = scene.hands[max(scene.hands)]
    planted = {*needles(hand), *evidence.secrets}
    one_of_each = {document.channel: document for document in [*scene.documents, *evidence.machine]}
    assert len(one_of_each) > 25 and len(planted) > 200
    for channel, document in one_of_each.items():
        spoilt = document._replace(raw=document.raw + b"\n".join(needle.data for needle in planted), seat=None)
        found = {needle for _, needle in bytes_found([spoilt], {max(scene.hands): hand}, evidence.secrets)}
        assert found == planted, channel


def test_a_single_card_by_name_is_found_in_any_text(evidence: Evidence) -> None:
    """One hidden card named in one document is enough."""
    scene = evidence.demo[0]
    hand = scene.hands[max(scene.hands)]
    positions = next(at for at in hand.hidden().values() if at)
    name = hand.names(positions)[0]
    for document in {document.channel: document for document in scene.documents if document.text}.values():
        spoiled = document._replace(text=f"{document.text} {name}", seat=None, number=max(scene.hands), version=None)
        assert list(names_found([spoiled], scene.hands)), document.channel


def test_a_secret_written_into_store_or_archive_is_found(evidence: Evidence, tmp_path: Path) -> None:
    """Not into what was collected but into the places themselves: then they are collected again."""
    up, scene = evidence.up, evidence.demo[0]
    hand = scene.hands[1]
    needle = next(iter(needles(hand)))
    engine = sa.create_engine(f"sqlite:///{up.folder / 'data' / 'archive.db'}")
    with engine.begin() as connection:
        chosen = hand_segment.c.table_id == scene.id
        connection.execute(sa.update(hand_segment).where(chosen).values(verdict=needle.data.hex()[:40]))
    engine.dispose()
    again = Up(up.folder, port=up.port)
    try:
        again.start()
        with closing(again.store()) as store:
            store.hset(table_keys(scene.id).public, "more", needle.data)
            store.set("note", needle.data)
            stored = list(of_store(store, scene.id))
        machine = list(of_machine(again))
        again.stop()
    finally:
        again.kill()
    assert {"store pub", "store note"} <= {channel for channel, _ in bytes_found(stored, {1: hand}, [])}
    files = [document for document in machine if document.channel == "file archive"]
    assert any(needle.data.hex()[:40].encode() in document.raw for document in files)
