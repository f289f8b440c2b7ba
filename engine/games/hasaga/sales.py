"""After the last betting round: cards sold to the bank instead of being tabled, and the common stack split again."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import ClassVar

from engine.betting import NOTHING, contested
from engine.cards import RANKS
from engine.draft import Draft
from engine.events import StreetBegan
from engine.games.hasaga.events import PoolSplit, Sold
from engine.games.hasaga.shop import extra_cards, other_seat
from engine.state import Hand
from engine.steps import Args, Automatic, Choices, Move, Range

ACE = 12
PER_PIP, FACE, ACE_PRICE = 10, 100, 110


def sale_price(card: int) -> int:
    """Ten times the pips; 100 for jack, queen and king, 110 for an ace (HAS-23)."""
    rank = card >> 2
    return ACE_PRICE if rank == ACE else min(FACE, PER_PIP * (rank + 2))


SALE_PRICES = {RANKS[rank]: sale_price(rank << 2) for rank in range(len(RANKS))}


def kept_least(hand: Hand) -> int:
    """Cards a seat has to keep so that five are left with the board (HAS-C34)."""
    return 5 - len(hand.board)


def may_sell(hand: Hand, index: int) -> bool:
    """No sale with an extra card; two hands merged are no extra cards (HAS-22)."""
    return hand.seats[index].live and extra_cards(hand, index) == 0


def sale(hand: Hand, index: int, slots: list[int]) -> Sold:
    """Of the cards in these slots."""
    held = hand.seats[index].cards
    at = bytes([held[slot] for slot in slots])
    cards, openings = hand.reveal(at)
    return Sold(index, at, cards, openings, sum(map(sale_price, cards)))


@cache
def sets_of(count: int, kept: int) -> Choices:
    """Of `count` slots, leaving at least `kept`. A few lists for all hands; nobody changes them."""
    sets = [slots for size in range(count - kept + 1) for slots in combinations(range(count), size)]
    return {"sell": [{"indices": list(slots)} for slots in sets]}


@dataclass(frozen=True)
class Selling:
    """One decision per hand that may sell, clockwise from the left of the button (HAS-C33)."""

    street: str = "sales"
    pays: ClassVar[bool] = False

    def enter(self, draft: Draft) -> None:
        hand = draft.hand
        if contested(hand):
            draft.tell(StreetBegan, (self.street, hand.first, 0, 0))
            self.ask(draft, hand.order)

    def ask(self, draft: Draft, order: list[int]) -> None:
        hand = draft.hand
        for index in order:
            if may_sell(hand, index):
                draft.give_turn(index)
                return

    def options(self, hand: Hand) -> dict[str, Range]:
        return {"sell": NOTHING}

    def choices(self, hand: Hand) -> Choices:
        """Nothing first, then every set of slots that leaves enough cards."""
        assert hand.actor is not None
        return sets_of(len(hand.seats[hand.actor].cards), kept_least(hand))

    def act(self, draft: Draft, move: Move) -> None:
        hand = draft.hand
        index = hand.actor
        slots = move.args["indices"]
        assert index is not None and isinstance(slots, list)
        draft.emit(sale(hand, index, slots) if slots else Sold(index, b"", b"", b"", 0))
        self.ask(draft, hand.order[hand.order.index(index) + 1 :])

    def default(self, hand: Hand) -> Move:
        return Move("sell", 0, {"indices": []})

    def refusal(self, hand: Hand, verb: str, amount: int | None, args: Args | None = None) -> str:
        return "sale_not_allowed" if verb == "sell" else "illegal_action"


@dataclass(frozen=True)
class SplitPools(Automatic):
    """A merged hand's stack is halved for the next deal, the odd chip to the player's first hand (HAS-C29)."""

    def enter(self, draft: Draft) -> None:
        hand = draft.hand
        for index in hand.order:
            if hand.seats[index].merged:
                holder = other_seat(hand, index)
                pooled = hand.seats[holder].stack
                half = pooled // 2 if holder < index else pooled - pooled // 2
                draft.emit(PoolSplit(holder, index, half))
