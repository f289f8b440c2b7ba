"""A hand begins and ends."""

from __future__ import annotations

from typing import NamedTuple

from engine.events.registry import event, running_hand
from engine.game import find_game, script_for
from engine.refusals import LogBroken
from engine.state import Hand, Post, Rotation, Seat, Stakes, Table, circle


@event
class HandStarted(NamedTuple):
    """`seats`: (index, player, chips) in dealing order; `posts`: (seat, live, dead); `root`: commitment to the deck."""

    number: int
    prev_head: bytes
    game: str
    button: int
    small: int
    big: int
    seats: tuple[tuple[int, str, int], ...]
    posts: tuple[tuple[int, int, int], ...]
    stakes: tuple[int, ...]
    root: bytes
    algorithm: str
    rules: str
    started_ms: int

    def apply(self, table: Table) -> None:
        if self.number != table.number + 1:
            raise LogBroken("hand numbers do not follow")
        assert table.options is not None
        game = find_game(self.game)
        table.number = self.number
        table.button, table.small, table.big = self.button, self.small, self.big
        order = [index for index, _, _ in self.seats]
        table.hand = Hand(
            self.number, game, table.options, script_for(game, table.options), Stakes(*self.stakes), self.button,
            self.small, self.big, len(table.places), order,
            circle(frozenset(order), len(table.places)), order,
            {index: Seat(player, chips, chips) for index, player, chips in self.seats},
            tuple([Post(*post) for post in self.posts]), self.root, self.started_ms, [None] * 52, bytearray(52),
            bank=table.bank,
        )  # fmt: skip
        table.pledges.clear()
        if game is not table.game:
            self.turn_rotation(table)
        if not game.blinds:
            return  # blinds owed at a mixed table are owed until a hand with blinds (MIX-06)
        for index, _, _ in self.seats:
            place = table.place(index)
            place.owes_small = place.owes_big = 0
            place.posting = False

    def turn_rotation(self, table: Table) -> None:
        """A mixed table notes which game it is at, and since when."""
        past = table.rotation
        if past is None or past.game != self.game:
            chooser = past.chooser if past else self.button
            table.rotation = Rotation(self.game, self.number, len(self.seats), chooser)
        else:
            past.chosen = ""


@event
class HandEnded(NamedTuple):
    """`stacks` in dealing order must equal what the fold of the hand gives."""

    number: int
    stacks: tuple[int, ...]

    def apply(self, table: Table) -> None:
        hand = running_hand(table)
        if tuple(self.stacks) != hand.stacks():
            raise LogBroken("the stacks at the end of the hand differ from its events")
        for index, seat in hand.seats.items():
            table.place(index).chips = seat.stack
        hand.over = True
        hand.actor = None


@event
class HandVoided(NamedTuple):
    """The operator's way out of a lost hand: everybody gets back what he started with."""

    reason: str
    stacks: tuple[int, ...]

    def apply(self, table: Table) -> None:
        hand = running_hand(table)
        for (index, seat), chips in zip(hand.seats.items(), self.stacks, strict=True):
            seat.stack = table.place(index).chips = chips
        table.bank = hand.bank
        hand.over = True
        hand.actor = None
