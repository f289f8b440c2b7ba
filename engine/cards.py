"""Cards are ints 0..51: 4 * rank + suit, with rank 2 = 0 … ace = 12, suit c = 0, d = 1, h = 2, s = 3.

Text such as `As` or `Td` exists at the edges only.
"""

from __future__ import annotations

from collections.abc import Iterable

RANKS = "23456789TJQKA"
SUITS = "cdhs"
NAMES = tuple(rank + suit for rank in RANKS for suit in SUITS)

_CARDS = {name: card for card, name in enumerate(NAMES)}


def rank(card: int) -> int:
    """0 for a two … 12 for an ace."""
    return card >> 2


def suit(card: int) -> int:
    """0 clubs, 1 diamonds, 2 hearts, 3 spades: the order of the razz bring-in (RAZ-12)."""
    return card & 3


def parse(text: str) -> int:
    """A card from one of `RANKS` and one of `SUITS`; ValueError for anything else: ten is T, never 10."""
    card = _CARDS.get(text)
    if card is None:
        raise ValueError(f"not a card: {text!r}")
    return card


def parse_many(text: str) -> list[int]:
    """Cards separated by blanks. ValueError names the first text that is no card, or a card written twice."""
    cards: list[int] = []
    for name in text.split():
        card = parse(name)
        if card in cards:
            raise ValueError(f"the same card twice: {name!r}")
        cards.append(card)
    return cards


def show(cards: Iterable[int]) -> str:
    """`As Kd`: the inverse of `parse_many`."""
    return " ".join(NAMES[card] for card in cards)
