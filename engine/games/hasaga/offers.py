"""What the seat on turn can buy now. Asked at every turn, so each list is made in one walk through the cards.

It holds just what `obstacle` has nothing against (`shop.py`), at every turn of many hands: a test compares them.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.games.hasaga.shop import (
    CHECKS,
    EXTRA_CARDS_MOST,
    affordable,
    any_to_show,
    check_add_card,
    extra_cards,
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
    least = hand.options.once(price_list)["add_card"] * hand.stakes.big_blind
    if least <= affordable(hand, hand.seats[index]) and not check_add_card(hand, index, "add_card", BURNED, 0):
        return True
    return bool(offers(hand))


def offers(hand: Hand) -> list[Args]:
    """Every purchase that the seat on turn may make, as the arguments to send; items in the order of the list."""
    index = hand.actor
    assert index is not None
    left, blind = affordable(hand, hand.seats[index]), hand.stakes.big_blind
    cards = certain_cards(hand, index)
    found: list[Args] = []
    for item, blinds in hand.options.once(price_list).items():
        if item == "merge":
            found += [] if too_dear(hand, index, item) else unspecific(hand, index, item)
        elif blinds * blind <= left:
            found += cards[item] if item in cards else unspecific(hand, index, item)
    return found


def unspecific(hand: Hand, index: int, item: str) -> list[Args]:
    """An item that is no certain card, if it is there for who can pay it."""
    return [] if CHECKS[item](hand, index, item, BURNED, 0) else [{"item": item}]


def certain_cards(hand: Hand, index: int) -> dict[str, list[Args]]:
    """What there is of the other items, whatever it costs. Cards that lie dead are looked at first, then bought."""
    player, shown = hand.seats[index].player, hand.memo.get("shown", NOTHING_SHOWN)
    seen = hand.looks.get(player, ())
    look: list[Args] = []
    dead: list[Args] = []
    live: list[Args] = []
    burned = burned_cards(hand, seen, dead)
    for target, owner in hand.seats.items():
        if owner.player == player:
            continue
        if not owner.live:
            folded_cards(hand, target, seen, look, dead)
        elif not seen or any_to_show(owner.cards, shown.get(owner.player, ()), seen):
            live.append({"item": "see_live", "target": target})
    sold = [] if extra_cards(hand, index) >= EXTRA_CARDS_MOST else dead
    return {"see_burned": burned, "see_folded": look, "buy_dead": sold, "see_live": live}


def burned_cards(hand: Hand, seen: Sequence[int], dead: list[Args]) -> list[Args]:
    """Those to look at; those seen already go to the `dead` ones."""
    look: list[Args] = []
    for slot, at in enumerate(hand.burned):
        if (BURNED, slot) in hand.gone:
            continue
        if at in seen:
            dead.append({"item": "buy_dead", "slot": slot})
        else:
            look.append({"item": "see_burned", "slot": slot})
    return look


def folded_cards(hand: Hand, target: int, seen: Sequence[int], look: list[Args], dead: list[Args]) -> None:
    """As the burned ones, of a seat that has folded."""
    for slot, at in enumerate(hand.seats[target].cards):
        if (target, slot) in hand.gone:
            continue
        if at in seen:
            dead.append({"item": "buy_dead", "target": target, "slot": slot})
        else:
            look.append({"item": "see_folded", "target": target, "slot": slot})
