"""pokerfast's FastHand, pure Python like ours: six-handed no-limit hold'em at random, with its own decks."""

from __future__ import annotations

from random import Random

from pokerfast import FastHand

from services.policies import Draw

STACK = 20_000
"""A hundred of its big blinds, as `croupier simulate` seats its players."""
FOLD, CHECK, CALL, RAISE = KINDS = ("fold", "check", "call", "min_bet")


def decisions(hands: int) -> list[str]:
    """Uniform over the legal kinds, as our random policy."""
    chance, draw = Random(0), Draw(0)
    found: list[str] = []
    for _ in range(hands):
        hand = deal(chance)
        while not hand.done:
            kinds = [kind for kind in KINDS if kind in hand.get_action_space()]
            found.append(kinds[draw.below(len(kinds))])
            take(hand, found[-1])
    return found


def play(hands: int, kinds: list[str]) -> None:
    """The same again. What is legal is asked for at every turn, for our engine finds it too."""
    chance, at = Random(0), iter(kinds)
    for _ in range(hands):
        hand = deal(chance)
        while not hand.done:
            hand.get_action_space()
            take(hand, next(at))


def deal(chance: Random) -> FastHand:
    return FastHand(min_stack=STACK, max_stack=STACK, rng=chance)


def take(hand: FastHand, kind: str) -> None:
    """Raises are at the minimum."""
    if kind == FOLD:
        hand.fold()
    elif kind == CHECK:
        hand.check()
    elif kind == CALL:
        hand.call()
    else:
        hand.bet_or_raise(hand.get_action_space()[RAISE])
