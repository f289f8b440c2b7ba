"""The sealed deck: what a hand pays for a deal that can be verified card by card."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from bench.measure import Row, Subject, rate
from engine.deck import hand_id, sealed_deck, shuffle

DEALS = 200
SEED = bytes(range(32))

# No peer commits to its decks. Milliseconds of CPU a hand: the first attempt took 0.78, half of it is the goal.
ROWS = (Row("sealed deck, CPU a hand", "sealed", None, must=0.78, aim=0.39, unit=" ms"),)


def milliseconds(deal: Callable[[bytes, bytes], object]) -> Callable[[], float]:
    """A candidate: CPU milliseconds a deck, each for another hand."""
    hands = [hand_id("000-bench", number) for number in range(DEALS)]
    return lambda: 1000 / rate(DEALS, lambda: [deal(SEED, hand) for hand in hands])


@contextmanager
def subject() -> Iterator[Subject]:
    """The shuffle and commitment of production, and the shuffle alone."""
    yield Subject({"sealed": milliseconds(sealed_deck), "shuffle only": milliseconds(shuffle)}, ROWS)
