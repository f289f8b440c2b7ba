"""A hand begins and ends."""

from __future__ import annotations

from typing import NamedTuple

from engine.events.registry import event, running_hand
from engine.game import find_game, script_for
from engine.refusals import LogBroken
from engine.state import Hand, Post, Rotation, Seat, Table, circle, stakes_of


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
        number, _, name, button, small, big, dealt, posts, stakes, root, _, _, started_ms = self
        if number != table.number + 1:
            raise LogBroken("hand numbers do not follow")
        game, options, places = find_game(name), table.options, table.places
        assert options is not None
        table.number, table.button, table.small, table.big = number, button, small, big
        seats = {index: Seat(player, chips) for index, player, chips in dealt}
        order = list(seats)
        table.hand = Hand(
            number, game, options, script_for(game, options), stakes_of(stakes), button, small, big, len(places), order,
            order, circle(frozenset(order), len(places)), seats,
            tuple([Post(*post) for post in posts]) if posts else (), root, started_ms, [None] * 52,
            bytearray(52), bank=table.bank,
        )  # fmt: skip
        table.pledges.clear()
        if game is not table.game:
            turn_rotation(table, name, number, len(order), button)
        if game.blinds:  # blinds owed at a mixed table are owed until a hand with blinds (MIX-06)
            for index in order:
                place = table.place(index)
                place.owes_small = place.owes_big = 0
                place.posting = False


def turn_rotation(table: Table, game: str, number: int, players: int, button: int) -> None:
    """A mixed table notes which game it is at, and since when."""
    past = table.rotation
    if past is None or past.game != game:
        table.rotation = Rotation(game, number, players, past.chooser if past else button)
    else:
        past.chosen = ""


@event
class HandEnded(NamedTuple):
    """`stacks` in dealing order must equal what the fold of the hand gives."""

    number: int
    stacks: tuple[int, ...]

    def apply(self, table: Table) -> None:
        hand = running_hand(table)
        _, stacks = self
        if len(stacks) != len(hand.seats):
            raise LogBroken("not one stack for each seat")
        places, told = table.places, iter(stacks)
        for index, seat in hand.seats.items():
            place, chips = places[index], seat.stack
            if place is None or chips != next(told):
                raise LogBroken("the stacks at the end of the hand differ from its events")
            place.chips = chips
        hand.over = True
        hand.actor = None


@event
class HandVoided(NamedTuple):
    """The operator's way out of a lost hand: everybody gets back what he started with."""

    reason: str
    stacks: tuple[int, ...]

    def apply(self, table: Table) -> None:
        hand = running_hand(table)
        _, stacks = self
        for (index, seat), chips in zip(hand.seats.items(), stacks, strict=True):
            seat.stack = table.place(index).chips = chips
        table.bank = hand.bank
        hand.over = True
        hand.actor = None
