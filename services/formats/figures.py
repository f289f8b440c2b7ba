"""Amounts and cards as rooms print them. A sign that could mean two things is refused, never guessed.

Amounts: a point or comma before one or two last digits is the decimal sign; spaces (also U+00A0, U+202F),
apostrophes and commas between groups of three digits are thousands; a point is, if a decimal comma follows.
So `1 430`, `1'430`, `1,430` and `1.430,00` are 1430, `368,55` and `368.55` are 36855 cents, and `1.430`
alone, which is 1430 in one country and 1.43 in another, is refused. Cards: `Td`, also `10d`, suits ♠♥♦♣, and
the French ranks R (roi), D (dame), V (valet), letters that stand for one rank only in every language.
"""

from __future__ import annotations

import re

UNKNOWN = "??"
CURRENCIES = "$€£₹¥"

_GROUPED = re.compile(r"(\d{1,3}(?P<by>[ \u00a0\u202f'’,.])\d{3}(?:(?P=by)\d{3})*)(?:([.,])(\d{1,2}))?", re.ASCII)
_PLAIN = re.compile(r"(\d{1,15})(?:[.,](\d{1,2}))?", re.ASCII)
_SPACES = re.compile(r"[ \u00a0\u202f]")

_RANKS = {rank: rank for rank in "23456789TJQKA"} | {"10": "T", "R": "K", "D": "Q", "V": "J"}
_SUITS = {suit: suit for suit in "cdhs"} | {"♣": "c", "♦": "d", "♥": "h", "♠": "s"}
_CARD = re.compile(r"(10|[2-9TJQKARDV])([cdhs♣♦♥♠])")
_CARDS = re.compile(rf"(?:{_CARD.pattern}|\?\?)")


class Nonsense(Exception):
    """What a reader met makes no sense; the caller knows file and line and makes a `BrokenHistory` of it."""


def amount(text: str, cents: bool) -> int:
    """Chips in the smallest unit: cents of a printed amount of money if `cents`, else whole chips."""
    digits = text.strip().strip(CURRENCIES).strip()
    whole, decimals = _grouped(digits) or _plain(digits)
    if not cents:
        if int(decimals or 0):
            raise Nonsense(f"part of a chip: {text!r}")
        return int(whole)
    return int(whole) * 100 + int(decimals.ljust(2, "0"))


def _grouped(digits: str) -> tuple[str, str] | None:
    found = _GROUPED.fullmatch(digits)
    if not found or len(digits) > 24:
        return None
    by, sign, decimals = found["by"], found[3], found[4]
    if sign == by or (by == "." and not sign):
        raise Nonsense(f"amount that can be read in two ways: {digits!r}")
    return found[1].replace(by, ""), decimals or ""


def _plain(digits: str) -> tuple[str, str]:
    found = _PLAIN.fullmatch(digits)
    if not found:
        raise Nonsense(f"not an amount: {digits!r}")
    return found[1], found[2] or ""


def card_name(text: object) -> str:
    """The name of one card (`As`, `Td`) or `??`."""
    if text == UNKNOWN:
        return UNKNOWN
    found = _CARD.fullmatch(text) if isinstance(text, str) else None
    if not found:
        raise Nonsense(f"not a card: {text!r}")
    return _RANKS[found[1]] + _SUITS[found[2]]


def card_names(text: str) -> tuple[str, ...]:
    """Cards printed with or without spaces between them: `As Kd`, `AsKd`."""
    found = tuple(match[0] for match in _CARDS.finditer(text))
    if "".join(found) != _SPACES.sub("", text):
        raise Nonsense(f"not cards: {text!r}")
    return tuple(card_name(card) for card in found)
