"""A house with one table: the worker's own path from command to commit, at the tests' own pace."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from engine.commands import Act, AddChips, OpenTable, Sit, SitIn
from engine.deck import sealed_deck
from engine.state import Table
from engine.table import buy_in_bounds, options
from services.archive import Archive
from services.history import History
from services.inbox import Arrival, Inbox
from services.log import Durability, Log
from services.policies import POLICIES, Draw, offers_at
from services.public_view import joined
from services.reader import Reader
from services.sealing import SealKey, ViewKey, fresh_seed
from services.seat_view import opened
from services.store import Client
from services.sweeping import Sweeper
from services.wire import COMMANDS, Envelope, encode_envelope, unpack
from workers.owner import Owner, Tools
from workers.setup import ENGINE

TABLE = "017-test"
PLAYERS = ("ann", "bob", "cyd")
STACK = 400


class Served(NamedTuple):
    """What could be read at a version: the public view, and each seat's own."""

    view: dict[str, Any]
    seats: dict[int, dict[str, Any]]


class House:
    """`play` plays hands; `served` remembers what viewers got after each commit. `archive`: its URL, else SQLite."""

    def __init__(
        self, client: Client, folder: Path, game: str = "omaha8", seed: Callable[[], bytes] = fresh_seed,
        archive: str = "",
    ) -> None:  # fmt: skip
        self.client = client
        self.reader = Reader(client)
        self.log = Log(client, ENGINE, Durability("dev"))
        self.seal_key, self.view_key = SealKey.load(folder), ViewKey.load(folder)
        self.archive_url = archive or f"sqlite:///{folder / 'archive.db'}"
        self.archive = Archive(self.archive_url)
        self.history = History(self.reader, self.archive)
        self.sweeper = Sweeper(self.log, self.reader, self.archive, self.seal_key)
        inbox = Inbox(client)
        tools = Tools(self.log, self.reader, inbox, self.seal_key, self.view_key, seed, sealed_deck)
        lease = self.log.acquire(17, "test", 600_000)
        assert lease is not None
        self.owner = Owner(lease, tools)
        self.served: dict[int, Served] = {}
        self.now = 1_700_000_000_000
        self.k = 0
        self.draw = Draw(7)
        self.send("host", OpenTable(game, {"hand_gap_seconds": 60, "buy_in.max": 0}))
        each = self.table.game.seats_each
        for number, player in enumerate(PLAYERS):
            least, _ = buy_in_bounds(self.table)
            self.send(player, Sit(number * each, player, max(STACK, least)))

    @property
    def table(self) -> Table:
        return self.owner.desks[TABLE].table

    def send(self, actor: str, command: Any) -> None:
        """A command arrives a second after the one before."""
        self.now, self.k = self.now + 1000, self.k + 1
        envelope = Envelope(TABLE, actor, self.k, COMMANDS.encode(command))
        self.owner.take([Arrival(f"{self.now}-0", encode_envelope(envelope))])
        self.commit()

    def play(self, hands: int, policy: str = "calldown") -> None:
        """Deal and play until that many more hands are over."""
        for _ in range(hands):
            self.refill()
            self.deal()
            self.play_on(policy)

    def play_on(self, policy: str = "calldown") -> None:
        """The running hand to its end."""
        while self.table.playing:
            hand = self.table.hand
            assert hand is not None
            assert hand.actor is not None
            verb, amount, args = POLICIES[policy](options(self.table), float, self.draw, offers_at(hand))
            player = hand.seats[hand.actor].player
            self.send(player, Act(hand.actor, player, verb, amount, 0, args))

    def refill(self) -> None:
        """Nobody goes broke, unless he plays a tournament."""
        if self.table.game.tournament:
            return
        for seat, place in enumerate(self.table.places):
            if place is not None and place.chips < STACK // 2:
                self.send(place.player, AddChips(seat, place.player, STACK - place.chips))
            if place is not None and place.sitting_out:
                self.send(place.player, SitIn(seat, place.player))

    def deal(self) -> None:
        """The clock runs out until the next hand is dealt; a level may be over before."""
        while not self.table.playing:
            self.now = self.owner.desks[TABLE].due + 1
            self.owner.fire(self.now)
            self.commit()

    def commit(self) -> None:
        self.owner.flush()
        version = self.reader.head(TABLE)[0]
        view = self.reader.view(TABLE)
        assert view is not None
        chairs = range(len(self.table.places))
        seats = {seat: self.own_view(seat) for seat in chairs if self.reader.seat_view(TABLE, seat)}
        self.served[version] = Served(joined(view.parts), seats)

    def own_view(self, seat: int) -> dict[str, Any]:
        """As the seat's player reads it."""
        sealed = self.reader.seat_view(TABLE, seat)
        assert sealed is not None
        return opened(self.view_key.open(sealed.data, TABLE, seat, sealed.version))

    def own_records(self, player: str) -> list[bytes]:
        """The player's records of his last hands, opened."""
        stored = [unpack(record) for record in self.reader.records(TABLE, player)]
        return [self.view_key.open(sealed, TABLE, seat, number) for seat, number, sealed in stored]

    def sweep(self) -> Any:
        return self.sweeper.sweep([17])

    def close(self) -> None:
        self.archive.close()
