"""Finished hands: the list, one of them, and its replay."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from flask import Response, request
from pydantic import Field

from api import auth
from api.asking import visible
from api.audit import Reason, seed_for
from api.bodies import Body, Number, read_query
from api.house import answer, house
from api.operations import operation
from api.problems import Problem
from api.schemas import CARD, CHIPS, SEAT, TEXT, WHOLE, array, fields, json_of, map_of, maybe, page_of, ref
from api.tables import require_seen
from services import what_if
from services.accounts import SEAT as SEAT_KIND
from services.exports.story import NOTHING, Known
from services.history import NoSuchHand
from services.replay import NoSuchStep, NotForYou, Replay
from services.segment import Segment
from services.summary import summary_of
from services.tables import dressed, shown
from services.unsealing import deck_from
from services.what_if import FORM, WRITTEN, WhatIf

HANDS_MOST = 200
VIEW = re.compile(r"public|full|seat:(?:0|[1-9][0-9]?)")
PLAYER = fields({"seat": SEAT, "player": TEXT, "start": CHIPS, "end": CHIPS, "won": CHIPS})
SUMMARY = fields({"table": TEXT, "hand": WHOLE, "game": TEXT, "started_ms": WHOLE, "ended_ms": WHOLE,
                  "players": array(PLAYER), "pots": array({"type": "object"}), "board": array(CARD)})  # fmt: skip
HAND = fields({**SUMMARY["properties"], "head": TEXT, "events": array(ref("Event"))}, yours=maybe({"type": "object"}))
STEP = fields(
    {"step": WHOLE, "steps": WHOLE, "version": WHOLE, "event": maybe({"type": "object"}), "view": ref("View")}
)
BRANCH = fields({"real": {"const": False}, "step": WHOLE, "seat": SEAT, "verb": TEXT, "amount": maybe(CHIPS),
                 "args": {"type": "object"},
                 "events": array({"type": "object"}), "stacks": map_of(CHIPS)})  # fmt: skip
REPLAY = {"anyOf": [STEP, fields({"steps": array(STEP)}), BRANCH]}


class HandsQuery(Body):
    last: Annotated[int, Field(ge=1, le=HANDS_MOST), Number] = 50
    cursor: Annotated[int, Field(ge=1, le=10**10), Number] | None = Field(None, description="hands before this number")


Branch = Annotated[str, Field(pattern=f"^{WRITTEN.pattern}$", description=f"{FORM}; for auditors")]


class ViewQuery(Body):
    view: Annotated[str, Field(pattern=f"^(?:{VIEW.pattern})$")] = "public"
    reason: Reason | None = None
    share: Annotated[str, Field(pattern="^[A-Za-z0-9_-]{22}$", description="of a link by POST /shares")] | None = None


class ReplayQuery(ViewQuery):
    step: Annotated[int, Field(ge=0, le=10_000), Number] | None = Field(None, description="none: all steps")
    what_if: Branch | None = None


def last_hands(table: str, last: int, below: int | None = None) -> dict[str, Any]:
    """Summaries, newest first: those that wait for the archive, then the archive's."""
    fresh = [summary_of(segment) for segment in house().history.waiting(table)]
    fresh = [summary for summary in reversed(fresh) if below is None or summary["hand"] < below][:last]
    oldest = fresh[-1]["hand"] if fresh else below
    items = fresh + (house().archive.hands(table, last - len(fresh), oldest) if len(fresh) < last else [])
    more = items and items[-1]["hand"] > 1
    return {"items": items, "next": str(items[-1]["hand"]) if more else None}


@operation("GET", "/tables/{table}/hands", "Finished hands, newest first", {
    200: json_of("Summaries", page_of(SUMMARY)),
}, query=HandsQuery)  # fmt: skip
def list_hands(table: str) -> Response:
    query = read_query(request, HandsQuery)
    require_seen(table)
    return answer(last_hands(table, query.last, query.cursor))


@operation("GET", "/tables/{table}/hands/{hand}", "One finished hand", {
    200: json_of("Summary and events; `yours`: your own record of it (COM-64)", HAND),
}, auth="anybody")  # fmt: skip
def show_hand(table: str, hand: int) -> Response:
    segment = require_hand(table, hand)
    events = visible([shown(entry) for entry in segment.entries])
    document = {**summary_of(segment), "head": segment.head.hex(), "events": events}
    return answer({**document, "yours": own_record(table, hand)})


@operation("GET", "/tables/{table}/hands/{hand}/replay", "A finished hand, step by step", {
    200: json_of("One step, or `steps`: all of them, or what would have come of another decision", REPLAY),
}, query=ReplayQuery, auth="anybody",
   text="`view`: public, or seat:N for the player who held that seat in the hand. An auditor may have any view "
        "of a hand that is over, and see it branch off (`what_if`); he says why (`reason`): it is logged.")  # fmt: skip
def replay_hand(table: str, hand: int) -> Response:
    query = read_query(request, ReplayQuery)
    if query.what_if is not None:
        return answer(branched(table, hand, what_if.read(query.what_if), query.reason))
    if query.share is not None:
        replay = shared_replay(table, hand, query.view, query.share)
    else:
        replay = require_replay(table, hand, query.view, query.reason)
    try:
        if query.step is not None:
            return answer(as_served(replay.step(query.step)))
        return answer({"steps": list(map(as_served, replay.all()))})
    except NoSuchStep as error:
        raise Problem("not_found", f"the last step is {error.steps}") from None
    except NotForYou:
        raise Problem("not_for_you", "there is no such seat") from None


def as_served(step: dict[str, Any]) -> dict[str, Any]:
    """A step with its view as it went out then: with the names of the hands that are face up."""
    return {**step, "view": dressed(step["view"])}


def shared_replay(table: str, hand: int, view: str, name: str) -> Replay:
    """What a link shows, and nothing else. Raises Problem."""
    known = shared_known(table, hand, view, name)
    segment = require_hand(table, hand)
    return Replay(segment) if view == "public" else Replay(segment, viewer_of(view), None, known)


def shared_known(table: str, hand: int, view: str, name: str) -> Known:
    """Cards that a link shows beside the public ones. Raises Problem for a hand or view that is not its own."""
    share = house().shares.find(name)
    if share is None or (share.table, share.hand) != (table, hand):
        raise Problem("not_found", "this link shows nothing (any more)")
    if view == "public":
        return NOTHING
    if viewer_of(view) != share.seat:
        raise Problem("not_for_you")
    return dict(share.known)


def branched(table: str, hand: int, other: WhatIf, reason: str | None) -> dict[str, Any]:
    """The hand with another decision. Raises Problem, or Refused where the rules did not allow it."""
    auditor = auth.require_auditor(table)
    seed = seed_for(auditor, f"what-if {other.step}:{other.verb}", table, hand, reason)
    replay = Replay(require_hand(table, hand), "full", deck_from(seed, table, hand))
    try:
        return what_if.what_if(replay, other)
    except NoSuchStep as error:
        raise Problem("not_found", f"the last step is {error.steps}") from None
    except what_if.NobodysTurn:
        raise Problem("not_your_turn", "at that step nobody has the turn") from None


def require_replay(table: str, hand: int, view: str, reason: str | None) -> Replay:
    """The replay for a point of view. Raises Problem not_for_you: the cards are not this client's to see."""
    if view == "public":
        return Replay(require_hand(table, hand))
    auditor = auth.auditor(table)
    if auditor is not None:
        deck = deck_from(seed_for(auditor, f"replay {view}", table, hand, reason), table, hand)
        return Replay(require_hand(table, hand), viewer_of(view), deck)
    segment = require_hand(table, hand)
    try:
        return Replay(segment, viewer_of(view), None, own_known(table, hand, view))
    except NotForYou:
        raise Problem("not_for_you") from None


def viewer_of(view: str) -> Literal["full"] | int:
    """Of a point of view that is not everybody's."""
    return "full" if view == "full" else int(view.removeprefix("seat:"))


def own_known(table: str, hand: int, view: str) -> Known:
    """Cards that the asking player, in this seat, knows beside the public ones. Raises Problem not_for_you."""
    record = own_record(table, hand)
    if record is None or viewer_of(view) not in own_seats(record):
        raise Problem("not_for_you")
    return dict(record["known"])


def own_seats(record: dict[str, Any]) -> list[int]:
    """The seats of the player whose record it is."""
    players = {one["seat"]: one["player"] for one in record["seats"]}
    return [seat for seat, player in players.items() if player == players[record["own"]]]


def own_record(table: str, hand: int) -> dict[str, Any] | None:
    """The asking player's record of a hand of his running session; None if it is not his."""
    asking = auth.asking()
    viewer = auth.session(asking, table)
    if asking is None or viewer is None or asking.kind != SEAT_KIND:
        return None
    return house().tables.record(table, asking.player, hand)


def require_hand(table: str, hand: int) -> Segment:
    """The finished hand. Raises Problem not_found."""
    require_seen(table)
    try:
        return house().history.segment(table, hand)
    except NoSuchHand:
        raise Problem("not_found", "there is no finished hand of that number") from None
