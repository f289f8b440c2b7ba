"""The course of a hand, continued with what Hasaga adds: fees, looks, bought and sold cards, merges, extra blinds."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from services.course import Course

EventDict = dict[str, Any]
BANK = -1
"""Who pays the bank's extra blind, in the list of forced payments."""


def _fee(course: Course, event: EventDict) -> None:
    seat = event["seat"]
    course.stacks[seat] -= event["amount"]
    if event["to"] == "bank":
        course.bank += event["amount"]
    else:
        course.fees[seat] = course.fees.get(seat, 0) + event["amount"]
    course.note(seat, "purchase", cost=event["amount"], where=event["to"], **course.merging)
    course.merging = {}


def _card(course: Course, event: EventDict) -> None:
    """A card seen or received; the purchase has been noted."""
    course.actions[-1].facts["card"] = course.names(event["at"])[0]


def _added(course: Course, event: EventDict) -> None:
    course.used += len(event["at"])
    _card(course, event)


def _revealed(course: Course, event: EventDict) -> None:
    course.note(event["target"], "reveal", index=event["slot"])
    _card(course, event)


def _merged(course: Course, event: EventDict) -> None:
    """The higher bet stays live, the lower one is left like that of a folded hand (HAS-C27)."""
    seat, other = event["seat"], event["absorbed"]
    course.stacks[seat] += course.stacks[other]
    course.stacks[other] = 0
    course.fees[seat] = course.fees.get(seat, 0) + course.fees.pop(other, 0)
    for chips in (course.bets, course.paid):
        both = chips.get(seat, 0), chips.get(other, 0)
        chips[seat], chips[other] = max(both), min(both)
    course.folded.add(other)
    course.merging = {"pooled": course.stacks[seat], "commitment": course.bets[seat]}


def _extra_blind(course: Course, event: EventDict) -> None:
    course.pay(event["seat"], event["amount"])
    course.forced.append((event["seat"], "exb", event["amount"]))


def _bank_paid(course: Course, event: EventDict) -> None:
    seat = event["seat"]
    course.bank -= event["amount"]
    course.fees[seat] = course.fees.get(seat, 0) + event["amount"]
    course.forced.append((BANK, "exb", event["amount"]))


def _unmatched(course: Course, event: EventDict) -> None:
    course.pay(event["seat"], -event["amount"])
    course.returns.append(("settlement", event["seat"], event["amount"]))


def _sold(course: Course, event: EventDict) -> None:
    course.stacks[event["seat"]] += event["amount"]
    course.bank -= event["amount"]
    course.note(event["seat"], "sell", cards=course.names(event["at"]), amount=event["amount"])


def _split(course: Course, event: EventDict) -> None:
    course.stacks[event["seat"]] -= event["amount"]
    course.stacks[event["absorbed"]] += event["amount"]
    course.split.append((event["seat"], event["absorbed"]))


TOLD: dict[str, Callable[[Course, EventDict], None]] = {
    "Fee": _fee,
    "Looked": _card,
    "Revealed": _revealed,
    "CardAdded": _added,
    "DeadBought": _card,
    "Merged": _merged,
    "ExtraBlindTaken": _extra_blind,
    "BankPaid": _bank_paid,
    "UnmatchedReturned": _unmatched,
    "Sold": _sold,
    "PoolSplit": _split,
}
