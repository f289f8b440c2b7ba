"""What helps a player decide, computed here so that no client needs the rules: bet sizes and names of hands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from engine.betting import RAISES
from engine.cards import parse
from engine.game import find_game
from engine.hand_names import name_high, name_low
from engine.rankings import WrongNumberOfCards
from engine.state import Hand

# Preset → the part of the pot it raises by, as numerator and denominator.
PARTS = (("half_pot", 1, 2), ("two_thirds_pot", 2, 3), ("pot", 1, 1))

View = Mapping[str, Any]


def between_hands(view: View, seat: int) -> list[str]:
    """What the player may ask for apart from the running decision. In a tournament he can only leave (HAS-C45)."""
    place = view["seats"][seat]
    if place is None or place["leaving"] or view["status"] == "closed":
        return []
    if "tournament" in view:
        return ["leave"]
    back = ["sit_in"] if place["chips"] else []
    verbs = [*(back if place["sitting_out"] else ["sit_out"]), *(["post"] if place["may_post"] else [])]
    return [*verbs, "add_chips", "leave"]


@dataclass
class OwnSeat:
    cards: Sequence[int]


class Holding:
    """One seat's cards and the board, as far as a game's ranking asks a hand for them."""

    def __init__(self, cards: Iterable[str], board: Iterable[str]) -> None:
        self.deck = [parse(name) for name in (*cards, *board)]
        count = len(self.deck) - len(tuple(board))
        self.seats = {0: OwnSeat(range(count))}
        self.board = range(count, len(self.deck))
        self.memo: dict[str, Any] = {}

    def cards_of(self, seat: int) -> list[int]:
        return [self.deck[at] for at in self.seats[seat].cards]


def hand_names(game: str, cards: Sequence[str], board: Sequence[str]) -> list[dict[str, str]]:
    """The hand that each share of the pot is played for, best first; none while there are too few cards.

    `{"share": "high", "category": "two pair", "ranks": "K9A", "text": "two pair K-9-A"}`; without a hand that
    qualifies only the share is given.
    """
    hand = cast(Hand, Holding(cards, board))
    names = []
    for share in find_game(game).shares:
        try:
            score = share.rank(hand, 0)
        except WrongNumberOfCards:
            continue
        names.append({"share": share.name, **named(share.name, score)})
    return names


def named(share: str, score: int | None) -> dict[str, str]:
    """Shares are called `low` where the lowest hand wins."""
    if score is None:
        return {}
    name = name_low(score) if share == "low" else name_high(score)
    return {"category": str(name.category), "ranks": name.ranks, "text": name.text()}


def shown_hands(view: View) -> dict[int, list[dict[str, str]]]:
    """Names of the live hands that lie face up at the end, by seat; none while they have too few cards."""
    hand = view["hand"]
    if hand is None or not hand["over"]:
        return {}
    up = [place for place in view["seats"] if place and not place["folded"] and None not in place["cards"]]
    names = {place["seat"]: hand_names(hand["game"], place["cards"], hand["board"]) for place in up}
    return {seat: named for seat, named in names.items() if named}


def presets(view: View) -> list[dict[str, Any]]:
    """Sizes worth a button for the seat on turn, rising: `{"name": "half_pot", "amount": 45}`, all of them legal."""
    hand = view["hand"]
    if hand is None or hand["actor"] is None:
        return []
    bounds = next((hand["legal"][verb] for verb in RAISES if verb in hand["legal"]), None)
    return sizes(hand, view["seats"][hand["actor"]], *bounds) if bounds else []


def sizes(hand: View, place: View, least: int, most: int) -> list[dict[str, Any]]:
    """A raise by a part of the pot counts the call as paid already, as the pot limit does (COM-33)."""
    to_call = hand["price"] - place["bet"]
    wanted = {"min": least}
    for name, part, whole in PARTS:
        wanted[name] = hand["price"] + part * (hand["pot"] + to_call) // whole
    if most == place["bet"] + place["chips"]:
        wanted["all_in"] = most
    legal = {min(max(amount, least), most): name for name, amount in wanted.items() if name != "min"}
    # Of several names for one amount the plainest stays: the least is "min", the whole stack "all_in".
    legal[least] = "all_in" if wanted.get("all_in") == least else "min"
    return [{"name": name, "amount": amount} for amount, name in sorted(legal.items())]
