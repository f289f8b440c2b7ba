"""What is tested: the production deal, and the shuffles that are known to be wrong (each seen in a real program).

A dealer gives decks, and no hint of what is wrong with it: that is for the battery to find.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import sha256

from engine.deck import hand_id, permutation, shuffle
from engine.drbg import HmacDrbg
from services.rng.attacks import DAY_MS, Facts, by_random

Below = Callable[[int], int]
Order = Callable[[int, Below], bytes]
TABLE = "000-battery"
START_MS = 1_700_000_000_000


@dataclass(frozen=True)
class Dealer:
    """`deck(facts)`: 52 cards of that hand. `order`: how it permutes any number of cards, from draws below a bound."""

    name: str
    deck: Callable[[Facts], bytes]
    order: Order


def facts_of(number: int) -> Facts:
    """Of the battery's hands, one a minute."""
    return Facts(TABLE, number, START_MS + number * 60_000 + number * number % 997)


def production(seeds: HmacDrbg) -> Dealer:
    """The shipped functions, each hand with a seed of its own as the worker does it."""

    def deck(facts: Facts) -> bytes:
        return shuffle(seeds.generate(32), hand_id(facts.table, facts.number))

    return Dealer("production", deck, permutation)


def swap_with_any(size: int, below: Below) -> bytes:
    """The shuffle of 1999: n^n equally likely draws cannot make n! equally likely orders."""
    order = bytearray(range(size))
    for at in range(size):
        other = below(size)
        order[at], order[other] = order[other], order[at]
    return bytes(order)


def off_by_one(size: int, below: Below) -> bytes:
    """No card can stay in its place (Sattolo's cycle)."""
    order = bytearray(range(size))
    for last in range(size - 1, 0, -1):
        at = below(last)
        order[last], order[at] = order[at], order[last]
    return bytes(order)


def stops_early(size: int, below: Below) -> bytes:
    """The loop ends one step too soon: half of all orders are never dealt."""
    order = bytearray(range(size))
    for last in range(size - 1, 1, -1):
        at = below(last + 1)
        order[last], order[at] = order[at], order[last]
    return bytes(order)


def three_bits(size: int, below: Below) -> bytes:
    """The remainder of three bits."""
    return permutation(size, lambda bound: below(8) % bound)


def byte_modulo(size: int, below: Below) -> bytes:
    """The remainder of a byte prefers small numbers, slightly."""
    return permutation(size, lambda bound: below(256) % bound)


def signed_output(size: int, below: Below) -> bytes:
    """A signed generator: half of its draws are negative and pick a card from the wrong end, or the same one twice."""
    cards = list(range(size))
    drawn = []
    for left in range(size, 0, -1):
        draw = below(256) - 128
        drawn.append(cards[int(draw / 256 * left) % size if draw < 0 else draw * left // 256])
    return bytes(drawn)


def by_order(name: str, order: Order, chance: HmacDrbg) -> Dealer:
    return Dealer(name, lambda facts: order(52, chance.below), order)


def seeded(name: str, seed_of: Callable[[Facts], int]) -> Dealer:
    """A right shuffle from a seed that is too small, or that everybody can know."""
    return Dealer(name, lambda facts: by_random(seed_of(facts)), permutation)


WRONG_ORDERS: tuple[Order, ...] = (swap_with_any, off_by_one, stops_early, three_bits, byte_modulo, signed_output)


def controls(chance: HmacDrbg) -> Iterator[Dealer]:
    """Every known fault; the battery is worth something only if it rejects them all."""
    for order in WRONG_ORDERS:
        yield by_order(order.__name__.replace("_", " "), order, chance)
    yield seeded("32-bit seed", lambda facts: int.from_bytes(chance.generate(4)))
    yield seeded("seed from public data", public_seed)
    yield seeded("clock as seed", lambda facts: facts.started_ms % DAY_MS)


def public_seed(facts: Facts) -> int:
    """Table and number of the hand, both on everybody's screen."""
    return int.from_bytes(sha256(f"{facts.table}:{facts.number}".encode()).digest())
