"""What stories of Abyssinia have in common."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import zip_longest
from typing import Any

from engine.cards import parse_many, show
from engine.game import find_game
from engine.view import view
from tests.rules.stories import Story, abyssinia

GAME = find_game("abyssinia")
FOUR = "Dan 60, Ana 60, Ben 60, Cy 60"  # Dan has the dealer's place
HIDDEN = {"abyssinia.hidden": True}
DECLARE = {"abyssinia.declare": True}
LOW, HIGH = "8s 5d 4c 3h 2h", "9s 9h 9d Kc Qc"  # best low, best high


def market(hand: Story) -> str:
    """`left 2c for 2, right Kd for 1`."""
    offers = view(hand.table)["hand"]["market"].items()
    return ", ".join(f"{side} {offer['card']} for {offer['price']}" for side, offer in offers)


def buy(hand: Story, source: str = "left") -> None:
    """Everybody buys from this side until the round is over."""
    street = hand.street
    while hand.street == street and hand.table.playing:
        hand.play(f"{hand.turn} buys {source}")


def check_on(hand: Story) -> None:
    """Everybody buys left and checks to the end, or to the declarations."""
    while hand.table.playing and hand.street != "declare":
        if hand.street.startswith("buy"):
            buy(hand)
        else:
            hand.play("all check")


def contest(cards: Mapping[str, str], keys: Mapping[str, object] | None = None, chips: int = 100) -> Story:
    """The seats in this order, the last one the dealer; bought from the left, each gets these cards in turn."""
    hands = [parse_many(text) for text in cards.values()]
    bought = [card for round_ in zip_longest(*hands) for card in round_ if card is not None]
    right = next(card for card in range(52) if card not in bought)
    deck = show([bought[0], right, *bought[1:]])
    return abyssinia(", ".join(f"{name} {chips}" for name in cards), deck, list(cards)[-1], keys)


def account(hand: Story, name: str) -> dict[str, Any]:
    accounts: list[dict[str, Any]] = view(hand.table)["hand"]["accounts"]
    return next(one for one in accounts if one["seat"] == hand.names[name])
