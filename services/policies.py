"""How simulated players and bots decide: policies over what is legal, none of which knows a hidden card.

A policy is a pure function of the legal actions, an estimate of the own hand and a source of chance, so that
a simulation repeats itself exactly.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from typing import NamedTuple

Legal = Mapping[str, tuple[int, int]]
"""Verb → (least, most), as `engine.table.options` gives it."""
Strength = Callable[[], float]
"""How good the own cards look, 0 … 1; asked for only by policies that care."""


class Draw:
    """Chance from a seed, the same on every Python: `random()` is the one method CPython keeps stable."""

    def __init__(self, seed: int) -> None:
        self.next = Random(seed).random

    def below(self, count: int) -> int:
        """0 … count − 1."""
        return int(self.next() * count)

    def shuffled(self, items: Iterable[int]) -> list[int]:
        """The items in a random order (Fisher and Yates)."""
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            at = self.below(last + 1)
            order[last], order[at] = order[at], order[last]
        return order


class Choice(NamedTuple):
    """What to send: `amount` is the bet after the action, None where the verb has none."""

    verb: str
    amount: int | None = None


Policy = Callable[[Legal, Strength, Draw], Choice]

PASSIVE = ("check", "call", "bring_in")
RAISES = ("bet", "raise", "complete")


def calldown(legal: Legal, strength: Strength, draw: Draw) -> Choice:
    """Bring in, check or call to the end; muck what need not be shown."""
    for verb in ("muck", *PASSIVE):
        if verb in legal:
            return at_least(verb, legal)
    return at_least(next(iter(legal)), legal)


def at_random(legal: Legal, strength: Strength, draw: Draw) -> Choice:
    """Uniform over the legal kinds: fold when facing a bet, check or call, raise at the minimum."""
    if "muck" in legal:
        return Choice("muck")
    return at_least(list(legal)[draw.below(len(legal))], legal)


def by_strength(legal: Legal, strength: Strength, draw: Draw) -> Choice:
    """Good hands raise more often and higher, bad ones fold more often, and every hand varies its play."""
    if "muck" in legal:
        return Choice("muck")
    good, mood = strength(), draw.next()
    raising = next((verb for verb in RAISES if verb in legal), None)
    if raising and mood < good * good * 0.6:
        least, most = legal[raising]
        return Choice(raising, least + int((most - least) * good**3 * draw.next() * 0.5))
    if "fold" in legal and mood > 0.35 + good:
        return Choice("fold")
    return calldown(legal, strength, draw)


POLICIES: dict[str, Policy] = {"random": at_random, "calldown": calldown, "bots": by_strength}


def at_least(verb: str, legal: Legal) -> Choice:
    """The verb with its smallest amount."""
    amount = legal[verb][0]
    return Choice(verb, amount if verb in RAISES or verb == "bring_in" else None)


def strength_of(cards: Sequence[int], board: Sequence[int], shares: Iterable[str]) -> float:
    """The better of how the cards look for high and for low, as far as the game pays such `shares`."""
    known = [*cards, *board]
    if not known:
        return 0.0
    looks = {"high": high_look, "low": low_look}
    return max((looks[share](known) for share in shares if share in looks), default=0.5)


def high_look(known: Sequence[int]) -> float:
    """High cards, and much more for pairs and better and for many of a suit."""
    ranks = Counter(card >> 2 for card in known)
    suits = Counter(card & 3 for card in known)
    groups = sorted(ranks.values(), reverse=True)
    made = (0.0, 0.0, 0.3, 0.6, 0.9)[groups[0]] + (0.15 if len(groups) > 1 and groups[1] > 1 else 0.0)
    flush = 0.4 if max(suits.values()) >= 5 else 0.0
    return min(1.0, made + flush + 0.4 * sum(card >> 2 for card in known) / (12 * len(known)))


def low_look(known: Sequence[int]) -> float:
    """Different ranks from ace to eight, of the five a low needs; pairs and high cards are worth nothing."""
    low = {rank for card in known if (rank := ((card >> 2) + 1) % 13) < 8}
    return min(1.0, 0.8 * len(low) / min(5, len(known)))
