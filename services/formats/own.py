"""Our own JSON exports (`services/exports/own_json.py`), one hand a line: read, checked for shape, to be replayed.

The cards of the file and any others in the places of those that its viewer did not know make a deck. `at` in events
are positions of the hand's own deck; `order` says in which order they were dealt (a public cut moves them).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from engine.cards import parse
from engine.game import find_game
from engine.positions import Plan
from engine.refusals import Refused
from engine.state import UNCUT, Post
from services.formats.figures import UNKNOWN, Nonsense
from services.formats.record import BrokenHistory
from services.formats.setting import Setting
from services.formats.sheet import Sheet, unreadable

FORMAT = "croupier-hand/1"
CHAIRS_MOST = 12
Data = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class OwnHand:
    """One exported hand. `setting` without a deck; `cards`: dealing order → card, of those that are known."""

    id: str
    data: Data
    setting: Setting
    cards: Mapping[int, int]
    order: tuple[int, ...]

    @property
    def cancelled(self) -> bool:
        """The host called the hand off."""
        return bool(self.data["voided"])


def is_own(text: str) -> bool:
    """Whether the content is one of our exports."""
    return text.lstrip().startswith('{"format":"' + FORMAT + '"')


def read(file: str, text: str) -> Iterator[Sheet]:
    """The hands of a file; a line that is none is a hand that cannot be read."""
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            yield sheet_of(file, number, line)


def sheet_of(file: str, number: int, line: str) -> Sheet:
    """One hand, unread."""
    try:
        data = json.loads(line)
    except (ValueError, RecursionError) as error:
        return unreadable(BrokenHistory(file, number, f"not JSON: {error}"))
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        return unreadable(BrokenHistory(file, number, f"not a hand of the format {FORMAT}"))
    return Sheet(str(data.get("id")), str(data.get("game")), file, number, lambda: _read(file, number, data))


def _read(file: str, number: int, data: Data) -> OwnHand:
    try:
        return _hand(data)
    except (Nonsense, Refused, ValueError) as why:
        raise BrokenHistory(file, number, str(why)) from None
    except (KeyError, TypeError, AttributeError, IndexError) as why:
        raise BrokenHistory(file, number, f"missing or misshaped: {why}") from None


def _hand(data: Data) -> OwnHand:
    started = _only(data, "HandStarted")
    cut = next((event["cut"] for event in data["events"] if event["event"] == "CutFixed"), list(UNCUT))
    if sorted(cut) != list(UNCUT):
        raise Nonsense("a cut that is no order of 52 positions")
    places = {at: dealt for dealt, at in enumerate(cut)}
    seats = {seat: (str(player), _chips(chips)) for seat, player, chips in started["seats"]}
    chairs = tuple(seats.get(chair) for chair in range(_number(data["chairs"], CHAIRS_MOST)))
    if len(seats) < 2 or not all(0 <= seat < len(chairs) for seat in seats):
        raise Nonsense("fewer than two seats, or one that the table does not have")
    posts = tuple(Post(*post) for post in started["posts"])
    plan = Plan(started["button"], started["small"], started["big"], tuple(seats), posts)
    setting = Setting(str(data["game"]), _options(data), chairs, plan, ())
    cards = {places[at]: parse(card) for at, card in known_cards(data) if card != UNKNOWN}
    if len(set(cards.values())) < len(cards):
        raise Nonsense("the same card twice")
    _check_shape(data)
    return OwnHand(str(data["id"]), data, setting, cards, tuple(cut))


def known_cards(data: Data) -> Iterator[tuple[int, str]]:
    """(position, card) of all that the file tells; a card told twice only once, and both times the same."""
    told: dict[int, str] = {}
    pairs = [(at, card) for at, card in data["known"]]
    for event in data["events"]:
        if event.get("cards"):
            hidden = event.get("down", 0) * len(event.get("seats", ()))  # of a round, the cards face down come first
            pairs += zip(event["at"][hidden:], event["cards"], strict=True)
    for at, card in pairs:
        if told.setdefault(at, card) != card:
            raise Nonsense(f"two cards at position {at}")
    yield from told.items()


def _options(data: Data) -> dict[str, Any]:
    """Of the table; in a tournament the one level at which the hand was played."""
    options, stakes = dict(data["options"]), data["stakes"]
    if find_game(data["game"]).tournament:
        blinds = (_chips(stakes[key]) for key in ("small_blind", "big_blind", "ante"))
        options[f"{data['game']}.levels"] = "{}/{}+{}".format(*blinds)
    return {**options, "seats": data["chairs"]}


def _only(data: Data, name: str) -> Data:
    found: list[Data] = [event for event in data["events"] if event["event"] == name]
    if len(found) != 1:
        raise Nonsense(f"not exactly one {name}")
    return found[0]


def _check_shape(data: Data) -> None:
    """What the replay relies on: seats of the hand, verbs and numbers."""
    seats = {seat["seat"] for seat in data["seats"]}
    for decision in data["decisions"]:
        verb, amount, args = decision.get("verb", ""), decision.get("amount"), decision.get("args", {})
        if decision["seat"] not in seats or not isinstance(verb, str) or not isinstance(args, dict):
            raise Nonsense("a decision of nobody, or without a verb")
        if amount is not None:
            _chips(amount)
    for seat in data["seats"]:
        _chips(seat["end"])


def _chips(value: object) -> int:
    return _number(value, 10**15)


def _number(value: object, most: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
        raise Nonsense(f"not a number from 0 to {most}: {value!r}"[:80])
    return value
