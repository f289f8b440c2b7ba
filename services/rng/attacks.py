"""What somebody would try who knows the program and whatever is on everybody's screen, but no secret.

Planet Poker's decks followed from the clock (1999): whoever knew the second of a deal knew all cards. A seed of 32 bits
gives few enough decks that two of some hundred thousand are the same (the birthday problem); 52! never repeats itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from hashlib import blake2b, sha256
from math import log, log2
from random import Random
from typing import NamedTuple

from engine.deck import hand_id, permutation, shuffle

DAY_MS = 24 * 3600 * 1000
AROUND_MS = 20
"""How well an outsider knows when a hand began."""
MISSED = 0.01
"""Chance that a repetition which must be there is not seen."""


class Facts(NamedTuple):
    """What everybody knows of a hand before it is dealt."""

    table: str
    number: int
    started_ms: int


def by_random(seed: int) -> bytes:
    """A right shuffle by Python's own generator."""
    draw = Random(seed)
    return permutation(52, lambda bound: int(draw.random() * bound))


def guesses(facts: Facts) -> Iterator[bytes]:
    """Decks that would come of a seed made of nothing but facts, by the usual generator and by our own shuffle."""
    hand = hand_id(facts.table, facts.number)
    for seed in digests(facts, hand):
        yield shuffle(seed, hand)
        yield by_random(int.from_bytes(seed))
    for number in numbers(facts):
        yield by_random(number)


def digests(facts: Facts, hand: bytes) -> Iterator[bytes]:
    """32 bytes each."""
    table, number, started = facts
    texts = (f"{table}:{number}", f"{table}-{number}", f"{table}{number}", f"{number}", f"{started}", f"{table}")
    yield from (sha256(text.encode()).digest() for text in texts)
    yield sha256(hand).digest()
    yield hand[:32].ljust(32, b"\0")
    yield bytes(32)


def numbers(facts: Facts) -> Iterator[int]:
    """Counters and clocks, the clock as an outsider knows it."""
    yield facts.number
    yield facts.started_ms // 1000
    for ms in range(facts.started_ms - AROUND_MS, facts.started_ms + AROUND_MS + 1):
        yield ms
        yield ms % DAY_MS


def foretold(known: Iterable[tuple[Facts, bytes]]) -> int | None:
    """The number of the first hand whose deck is among the guesses; None: nobody could have known any."""
    for facts, deck in known:
        if any(guess == deck for guess in guesses(facts)):
            return facts.number
    return None


def repeated(decks: Iterable[bytes], tick: Callable[[], object] = lambda: None) -> tuple[int, bool]:
    """How many decks were dealt, and whether the last of them had been dealt before."""
    seen: set[bytes] = set()
    for many, deck in enumerate(decks, 1):
        short = blake2b(deck, digest_size=12).digest()
        if short in seen:
            return many, True
        seen.add(short)
        tick()
    return len(seen), False


def bits_excluded(decks: int) -> float:
    """Seeds of so many bits would have repeated a deck among these, 99 times in 100."""
    return log2(decks**2 / (2 * -log(MISSED))) if decks > 1 else 0.0
