"""Which five cards made a score, for showdown and display.

Of several equal fives the first is taken, cards in the order received and hole cards before the board. A high
keeps that order, a low from any five runs from its highest card down, as the rule book's examples print them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations

from engine.ranking_tables import LOW_RANK
from engine.rankings import at_most_two, five_high, five_low, high, omaha_high, omaha_low, razz_low

Five = tuple[int, ...]


def best_high(cards: Sequence[int]) -> Five:
    """The five of `rankings.high`."""
    return _first(combinations(cards, 5), five_high, high(cards))


def best_low(cards: Sequence[int]) -> Five:
    """The five of `rankings.razz_low`, highest first, the ace last."""
    five = _first(combinations(cards, 5), five_low, razz_low(cards))
    return tuple(sorted(five, key=lambda card: -LOW_RANK[card]))


def best_omaha_high(hole: Sequence[int], board: Sequence[int]) -> Five:
    """The two and three of `rankings.omaha_high`."""
    return _first(_two_and_three(hole, board), five_high, omaha_high(hole, board))


def best_omaha_low(hole: Sequence[int], board: Sequence[int]) -> Five | None:
    """The two and three of `rankings.omaha_low`; None without a low."""
    score = omaha_low(hole, board)
    return None if score is None else _first(_two_and_three(hole, board), five_low, score)


def best_at_most_two(hole: Sequence[int], board: Sequence[int]) -> Five:
    """The five of `rankings.at_most_two`; more hole cards are preferred to fewer."""
    return _first(_up_to_two(hole, board), five_high, at_most_two(hole, board))


def _two_and_three(hole: Sequence[int], board: Sequence[int]) -> Iterable[Five]:
    return (pair + three for pair in combinations(hole, 2) for three in combinations(board, 3))


def _up_to_two(hole: Sequence[int], board: Sequence[int]) -> Iterable[Five]:
    return (
        own + shared
        for count in (2, 1, 0)
        for own in combinations(hole, count)
        for shared in combinations(board, 5 - count)
    )


def _first(fives: Iterable[Five], score_of: Callable[[Five], int], score: int) -> Five:
    return next(five for five in fives if score_of(five) == score)
