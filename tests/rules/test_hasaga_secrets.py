"""Hasaga by players who buy all there is: nobody learns of a card what he has not paid for (HAS-42, HAS-C20)."""

from collections import Counter
from typing import Any

from engine.commands import Act
from engine.game import find_game
from engine.games.hasaga.shop import ITEMS
from engine.play import choices, legal
from tests.rules.random_play import Player
from tests.rules.stories import rule
from tests.rules.test_every_game import check_hidden

COURSES = 60
SECRETIVE = {"Looked", "Revealed", "DeadBought", "CardAdded", "Merged", "Blocked", "Sold", "ExtraBlindTaken"}


class Shopper(Player):
    """Buys twice out of three times, of each kind as often."""

    def some_action(self) -> Act:
        hand = self.table.hand
        assert hand is not None and hand.actor is not None
        if "purchase" not in legal(hand) or self.chance.random() < 0.33:
            return super().some_action()
        listed: list[dict[str, Any]] = choices(hand)["purchase"]
        item = self.chance.choice(sorted({args["item"] for args in listed}))
        args = self.chance.choice([args for args in listed if args["item"] == item])
        return Act(hand.actor, hand.seats[hand.actor].player, "purchase", None, self.table.turn, args)


@rule("COM-75", "HAS-42", "HAS-C20", "HAS-C30", "HAS-24", "HAS-C26")
def test_purchases_reveals_sales_merges_and_blocks_tell_nobody_else_a_card() -> None:
    game = find_game("hasaga")
    facts = [fact for number in range(COURSES) for fact in check_hidden(game, number, Shopper)]
    happened = Counter(type(fact).__name__ for fact in facts)
    assert {kind for kind in SECRETIVE if happened[kind] < 3} == set()
    assert {fact.item for fact in facts if type(fact).__name__ == "Fee"} == {item.name for item in ITEMS}
