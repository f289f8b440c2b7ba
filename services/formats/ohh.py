"""Open Hand History (JSON, hh-specs.handhistory.org), objects one after the other → neutral records.

Hold'em, Omaha and Omaha-8; the format has no streets of stud. Amounts are what an action adds, and may have decimals;
then the unit is the cent. In limit games the bets are the big blind and its double, which the format does not say. Of
our own exports it reads `_house`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from services.formats.figures import Nonsense, card_name
from services.formats.house_rules import checked
from services.formats.record import BrokenHistory, Player, Record
from services.formats.scribe import Scribe
from services.formats.sheet import Sheet, unreadable

SPEC = "1.4.7"
GAMES = {"OmahaHiLo": "omaha8", "Omaha": "omaha", "Holdem": "holdem"}
STREETS = {"Flop": "flop", "Turn": "turn", "River": "river"}
FORCED = {"Post Ante": "ante", "Post SB": "sb", "Post BB": "bb", "Post Dead": "dead", "Post Extra Blind": "post",
          "Straddle": "straddle"}  # fmt: skip
PLAYED = {"Fold": "fold", "Check": "check", "Call": "call", "Bet": "bet", "Raise": "raise"}
SHOWN = {"Dealt Cards": "deal", "Shows Cards": "show", "Mucks Cards": "muck"}
ACTIONS = {**FORCED, **PLAYED, **SHOWN}
BESIDE = ("Added Chips", "Sits Down", "Stands Up")
"""Of the table, also of players who are not in the hand."""
_MOST = 10**15
_OHH = re.compile(r'\s*\{\s*"ohh"\s*:')
_BLANK = re.compile(r"\s*")

Data = Mapping[str, Any]


def is_ohh(text: str) -> bool:
    """Whether the content begins like such a file."""
    return _OHH.match(text) is not None


def read(file: str, text: str) -> Iterator[Sheet]:
    """The hands of a file; what follows a damaged one cannot be found again."""
    decoder, at = json.JSONDecoder(parse_float=Decimal), 0
    while (at := _end(_BLANK, text, at)) < len(text):
        line = text.count("\n", 0, at) + 1
        try:
            data, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError) as error:
            yield unreadable(BrokenHistory(file, line, f"not JSON: {error}"))
            return
        yield _sheet(file, line, data)


def _end(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return found.end() if found else at


def _sheet(file: str, line: int, data: object) -> Sheet:
    hand = data.get("ohh") if isinstance(data, dict) else None
    if not isinstance(hand, dict):
        return unreadable(BrokenHistory(file, line, "not an object with ohh"))
    name, kind = str(hand.get("game_number")), str(hand.get("game_type"))
    return Sheet(f"ohh-{name}", GAMES.get(kind, kind.lower()), file, line, lambda: _read(file, line, name, hand))


def _read(file: str, line: int, name: str, data: Data) -> Record:
    try:
        return _Hand(name, data).read()
    except Nonsense as why:
        raise BrokenHistory(file, line, str(why)) from None
    except (KeyError, TypeError, AttributeError, ValueError) as why:
        raise BrokenHistory(file, line, f"missing or misshaped: {why}") from None


@dataclass(slots=True)
class _Hand:
    """One hand being read. `seats`: player id → seat."""

    name: str
    data: Data
    scale: int = 1
    seats: dict[int, int] = field(default_factory=dict)

    def read(self) -> Record:
        data, variant = self.data, GAMES[self.data["game_type"]]
        self.scale = 100 if _has_decimals(data) else 1
        players = [self._player(player) for player in data["players"]]
        scribe = Scribe(variant, players)
        for round_ in data["rounds"]:
            self._round(scribe, round_)
        scribe.settle()
        rake = self._pay(scribe)
        entries = scribe.entries_with_deals()
        scribe.check_cards(entries)
        playing = {entry.seat for entry in entries}
        house = checked(data["_house"]) if "_house" in data else None
        return Record(
            id=f"ohh-{self.name}",
            variant=variant,
            structure=str(data["bet_limit"]["bet_type"]),
            unit="cent" if self.scale > 1 else "chip",
            limits=self._limits(),
            button=int(data["dealer_seat"]),
            players=tuple(p for p in sorted(players, key=lambda p: p.seat) if p.seat in playing),
            entries=entries,
            outcome=scribe.outcome(rake, after_rake=house is not None),
            house=house,
        )

    def _chips(self, value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int | Decimal):
            raise Nonsense(f"not an amount: {value!r}")
        if not Decimal(value).is_finite() or not 0 <= value < _MOST or value * self.scale % 1:
            raise Nonsense(f"not an amount: {value}")
        return int(value * self.scale)

    def _player(self, data: Data) -> Player:
        seat = int(data["seat"])
        if data["id"] in self.seats:
            raise Nonsense("two players of one id")
        self.seats[data["id"]] = seat
        return Player(seat, str(data["name"]), self._chips(data["starting_stack"]))

    def _limits(self) -> dict[str, int | bool | list[int]]:
        blinds = {key: self._chips(self.data[f"{key}_amount"]) for key in ("small_blind", "big_blind", "ante")}
        big = blinds["big_blind"]
        fixed = {"small_bet": big, "big_bet": 2 * big} if self.data["bet_limit"]["bet_type"] == "FL" else {}
        return {**blinds, **fixed}

    def _round(self, scribe: Scribe, data: Data) -> None:
        if (street := STREETS.get(data["street"])) is not None:
            if scribe.street < 0:
                scribe.begin("preflop")
            scribe.begin(street, [card_name(card) for card in data["cards"]])
        for action in data["actions"]:
            if action["action"] not in BESIDE:
                self._act(scribe, action)

    def _act(self, scribe: Scribe, action: Data) -> None:
        kind, seat = ACTIONS.get(action["action"]), self.seats[action["player_id"]]
        cards = [card_name(card) for card in action.get("cards", ())]
        if kind is None:
            raise Nonsense(f"not an action: {action['action']!r}"[:80])
        if action["action"] in FORCED:
            scribe.forced(kind, seat, self._chips(action["amount"]))
            return
        if scribe.street < 0:
            scribe.begin("preflop")
        if cards:
            scribe.learn(seat, cards)
        if kind in ("call", "bet", "raise"):
            scribe.put(kind, seat, self._chips(action["amount"]))
        elif kind != "deal":
            if kind in ("show", "muck"):
                scribe.settle()
            scribe.say(kind, seat)

    def _pay(self, scribe: Scribe) -> int:
        """Everybody is paid; the rake of all pots together."""
        total = rake = 0
        for number, pot in enumerate(self.data["pots"]):
            total, rake = total + self._chips(pot["amount"]), rake + self._chips(pot.get("rake", 0))
            for win in pot["player_wins"]:
                name = "main" if number == 0 else f"side-{number}"
                scribe.collect(self.seats[win["player_id"]], self._chips(win["win_amount"]), name)
        scribe.check_money(total, rake)
        return rake


def _has_decimals(value: object) -> bool:
    """Whether any number of the hand is not written as a whole one."""
    if isinstance(value, dict | list):
        return any(map(_has_decimals, value.values() if isinstance(value, dict) else value))
    return isinstance(value, Decimal)
