"""The course of one hand, told by its public events: what was paid, dealt, shown, returned and won.

A small fold of its own, beside the engine's, so that a checker compares facts and not the engine with itself.
Events are dicts as `engine.view.view_event` gives them. Seats are chairs of the table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, NamedTuple

from engine.cards import NAMES
from services.course_hasaga import TOLD

EventDict = dict[str, Any]


@dataclass(slots=True)
class Street:
    """A street and what left the deck for it: `burn`, common `board` cards, `dealt` seat → cards. `market`:
    what lay there, side → card.
    """

    name: str = ""
    first: int = 0
    burn: str | None = None
    board: list[str] = field(default_factory=list)
    dealt: dict[int, list[str]] = field(default_factory=dict)
    market: dict[str, str] = field(default_factory=dict)


class Done(NamedTuple):
    """An action as it came out: `to` = the seat's bet afterwards, `all_in` = nothing is left; `facts`: what else."""

    seat: int
    action: str
    to: int
    all_in: bool
    facts: dict[str, Any]


@dataclass(slots=True)
class Purchase:
    """A card bought from the market or blind; `refill`: the new market card on its side."""

    source: str
    card: str
    price: int
    refill: str | None = None


class Layer(NamedTuple):
    """A pot by COM-51: chips and the seats that may win it."""

    amount: int
    eligible: list[int]


@dataclass(slots=True)
class Course:
    """`deck`: the stacked deck by position. `full`: the smallest full raise-to. `showdown`: (seat, shown?, was asked?)
    in the order of the events. `fees`: dead chips attached to a seat; `merging`: what a merge came to, until its price
    is paid; `split`: the seats whose common stack was halved again.
    """

    deck: tuple[int, ...]
    order: list[int] = field(default_factory=list)
    stacks: dict[int, int] = field(default_factory=dict)
    bets: dict[int, int] = field(default_factory=dict)
    paid: dict[int, int] = field(default_factory=dict)
    dead: int = 0
    fees: dict[int, int] = field(default_factory=dict)
    bank: int = 0
    merging: dict[str, int] = field(default_factory=dict)
    split: list[tuple[int, int]] = field(default_factory=list)
    folded: set[int] = field(default_factory=set)
    forced: list[tuple[int, str, int]] = field(default_factory=list)
    streets: list[Street] = field(default_factory=list)
    actions: list[Done] = field(default_factory=list)
    coming: Street = field(default_factory=Street)
    showdown: list[tuple[int, bool, bool]] = field(default_factory=list)
    returns: list[tuple[str, int, int]] = field(default_factory=list)
    awards: list[tuple[int, str, int, int]] = field(default_factory=list)
    burned: list[str] = field(default_factory=list)
    market: dict[str, str] = field(default_factory=dict)
    purchases: list[Purchase] = field(default_factory=list)
    board: list[str] = field(default_factory=list)
    used: int = 0
    full: int = 0
    asked: int | None = None
    over: bool = False

    def take(self, events: Iterable[EventDict]) -> None:
        """Go on with these events."""
        for event in events:
            if told := _TOLD.get(event["event"]):
                told(self, event)
            if event.get("to_act") is not None:
                self.asked = event["to_act"]

    def names(self, at: Iterable[int]) -> list[str]:
        """Cards at these positions of the stacked deck."""
        return [NAMES[self.deck[position]] for position in at]

    def pay(self, seat: int, amount: int, live: bool = True) -> None:
        self.stacks[seat] -= amount
        self.paid[seat] += amount
        if live:
            self.bets[seat] = self.bets.get(seat, 0) + amount

    def note(self, seat: int, action: str, **facts: Any) -> None:
        """An action is done."""
        self.asked = None
        self.actions.append(Done(seat, action, self.bets.get(seat, 0), self.stacks[seat] == 0, facts))

    def layers(self) -> list[Layer]:
        """The pots as COM-51 and COM-52 define them, from what was paid and not returned."""
        live = [seat for seat in self.order if seat not in self.folded]
        levels = sorted({self.paid[seat] for seat in live})
        amounts = [sum(min(paid, high) for paid in self.paid.values()) for high in levels[:-1]]
        amounts = [high - low for low, high in pairwise([0, *amounts, sum(self.paid.values())])]
        amounts[0] += self.dead
        for seat, chips in self.fees.items():
            reached = [at for at, low in enumerate([0, *levels[:-1]]) if self.paid[seat] > low]
            amounts[max(reached, default=0)] += chips
        return self.joined(levels, amounts, live)

    def joined(self, levels: list[int], amounts: list[int], live: list[int]) -> list[Layer]:
        """Neighbours with the same owners are one pot."""
        found: list[Layer] = []
        for high, amount in zip(levels, amounts, strict=True):
            eligible = [seat for seat in live if self.paid[seat] >= high]
            if found and found[-1].eligible == eligible:
                amount += found.pop().amount
            found.append(Layer(amount, eligible))
        return [layer for layer in found if layer.amount]


def _started(course: Course, event: EventDict) -> None:
    for seat, _, chips in event["seats"]:
        course.order.append(seat)
        course.stacks[seat] = chips
        course.paid[seat] = 0


def _antes(course: Course, event: EventDict) -> None:
    for seat, amount in event["antes"]:
        course.pay(seat, amount, live=False)
        course.forced.append((seat, "ante", amount))


def _blind(course: Course, event: EventDict) -> None:
    course.pay(event["seat"], event["amount"])
    course.forced.append((event["seat"], {"small": "sb", "big": "bb"}[event["kind"]], event["amount"]))


def _posted(course: Course, event: EventDict) -> None:
    seat = event["seat"]
    course.pay(seat, event["live"])
    course.stacks[seat] -= event["dead"]
    course.dead += event["dead"]
    for kind in ("live", "dead"):
        if event[kind]:
            course.forced.append((seat, f"post_{kind}", event[kind]))


def _dealt(course: Course, event: EventDict) -> None:
    course.used += len(event["at"])
    course.coming.dealt.setdefault(event["seat"], []).extend(course.names(event["at"]))


def _round(course: Course, event: EventDict) -> None:
    _burned(course, event["burned"])
    course.used += len(event["at"])
    seats = event["seats"]
    for place, seat in enumerate(seats):
        course.coming.dealt.setdefault(seat, []).extend(course.names(event["at"][place :: len(seats)]))


def _board(course: Course, event: EventDict) -> None:
    _burned(course, event["burned"])
    course.used += len(event["at"])
    course.coming.board += course.names(event["at"])
    course.board += course.names(event["at"])


def _burned(course: Course, at: list[int]) -> None:
    if at:
        course.used += len(at)
        course.burned += course.names(at)
        course.coming.burn = course.burned[-1]


def _market(course: Course, event: EventDict) -> None:
    (card,) = course.names(event["at"])
    course.used += 1
    course.market[event["source"]] = card
    if course.purchases and course.purchases[-1].source == event["source"]:
        course.purchases[-1].refill = card


def _bought(course: Course, event: EventDict) -> None:
    seat, price = event["seat"], event["price"]
    (card,) = course.names(event["at"])
    course.purchases.append(Purchase(event["source"], card, price))
    course.stacks[seat] -= price
    course.dead += price
    course.note(seat, "buy")


def _street(course: Course, event: EventDict) -> None:
    if event["street"] in _BEFORE_THE_CARDS:
        return
    course.coming.name, course.coming.first = event["street"], event["first"]
    course.coming.market = dict(course.market)
    course.streets.append(course.coming)
    course.coming = Street()
    course.full = event["price"] + event["size"]
    if not event["price"]:
        course.bets.clear()


def _turn(course: Course, event: EventDict) -> None:
    course.asked = event["seat"]


def _acted(course: Course, event: EventDict) -> None:
    seat, action = event["seat"], _ACTIONS[event["event"]]
    bet = course.bets.get(seat, 0)
    course.pay(seat, event["to"] - bet if "to" in event else event.get("amount", 0))
    if action == "fold":
        course.folded.add(seat)
    course.note(seat, action)


def _raised(course: Course, event: EventDict) -> None:
    _acted(course, event)
    course.full = event["level"] + event["size"]


def _returned(course: Course, event: EventDict) -> None:
    course.pay(event["seat"], -event["amount"])
    course.returns.append((course.streets[-1].name, event["seat"], event["amount"]))


def _shown(course: Course, event: EventDict) -> None:
    seat = event["seat"]
    course.showdown.append((seat, event["event"] == "Shown", course.asked == seat))
    course.asked = None


def _awarded(course: Course, event: EventDict) -> None:
    course.stacks[event["seat"]] += event["amount"]
    course.awards.append((event["pot"], event["share"], event["seat"], event["amount"]))


def _ended(course: Course, event: EventDict) -> None:
    course.over = True


_BEFORE_THE_CARDS = ("extra_blind",)
"""Phases that are no street: nothing is dealt for them."""
_ACTIONS = {
    "Folded": "fold",
    "Checked": "check",
    "Called": "call",
    "RaisedTo": "raise",
    "BroughtIn": "bring_in",
}
_TOLD: dict[str, Callable[[Course, EventDict], None]] = {
    "HandStarted": _started,
    "AntesPaid": _antes,
    "BlindPosted": _blind,
    "Posted": _posted,
    "Dealt": _dealt,
    "RoundDealt": _round,
    "BoardDealt": _board,
    "MarketShown": _market,
    "Bought": _bought,
    "StreetBegan": _street,
    "TurnBegan": _turn,
    **dict.fromkeys(_ACTIONS, _acted),
    "RaisedTo": _raised,
    "Returned": _returned,
    "Shown": _shown,
    "Mucked": _shown,
    "Awarded": _awarded,
    "HandEnded": _ended,
    **TOLD,
}
