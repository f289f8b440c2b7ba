"""The text lines of a scenario's result (its format, section 8), told from the course of the hand.

Which five of several equally good cards a line prints is left open: they are read, judged and then passed over. So is
the order of the lines.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from engine.cards import parse_many
from engine.hand_names import name_high, name_low
from engine.rankings import five_high, five_low
from services.advice import hand_names
from services.course import Course

FIVE = re.compile(r"(?P<name>[a-z2-9TJQKA -]+) \((?P<cards>(?:[2-9TJQKA][shdc] ?){5})\)")
Cards = Mapping[str, list[str | None]]


@dataclass(frozen=True, slots=True)
class Telling:
    """A finished hand. `live`: seats in order of the table; `cards`: by name; `pots`: as a scenario has them."""

    game: str
    course: Course
    name: Callable[[int], str | None]
    live: list[str]
    cards: Cards
    board: list[str]
    pots: list[dict[str, Any]]
    final: Mapping[str, int]

    def lines(self) -> list[str]:
        returned = [
            f"uncalled {amount} returned to {self.name(seat)}"
            for street, seat, amount in self.course.returns
            if street == "settlement"
        ]
        return [*returned, *(self.contest() if len(self.live) > 1 else self.alone()), *self.splits()]

    def alone(self) -> list[str]:
        winner, amount = self.live[0], self.pots[0]["amount"]
        if self.game == "abyssinia":
            return [f"{winner} takes the pot {amount} at once"]
        return [f"no showdown; {winner} takes {amount}"]

    def contest(self) -> list[str]:
        turns = self.course.showdown
        shown = [f"{self.name(seat)} {'may show or muck' if asked else 'shows'}" for seat, _, asked in turns]
        order = [f"showdown order: {'; '.join(shown)}"] if self.game != "abyssinia" else []
        hands = [f"{name}: {self.holding(name)}" for name in self.live]
        return [*order, *hands, *(self.pot(number, pot) for number, pot in enumerate(self.pots))]

    def holding(self, name: str) -> str:
        """What a live hand is called, without the five cards that make it."""
        named, cards = self.named(name), " ".join(self.own(name)) or "(no card left)"
        if self.game == "omaha8":
            return f"high {named['high']}; low {named['low']}"
        if self.game == "abyssinia":
            return f"{cards} high {named['high']}; low {named['low']}"
        common = f" + {self.board[0]}" if self.game == "razz" and self.board else ""
        return f"{cards}{common} -> {next(iter(named.values()))}"

    def own(self, name: str) -> list[str]:
        return [card for card in self.cards[name] if card]

    def named(self, name: str) -> dict[str, str]:
        """What the hand is called for each share of a pot."""
        shares = hand_names(self.game, self.own(name), self.board)
        return {share["share"]: share.get("text", "none") for share in shares}

    def pot(self, number: int, pot: Mapping[str, Any]) -> str:
        label = "pot" if len(self.pots) == 1 else f"side{number}" if number else "main"
        whose = "" if pot["eligible"] == self.live else f"   [eligible {'+'.join(pot['eligible'])}]"
        return f"{label} {pot['amount']}{self.shares(pot)}{whose}"

    def shares(self, pot: Mapping[str, Any]) -> str:
        whole = paid(pot["award"])
        if self.game not in ("omaha8", "abyssinia"):
            return f" -> {whole}"
        if "low" in pot:
            halves = (f"{share} {sum(pot[share].values())} -> {paid(pot[share])}" for share in ("high", "low"))
            return f": {'; '.join(halves)}"
        winners = [name for name in pot["eligible"] if name in pot["award"]]
        both = self.named(winners[0])["low"] != "none"
        return f": high and low both {'+'.join(winners)} -> {whole}" if both else f": no low; high -> {whole}"

    def splits(self) -> Iterable[str]:
        for seats in self.course.split:
            a, b = (str(self.name(seat)) for seat in sorted(seats))
            pooled = self.final[a] + self.final[b]
            yield f"pooled stack {pooled} split again: {a} {self.final[a]}, {b} {self.final[b]}"


def paid(award: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {chips}" for name, chips in award.items())


def without_fives(line: str, cards: Cards, board: Collection[str]) -> str:
    """A scenario's line to compare."""
    held = {*cards.get(line.partition(":")[0], ()), *board}
    return FIVE.sub(lambda five: judged(five, held), line)


def judged(five: re.Match[str], held: Collection[str | None]) -> str:
    """The name alone if the five cards are there and are called that, else all that is written."""
    made = five["cards"].split()
    name = five["name"].split(" high ")[-1].split(" low ")[-1].strip()
    at = parse_many(five["cards"])
    there = all(card in held for card in made) and len(set(made)) == len(made)
    called = {name_high(five_high(at)).text(), name_low(five_low(at)).text()}
    return five["name"] if there and name in called else five[0]
