"""Tables played in this process by a policy, as fast as the engine goes. The same seed gives the same bytes.

It is the shipped path: `act` in place, every event encoded for the log. What is left out is the store.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from hashlib import sha256
from time import perf_counter
from typing import Any, NamedTuple

from engine import snapshot
from engine.commands import Act, AddChips, NextLevel, OpenTable, Sit, SitIn, StartHand
from engine.deck import Deck, bare_deck, sealed_deck
from engine.game import Game, find_game
from engine.positions import can_deal
from engine.state import Hand, Table
from engine.table import act, buy_in_bounds, options
from engine.tournament import level_ends
from services.chain import extend
from services.policies import POLICIES, Draw, Policy, offers_at, strength_of
from services.recording import command_bytes
from services.wire import EVENTS, Recorded, pack

SEATS = 6
BIG_BETS = 100
START_MS = 1_700_000_000_000
ACTION_MS = 1000
"""Every command comes a second after the one before."""
NO_HEAD = bytes(32)


class Setup(NamedTuple):
    """What to simulate. `seats` None: six, or the most the game takes. `bare`: no seeds, no commitments."""

    game: str
    tables: int = 1
    hands: int = 1000
    seats: int | None = None
    seed: int = 0
    policy: str = "random"
    chosen: Mapping[str, Any] = {}
    bare: bool = False
    keep: bool = False
    """whether to hand out each hand's log (for `Played.log`)"""


class Row(NamedTuple):
    """An event as the log would store it, with the command that caused it at the first of its events."""

    event: bytes
    hash: bytes
    command: bytes


class Played(NamedTuple):
    """One simulated hand. `before`, `prev_head`, `seed` and `log` (if kept) are what an audit needs."""

    table: Table
    actions: int
    events: int
    seconds: float
    before: tuple[Any, ...] | None
    prev_head: bytes
    seed: bytes
    log: tuple[Row, ...]


class Summary(NamedTuple):
    """`digest`: SHA-256 over all stored event bytes in order, table after table. `seconds`: of play alone."""

    hands: int
    actions: int
    events: int
    seconds: float
    digest: str


def seats_of(setup: Setup, game: Game) -> int:
    """How many players sit down: as many as were asked for, else six or as many as the table has room for."""
    if setup.seats is not None:
        return setup.seats
    chairs = setup.chosen.get("seats")
    room = min(chairs, game.seats[-1]) if isinstance(chairs, int) else game.seats[-1]
    return min(SEATS, room // game.seats_each)


class Simulator:
    """One table and its players. `store` is given the bytes of every event."""

    def __init__(self, setup: Setup, number: int, store: Callable[[bytes], object]) -> None:
        self.setup = setup
        self.game = find_game(setup.game)
        self.seats = seats_of(setup, self.game)
        self.number = number
        self.tables = 0
        self.table = Table("")
        self.policy: Policy = POLICIES[setup.policy]
        self.entropy = sha256(f"{setup.seed} {number}".encode()).digest()
        self.draw = Draw(int.from_bytes(self.entropy))
        self.store = store
        self.now = START_MS
        self.head = b""
        self.deal: Callable[[bytes, bytes], Deck] = sealed_deck
        self.log: list[Row] = []
        self.events = 0

    def play(self) -> Iterator[Played]:
        """Open the table, seat everybody, then hand after hand; after a tournament at a new table."""
        before, prev_head = None, b""
        for number in range(1, self.setup.hands + 1):
            if self.due(number):
                self.open(number)
                before, prev_head = None, b""
            seed = self.prepare(number)
            yield self.measured(seed, before, prev_head)
            self.log.clear()
            if self.setup.keep:
                before, prev_head = snapshot.take(self.table), self.head

    def due(self, number: int) -> bool:
        """It is time for a new table before hand `number`."""
        return not can_deal(self.table)

    def begin(self) -> None:
        """The log of a new table."""
        self.table, self.head = Table(f"000-sim{self.number:06d}-{self.tables}"), b""
        self.tables += 1

    def open(self, number: int) -> None:
        """A new table with all its players, before hand `number`."""
        self.begin()
        each = self.game.seats_each
        self.do(OpenTable(self.game.name, {"seats": self.seats * each, **self.setup.chosen}))
        for seat in range(self.seats):
            self.do(Sit(seat * each, f"player-{seat}", self.stack()))

    def measured(self, seed: bytes, before: tuple[Any, ...] | None, prev_head: bytes) -> Played:
        """The next hand, timed."""
        self.events = 0
        started = perf_counter()
        self.between_hands()
        actions = self.play_hand(seed)
        seconds = perf_counter() - started
        return Played(self.table, actions, self.events, seconds, before, prev_head, seed, tuple(self.log))

    def prepare(self, number: int) -> bytes:
        """The seed of a hand; a bare deck is shuffled here, outside the time that is measured."""
        if self.setup.bare:
            deck = bare_deck(self.draw.shuffled(range(52)))
            self.deal = lambda seed, hand: deck
        return sha256(self.entropy + number.to_bytes(8)).digest()

    def stack(self) -> int:
        """What a player sits down with: a hundred big bets, as far as the table takes them."""
        stakes = self.table.stakes()
        least, most = buy_in_bounds(self.table)
        wanted = max(BIG_BETS * (stakes.big_bet or stakes.big_blind or 1), self.least_stack(), least)
        return wanted if most is None else min(wanted, most)

    def least_stack(self) -> int:
        """Who has less is not dealt in."""
        assert self.table.options is not None
        return self.game.least_stack(self.table.options)

    def between_hands(self) -> None:
        """The next level when its time has come; without levels, the broke buy back in."""
        if self.game.tournament is None:
            self.rebuy()
        elif 0 < level_ends(self.table) <= self.now:
            self.do(NextLevel(self.table.level + 1))

    def rebuy(self) -> None:
        """Who is down to a fifth of his first stack, or to less than he needs for a hand, buys back up to it."""
        stack = self.stack()
        enough = max(stack // 5, self.least_stack())
        for seat, place in enumerate(self.table.places):
            if place is None:
                continue
            if place.chips < enough:
                self.do(AddChips(seat, place.player, stack - place.chips))
            if place.sitting_out:
                self.do(SitIn(seat, place.player))

    def play_hand(self, seed: bytes) -> int:
        """Deal, and ask the policy until the hand is over; returns the number of actions."""
        table = self.table
        self.do(StartHand(seed, NO_HEAD if self.setup.bare else self.head))
        actions = 0
        while table.playing:
            hand = table.hand
            assert hand is not None
            assert hand.actor is not None
            seat = hand.actor
            strength = partial(own_strength, hand, seat)
            verb, amount, args = self.policy(options(table), strength, self.draw, offers_at(hand))
            self.do(Act(seat, hand.seats[seat].player, verb, amount, table.turn, args))
            actions += 1
        return actions

    def do(self, command: Any) -> None:
        """Decide, encode, store."""
        self.now += ACTION_MS
        stored = [EVENTS.encode(event) for event in act(self.table, command, self.now, self.deal)]
        self.events += len(stored)
        self.store(b"".join(stored))
        if self.setup.bare:
            return
        hashes = extend(self.table.id, self.head, stored)
        self.head = hashes[-1]
        if self.setup.keep:
            kept = pack(Recorded(self.now, "", 0, command_bytes(command)))
            self.log += map(Row, stored, hashes, [kept, *[b""] * (len(stored) - 1)])


def simulate(
    setup: Setup, each: Callable[[Played], object] = lambda played: None, kind: type[Simulator] = Simulator
) -> Summary:
    """Play everything; `each` sees every hand. Raises Refused for options that the game does not take."""
    digest = sha256()
    hands = actions = events = 0
    seconds = 0.0
    for number in range(setup.tables):
        for played in kind(setup, number, digest.update).play():
            hands, actions, events = hands + 1, actions + played.actions, events + played.events
            seconds += played.seconds
            each(played)
    return Summary(hands, actions, events, seconds, digest.hexdigest())


def own_strength(hand: Hand, seat: int, more: Sequence[int] = (), share: str = "") -> float:
    """What the player at `seat` can tell from his own cards, `more` cards and the board."""
    board = [card for at in hand.board if (card := hand.deck[at]) is not None]
    shares = [share] if share else [other.name for other in hand.game.shares]
    return strength_of([*hand.cards_of(seat), *more], board, shares)
