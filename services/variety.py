"""Tables that nobody would think of: random options, players and stacks, as far as the game takes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.commands import AddChips, OpenTable, Sit, SitIn
from engine.game import Game, Option, Value
from engine.refusals import Refused
from engine.table import buy_in_bounds
from services.policies import Draw
from services.simulate import Simulator

HANDS_A_TABLE = 40
ANY_STACK: Mapping[str, Value] = {"buy_in.min": 0, "buy_in.max": 0}
KEPT = ("name", "seats", *ANY_STACK)
"""Keys that are not left to chance here."""
TRIES = 1000
BIG_BETS = 120
"""The deepest stack."""


class Varied(Simulator):
    """Every so many hands another table; what `--set` and `--seats` say holds for all of them."""

    opened_at = 0

    def due(self, number: int) -> bool:
        return super().due(number) or number - self.opened_at >= HANDS_A_TABLE

    def open(self, number: int) -> None:
        self.opened_at = number
        self.begin()
        each = self.game.seats_each
        most = self.game.seats[-1] // each
        players = self.setup.seats or 2 + self.draw.below(most - 1)
        chairs = players + self.draw.below(most - players + 1)
        options = some_options(self.game, self.draw, self.setup.chosen)
        self.do(OpenTable(self.game.name, {**options, "seats": chairs * each}))
        for chair in sorted(self.draw.shuffled(range(chairs))[:players]):
            self.do(Sit(chair * each, f"player-{chair}", self.stack()))

    def stack(self) -> int:
        """From the least stack that is dealt in to 120 big bets more, short ones often."""
        least, most = buy_in_bounds(self.table)
        if most is not None:
            return least
        stakes = self.table.stakes()
        big = stakes.big_bet or stakes.big_blind or 1
        more = (0, 1, self.draw.below(3 * big), self.draw.below(BIG_BETS * big))
        return self.least_stack() + more[self.draw.below(len(more))]

    def rebuy(self) -> None:
        """Who cannot be dealt in brings new chips; who sits out comes back."""
        for seat, place in enumerate(self.table.places):
            if place is not None and place.chips < self.least_stack():
                self.do(AddChips(seat, place.player, self.stack()))
            if place is not None and place.sitting_out:
                self.do(SitIn(seat, place.player))


def some_options(game: Game, draw: Draw, chosen: Mapping[str, Any]) -> dict[str, Any]:
    """Random values of the keys that `chosen` leaves open, together as the game takes them.

    Raises Refused if none do: then it is `chosen` that the game does not take.
    """
    for left in reversed(range(TRIES)):
        calm = draw.next()  # some tables are wild, some nearly as usual
        texts = {option.key: some_value(option, draw, calm) for option in game.all_options() if option.samples}
        used = game.options_in_use({**texts, **chosen})
        others = {option.key: some_value(option, draw, calm) for option in used if option.key not in {*KEPT, *texts}}
        options = {**ANY_STACK, **others, **texts, **chosen}
        try:
            game.resolve(options)
            return options
        except Refused:
            if not left:
                raise
    raise AssertionError("not reached")


def some_value(option: Option, draw: Draw, calm: float) -> Value:
    """One of the choices; a sample; a number around the default, which is itself as likely as the table is `calm`."""
    listed = option.choices or (option.samples and (option.default, *option.samples))
    if listed:
        return listed[draw.below(len(listed))]
    if isinstance(option.default, str) or draw.next() < calm:
        return option.default
    least, usual = option.least or 0, option.default or 10
    numbers = (least, usual // 2, 2 * usual + 1, 7 * usual)
    return max(least, min(numbers[draw.below(len(numbers))], option.most or 10**9))
