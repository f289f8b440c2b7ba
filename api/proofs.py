"""What lets anybody check a finished hand: the commitment to its deck, the cards that were opened, our own check."""

from __future__ import annotations

from typing import Any, Literal

from flask import Response, request

from api import auth
from api.audit import Reason, seed_for
from api.bodies import Body, read_query
from api.hands import require_hand
from api.house import answer
from api.operations import operation
from api.schemas import CARD, CUT_LABEL, FLAG, TEXT, WHOLE, array, fields, json_of
from engine.cards import NAMES
from engine.deck import Deck, hand_id
from services.audit import opened, started, verify
from services.cut import document, told
from services.segment import Segment
from services.unsealing import deck_from

OPENED = fields({"at": WHOLE, "card": CARD, "opening": TEXT})
NAMED = fields({"player": TEXT, "bytes": TEXT})
CUT = fields({"label": CUT_LABEL, "pledges": array(NAMED), "seeds": array(NAMED), "cut": array(WHOLE)})
DEAL = fields({"table": TEXT, "hand": WHOLE, "hand_id": TEXT, "algorithm": TEXT, "root": TEXT, "cut": CUT,
               "opened": array(OPENED)}, seed=TEXT)  # fmt: skip


class DealQuery(Body):
    unsealed: Literal["true", "false"] = "false"
    reason: Reason | None = None


VERDICT = fields({"ok": FLAG, "checks": array(fields({"name": TEXT, "ok": FLAG, "detail": TEXT}))})


@operation("GET", "/tables/{table}/hands/{hand}/deal", "Commitment and openings", {
    200: json_of("The root that was published before the deal, the cut, and each public card with its proof", DEAL),
}, query=DealQuery, auth="anybody",
   text="In hex. The k-th card dealt is that at position `cut.cut[k]`. An opening is a salt of 16 bytes and the card's "
        "path in a Merkle tree of 52 leaves. An auditor who says why (`reason`) has all 52 cards opened "
        "(`unsealed=true`), and the seed; that is logged.")  # fmt: skip
def show_deal(table: str, hand: int) -> Response:
    query = read_query(request, DealQuery)
    if query.unsealed == "true":
        seed = seed_for(auth.require_auditor(table), "deal", table, hand, query.reason)
        return answer({**dealt(require_hand(table, hand)), **whole(deck_from(seed, table, hand)), "seed": seed.hex()})
    return answer(dealt(require_hand(table, hand)))


def dealt(segment: Segment) -> dict[str, Any]:
    """What everybody may know of a deal."""
    began, events = started(segment), segment.events()
    cards: dict[int, dict[str, Any]] = {}
    for event in events:
        for at, card, opening in opened(event):
            cards[at] = {"at": at, "card": NAMES[card], "opening": opening.hex()}
    return {
        "table": segment.table,
        "hand": segment.hand,
        "hand_id": hand_id(segment.table, segment.hand).hex(),
        "algorithm": began.algorithm,
        "root": began.root.hex(),
        "cut": document(told(events)),
        "opened": [cards[at] for at in sorted(cards)],
    }


def whole(deck: Deck) -> dict[str, Any]:
    """Every card opened."""
    cards = [{"at": at, "card": NAMES[card], "opening": deck.opening(at).hex()} for at, card in enumerate(deck.cards)]
    return {"opened": cards}


@operation("GET", "/tables/{table}/hands/{hand}/verify", "Check the hand here and now", {
    200: json_of("Each check and what it found", VERDICT),
}, text="Chain, events, chips and openings, as stored. What needs the seal key is for the auditor.")  # fmt: skip
def verify_hand(table: str, hand: int) -> Response:
    return answer(verify(require_hand(table, hand)).as_json())
