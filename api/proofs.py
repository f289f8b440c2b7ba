"""What lets anybody check a finished hand: the commitment to its deck, the cards that were opened, our own check."""

from __future__ import annotations

from typing import Any, Literal

from flask import Response, request

from api import auth
from api.audit import Reason, note, seed_for
from api.bodies import Body, printable, read_query
from api.hands import require_hand
from api.house import answer, house
from api.operations import Answer, operation
from api.problems import Problem
from api.schemas import CARD, CUT_LABEL, FLAG, TEXT, WHOLE, array, fields, json_of
from engine.cards import NAMES
from engine.deck import Deck, hand_id
from services.archive import ArchiveDamaged
from services.audit import Check, opened, started
from services.audit_log import Read
from services.bundle import MEDIA_TYPE, read, write
from services.cut import document, told
from services.reader import LogDamaged
from services.segment import Segment
from services.unsealing import deck_from
from services.verifying import Verifier, summed_up

OPENED = fields({"at": WHOLE, "card": CARD, "opening": TEXT})
NAMED = fields({"player": TEXT, "bytes": TEXT})
CUT = fields({"label": CUT_LABEL, "pledges": array(NAMED), "seeds": array(NAMED), "cut": array(WHOLE)})
DEAL = fields({"table": TEXT, "hand": WHOLE, "hand_id": TEXT, "algorithm": TEXT, "root": TEXT, "cut": CUT,
               "opened": array(OPENED)}, seed=TEXT)  # fmt: skip


class DealQuery(Body):
    unsealed: Literal["true", "false"] = "false"
    reason: Reason | None = None


class BundleQuery(Body):
    sealed: Literal["true", "false"] = "false"
    reason: Reason | None = None


VERDICT = fields({"ok": FLAG, "checks": array(fields({"name": TEXT, "ok": FLAG, "detail": TEXT}))})
BINARY = {"type": "string", "format": "binary"}


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


@operation("GET", "/tables/{table}/hands/{hand}/bundle", "The hand in one file, to verify without us", {
    200: Answer("For `croupier verify`, docs/verify.py and the page /verify", {MEDIA_TYPE: BINARY}),
}, query=BundleQuery, auth="anybody",
   text="The same bytes once the hand has a checkpoint; no hidden card. docs/auditing.md has the format. An auditor "
        "who says why (`reason`) gets it with its sealed seed (`sealed=true`), for `croupier verify --key`; it is "
        "logged.")  # fmt: skip
def show_bundle(table: str, hand: int) -> Response:
    query = read_query(request, BundleQuery)
    sealed = query.sealed == "true"
    if sealed:
        allow_sealed(table, hand, query.reason)
    response = Response(bundle_of(table, hand, sealed), content_type=MEDIA_TYPE)
    response.headers["Content-Disposition"] = f'attachment; filename="{table}-{hand}.bundle"'
    return response


def allow_sealed(table: str, hand: int, reason: str | None) -> None:
    """For an auditor who says why, once that is logged. Raises Problem."""
    auditor = auth.require_auditor(table)
    if reason is None:
        raise Problem("reason_required")
    require_hand(table, hand)
    note(Read(auth.who(auditor), "sealed bundle", table, hand, printable(reason)))


@operation("GET", "/tables/{table}/hands/{hand}/verify", "Check the hand here and now", {
    200: json_of("Each check and what it found", VERDICT),
}, text="What `croupier verify` does with the hand's bundle. What needs the seal key is for the auditor.")  # fmt: skip
def verify_hand(table: str, hand: int) -> Response:
    try:
        checks = summed_up(list(Verifier().bundle(read(bundle_of(table, hand))))).checks
    except (ArchiveDamaged, LogDamaged) as damaged:
        checks = [Check("read", False, str(damaged))]
    return answer({"ok": all(check.ok for check in checks), "checks": [check._asdict() for check in checks]})


def bundle_of(table: str, hand: int, sealed: bool = False) -> bytes:
    """Without the sealed seed: what everybody may have."""
    return b"".join(write([require_hand(table, hand)], house().archive.log, sealed))
