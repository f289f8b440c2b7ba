"""The advantages for sale during a betting turn (HAS-10..19): what each costs, whom it can be bought of, what it does.

`obstacle` tells why something cannot be had; `offers.py` lists what can.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from engine.betting import answerable, faces_bet
from engine.draft import Draft
from engine.game import Option, Options
from engine.games.hasaga.events import Blocked, CardAdded, DeadBought, Fee, Looked, Merged, RevealAsked
from engine.state import BURNED, Hand, Seat
from engine.steps import Args

EXTRA_CARDS_MOST = 2  # per hand, and per merged hand too (HAS-40, HAS-C16)
BOARD_AND_BURNS = 8
BLOCKS = {"block_river": ("river",), "block_turn_river": ("turn", "river")}
CARDS_BEFORE = {"turn": 3, "river": 4}  # on the board


class Item(NamedTuple):
    """`price` in big blinds; `to`: who gets it (HAS-C12); `rule` that sells it."""

    name: str
    price: int
    to: str
    rule: str


ITEMS = (
    Item("see_burned", 1, "bank", "HAS-12"),
    Item("see_folded", 1, "pot", "HAS-13"),
    Item("add_card", 3, "bank", "HAS-14"),
    Item("merge", 4, "pot", "HAS-15"),
    Item("buy_dead", 5, "bank", "HAS-16"),
    Item("see_live", 5, "pot", "HAS-17"),
    Item("block_river", 6, "pot", "HAS-18"),
    Item("block_turn_river", 8, "pot", "HAS-19"),
)

OPTIONS = tuple(
    option
    for item in ITEMS
    for option in (
        Option(f"hasaga.price.{item.name}", item.price, f"price in big blinds ({item.rule})", most=1000),
        Option(f"hasaga.destination.{item.name}", item.to, "who gets the price (HAS-C12)", choices=("bank", "pot")),
    )
)


def price_list(options: Options) -> dict[str, int]:
    """In big blinds."""
    return {item.name: options.number(f"hasaga.price.{item.name}") for item in ITEMS}


def price(hand: Hand, item: str) -> int:
    """In chips, at the big blind of this deal (HAS-C11)."""
    return hand.options.once(price_list)[item] * hand.stakes.big_blind


def prices(hand: Hand) -> dict[str, int]:
    return {item.name: price(hand, item.name) for item in ITEMS}


def destinations(hand: Hand) -> dict[str, str]:
    """Who gets the price of each item: bank or pot (HAS-C12)."""
    return {item.name: destination(hand, item.name) for item in ITEMS}


def destination(hand: Hand, item: str) -> str:
    return str(hand.options[f"hasaga.destination.{item}"])


# --- what stands in the way of a purchase


def affordable(hand: Hand, seat: Seat) -> int:
    """What may be spent: the stack but for the full amount to call (HAS-C10)."""
    to_call = hand.price - seat.bet
    return seat.stack - to_call if to_call > 0 else seat.stack


def wares(hand: Hand, item: str, buyer: Seat) -> Iterator[tuple[Args, int, int]]:
    """What an item could reasonably be asked for with: arguments, target and slot. The item's check judges it."""
    if item == "see_live":
        for index, seat in hand.seats.items():
            if seat.live and seat.player != buyer.player:
                yield {"item": item, "target": index}, index, 0
    elif item in ("see_burned", "see_folded", "buy_dead"):
        if item != "see_folded":
            for slot in range(len(hand.burned)):
                yield {"item": item, "slot": slot}, BURNED, slot
        if item != "see_burned":
            for index, seat in hand.seats.items():
                if not seat.live and seat.player != buyer.player:
                    for slot in range(len(seat.cards)):
                        yield {"item": item, "target": index, "slot": slot}, index, slot
    else:
        yield {"item": item}, BURNED, 0


NEAREST = ("insufficient_chips", "limit_of_extra_cards", "card_not_seen", "card_already_seen", "card_gone")


def not_for_sale(hand: Hand, offered: Iterable[Args]) -> dict[str, str]:
    """Item -> why the seat on turn can buy none of it: what stands against the ware that is nearest to being sold."""
    assert hand.actor is not None
    buyer, sold = hand.seats[hand.actor], {args["item"] for args in offered}
    found = {}
    for item in ITEMS:
        if item.name not in sold:
            asked = [args for args, *_ in wares(hand, item.name, buyer)] or [{"item": item.name}]
            codes = [obstacle(hand, args) for args in asked]
            found[item.name] = next((code for code in NEAREST if code in codes), str(codes[0]))
    return found


def obstacle(hand: Hand, args: Args) -> str | None:
    """Why the seat on turn may not buy that (the codes of rule book 1.13); None: it may."""
    item, index = args.get("item"), hand.actor
    assert index is not None
    check = CHECKS.get(str(item))
    if check is None:
        return "purchase_not_available"
    target, slot = args.get("target", BURNED), args.get("slot", 0)
    if type(target) is not int or type(slot) is not int or slot < 0:
        return "purchase_not_available"
    return check(hand, index, str(item), target, slot) or too_dear(hand, index, str(item))


def too_dear(hand: Hand, index: int, item: str) -> str | None:
    """A merge is paid from the common stack, after the call that the higher of both bets leaves open (HAS-C25)."""
    seat = hand.seats[index]
    left = affordable(hand, seat)
    if item == "merge":
        other = hand.seats[other_seat(hand, index)]
        left = seat.stack + other.stack - max(0, hand.price - max(seat.bet, other.bet))
    return None if price(hand, item) <= left else "insufficient_chips"


def other_seat(hand: Hand, index: int) -> int:
    """The player's other seat in this hand, live or not; the seat itself if he has no other. They are neighbours: an
    even chair and the next one (HAS-C01).
    """
    other = index ^ 1
    return other if other in hand.seats else index


def extra_cards(hand: Hand, index: int) -> int:
    """Cards added or bought; a merged hand keeps the sum of both (HAS-C16)."""
    other = hand.seats.get(index ^ 1)
    dealt = 4 if other is not None and other.merged else 2
    return len(hand.seats[index].cards) - dealt


def seen_by(hand: Hand, index: int, at: int) -> bool:
    """Both hands of a player know what either has seen (HAS-C20)."""
    return at in hand.looks.get(hand.seats[index].player, ())


def check_see_burned(hand: Hand, index: int, item: str, target: int, slot: int) -> str | None:
    if target != BURNED or slot >= len(hand.burned):
        return "purchase_not_available"
    if seen_by(hand, index, hand.burned[slot]):
        return "card_already_seen"
    return "card_gone" if (target, slot) in hand.gone else None


def check_see_folded(hand: Hand, index: int, item: str, target: int, slot: int) -> str | None:
    """Of an opponent who has folded, which card is chosen blindly (HAS-C18)."""
    owner = hand.seats.get(target)
    if owner and owner.player == hand.seats[index].player:
        return "card_already_seen"
    if owner is None or owner.live or slot >= len(owner.cards):
        return "purchase_not_available"
    if seen_by(hand, index, owner.cards[slot]):
        return "card_already_seen"
    return "card_gone" if (target, slot) in hand.gone else None


def check_add_card(hand: Hand, index: int, item: str, target: int, slot: int) -> str | None:
    """At most two, and the deck must last for the board and its burns (HAS-C16)."""
    if extra_cards(hand, index) >= EXTRA_CARDS_MOST:
        return "limit_of_extra_cards"
    needed = BOARD_AND_BURNS - len(hand.board) - len(hand.burned)
    return "purchase_not_available" if len(hand.deck) - hand.dealt - 1 < needed else None


def check_merge(hand: Hand, index: int, item: str, target: int, slot: int) -> str | None:
    """2+2, 2+3, 2+4 and 3+3 cards, both hands live and free to bet (HAS-41, HAS-C25)."""
    other = other_seat(hand, index)
    seat = hand.seats[other]
    if other == index or not seat.live or seat.stack == 0 or seat.closed:
        return "merge_not_allowed"
    both = extra_cards(hand, index) + extra_cards(hand, other)
    return "merge_not_allowed" if both > EXTRA_CARDS_MOST else None


def check_buy_dead(hand: Hand, index: int, item: str, target: int, slot: int) -> str | None:
    """A burned card or one of a folded opponent that this player has seen (HAS-C19)."""
    cards = hand.burned
    if target != BURNED:
        owner = hand.seats.get(target)
        if owner is None or owner.live or owner.player == hand.seats[index].player:
            return "purchase_not_available"
        cards = owner.cards
    if slot >= len(cards):
        return "purchase_not_available"
    if (target, slot) in hand.gone:
        return "card_gone"
    if not seen_by(hand, index, cards[slot]):
        return "card_not_seen"
    return "limit_of_extra_cards" if extra_cards(hand, index) >= EXTRA_CARDS_MOST else None


def check_see_live(hand: Hand, index: int, item: str, target: int, slot: int) -> str | None:
    owner = hand.seats.get(target)
    if owner and owner.player == hand.seats[index].player:
        return "card_already_seen"
    if owner is None or not owner.live or not may_be_shown(hand, target, index):
        return "purchase_not_available"
    return None


def check_block(hand: Hand, index: int, item: str, target: int, slot: int) -> str | None:
    """Until the first of the streets is dealt; the shorter block may be bought before the longer one (HAS-C30, C31)."""
    first = BLOCKS[item][0]
    if len(hand.board) > CARDS_BEFORE[first]:
        return "street_already_dealt"
    return "already_blocked" if first in hand.skipped else None


CHECKS = {
    "see_burned": check_see_burned,
    "see_folded": check_see_folded,
    "add_card": check_add_card,
    "merge": check_merge,
    "buy_dead": check_buy_dead,
    "see_live": check_see_live,
    "block_river": check_block,
    "block_turn_river": check_block,
}


def may_be_shown(hand: Hand, target: int, buyer: int) -> list[int]:
    """Slots of a live hand that its owner may pick for this buyer (HAS-C22, HAS-C23).

    Not seen by the buyer yet, and one card of the hand is never shown to anybody. Cards that somebody knows because
    they were burned or folded before they came into the hand have not been shown.
    """
    owner, seen = hand.seats[target], hand.looks.get(hand.seats[buyer].player, ())
    eligible = showable(owner.cards, hand.memo.get("shown", {}).get(owner.player, ()))
    return [slot for slot, at in enumerate(owner.cards) if at in eligible and at not in seen]


def showable(cards: Sequence[int], shown: Sequence[int]) -> Sequence[int]:
    """Those of a hand's cards that somebody may be shown: of all but one that were shown, no other."""
    known = [at for at in cards if at in shown]
    return known if len(known) >= len(cards) - 1 else cards


def any_to_show(cards: Sequence[int], shown: Sequence[int], seen: Sequence[int]) -> bool:
    """Whether somebody who has `seen` so many may be shown another one of these."""
    for at in showable(cards, shown) if shown else cards:
        if at not in seen:
            return True
    return False


# --- buying


def buy(draft: Draft, args: Args) -> None:
    """Pay, and get it. A look into a live hand waits for its owner."""
    hand = draft.hand
    item, index = str(args["item"]), hand.actor
    assert index is not None
    if item == "merge":
        draft.emit(Merged(index, other_seat(hand, index)))
    draft.emit(Fee(index, item, price(hand, item), destination(hand, item)))
    if item == "add_card":
        draft.emit(CardAdded(index, hand.take(1)))
    elif item in BLOCKS:
        draft.emit(Blocked(index, BLOCKS[item]))
    elif item != "merge":
        handle(draft, index, item, args)


def handle(draft: Draft, index: int, item: str, args: Args) -> None:
    """Purchases of one certain card, or of a hand's."""
    hand = draft.hand
    target, slot = args.get("target", BURNED), args.get("slot")
    assert isinstance(target, int)
    if not isinstance(slot, int):
        draft.emit(RevealAsked(index, target, max(0, hand.deadline - draft.now)))
        draft.give_turn(target)
        return
    cards = hand.burned if target == BURNED else hand.seats[target].cards
    kind = DeadBought if item == "buy_dead" else Looked
    draft.emit(kind(index, target, slot, bytes([cards[slot]])))


def goes_on(hand: Hand, index: int) -> bool:
    """After a purchase: the seat still has a bet to answer, or the right to open or check (FORMAT 4.1)."""
    seat = hand.seats[index]
    if seat.stack == 0:
        return False
    return faces_bet(hand, seat) if hand.price > seat.bet else answerable(hand, seat)
