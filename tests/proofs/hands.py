"""Finished hands as an archive holds them, played in this process."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from engine.commands import Act, Expire, OpenTable, PledgeSeed, RevealSeed, Sit, StartHand, VoidHand
from engine.deck import hand_id, pledge_of
from engine.state import Table
from engine.table import act, options
from services.archive import Archive
from services.bundle import write
from services.chain import extend
from services.policies import POLICIES, Draw, offers_at
from services.reader import Entry
from services.recording import command_bytes
from services.sealing import SealKey, SigningKey
from services.segment import Segment
from services.signing import Signer
from services.simulate import Played, Setup, simulate
from services.wire import EVENTS, Recorded, pack

SEAL_KEY = SealKey(bytes(range(32)))


@cache
def played(game: str, hands: int, seed: int = 1, policy: str = "bots", *chosen: tuple[str, Any]) -> tuple[Segment, ...]:
    """Hands of one table, in order; their seeds sealed under SEAL_KEY."""
    found: list[Segment] = []

    def keep(one: Played) -> None:
        first = found[-1].last + 1 if found else 1
        entries = tuple(Entry(version, *row) for version, row in enumerate(one.log, first))
        sealed = SEAL_KEY.seal(one.seed, one.table.id, one.table.number)
        found.append(Segment(one.table.id, one.table.number, one.before, one.prev_head, entries, sealed))

    simulate(Setup(game, hands=hands, seats=3, seed=seed, policy=policy, chosen=dict(chosen), keep=True), keep)
    return tuple(found)


class Dealer:
    """One hand command by command."""

    def __init__(self, game: str, **chosen: Any) -> None:
        self.table = Table("000-dealer")
        self.now = 1_700_000_000_000
        self.seed = b"seed".ljust(32)
        self.rows: list[tuple[bytes, bytes]] = []
        self.do(OpenTable(game, {"buy_in.max": 0, **chosen}))
        for seat, player in enumerate(("ann", "bob", "cyd")):
            self.do(Sit(seat, player, 400))

    def do(self, command: Any, later_ms: int = 1000) -> None:
        self.now += later_ms
        first, *others = [EVENTS.encode(event) for event in act(self.table, command, self.now)]
        self.rows.append((first, pack(Recorded(self.now, "", 0, command_bytes(command)))))
        self.rows += [(event, b"") for event in others]

    def start(self) -> None:
        self.do(StartHand(self.seed, extend(self.table.id, b"", [event for event, _ in self.rows])[-1]))

    def act(self, verb: str, **args: Any) -> None:
        """By whoever has the turn."""
        assert self.table.hand is not None and self.table.hand.actor is not None
        seat = self.table.hand.actor
        self.do(Act(seat, self.table.place(seat).player, verb, None, 0, args or None))

    def play_on(self) -> None:
        """Everybody goes along."""
        while self.table.playing:
            assert self.table.hand is not None
            verb, amount, args = POLICIES["calldown"](options(self.table), float, Draw(1), offers_at(self.table.hand))
            actor = self.table.hand.actor
            assert actor is not None
            self.do(Act(actor, self.table.place(actor).player, verb, amount, 0, args))

    def segment(self) -> Segment:
        hashes = extend(self.table.id, b"", [event for event, _ in self.rows])
        rows = zip(self.rows, hashes, strict=True)
        entries = tuple(Entry(at, event, hash_, command) for at, ((event, command), hash_) in enumerate(rows, 1))
        return Segment(self.table.id, 1, None, b"", entries, SEAL_KEY.seal(self.seed, self.table.id, 1))


@cache
def cut_by_players() -> Segment:
    """Three have pledged seeds, two reveal theirs in time."""
    dealer = Dealer("razz")
    seeds = {player: player.encode().ljust(32) for player in ("ann", "bob", "cyd")}
    for player, seed in seeds.items():
        dealer.do(PledgeSeed(player, 1, pledge_of(seed, hand_id(dealer.table.id, 1))))
    dealer.start()
    for player in ("bob", "ann"):
        dealer.do(RevealSeed(player, 1, seeds[player]), 10)
    assert dealer.table.hand is not None
    dealer.do(Expire(dealer.table.turn, dealer.table.hand.deadline), 5000)
    dealer.play_on()
    return dealer.segment()


@cache
def voided_among_choices() -> Segment:
    """One has declared high, low or both; then the operator gives everything back."""
    dealer = Dealer("abyssinia", **{"abyssinia.declare": True})
    dealer.start()
    while dealer.table.hand is not None and dealer.table.hand.street != "declare":
        legal = options(dealer.table)
        dealer.act("buy", source="left") if "buy" in legal else dealer.act("check")
    dealer.act("declare", choice="low")
    dealer.do(VoidHand("host", "a test"))
    return dealer.segment()


LOG_KEY = SigningKey(b"log".ljust(32))
ORIGIN = "croupier.example/hands"


@contextmanager
def archived(segments: Sequence[Segment]) -> Iterator[Archive]:
    """An archive of these hands, its log signed once."""
    with TemporaryDirectory() as folder, Archive(f"sqlite:///{folder}/archive.db") as archive:
        for segment in segments:
            archive.insert(segment)
        Signer(archive, LOG_KEY, Path(folder) / "signing.last", ORIGIN).sign(1)
        yield archive


def bundled(segments: Sequence[Segment], sealed: bool = True) -> bytes:
    """The file of hands that are in a signed log."""
    with archived(segments) as archive:
        return b"".join(write(segments, archive.log, sealed))
