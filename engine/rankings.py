"""How good a hand is. Every score is an int; bigger is better, for lows too; equal scores tie.

Cards are ints of `engine/cards.py` in any order. `engine/hand_names.py` turns a score into its name,
`engine/best_five.py` finds the cards that made it. All functions raise `WrongNumberOfCards`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

from engine.ranking_tables import (
    EIGHT_BITS,
    EIGHT_OR_BETTER,
    FIVE_SUITED,
    FIVE_WANTED,
    FLUSHES,
    LOW_BITS,
    LOW_WEIGHTS,
    LOWS,
    MIXED,
    OMAHA_ROWS,
    RANK_SUM,
    RANK_WEIGHTS,
    SHOWING_HIGHS,
    SHOWING_LOWS,
    SUIT_SHIFT,
    SUITED,
    THREE_WANTED,
    TWO_WANTED,
    UNPAIRED_LOWS,
    WEIGHTS,
    WORST_EIGHT,
)


class WrongNumberOfCards(ValueError):
    """Too few or too many cards for a ranking, for example before the flop. The text never names a card."""


def high(cards: Sequence[int]) -> int:
    """Best five of five to seven cards (COM-02)."""
    try:  # nearly always seven, and twice as fast without asking
        a, b, c, d, e, f, g = cards
    except ValueError:
        return _high_of_less(cards)
    weights = WEIGHTS
    total = FIVE_WANTED[a] + weights[b] + weights[c] + weights[d] + weights[e] + weights[f] + weights[g]
    if total & SUITED:
        return _flush(cards, total & SUITED)
    return MIXED[total & RANK_SUM]


def _high_of_less(cards: Sequence[int]) -> int:
    """As `high`, for five or six."""
    if not 5 <= len(cards) <= 6:
        raise _wrong(cards, "5 to 7")
    total = FIVE_SUITED
    for card in cards:
        total += WEIGHTS[card]
    return _flush(cards, total & SUITED) if total & SUITED else MIXED[total & RANK_SUM]


def _flush(cards: Sequence[int], suited: int) -> int:
    """With five of a suit the other two cards cannot make quads or a full house."""
    return FLUSHES[sum(_bits_of_suit(cards, suited))]


def five_high(cards: Sequence[int]) -> int:
    """High score of exactly five cards (ABY-26)."""
    if len(cards) != 5:
        raise _wrong(cards, "5")
    return _high_of_less(cards)


def razz_low(cards: Sequence[int]) -> int:
    """Best ace-to-five low of five to seven cards; straights and flushes do not exist, pairs do (COM-03)."""
    try:  # as in `high`
        a, b, c, d, e, f, g = cards
    except ValueError:
        return _low_of_less(cards)
    bit = LOW_BITS
    ranks = bit[a] | bit[b] | bit[c] | bit[d] | bit[e] | bit[f] | bit[g]
    return UNPAIRED_LOWS[ranks] or _low_by_sum(cards)  # the first is a ninth of the size of LOWS, and mostly enough


def _low_of_less(cards: Sequence[int]) -> int:
    """As `razz_low`, for five or six."""
    if not 5 <= len(cards) <= 6:
        raise _wrong(cards, "5 to 7")
    return _low_by_sum(cards)


def _low_by_sum(cards: Sequence[int]) -> int:
    total = 0
    for card in cards:
        total += LOW_WEIGHTS[card]
    return LOWS[total]


def five_low(cards: Sequence[int]) -> int:
    """Ace-to-five low of exactly five cards (ABY-28)."""
    if len(cards) != 5:
        raise _wrong(cards, "5")
    return _low_of_less(cards)


def showing_lows(deck: Sequence[int | None], boards: Iterable[Sequence[int]]) -> list[int]:
    """Ace-to-five scores of boards of one to four face-up cards, as many on each (RAZ-C05). Boards are places in
    `deck`.
    """
    return _showing(deck, boards, LOW_WEIGHTS, SHOWING_LOWS)


def showing_highs(deck: Sequence[int | None], boards: Iterable[Sequence[int]]) -> list[int]:
    """As `showing_lows`, the high scores: pairs and better only (STD-07)."""
    return _showing(deck, boards, RANK_WEIGHTS, SHOWING_HIGHS)


def _showing(
    deck: Sequence[Any], boards: Iterable[Sequence[int]], weights: Sequence[int], table: Mapping[int, int]
) -> list[int]:
    """By the sum of weights, in one go: every street of a stud game asks for the boards of all players."""
    scores = []
    for board in boards:
        total = 0
        for at in board:
            total += weights[deck[at]]
        try:
            scores.append(table[total])
        except KeyError:
            raise _wrong(board, "1 to 4") from None
    return scores


def eight_or_better(cards: Sequence[int]) -> int | None:
    """As `razz_low`, None without five different ranks from ace to eight (ST8-04)."""
    score = razz_low(cards)
    return score if score >= WORST_EIGHT else None


def omaha_high(hole: Sequence[int], board: Sequence[int]) -> int:
    """Best high of exactly two of four hole cards and three of up to five board cards (OM8-26)."""
    try:
        a, b, c, d = hole
        v, w, x, y, z = board
    except ValueError:  # before the river
        return max(map(_high_of_less, _two_and_three(hole, board)))
    weights = WEIGHTS
    on_board = THREE_WANTED[v] + weights[w] + weights[x] + weights[y] + weights[z]
    in_hand = TWO_WANTED[a] + weights[b] + weights[c] + weights[d]
    row = OMAHA_ROWS[on_board & RANK_SUM]
    a, b, c, d = a >> 2, b >> 2, c >> 2, d >> 2
    with_a, with_b = 13 * a, 13 * b
    best = max(
        row[with_a + b], row[with_a + c], row[with_a + d], row[with_b + c], row[with_b + d], row[13 * c + d]
    )
    suited = on_board & in_hand & SUITED
    return max(best, _omaha_flush(hole, board, suited)) if suited else best


def omaha_low(hole: Sequence[int], board: Sequence[int]) -> int | None:
    """Best low of two hole and three board cards, five ranks ace to eight; None without one (OM8-C04)."""
    try:
        a, b, c, d = hole
        v, w, x, y, z = board
    except ValueError:
        scores = [eight_or_better(five) for five in _two_and_three(hole, board)]
        return max([score for score in scores if score is not None], default=None)
    bits = EIGHT_BITS
    on_board = bits[v] | bits[w] | bits[x] | bits[y] | bits[z]
    return EIGHT_OR_BETTER[bits[a] | bits[b] | bits[c] | bits[d]][on_board]


def at_most_two(hole: Sequence[int], board: Sequence[int]) -> int:
    """Best high with none, one or two of up to six hole cards and three to five board cards (HAS-C06)."""
    if len(hole) > 6 or not 3 <= len(board) <= 5 or len(hole) + len(board) < 5:
        raise WrongNumberOfCards(f"{len(hole)} hole and {len(board)} board cards")
    if len(hole) <= 2:
        cards = [*hole, *board]
        return high(cards) if len(cards) == 7 else _high_of_less(cards)
    return max(high([*pair, *board]) for pair in combinations(hole, 2))


def _wrong(cards: Sequence[int], needed: str) -> WrongNumberOfCards:
    return WrongNumberOfCards(f"{len(cards)} cards, {needed} needed")


def _two_and_three(hole: Sequence[int], board: Sequence[int]) -> list[tuple[int, ...]]:
    """All fives of an Omaha hand before its board is complete."""
    if len(hole) != 4 or not 3 <= len(board) <= 5:
        raise WrongNumberOfCards(f"{len(hole)} hole and {len(board)} board cards, 4 and 3 to 5 needed")
    return [pair + three for pair in combinations(hole, 2) for three in combinations(board, 3)]


def _bits_of_suit(cards: Sequence[int], suited: int) -> list[int]:
    """One rank bit per card of the suit whose counter is marked in `suited`; their sum is a mask of ranks."""
    suit = suited.bit_length() - SUIT_SHIFT - 1 >> 2
    return [1 << (card >> 2) for card in cards if card & 3 == suit]


def _omaha_flush(hole: Sequence[int], board: Sequence[int], suited: int) -> int:
    """Best flush or straight flush in a suit that two hole and three board cards have at least."""
    pairs = combinations(_bits_of_suit(hole, suited), 2)
    threes = [sum(three) for three in combinations(_bits_of_suit(board, suited), 3)]
    return max(FLUSHES[first + second + three] for first, second in pairs for three in threes)
