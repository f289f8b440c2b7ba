"""Random play of any game: tables, stacks, options, actions and what players do besides, from one number."""

from __future__ import annotations

import random
from hashlib import sha256
from typing import Any, NamedTuple

from engine.commands import (
    Act,
    AddChips,
    ChooseGame,
    Connect,
    Disconnect,
    Expire,
    NextLevel,
    OpenTable,
    Pause,
    PledgeSeed,
    Post,
    Resume,
    RevealSeed,
    Sit,
    SitIn,
    SitOut,
    Stand,
    StartHand,
)
from engine.deck import Deck, bare_deck, hand_id, pledge_of, shuffle
from engine.events import Event
from engine.game import Game
from engine.next_game import games_of
from engine.play import choices, legal
from engine.refusals import Refused
from engine.rotation import chooser
from engine.state import Table
from engine.table import act, buy_in_bounds
from engine.tournament import level_ends

STEPS_MAX = 3000  # decisions of one hand; a limit hand of ten seats needs some two hundred
NUMBERS = {
    "rake.percent": (0, 0, 5, 33),
    "odd_chip_unit": (1, 1, 3),
    "limit.max_raises": (1, 3, 5),
    "max_missed_orbits": (None, 1),
    "rotation.hands": (None, 1, 2),
    "time_bank_seconds": (0, 60),
    "abyssinia.bet": (1, 1, 5),
    "abyssinia.price.ace": (4, 0, 11),
    "hasaga.stack": (1500, 1500, 200, 35, 7, 1),
    "hasaga.levels": ("5/10 10/20 20/40", "5/10+3", "1/2 1/3+1 7/7"),
    "hasaga.level_seconds": (600, 60),
    "hasaga.exb_window_seconds": (5, 0),
    "hasaga.price.add_card": (3, 0),
}


class Step(NamedTuple):
    """A command that was granted, when, and the facts that followed."""

    command: Any
    now: int
    facts: list[Event]


def unsealed(seed: bytes, hand: bytes) -> Deck:
    """The deck of production without its commitment, which costs more than the rest of a hand."""
    return bare_deck(shuffle(seed, hand))


def some_options(chance: random.Random, game: Game) -> dict[str, object]:
    """Every key with choices gets one of them, some numbers change, the others keep their defaults."""
    chosen: dict[str, object] = {"buy_in.min": 0, "buy_in.max": 0}
    for option in game.options_in_use({}):
        if option.choices:
            chosen[option.key] = chance.choice(option.choices)
        elif option.key in NUMBERS:
            chosen[option.key] = chance.choice(NUMBERS[option.key])
    return chosen


class Player:
    """Plays one table. `steps` is the whole course, from the opening of the table on. `seeded`: now and then players
    pledge seeds for the public cut, and most reveal them.
    """

    def __init__(
        self,
        game: Game,
        number: int,
        deal: Any = unsealed,
        seeded: bool = False,
        chosen: dict[str, object] | None = None,
    ) -> None:
        self.chance = random.Random(number)
        self.seeding = random.Random(number + 1) if seeded else None  # of its own: the same play without it
        self.game = game
        self.deal = deal
        self.table = Table("000-RANDOM")
        self.now = 1_000_000
        self.steps: list[Step] = []
        self.send(OpenTable(game.name, some_options(self.chance, game) if chosen is None else chosen))
        firsts = range(0, len(self.table.places), game.seats_each)
        for seat in self.chance.sample(firsts, self.chance.randint(2, len(firsts))):
            self.send(Sit(seat, f"p{seat}", self.some_chips()))

    def some_chips(self) -> int:
        """From the least stack that is dealt in to 120 big bets more."""
        assert self.table.options is not None
        if self.game.tournament:
            return buy_in_bounds(self.table)[0]
        stakes = self.game.stakes(self.table.options)
        big = stakes.big_bet or stakes.big_blind or 1
        more = self.chance.choice((1, 2, self.chance.randint(1, 3 * big), self.chance.randint(1, 120 * big)))
        return self.game.least_stack(self.table.options) - 1 + more

    def send(self, command: Any) -> list[Event]:
        facts = act(self.table, command, self.now, self.deal)
        self.steps.append(Step(command, self.now, facts))
        return facts

    def try_to(self, command: Any) -> bool:
        try:
            self.send(command)
        except Refused:
            return False
        return True

    def start(self) -> bool:
        """A new hand, dealt, if there are players for it; at the next level if its time has come."""
        self.now += 3000
        self.choose()
        if 0 < level_ends(self.table) <= self.now:
            self.send(NextLevel(self.table.level + 1))
        self.pledge()
        started = self.try_to(StartHand(self.chance.randbytes(32), b""))
        if started and self.table.hand and self.table.hand.revealing:
            self.reveal()
        self.pledge()
        return started

    def pledge(self) -> None:
        """Some of the players pledge a seed for the next hand."""
        number = self.table.number + 1
        players = dict.fromkeys(place.player for place in self.table.places if place)
        for player in players:
            if self.seeding and self.seeding.random() < 0.4 and player not in self.table.pledges:
                pledge = pledge_of(seed_of(player, number), hand_id(self.table.id, number))
                self.send(PledgeSeed(player, number, pledge))

    def reveal(self) -> None:
        """Most of them keep it; for the others the hand waits in vain."""
        hand = self.table.hand
        assert hand is not None and self.seeding is not None
        for player in self.seeding.sample(list(hand.pledges), len(hand.pledges)):
            if self.seeding.random() < 0.8:
                self.now += 20
                self.send(RevealSeed(player, hand.number, seed_of(player, hand.number)))
        if hand.revealing:
            self.now = hand.deadline
            self.send(Expire(self.table.turn, hand.deadline))

    def choose(self) -> None:
        """At a dealer's choice table somebody names the next game, or does not."""
        seat = chooser(self.table)
        if seat is not None and self.chance.random() < 0.7:
            game = self.chance.choice(games_of(self.table)).name
            self.send(ChooseGame(seat, self.table.place(seat).player, game))

    def hand(self, quiet: bool = False) -> bool:
        """One whole hand; `quiet`: nobody does anything but act in turn."""
        if not self.start():
            return False
        steps = 0
        while self.table.playing:
            steps += 1
            assert steps < STEPS_MAX, "the hand does not end"
            if not quiet and self.chance.random() < 0.15:
                self.aside()
            if self.table.playing:
                self.decision(quiet)
        return True

    def decision(self, quiet: bool = False) -> None:
        """The seat on turn does something legal, or lets its clock run out."""
        hand = self.table.hand
        assert hand is not None and hand.actor is not None, "nobody has the turn, and the hand is not over"
        if not quiet and self.chance.random() < 0.05:
            self.now = hand.deadline
            self.send(Expire(self.table.turn, hand.deadline))
            return
        self.now += self.chance.randint(0, 40_000) if not quiet else 1000
        self.send(self.some_action())

    def some_action(self) -> Act:
        """Verbs alike but for folds, which are rarer; amounts mostly small."""
        hand = self.table.hand
        assert hand is not None and hand.actor is not None
        offered = legal(hand)
        verbs = [verb for verb in offered for _ in range(1 if verb == "fold" else 3)]
        verb = self.chance.choice(verbs)
        least, most = offered[verb]
        amount = self.chance.choice((least, least, most, self.chance.randint(least, most)))
        listed = choices(hand).get(verb)
        args = self.chance.choice(listed) if listed else None
        seat = self.chance.choice(hand.awaited) if hand.awaited else hand.actor
        return Act(seat, hand.seats[seat].player, verb, amount if most else None, self.table.turn, args)

    def aside(self) -> None:
        """Somebody comes, goes, loses the line, sits out; or the table stops for a while."""
        seat = self.chance.randrange(len(self.table.places))
        name = f"p{seat - seat % self.game.seats_each}"
        kind: Any = self.chance.choice((Disconnect, Connect, SitOut, SitIn, Post, Sit, AddChips, Stand, Pause))
        if kind is Sit or kind is AddChips:
            self.try_to(kind(seat, name, self.some_chips()))
        elif kind is Pause:
            self.send(Pause("host", "break"))
            self.now += 10_000
            self.send(Resume("host"))
        elif kind is not Stand or self.chance.random() < 0.3:
            self.try_to(kind(seat, name))


def seed_of(player: str, number: int) -> bytes:
    """What the player pledges for that hand."""
    return sha256(f"{player} {number}".encode()).digest()


def played(game: Game, number: int, hands: int = 4, quiet: bool = False) -> Player:
    """A table that has played up to `hands` hands; at every other one players pledge seeds."""
    player = Player(game, number, seeded=number % 2 == 1)
    for _ in range(hands):
        if not player.hand(quiet):
            break
    return player
