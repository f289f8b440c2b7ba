"""The tables behind `engine/rankings.py`: built on first use, each in a fraction of a second, then only read.

Cards are looked up by sums, so they need no sorting. A card's weight is 5 ** rank in the low 32 bits and,
above them, a counter of 4 bits for each suit. No rank occurs more than four times, so the low bits of a sum
are digits to base 5 that say how often each rank is there; the counters say how many cards each suit has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, combinations_with_replacement
from typing import TypeVar

from engine.cards import rank, suit
from engine.hand_names import WORST_LOW, Category, grouped, pack

POWERS = tuple(5**r for r in range(13))
RANK_SUM = (1 << 32) - 1
SUIT_SHIFT = 32
WEIGHTS = tuple(POWERS[rank(card)] | 1 << SUIT_SHIFT + 4 * suit(card) for card in range(52))
RANK_WEIGHTS = tuple(POWERS[rank(card)] for card in range(52))
# Added to a sum, these carry a counter of at least five, three or two into the top one of its bits.
FIVE_SUITED = 0x3333 << SUIT_SHIFT
THREE_SUITED = 0x5555 << SUIT_SHIFT
TWO_SUITED = 0x6666 << SUIT_SHIFT
SUITED = 0x8888 << SUIT_SHIFT
# Weights of a first card, with that already added.
FIVE_WANTED = tuple(weight + FIVE_SUITED for weight in WEIGHTS)
THREE_WANTED = tuple(weight + THREE_SUITED for weight in WEIGHTS)
TWO_WANTED = tuple(weight + TWO_SUITED for weight in WEIGHTS)

LOW_RANK = tuple((rank(card) + 1) % 13 for card in range(52))  # ace 0, king 12 (COM-03)
LOW_WEIGHTS = tuple(POWERS[low_rank] for low_rank in LOW_RANK)
LOW_BITS = tuple(1 << low_rank for low_rank in LOW_RANK)
EIGHT_BITS = tuple(1 << low_rank if low_rank < 8 else 0 for low_rank in LOW_RANK)  # ranks that play (OM8-C04)

V = TypeVar("V")

_WHEEL = 0b1_0000_0000_1111  # ace and five to two


class Lazy(dict[int, V]):
    """A table that is built when it is first asked, so that importing the engine costs nothing."""

    def __init__(self, build: Callable[[], Mapping[int, V]]) -> None:
        super().__init__()
        self._build = build

    def __missing__(self, key: int) -> V:
        if self:
            raise KeyError(key)
        self.fill()
        return self[key]

    def fill(self) -> None:
        """Build it now."""
        self.update(self._build())


def low_score(ranks: Sequence[int]) -> int:
    """Score of up to five ranks counted from the ace (COM-03); bigger is the better low."""
    return WORST_LOW - pack(*grouped(ranks))


def _straight_top(mask: int) -> int | None:
    """Rank of the highest straight among the ranks of a 13-bit mask; the wheel's top is its five (COM-02)."""
    for top in range(12, 3, -1):
        if mask >> top - 4 & 0b11111 == 0b11111:
            return top
    return 3 if mask & _WHEEL == _WHEEL else None


def _mixed_score(ranks: Sequence[int]) -> int:
    """High score of five ranks that are not all of one suit."""
    category, order = grouped(ranks)
    top = _straight_top(sum(1 << r for r in order)) if category is Category.NO_PAIR else None
    return pack(category, order) if top is None else pack(Category.STRAIGHT, [top])


def _multisets(size: int) -> Iterator[tuple[int, ...]]:
    """All rank combinations that `size` cards of one deck can have, as ascending ranks."""
    for ranks in combinations_with_replacement(range(13), size):
        if not any(ranks[i] == ranks[i + 4] for i in range(size - 4)):
            yield ranks


def _scores(score: Callable[[Sequence[int]], int], *sizes: int) -> dict[int, int]:
    """Sum of powers -> score, for that many cards."""
    return {sum(POWERS[r] for r in ranks): score(ranks) for size in sizes for ranks in _multisets(size)}


def _best_of_five_to_seven(five_score: Callable[[Sequence[int]], int]) -> dict[int, int]:
    """Sum of powers -> best five-card score, for five, six and seven cards.

    The best five of n + 1 cards are the best five of n of them, for the right card left out.
    """
    scores = _scores(five_score, 5)
    for size in (6, 7):
        for ranks in _multisets(size):
            powers = [POWERS[r] for r in ranks]
            total = sum(powers)
            scores[total] = max([scores[total - power] for power in powers])
    return scores


def _unpaired_low(mask: int) -> int:
    """Score of the five lowest ranks of a mask; 0 if there are less."""
    ranks = [r for r in range(13) if mask >> r & 1]
    return low_score(ranks[:5]) if len(ranks) >= 5 else 0


def _flush_score(mask: int) -> int:
    """Best flush or straight flush with the ranks of a mask, at least five."""
    top = _straight_top(mask)
    if top is not None:
        return pack(Category.STRAIGHT_FLUSH, [top])
    return pack(Category.FLUSH, [r for r in range(12, -1, -1) if mask >> r & 1][:5])


def _omaha_rows() -> dict[int, list[int]]:
    """Built upwards from three board cards: the best three of n + 1 are the best three of n of them.

    Five equal ranks score 0: no deck deals them.
    """
    fives = _scores(_mixed_score, 5)
    pairs = [a + b for a in POWERS for b in POWERS]
    totals = (sum(POWERS[r] for r in ranks) for ranks in _multisets(3))
    rows = {total: [fives.get(total + pair, 0) for pair in pairs] for total in totals}
    for size in (4, 5):
        smaller, rows = rows, {}
        for ranks in _multisets(size):
            total = sum(POWERS[r] for r in ranks)
            rows[total] = _best_columns([smaller[total - POWERS[r]] for r in dict.fromkeys(ranks)])
    return rows


def _best_columns(rows: list[list[int]]) -> list[int]:
    return [max(column) for column in zip(*rows, strict=True)]


def _eight_or_better() -> dict[int, list[int | None]]:
    """First the exact pairs and triples, then rank by rank: one more in hand or on the board never hurts."""
    table = [0] * (1 << 16)
    for low in combinations(range(8), 5):
        for pair in combinations(low, 2):
            hole = sum(1 << r for r in pair)
            table[hole << 8 | sum(1 << r for r in low) - hole] = low_score(low)
    for bit in (1 << place for place in range(16)):
        for masks in range(1 << 16):
            if masks & bit and table[masks ^ bit] > table[masks]:
                table[masks] = table[masks ^ bit]
    lows = [score or None for score in table]
    return {hole: lows[hole << 8 : hole + 1 << 8] for hole in range(1 << 8)}


# Sum of the powers of 5..7 cards -> best high score if no five of them have one suit. 73,775 entries.
MIXED = Lazy(lambda: _best_of_five_to_seven(_mixed_score))
# Sum of the low powers of 5..7 cards -> best ace-to-five score. 73,775 entries.
LOWS = Lazy(lambda: _best_of_five_to_seven(low_score))
# Mask of the low ranks -> best ace-to-five score without a pair, 0 where there are less than five.
UNPAIRED_LOWS = Lazy(lambda: {mask: _unpaired_low(mask) for mask in range(1 << 13)})
# Sum of the low powers of 1..4 cards -> ace-to-five score. 2,379 entries.
SHOWING_LOWS = Lazy(lambda: _scores(low_score, 1, 2, 3, 4))
# Sum of the powers of 1..4 cards -> high score. 2,379 entries.
SHOWING_HIGHS = Lazy(lambda: _scores(lambda ranks: pack(*grouped(ranks)), 1, 2, 3, 4))
WORST_EIGHT = low_score((7, 6, 5, 4, 3))  # 8-7-6-5-4, the last low that plays eight or better
# Mask of five or more ranks in one suit -> best flush or straight flush.
FLUSHES = Lazy(lambda: {mask: _flush_score(mask) for mask in range(1 << 13) if mask.bit_count() >= 5})
# Sum of the powers of a board of five -> row; row[13 * a + b] = best score of hole ranks a and b with three
# board cards, suits ignored. 8 MB.
OMAHA_ROWS = Lazy(_omaha_rows)
# Mask of the hole's ranks from ace to eight -> row; row[mask of the board's] = best low of two and three, or
# None.
EIGHT_OR_BETTER = Lazy(_eight_or_better)


def build_all() -> None:
    """Every table, about a second's work, for a process that must not stop for it in the middle of a hand."""
    for table in (MIXED, LOWS, UNPAIRED_LOWS, SHOWING_LOWS, SHOWING_HIGHS, FLUSHES, OMAHA_ROWS, EIGHT_OR_BETTER):
        if not table:
            table.fill()
