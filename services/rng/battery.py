"""The tests. Each takes decks and gives a `Finding`; the battery runs them all on one dealer.

Two stages: a test that fails is repeated on fresh decks, and only two failures in a row count. With |z| > 4 twice, a
right shuffle is rejected less than once in 10^8 tests.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, pairwise, permutations, product
from math import factorial, sqrt
from typing import NamedTuple

from engine.deck import hand_id, shuffle
from engine.drbg import HmacDrbg
from engine.hand_names import Category, name_high
from engine.rankings import five_high
from services.rng.attacks import bits_excluded, foretold, repeated
from services.rng.shuffles import TABLE, Dealer, Order, facts_of

Z_MOST = 4.0
FORETOLD = 20
BIRTHS = 220_000
"""Decks among which 32-bit seeds repeat one, 99.6 times in 100."""
Decks = Sequence[bytes]
Z = Callable[[Decks], float]

CATEGORIES: dict[Category, int] = {
    Category.STRAIGHT_FLUSH: 40,
    Category.QUADS: 624,
    Category.FULL_HOUSE: 3_744,
    Category.FLUSH: 5_108,
    Category.STRAIGHT: 10_200,
    Category.TRIPS: 54_912,
    Category.TWO_PAIR: 123_552,
    Category.PAIR: 1_098_240,
    Category.NO_PAIR: 1_302_540,
}
HANDS = 2_598_960


class Finding(NamedTuple):
    """`z`: standard deviations from what a right shuffle gives, where the test is a statistic."""

    name: str
    ok: bool
    detail: str
    z: float | None = None


def chi_square_z(counts: Sequence[int], expected: Sequence[float], freedom: int, scale: float = 1.0) -> float:
    """Chi-square against `expected`, as standard deviations from its mean."""
    chi = scale * sum((seen - mean) ** 2 / mean for seen, mean in zip(counts, expected, strict=True))
    return (chi - freedom) / sqrt(2 * freedom)


def positions(decks: Decks) -> float:
    """52 positions by 52 cards; rows and columns have fixed sums."""
    mean = len(decks) / 52
    counts = [Counter(column).get(card, 0) for column in zip(*decks, strict=True) for card in range(52)]
    return chi_square_z(counts, [mean] * 2704, 51 * 51, 51 / 52)


def neighbours(decks: Decks) -> float:
    """Which card follows which inside a deck: 52 by 51 ordered pairs."""
    counts = Counter(pair for deck in decks for pair in pairwise(deck))
    mean = len(decks) * 51 / (52 * 51)
    cells = [counts[first, second] for first in range(52) for second in range(52) if first != second]
    return chi_square_z(cells, [mean] * len(cells), len(cells) - 1)


def categories(decks: Decks) -> float:
    """Poker hands of the first five cards against their exact counts; the rarest are counted together."""
    counts = Counter(name_high(five_high(list(deck[:5]))).category for deck in decks)
    rare = (Category.STRAIGHT_FLUSH, Category.QUADS, Category.FULL_HOUSE, Category.FLUSH)
    common = [kind for kind in CATEGORIES if kind not in rare]
    seen = [sum(counts[kind] for kind in rare), *(counts[kind] for kind in common)]
    exact = [sum(CATEGORIES[kind] for kind in rare), *(CATEGORIES[kind] for kind in common)]
    return chi_square_z(seen, [len(decks) * part / HANDS for part in exact], len(exact) - 1)


def fixed_points(decks: Decks) -> float:
    """One card a deck stays where it was, with variance one."""
    stayed = sum(card == at for deck in decks for at, card in enumerate(deck))
    return (stayed - len(decks)) / sqrt(len(decks))


def from_hand_to_hand(decks: Decks) -> float:
    """What lay somewhere in one hand says nothing about the next."""
    follow = [bytes(after for _, after in sorted(zip(deck, later, strict=True))) for deck, later in pairwise(decks)]
    return positions(follow)


def serial_correlation(decks: Decks) -> float:
    """Top cards of consecutive hands, Pearson's r times the root of their number."""
    tops = [deck[0] for deck in decks]
    mean = sum(tops) / len(tops)
    spread = sum((top - mean) ** 2 for top in tops)
    together = sum((one - mean) * (two - mean) for one, two in pairwise(tops))
    return together / spread * sqrt(len(tops)) if spread else 99.0


STATISTICS: dict[str, Z] = {
    "52 by 52 positions": positions,
    "adjacent pairs": neighbours,
    "five-card categories": categories,
    "fixed points": fixed_points,
    "hand to hand": from_hand_to_hand,
    "serial correlation": serial_correlation,
}


def examine(dealer: Dealer, decks: int, chance: HmacDrbg, births: int = 0) -> Iterator[Finding]:
    """All tests on this dealer, `decks` decks a statistic; `births` decks (at least as many) for "no deck twice"."""
    first = [dealer.deck(facts_of(number)) for number in range(decks)]
    yield whole(first)
    if not whole(first).ok:
        return
    yield unforeseen(first)
    yield every_order(dealer.order)
    for size in (3, 4, 5):
        yield small_deck(dealer.order, size, chance)
    for name, statistic in STATISTICS.items():
        z = statistic(first)
        if abs(z) > Z_MOST:
            z = statistic([dealer.deck(facts_of(decks + number)) for number in range(decks)])
        yield Finding(name, abs(z) <= Z_MOST, f"z = {z:.2f}", round(z, 2))
    more = (dealer.deck(facts_of(2 * decks + number)) for number in range(births - decks))
    yield no_deck_twice(chain(first, more))


def whole(decks: Decks) -> Finding:
    broken = sum(sorted(deck) != list(range(52)) for deck in decks)
    return Finding("each deck is 52 cards", broken == 0, f"{broken} of {len(decks)} are not")


def unforeseen(decks: Decks) -> Finding:
    """No deck can be computed from what is public of its hand."""
    number = foretold((facts_of(number), deck) for number, deck in enumerate(decks[:FORETOLD]))
    if number is not None:
        return Finding("not foreseeable", False, f"the deck of hand {number} follows from public data")
    return Finding("not foreseeable", True, f"no deck of {FORETOLD} follows from table, number or clock")


def no_deck_twice(decks: Iterable[bytes]) -> Finding:
    """A seed that is too small gives a deck again: exact, for 52! decks never do."""
    many, twice = repeated(decks)
    if twice:
        return Finding("no deck twice", False, f"deck {many} had been dealt before: too few seeds")
    return Finding("no deck twice", True, f"{many} decks: a seed has more than {bits_excluded(many):.0f} bits")


def every_order(order: Order) -> Finding:
    """Exact: equally likely draws lead to each order of 2 to 6 cards equally often."""
    for size in range(2, 7):
        bounds = draws_asked(order, size)
        if len(bounds) > 8 or any(bound > 16 for bound in bounds):
            return Finding("every order of 2-6 cards", True, "not enumerable for this shuffle; see the other tests")
        reached = Counter(order(size, iter_below(draws)) for draws in product(*map(range, bounds)))
        if len(reached) != factorial(size) or len(set(reached.values())) != 1:
            return Finding("every order of 2-6 cards", False, f"{size} cards: not every order, or not equally often")
    assert set(reached) == set(map(bytes, permutations(range(6))))
    return Finding("every order of 2-6 cards", True, "each of them, equally often")


def draws_asked(order: Order, size: int) -> list[int]:
    """The bounds that a shuffle of `size` cards asks for."""
    bounds: list[int] = []

    def note(bound: int) -> int:
        bounds.append(bound)
        return 0

    order(size, note)
    return bounds


def iter_below(draws: Sequence[int]) -> Callable[[int], int]:
    left = iter(draws)
    return lambda bound: next(left)


def small_deck(order: Order, size: int, chance: HmacDrbg) -> Finding:
    """All orders of a small deck, dealt with the production generator."""
    for _ in range(2):
        decks = factorial(size) * 400
        counts = Counter(order(size, chance.below) for _ in range(decks))
        cells = [counts[bytes(cards)] for cards in permutations(range(size))]
        z = chi_square_z(cells, [400.0] * len(cells), len(cells) - 1)
        if abs(z) <= Z_MOST:
            break
    return Finding(f"orders of {size} cards", abs(z) <= Z_MOST, f"z = {z:.2f}", round(z, 2))


def avalanche(chance: HmacDrbg, trials: int = 2000) -> Finding:
    """One flipped bit of a seed leaves the next deck as unlike as any other: one card in place on average."""
    same = 0
    for trial in range(trials):
        seed = bytearray(chance.generate(32))
        before = shuffle(bytes(seed), hand_id(TABLE, 1))
        seed[trial % 32] ^= 1 << trial % 8
        same += sum(a == b for a, b in zip(before, shuffle(bytes(seed), hand_id(TABLE, 1)), strict=True))
    z = (same - trials) / sqrt(trials)
    return Finding("seed avalanche", abs(z) <= Z_MOST, f"z = {z:.2f}", round(z, 2))


# SP 800-90A, HMAC_DRBG SHA-256 without reseed (CAVS 14.3, COUNT 0): entropy, nonce, 1024 bits after two requests.
VECTOR = (
    "ca851911349384bffe89de1cbdc46e6831e44d34a4fb935ee285dd14b71a7488",
    "659ba96c601dc69fc902940805ec0ca8",
    "e528e9abf2dece54d47c7e75e5fe302149f817ea9fb4bee6f4199697d04d5b89"
    "d54fbb978a15b5c443c9ec21036d2460b6f73ebad0dc2aba6e624abf07745bc1"
    "07694bb7547bb0995f70de25d6b29e2d3011bb19d27676c07162c8b5ccde0668"
    "961df86803482cb37ed6d5c0bb8d50cf1f50d476aa0458bdaba806f48be9dcb8",
)


def known_answer() -> Finding:
    """The generator is HMAC_DRBG of SP 800-90A."""
    entropy, nonce, expected = map(bytes.fromhex, VECTOR)
    generator = HmacDrbg(entropy, nonce)
    generator.generate(len(expected))
    return Finding("SP 800-90A vector", generator.generate(len(expected)) == expected, "HMAC_DRBG, SHA-256")
