"""What a poker hand is called, and the scores that carry the name (COM-02, COM-03).

A score is an int: the category, then up to five ranks, most important first, in 4 bits each. The bigger wins.
A low is that number, with ranks counted from the ace, taken from `WORST_LOW`: there too the bigger wins.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import NamedTuple

from engine.cards import RANKS


class Category(StrEnum):
    """What the rule book calls a hand; the values are its words."""

    NO_PAIR = "no pair"
    PAIR = "pair"
    TWO_PAIR = "two pair"
    TRIPS = "trips"
    STRAIGHT = "straight"
    FLUSH = "flush"
    FULL_HOUSE = "full house"
    QUADS = "quads"
    STRAIGHT_FLUSH = "straight flush"
    LOW = "low"  # five different ranks, played for low


# In order of strength (COM-02), each with the number of ranks that tell two of its hands apart.
RANKS_NAMED = {
    Category.NO_PAIR: 5,
    Category.PAIR: 4,
    Category.TWO_PAIR: 3,
    Category.TRIPS: 3,
    Category.STRAIGHT: 1,
    Category.FLUSH: 5,
    Category.FULL_HOUSE: 2,
    Category.QUADS: 2,
    Category.STRAIGHT_FLUSH: 1,
}
STRENGTHS = tuple(RANKS_NAMED)

RANK_BITS = 4
RANKS_BITS = 5 * RANK_BITS
WORST_LOW = len(STRENGTHS) << RANKS_BITS
LOW_RANKS = RANKS[-1] + RANKS[:-1]


class HandName(NamedTuple):
    """`ranks`: letters of `cards.RANKS`, most important first: `J9` of a full house, jacks full of nines."""

    category: Category
    ranks: str

    def text(self) -> str:
        """As the rule book prints it: `two pair 4-3-K`, `straight 7`; a low without a pair is `7-6-5-4-3`."""
        ranks = "-".join(self.ranks)
        return ranks if self.category is Category.LOW else f"{self.category} {ranks}"


def pack(category: Category, ranks: Sequence[int]) -> int:
    """The number that `unpack` reads; `ranks` are at most five ints 0..12, most important first."""
    number = STRENGTHS.index(category)
    for place in range(5):
        number = number << RANK_BITS | (ranks[place] if place < len(ranks) else 0)
    return number


def unpack(number: int) -> tuple[Category, list[int]]:
    """Category and the ranks that its hands are told apart by."""
    category = STRENGTHS[number >> RANKS_BITS]
    shifts = range(RANKS_BITS - RANK_BITS, -1, -RANK_BITS)
    return category, [number >> shift & 0xF for shift in shifts][: RANKS_NAMED[category]]


def name_high(score: int) -> HandName:
    """The name of a high hand from its score."""
    category, ranks = unpack(score)
    return HandName(category, "".join(RANKS[rank] for rank in ranks))


def name_low(score: int) -> HandName:
    """The name of an ace-to-five low from its score."""
    category, ranks = unpack(WORST_LOW - score)
    unpaired = category is Category.NO_PAIR
    return HandName(Category.LOW if unpaired else category, "".join(LOW_RANKS[rank] for rank in ranks))


def grouped(ranks: Iterable[int]) -> tuple[Category, list[int]]:
    """Category by repeated ranks alone; each rank once, larger groups first, then from the highest down."""
    groups = sorted(((count, rank) for rank, count in Counter(ranks).items()), reverse=True)
    largest = groups[0][0]
    second = groups[1][0] if len(groups) > 1 else 0
    return _repeated(largest, second), [rank for _, rank in groups]


def _repeated(largest: int, second: int) -> Category:
    """The category of a hand whose two largest groups of equal ranks have these sizes."""
    match largest, second:
        case 4, _:
            return Category.QUADS
        case 3, 2:
            return Category.FULL_HOUSE
        case 3, _:
            return Category.TRIPS
        case 2, 2:
            return Category.TWO_PAIR
        case 2, _:
            return Category.PAIR
        case _:
            return Category.NO_PAIR
