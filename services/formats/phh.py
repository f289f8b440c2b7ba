"""PHH, the Poker Hand History file format 0.0.2 (TOML; .phh one hand, .phhs tables of hands) → neutral
records.

A variant is one line of `VARIANTS`. Players of a hand are seats 1, 2 … in the order of the file: the small
blind first, so the last one has the button; two players list the big blind first. Amounts may have decimals;
then the unit is the cent. Own fields (`_name`) and those that say nothing about the play are ignored, as the
format demands. Of our own exports (`services/exports/phh.py`) it reads `_house`, `_dead_blinds`, live posts as
negative blinds, the codes that PHH does not have, and under `_croupier` the games that PHH cannot say at all.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

from services.formats import own
from services.formats.figures import UNKNOWN, Nonsense, card_names
from services.formats.house_rules import Rule, checked
from services.formats.record import BrokenHistory, Outcome, Player, Record
from services.formats.scribe import FLOP_STREETS, STUD_GAMES, STUD_STREETS, Scribe
from services.formats.sheet import Sheet

VARIANTS = {
    "FR": ("razz", "FL"),
    "FO/8": ("omaha8", "FL"),
    "PO/8": ("omaha8", "PL"),
    "NO/8": ("omaha8", "NL"),
    "FT": ("holdem", "FL"),
    "PT": ("holdem", "PL"),
    "NT": ("holdem", "NL"),
    "FO": ("omaha", "FL"),
    "PO": ("omaha", "PL"),
    "NO": ("omaha", "NL"),
    "F7S": ("stud", "FL"),
    "F7S/8": ("stud8", "FL"),
}
_MOST = 10**15  # no table has more chips
_DEAL = re.compile(r"d dh p(\d+) (\S+)")
_BOARD = re.compile(r"d db (\S+)")
_MOVE = re.compile(r"p(\d+) (f|cc|pb|cbr|sm)(?: (\S+))?")
_AT_LINE = re.compile(r"\(at line (\d+),")


def read(file: str, text: str) -> Iterator[Sheet]:
    """The hands of a .phh or .phhs file."""
    try:
        data = tomllib.loads(text, parse_float=Decimal)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        at = _AT_LINE.search(str(error))
        raise BrokenHistory(file, int(at[1]) if at else text.count("\n") + 1, f"not TOML: {error}") from None
    path = Path(file)
    name = f"phh-{path.parent.name}-{path.stem}" if path.parent.name else f"phh-{path.stem}"
    if "variant" in data:
        yield _sheet(file, text, name, data)
        return
    for key, hand in data.items():
        if not isinstance(hand, dict):
            raise BrokenHistory(file, 0, f"{key} is neither a hand nor a field of one")
        yield _sheet(file, text, f"{name}-{key}", hand)


def _sheet(file: str, text: str, name: str, data: Mapping[str, Any]) -> Sheet:
    if isinstance(whole := data.get("_croupier"), str):
        return own.sheet_of(file, 1, whole)
    code = str(data.get("variant"))
    variant = VARIANTS.get(code, (code, ""))[0]
    return Sheet(name, variant, file, 1, lambda: _Hand(file, text, name, data).read())


@dataclass(slots=True)
class _Hand:
    """One hand being read; `at` is the place in the text, for messages."""

    file: str
    text: str
    name: str
    data: Mapping[str, Any]
    at: int = 0
    scale: int = 1
    cards: dict[int, tuple[str, ...]] = field(default_factory=dict)
    dealt: set[int] = field(default_factory=set)

    def read(self) -> Record:
        try:
            return self._record()
        except Nonsense as why:
            raise BrokenHistory(self.file, self.text.count("\n", 0, self.at) + 1, str(why)) from None

    # fields

    def _chips(self, value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int | Decimal):
            raise Nonsense(f"not an amount: {value!r}")
        if not Decimal(value).is_finite() or not 0 <= value < _MOST or value * self.scale % 1:
            raise Nonsense(f"not an amount: {value}")
        return int(value * self.scale)

    def _list(self, key: str, least: int = 0) -> list[Any]:
        value = self.data.get(key)
        if not isinstance(value, list) or len(value) < least:
            raise Nonsense(f"{key} is missing or not a list of {least} or more")
        return value

    def _amounts(self, key: str, count: int) -> list[int]:
        return [self._chips(value) for value in self._values(key, count)]

    def _values(self, key: str, count: int) -> list[Any]:
        values = self._list(key, count) if key in self.data else [0] * count
        if len(values) != count:
            raise Nonsense(f"{key} has {len(values)} values for {count} players")
        return values

    def _money(self, key: str) -> int:
        return self._chips(self.data.get(key))

    # the hand

    def _record(self) -> Record:
        code = self.data.get("variant")
        if code not in VARIANTS:
            raise Nonsense(f"unknown variant {code!r}")
        variant, structure = VARIANTS[code]
        self.scale = 100 if self._has_decimals() else 1
        stacks = [self._chips(value) for value in self._list("starting_stacks", 2)]
        names = self.data.get("players", [f"Player{n}" for n in range(1, len(stacks) + 1)])
        if not isinstance(names, list) or len(names) != len(stacks):
            raise Nonsense("players and starting_stacks differ in number")
        players = [Player(n, str(name), chips) for n, (name, chips) in enumerate(zip(names, stacks, strict=True), 1)]
        scribe = Scribe(variant, players)
        limits = self._limits(scribe, variant, structure)
        self._play(scribe, limits)
        entries = scribe.entries_with_deals()
        scribe.check_cards(entries)
        return Record(
            self.name,
            variant,
            structure,
            "cent" if self.scale > 1 else "chip",
            limits,
            len(players),
            tuple(players),
            entries,
            self._outcome(scribe),
            house=self._house(),
        )

    def _house(self) -> dict[str, Rule] | None:
        return checked(self.data["_house"]) if "_house" in self.data else None

    def _has_decimals(self) -> bool:
        fields = ("starting_stacks", "antes", "blinds_or_straddles", "finishing_stacks")
        numbers = [n for key in fields if isinstance(self.data.get(key), list) for n in self.data[key]]
        moved = [a.split()[-1] for a in self._list("actions") if isinstance(a, str) and " cbr " in a]
        return any(isinstance(n, Decimal) for n in numbers) or any("." in a for a in moved)

    def _limits(self, scribe: Scribe, variant: str, structure: str) -> dict[str, int | bool | list[int]]:
        """Post what the fields say and name the stakes."""
        count = len(scribe.players)
        dead = self._amounts("_dead_blinds", count)
        antes = [ante - own for ante, own in zip(self._amounts("antes", count), dead, strict=True)]
        if min(antes) < 0:
            raise Nonsense("a dead blind that is not in the antes")
        limits: dict[str, int | bool | list[int]] = {"ante": max(antes)}
        if 0 in antes and any(antes):
            limits["ante_seats"] = [seat for seat, ante in enumerate(antes, 1) if ante]
        for kind, amounts in (("ante", antes), ("dead", dead)):
            for seat, chips in enumerate(amounts, 1):
                self._force(scribe, kind, seat, chips)
        if structure == "FL":
            limits |= {"small_bet": self._money("small_bet"), "big_bet": self._money("big_bet")}
        if variant in STUD_GAMES:
            return limits | {"bring_in": self._money("bring_in")}
        return limits | self._blinds(scribe)

    def _blinds(self, scribe: Scribe) -> dict[str, int | bool | list[int]]:
        count = len(scribe.players)
        seats = [2, 1] if count == 2 else list(range(1, count + 1))  # two players: the small blind is the second
        posts, blinds = self._posts(count)
        posted = [(seat, blind) for seat, blind in zip(seats, blinds, strict=True) if blind]
        if not posted:
            raise Nonsense("no blinds")
        kinds = ["bb"] if len(posted) == 1 else ["sb", "bb", *["straddle"] * (len(posted) - 2)]
        for kind, (seat, blind) in sorted(zip(kinds, posted, strict=True), key=lambda item: item[1][0]):
            self._force(scribe, kind, seat, blind)
        for seat, live in zip(seats, posts, strict=True):
            self._force(scribe, "post", seat, live)
        big = dict(zip(kinds, posted, strict=True))["bb"][1]
        if len(posted) == 1:
            return {"big_blind": big, "small_blind": big // 2, "small_blind_inferred": True}
        return {"big_blind": big, "small_blind": posted[0][1]}

    def _posts(self, count: int) -> tuple[list[int], list[int]]:
        """(live posts, blinds and straddles) by player; a post stands as a negative blind."""
        values = self._values("blinds_or_straddles", count)
        negative = [isinstance(value, int | Decimal) and value < 0 for value in values]
        posts = [self._chips(-value) if below else 0 for value, below in zip(values, negative, strict=True)]
        blinds = [0 if below else self._chips(value) for value, below in zip(values, negative, strict=True)]
        return posts, blinds

    @staticmethod
    def _force(scribe: Scribe, kind: str, seat: int, amount: int) -> None:
        paid = min(amount, scribe.stacks[seat])
        if paid:
            scribe.forced(kind, seat, paid)

    def _play(self, scribe: Scribe, limits: Mapping[str, int | bool | list[int]]) -> None:
        for action in self._list("actions"):
            if not isinstance(action, str):
                raise Nonsense("an action that is not text")
            self.at = max(self.at, self.text.find(action, self.at))
            move = action.partition("#")[0].strip()
            if found := _DEAL.fullmatch(move):
                self._deal(scribe, int(found[1]), card_names(found[2]))
            elif found := _BOARD.fullmatch(move):
                self._board(scribe, card_names(found[1]))
            elif found := _MOVE.fullmatch(move):
                self._move(scribe, limits, int(found[1]), found[2], found[3])
            elif move:
                raise Nonsense(f"not an action: {move!r}")
        scribe.settle()

    def _deal(self, scribe: Scribe, seat: int, cards: tuple[str, ...]) -> None:
        streets = STUD_STREETS if scribe.variant in STUD_GAMES else FLOP_STREETS
        if scribe.street < 0 or seat in self.dealt:
            if scribe.street >= len(streets) - 1:
                raise Nonsense("one card too many")
            scribe.begin(streets[scribe.street + 1])
            self.dealt.clear()
        self.dealt.add(seat)
        self.cards[seat] = self.cards.get(seat, ()) + cards
        scribe.learn(seat, self.cards[seat])
        if scribe.variant in STUD_GAMES and scribe.street < 4:
            scribe.door(seat, cards[-1:])

    @staticmethod
    def _board(scribe: Scribe, cards: tuple[str, ...]) -> None:
        if scribe.variant in STUD_GAMES:
            scribe.begin("7th", cards)
        elif scribe.street >= len(FLOP_STREETS) - 1:
            raise Nonsense("one board card too many")
        else:
            scribe.begin(FLOP_STREETS[scribe.street + 1], cards)

    def _move(
        self,
        scribe: Scribe,
        limits: Mapping[str, int | bool | list[int]],
        seat: int,
        verb: str,
        what: str | None,
    ) -> None:
        if seat not in scribe.stacks:
            raise Nonsense(f"no player p{seat}")
        if verb == "sm":
            scribe.settle()
            self._show(scribe, seat, what)
        elif verb == "f":
            scribe.say("fold", seat)
        elif verb == "pb":
            bring_in = limits.get("bring_in")
            if not isinstance(bring_in, int):
                raise Nonsense("a bring-in in a game with blinds")
            scribe.forced("bring_in", seat, min(bring_in, scribe.stacks[seat]))
        elif verb == "cc":
            self._check_or_call(scribe, limits, seat)
        else:
            self._bet(scribe, seat, what)

    @staticmethod
    def _check_or_call(scribe: Scribe, limits: Mapping[str, int | bool | list[int]], seat: int) -> None:
        """A short big blind or bring-in does not lower the price (COM-34, RAZ-C09)."""
        least = limits.get("big_blind") or (limits["bring_in"] if any(scribe.bets.values()) else 0)
        assert isinstance(least, int), "a number, made here"
        least = least if scribe.street == 0 else 0
        price = max(least, *scribe.bets.values(), 0) - scribe.bets.get(seat, 0)
        if price > 0:
            scribe.put("call", seat, min(price, scribe.stacks[seat]))
        else:
            scribe.say("check", seat)

    def _bet(self, scribe: Scribe, seat: int, what: str | None) -> None:
        if what is None or not re.fullmatch(r"\d{1,15}(?:\.\d{1,4})?", what, re.ASCII):
            raise Nonsense(f"not an amount: {what!r}")
        to = self._chips(Decimal(what))
        if any(scribe.bets.values()):
            scribe.raise_to(seat, to)
        else:
            scribe.put("bet", seat, to)

    @staticmethod
    def _show(scribe: Scribe, seat: int, what: str | None) -> None:
        """`sm CARDS` and `sm -` (as dealt) show, `sm` alone mucks."""
        cards = card_names(what) if what and what != "-" else ()
        if cards and UNKNOWN not in cards:
            scribe.learn(seat, cards)
        scribe.say("show" if what else "muck", seat)

    def _outcome(self, scribe: Scribe) -> Outcome:
        """From `finishing_stacks`; a file without them says nothing about the result."""
        if "finishing_stacks" not in self.data:
            return Outcome(None, {}, 0)
        end = self._amounts("finishing_stacks", len(scribe.players))
        scribe.collected = {
            p.seat: chips - scribe.stacks[p.seat]
            for p, chips in zip(scribe.players, end, strict=True)
            if chips != scribe.stacks[p.seat]
        }
        rake = sum(p.stack for p in scribe.players) - sum(end)
        scribe.check_money(None, rake)
        return scribe.outcome(rake, after_rake=self._house() is not None)
