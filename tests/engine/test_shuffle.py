"""The shuffle is fair, and the statistics that say so do reject the shuffles that are known to be wrong.

All seeds are fixed and all arithmetic is exact, so a test gives the same answer every time. A shuffle is
rejected when chi-square lies more than four standard deviations from its mean.
"""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise, permutations
from math import factorial

import pytest

from engine.deck import first_button, hand_id, permutation, shuffle
from engine.drbg import HmacDrbg
from services.rng.shuffles import Below, Order, byte_modulo, off_by_one, stops_early, swap_with_any

DECKS = 12_000


def generator(purpose: str) -> HmacDrbg:
    return HmacDrbg(bytes(range(32)), personalisation=purpose.encode())


def rejected(chi_square: Fraction, freedom: int) -> bool:
    """|z| > 4 with z = (chi-square - freedom) / sqrt(2 · freedom)."""
    return (chi_square - freedom) ** 2 > 16 * 2 * freedom


def orders_rejected(orders: list[bytes], size: int) -> bool:
    """Chi-square over all size! orders."""
    counts = Counter(orders)
    cells = factorial(size)
    chi_square = Fraction(cells * sum(count * count for count in counts.values()), len(orders)) - len(orders)
    return rejected(chi_square, cells - 1)


def table_rejected(decks: list[bytes]) -> bool:
    """Chi-square over 52 positions × 52 cards; rows and columns have fixed sums, hence 51 · 51 and 51/52."""
    squares = sum(
        count * count for position in zip(*decks, strict=True) for count in Counter(position).values()
    )
    chi_square = Fraction(52 * squares, len(decks)) - 52 * len(decks)
    return rejected(chi_square * Fraction(51, 52), 51 * 51)


WHOLE_DECK_SHOWS = [swap_with_any, off_by_one, stops_early, byte_modulo]


def dealt(shuffler: Order, size: int, decks: int) -> list[bytes]:
    below = generator(f"{shuffler.__name__} {size}").below
    return [shuffler(size, below) for _ in range(decks)]


@pytest.mark.parametrize("size", [2, 3, 4, 5, 6])
def test_each_series_of_draws_leads_to_its_own_order(size: int) -> None:
    """Exact, no statistics: size! equally likely series of draws reach all size! orders, each once."""
    orders = Counter(permutation(size, iter_below(draws)) for draws in all_draws(size))
    assert orders == dict.fromkeys(map(bytes, permutations(range(size))), 1)


def all_draws(size: int) -> Iterator[list[int]]:
    if size == 1:
        yield []
    else:
        for first in range(size):
            for rest in all_draws(size - 1):
                yield [first, *rest]


def iter_below(draws: list[int]) -> Below:
    left = iter(draws)
    return lambda bound: next(left)


@pytest.mark.parametrize(("size", "decks"), [(3, 12_000), (4, 24_000), (5, 60_000)])
def test_all_orders_of_a_small_deck_come_equally_often(size: int, decks: int) -> None:
    orders = dealt(permutation, size, decks)
    assert len(set(orders)) == factorial(size)
    assert not orders_rejected(orders, size)


@pytest.mark.parametrize("wrong", [swap_with_any, off_by_one, stops_early])
@pytest.mark.parametrize(("size", "decks"), [(3, 12_000), (4, 24_000)])
def test_wrong_shuffles_of_a_small_deck_are_rejected(wrong: Order, size: int, decks: int) -> None:
    assert orders_rejected(dealt(wrong, size, decks), size)


def test_the_bias_of_a_byte_is_missed_on_five_cards() -> None:
    """Why the next test deals whole decks."""
    assert not orders_rejected(dealt(byte_modulo, 5, 60_000), 5)


@pytest.fixture(scope="module")
def hands_of_a_table() -> list[bytes]:
    """Real deals one after the other, a fresh seed each, as the worker makes them."""
    seeds = generator("seeds of a table")
    return [shuffle(seeds.generate(32), hand_id("000-T", number)) for number in range(DECKS)]


def test_every_card_comes_to_every_position_equally_often(hands_of_a_table: list[bytes]) -> None:
    """P122, COM-01."""
    assert not table_rejected(hands_of_a_table)


def test_one_card_a_deck_stays_in_place(hands_of_a_table: list[bytes]) -> None:
    """P123: the number of fixed points has mean one and variance one."""
    fixed = sum(card == at for deck in hands_of_a_table for at, card in enumerate(deck))
    assert (fixed - DECKS) ** 2 <= 16 * DECKS


def test_a_hand_says_nothing_about_the_next(hands_of_a_table: list[bytes]) -> None:
    """Which card follows which at the same position is as even as if the decks were unrelated."""
    pairs = [sorted(zip(deck, after, strict=True)) for deck, after in pairwise(hands_of_a_table)]
    assert not table_rejected([bytes(after for _, after in pair) for pair in pairs])


@pytest.mark.parametrize("wrong", WHOLE_DECK_SHOWS)
def test_wrong_shuffles_of_a_whole_deck_are_rejected(wrong: Order) -> None:
    assert table_rejected(dealt(wrong, 52, DECKS))


@pytest.mark.parametrize("seats", [2, 6, 9])
def test_first_button_comes_to_every_seat_equally_often(seats: int) -> None:
    seeds = generator("seeds of buttons")
    draws = 6_000
    counts = Counter(first_button(seeds.generate(32), seats) for _ in range(draws))
    chi_square = Fraction(seats * sum(count * count for count in counts.values()), draws) - draws
    assert not rejected(chi_square, seats - 1)
