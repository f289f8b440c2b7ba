"""The hands that both engines are given: a stacked deck each, and the numbers that decide its actions."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

SEATS, STACK = 6, 400
SMALL_BET, BIG_BET = 4, 8
SMALL_BLIND, BIG_BLIND = 2, 4
ANTE, BRING_IN = 1, 2

MOST_ACTIONS = SEATS * 5 * 5  # five streets of at most five rounds (check, bet, three raises)


class Hand(NamedTuple):
    """`cards` from the top; `draws` uniform in [0, 1), one for each decision of the random policy."""

    cards: tuple[int, ...]
    draws: tuple[float, ...]


def random_hands(first: int, count: int) -> list[Hand]:
    """Hands `first` to `first + count - 1` of the one endless list; no chips of them are ever all-in (STACK)."""
    return [random_hand(Random(number)) for number in range(first, first + count)]


def random_hand(draw: Random) -> Hand:
    """A shuffled deck and its decisions."""
    return Hand(tuple(draw.sample(range(52), 52)), tuple(draw.random() for _ in range(MOST_ACTIONS)))
