"""What is tested: the production deal, and the shuffles that are known to be wrong (each seen in a real program).

A dealer gives decks and says what everybody can know of a hand, and from how many secret bits its deck comes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from random import Random

from engine.deck import hand_id, permutation, shuffle
from engine.drbg import HmacDrbg

Below = Callable[[int], int]
Order = Callable[[int, Below], bytes]
TABLE = "000-battery"


@dataclass(frozen=True)
class Dealer:
    """`deck(number)`: 52 cards of that hand. `order`: how it permutes any number of cards, from draws below a bound."""

    name: str
    deck: Callable[[int], bytes]
    order: Order
    secret_bits: int
    guess: Callable[[int], bytes] | None = None  # what an outsider can compute of a hand, if anything


def production(seeds: HmacDrbg) -> Dealer:
    """The shipped functions, hand by hand with a seed of its own as the worker does it."""
    kept: dict[int, bytes] = {}

    def deck(number: int) -> bytes:
        if number not in kept:
            kept[number] = seeds.generate(32)
        return shuffle(kept[number], hand_id(TABLE, number))

    return Dealer("production", deck, permutation, 256)


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
    return Dealer(name, lambda number: order(52, chance.below), order, 256)


def seeded(name: str, seed_of: Callable[[int], int], bits: int, public: bool) -> Dealer:
    """A right shuffle from a seed that is too small, or that everybody can know."""

    def deck(number: int) -> bytes:
        draw = Random(seed_of(number))
        return permutation(52, lambda bound: int(draw.random() * bound))

    return Dealer(name, deck, permutation, bits, deck if public else None)


def controls(chance: HmacDrbg) -> Iterator[Dealer]:
    """Every known fault; the battery is worth something only if it rejects them all."""
    for order in (swap_with_any, off_by_one, stops_early, three_bits, byte_modulo, signed_output):
        yield by_order(order.__name__.replace("_", " "), order, chance)
    small = int.from_bytes(chance.generate(4))
    yield seeded("32-bit seed", lambda number: (small + number * 2_654_435_761) % 2**32, 32, public=False)
    yield seeded("seed from public data", public_seed, 256, public=True)


def public_seed(number: int) -> int:
    """Table and start of the hand, both on everybody's screen."""
    return int.from_bytes(sha256(f"{TABLE}:{number}".encode()).digest())
