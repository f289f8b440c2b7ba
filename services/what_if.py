"""What would have come of another decision: the same cards, the other action, and everybody checks or calls on.

It needs the whole deck, so it is for auditors.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from engine.commands import Act
from engine.state import Hand
from engine.table import act, options
from engine.view import view_event
from services.policies import Args, Draw, calldown, offers_at
from services.replay import Replay


class WhatIf(NamedTuple):
    """The other decision: `step` is the moment at which a seat has the turn."""

    step: int
    verb: str
    amount: int | None
    args: Args | None = None


WORDS = r":(?:source|item|choice)=[a-z0-9_]{1,20}"
NUMBERS = r":(?:target|slot|index)=[0-9]{1,2}"
INDICES = r":indices=(?:[0-9]{1,2}(?:,[0-9]{1,2}){0,6})?"
WRITTEN = re.compile(
    rf"([0-9]{{1,4}}):([a-z_]{{1,20}})(?::([0-9]{{1,9}}))?((?:{WORDS}|{NUMBERS}|{INDICES}){{0,4}})"
)
"""STEP:VERB[:AMOUNT], then arguments as NAME=VALUE: 12:buy:source=left, 7:sell:indices=0,2."""
FORM = "STEP:VERB[:AMOUNT][:NAME=VALUE]…"


def read(text: str) -> WhatIf:
    """From STEP:VERB[:AMOUNT][:NAME=VALUE]…. Raises ValueError."""
    match = WRITTEN.fullmatch(text)
    if match is None:
        raise ValueError(FORM)
    args = {name: value_of(name, value) for name, _, value in (part.partition("=") for part in match[4].split(":")[1:])}
    return WhatIf(int(match[1]), match[2], int(match[3]) if match[3] else None, args or None)


def value_of(name: str, text: str) -> str | int | list[int]:
    """An argument as commands have it."""
    if name == "indices":
        return [int(index) for index in text.split(",") if index]
    return int(text) if name in ("target", "slot", "index") else text


class NobodysTurn(Exception):
    """At this step there is nothing to decide."""


def what_if(replay: Replay, other: WhatIf) -> dict[str, Any]:
    """`{"real": false, "step", "seat", "verb", "amount", "args", "events", "stacks"}`; `replay` must be a "full" one.

    Raises NobodysTurn, NoSuchStep, or Refused where the rules did not allow it.
    """
    table = replay.table(other.step)
    hand = table.hand
    if hand is None or hand.actor is None:
        raise NobodysTurn
    seat, now = hand.actor, hand.started_ms
    events = act(table, decision(hand, other.verb, other.amount, other.args), now)
    while table.playing:
        events += act(table, decision(hand, *calldown(options(table), float, Draw(0), offers_at(hand))), now)
    return {
        "real": False,
        "step": other.step,
        "seat": seat,
        "verb": other.verb,
        "amount": other.amount,
        "args": other.args or {},
        "events": [seen for event in events if (seen := view_event(event))],
        "stacks": {str(index): hand.seats[index].stack for index in hand.order},
    }


def decision(hand: Hand, verb: str, amount: int | None, args: Args | None = None) -> Act:
    """Of the seat on turn."""
    assert hand.actor is not None
    return Act(hand.actor, hand.seats[hand.actor].player, verb, amount, 0, args)
