"""Rankings beside phevaluator's public API and PokerKit's `from_game`, each with cards in its own type."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from random import Random
from typing import Any

from phevaluator import evaluate_cards, evaluate_omaha_cards
from pokerkit import OmahaEightOrBetterLowHand, RegularLowHand

from bench.measure import Row, Subject, rate
from bench.pokerkit_side import as_cards
from engine.rankings import high, omaha_high, omaha_low, razz_low

HANDS, PASSES = 5_000, 20  # a round of all but PokerKit, which gets through a few of the same hands once
FEW = 400

ROWS = (
    Row("Omaha high evaluator", "omaha high", "phevaluator omaha", must=0.2, aim=1.5),
    Row("Omaha low evaluator", "omaha low", "PokerKit omaha low", must=1000, aim=1800),
    Row("Razz low evaluator", "razz low", "PokerKit razz low", must=600, aim=1000),
    Row("7-card high evaluator", "seven-card high", "phevaluator seven", must=1, aim=1.8),
)

Evaluate = Callable[..., Any]
Hands = list[tuple[Any, ...]]


def random_hands(count: int) -> list[list[int]]:
    """`count` times nine different cards, the same ones at every call."""
    draw = Random(7)
    return [draw.sample(range(52), 9) for _ in range(count)]


def each(evaluate: Evaluate, hands: Hands, passes: int = PASSES) -> Callable[[], float]:
    """A candidate: evaluations a CPU second of `evaluate(*hand)` over all hands."""

    def work() -> None:
        for _ in range(passes):
            for hand in hands:
                evaluate(*hand)

    return lambda: rate(passes * len(hands), work)


def steps(scores: Iterable[Any]) -> list[int]:
    """-1, 0 or 1 for each pair of neighbours: worse, equal or better than the hand before."""
    return [(after > before) - (after < before) for before, after in pairwise(scores)]


def assert_same_order(ours: Iterable[int], peers: Iterable[Any]) -> None:
    """A faster evaluator that ranks differently is no faster evaluator."""
    assert steps(ours) == steps(peers), "the evaluators rank the same hands differently"


def assert_all_agree(hands: list[list[int]]) -> None:
    """Neighbouring hands stand in the same order for us and for the peer of every row (phevaluator: small is good)."""
    assert_same_order((high(h[:7]) for h in hands), (-evaluate_cards(*h[:7]) for h in hands))
    assert_same_order((omaha_high(h[:4], h[4:]) for h in hands), (-evaluate_omaha_cards(*h[4:], *h[:4]) for h in hands))
    few = [(h, as_cards(h)) for h in hands[:FEW]]
    assert_same_order((razz_low(h[:7]) for h, _ in few), (RegularLowHand.from_game(p[:7]) for _, p in few))
    lows = [(omaha_low(h[:4], h[4:]), OmahaEightOrBetterLowHand.from_game_or_none(p[:4], p[4:])) for h, p in few]
    assert all((ours is None) == (peer is None) for ours, peer in lows), "one side sees a low where the other sees none"
    assert_same_order((o for o, _ in lows if o is not None), (p for _, p in lows if p is not None))


@contextmanager
def subject() -> Iterator[Subject]:
    """The four evaluators over the same random hands."""
    hands = random_hands(HANDS)
    assert_all_agree(hands)
    theirs = [as_cards(h) for h in hands[:FEW]]
    yield Subject(
        {
            "omaha high": each(omaha_high, [(h[:4], h[4:]) for h in hands]),
            "phevaluator omaha": each(evaluate_omaha_cards, [(*h[4:], *h[:4]) for h in hands]),
            "omaha low": each(omaha_low, [(h[:4], h[4:]) for h in hands]),
            "PokerKit omaha low": each(
                OmahaEightOrBetterLowHand.from_game_or_none, [(p[:4], p[4:]) for p in theirs], 1
            ),
            "razz low": each(razz_low, [(h[:7],) for h in hands]),
            "PokerKit razz low": each(RegularLowHand.from_game, [(p[:7],) for p in theirs], 1),
            "seven-card high": each(high, [(h[:7],) for h in hands]),
            "phevaluator seven": each(evaluate_cards, [tuple(h[:7]) for h in hands]),
        },
        ROWS,
    )
