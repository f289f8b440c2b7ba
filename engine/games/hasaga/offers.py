"""What the seat on turn can buy now. Asked at every turn, so each list is made in one walk through the cards.

It holds just what `obstacle` has nothing against (`shop.py`), at every turn of many hands: a test compares them.
"""

from __future__ import annotations

from collections.abc import Callable

from engine.games.hasaga.shop import (
    CHECKS,
    EXTRA_CARDS_MOST,
    affordable,
    any_to_show,
    extra_cards,
    price,
    price_list,
    too_dear,
)
from engine.state import BURNED, Hand
from engine.steps import Args

NOTHING_SHOWN: dict[str, list[int]] = {}


def open_shop(hand: Hand) -> bool:
    """The seat on turn may buy something. First what nearly everybody may."""
    index = hand.actor
    assert index is not None
    if price(hand, "add_card") <= affordable(hand, hand.seats[index]) and can_have(hand, index, "add_card"):
        return True
    return bool(offers(hand))


def offers(hand: Hand) -> list[Args]:
    """Every purchase that the seat on turn may make, as the arguments to send; items in the order of the list."""
    index = hand.actor
    assert index is not None
    left, blind = affordable(hand, hand.seats[index]), hand.stakes.big_blind
    found: list[Args] = []
    for item, blinds in hand.options.once(price_list).items():
        if too_dear(hand, index, item) if item == "merge" else blinds * blind > left:
            continue
        if item in CERTAIN_CARDS:
            found += CERTAIN_CARDS[item](hand, index)
        elif can_have(hand, index, item):
            found.append({"item": item})
    return found


def can_have(hand: Hand, index: int, item: str) -> bool:
    """Whether an item that is no certain card is there for who can pay it."""
    return CHECKS[item](hand, index, item, BURNED, 0) is None


def burned_to_see(hand: Hand, index: int) -> list[Args]:
    seen, gone = hand.looks.get(hand.seats[index].player, ()), hand.gone
    return [
        {"item": "see_burned", "slot": slot}
        for slot, at in enumerate(hand.burned)
        if at not in seen and (BURNED, slot) not in gone
    ]


def folded_to_see(hand: Hand, index: int) -> list[Args]:
    player, gone = hand.seats[index].player, hand.gone
    seen = hand.looks.get(player, ())
    return [
        {"item": "see_folded", "target": target, "slot": slot}
        for target, owner in hand.seats.items()
        if not owner.live and owner.player != player
        for slot, at in enumerate(owner.cards)
        if at not in seen and (target, slot) not in gone
    ]


def dead_to_buy(hand: Hand, index: int) -> list[Args]:
    """Burned ones first."""
    player, gone = hand.seats[index].player, hand.gone
    seen = hand.looks.get(player)
    if not seen or extra_cards(hand, index) >= EXTRA_CARDS_MOST:
        return []
    burned: list[Args] = [
        {"item": "buy_dead", "slot": slot}
        for slot, at in enumerate(hand.burned)
        if at in seen and (BURNED, slot) not in gone
    ]
    return burned + [
        {"item": "buy_dead", "target": target, "slot": slot}
        for target, owner in hand.seats.items()
        if not owner.live and owner.player != player
        for slot, at in enumerate(owner.cards)
        if at in seen and (target, slot) not in gone
    ]


def live_to_see(hand: Hand, index: int) -> list[Args]:
    player, shown = hand.seats[index].player, hand.memo.get("shown", NOTHING_SHOWN)
    seen = hand.looks.get(player, ())
    return [
        {"item": "see_live", "target": target}
        for target, owner in hand.seats.items()
        if owner.live and owner.player != player and any_to_show(owner.cards, shown.get(owner.player, ()), seen)
    ]


CERTAIN_CARDS: dict[str, Callable[[Hand, int], list[Args]]] = {
    "see_burned": burned_to_see,
    "see_folded": folded_to_see,
    "buy_dead": dead_to_buy,
    "see_live": live_to_see,
}
