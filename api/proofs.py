"""What lets anybody check a finished hand: the commitment to its deck, the cards that were opened, our own check."""

from __future__ import annotations

from typing import Any

from flask import Response

from api.hands import require_hand
from api.house import answer
from api.operations import operation
from api.schemas import CARD, FLAG, TEXT, WHOLE, array, fields, json_of
from engine.cards import NAMES
from services.audit import opened, started, verify

OPENED = fields({"at": WHOLE, "card": CARD, "opening": TEXT})
DEAL = fields({"table": TEXT, "hand": WHOLE, "algorithm": TEXT, "root": TEXT, "opened": array(OPENED)})
VERDICT = fields({"ok": FLAG, "checks": array(fields({"name": TEXT, "ok": FLAG, "detail": TEXT}))})


@operation("GET", "/tables/{table}/hands/{hand}/deal", "Commitment and openings", {
    200: json_of("The root that was published before the deal, and each card that became public with its proof", DEAL),
}, text="In hex. An opening is a salt of 16 bytes and the card's path in a Merkle tree of 52 leaves.")  # fmt: skip
def show_deal(table: str, hand: int) -> Response:
    segment = require_hand(table, hand)
    began = started(segment)
    cards: dict[int, dict[str, Any]] = {}
    for event in segment.events():
        for at, card, opening in opened(event):
            cards[at] = {"at": at, "card": NAMES[card], "opening": opening.hex()}
    return answer({
        "table": table,
        "hand": hand,
        "algorithm": began.algorithm,
        "root": began.root.hex(),
        "opened": [cards[at] for at in sorted(cards)],
    })  # fmt: skip


@operation("GET", "/tables/{table}/hands/{hand}/verify", "Check the hand here and now", {
    200: json_of("Each check and what it found", VERDICT),
}, text="Chain, events, chips and openings, as stored. What needs the seal key is for the auditor.")  # fmt: skip
def verify_hand(table: str, hand: int) -> Response:
    return answer(verify(require_hand(table, hand)).as_json())
