"""Commands of many tables in the order in which a worker meets them, and the deals that they were decided on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any, NamedTuple

from bench.croupier_side import NOW, OPTIONS, PLAYERS, POLICIES
from bench.hands import SEATS, STACK, random_hand
from engine.commands import Act, OpenTable, Pause, Resume, Sit, StartHand
from engine.deck import Deck, commit, hand_id
from engine.table import Table, act, options
from services.wire import COMMANDS, Envelope, encode_envelope

SEED, HEAD = bytes(32), bytes(32)


class Play(NamedTuple):
    """Encoded envelopes: those that open and fill the tables, and those that play. `deal` is the worker's."""

    opening: list[bytes]
    playing: list[bytes]
    deal: Callable[[bytes, bytes], Deck]


def random_play(game: str, tables: int, actions: int) -> Play:
    """`actions` actions at each of so many tables, one table after the other in turn."""
    decks: dict[bytes, Deck] = {}
    players = [Player(game, f"000-bench{number}", decks, Random(number)) for number in range(tables)]
    opening = [data for player in players for data in player.open()]
    playing = [player.act() for _ in range(actions) for player in players]
    return Play(opening, playing, lambda seed, hand: decks[hand])


class Player:
    """Plays all seats of one table, as a gateway would send it, and remembers the decks it was dealt."""

    def __init__(self, game: str, table_id: str, decks: dict[bytes, Deck], draw: Random) -> None:
        self.game, self.decks, self.draw = game, decks, draw
        self.table = Table(table_id)
        self.sent = 0

    def send(self, actor: str, command: Any) -> bytes:
        """Do the command here and encode it for the inbox."""
        act(self.table, command, NOW)
        self.sent += 1
        return encode_envelope(Envelope(self.table.id, actor, self.sent, COMMANDS.encode(command)))

    def open(self) -> Iterator[bytes]:
        """A table without pauses between hands, and six players with more chips than they will ever lose.

        It is paused until all of them sit, for else the worker would deal to the first two.
        """
        chosen = {"seats": SEATS, "hand_gap_seconds": 0, "buy_in.max": 0, **OPTIONS[self.game]}
        yield self.send("host", OpenTable(self.game, chosen))
        yield self.send("host", Pause("host"))
        for seat, name in enumerate(PLAYERS):
            yield self.send(name, Sit(seat, name, 100 * STACK))
        yield self.send("host", Resume("host"))

    def act(self) -> bytes:
        """The next action of whoever has the turn; a new hand is dealt first if none is running."""
        table = self.table
        if not table.playing:
            hand = hand_id(table.id, table.number + 1)
            self.decks[hand] = commit(bytes(random_hand(self.draw).cards), SEED, hand)
            act(table, StartHand(SEED, HEAD), NOW, lambda seed, hand: self.decks[hand])
        assert table.hand is not None
        assert table.hand.actor is not None
        seat = table.hand.actor
        verb = POLICIES["random"](options(table), self.draw.random)
        return self.send(PLAYERS[seat], Act(seat, PLAYERS[seat], verb, turn=table.turn))
