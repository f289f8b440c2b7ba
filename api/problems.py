"""Errors as problem documents (RFC 9457), each with a stable code. What a code means and its status is said here only.

Codes that are not in the table are refusals of the rules: 409.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from flask import Flask, Response
from werkzeug.exceptions import HTTPException

from services.outcomes import Outcome

CONTENT_TYPE = "application/problem+json"
RETRY_AFTER_S = 1


class Kind(NamedTuple):
    """`text` explains the code to whoever looks it up."""

    status: int
    title: str
    text: str


KINDS: dict[str, Kind] = {
    # The request itself.
    "malformed": Kind(422, "Malformed request", "The body, a parameter or a header is not what this address takes. "
                      "Status 400 if it cannot be read at all, 422 if it can. Nothing was done."),
    "unsupported_media_type": Kind(415, "Unsupported media type", "Bodies are application/json, not compressed."),
    "body_too_large": Kind(413, "Body too large", "A body has 4,096 bytes at most."),
    "unauthenticated": Kind(401, "Unauthenticated", "This needs a valid token: `Authorization: Bearer cr_…`."),
    "forbidden": Kind(403, "Forbidden", "This token is not meant for that."),
    "cross_site": Kind(403, "Cross-site request", "A request that a cookie vouches for must come from our own pages."),
    "not_your_seat": Kind(403, "Not your seat", "The token does not own this seat."),
    "not_found": Kind(404, "Not found", "There is nothing at this address."),
    "method_not_allowed": Kind(405, "Method not allowed", "This address does not know that method."),
    "not_acceptable": Kind(406, "Not acceptable", "None of the accepted media types can be had here."),
    "too_many_requests": Kind(429, "Too many requests", "Slow down; Retry-After says for how long."),
    "bad_text": Kind(
        409, "Bad text", "Names and reasons are printable; a name has 1 to 30 characters and no blank at its ends."
    ),
    "unknown_game": Kind(409, "Unknown game", "No such game; `games` lists them."),
    "unknown_option": Kind(409, "Unknown option", "The game has no option `key`."),
    "bad_option": Kind(409, "Bad option", "The option `key` cannot have that value, or not beside the others."),
    # Commands and their numbers.
    "k_reused": Kind(422, "Key reused", "This Idempotency-Key was used for another command. `last` is the last one."),
    "superseded": Kind(410, "Superseded", "A later command of this actor was answered; this one's answer is gone, "
                       "or it never had an effect. `last` is the last key."),
    "stale_turn": Kind(412, "Stale turn", "The decision this command answers is over. Nothing was done."),
    "stale_hand": Kind(412, "Stale hand", "Seeds are pledged for the next hand only; `hand` is its number."),
    "malformed_seed": Kind(422, "Malformed seed", "Seeds and pledges have 32 bytes."),
    "already_pledged": Kind(409, "Already pledged", "This player has a pledge for that hand; it stands."),
    "no_pledge": Kind(409, "No pledge", "This player has pledged no seed for the hand, or is not dealt in."),
    "seed_mismatch": Kind(409, "Seed mismatch", "The seed is not the one that was pledged. It does not count."),
    "seed_too_early": Kind(409, "Seed too early", "The hand has not begun: seeds come after its root."),
    "seed_too_late": Kind(409, "Seed too late", "Nobody waits for seeds of that hand. It does not count."),
    "already_revealed": Kind(409, "Already revealed", "The seed of this player is there."),
    "version_conflict": Kind(412, "Version conflict", "The table has changed since that version."),
    "malformed_amount": Kind(422, "Malformed amount", "Amounts are whole positive numbers of chips."),
    # The table and the service.
    "unknown_table": Kind(404, "Unknown table", "There is no such table."),
    "no_such_seat": Kind(404, "No such seat", "The table has fewer seats."),
    "table_frozen": Kind(409, "Table frozen", "A fault stopped this table; the host decides how it goes on."),
    "engine_error": Kind(500, "Engine error", "The table was stopped by a fault; the command was kept for the host."),
    "internal_error": Kind(500, "Internal error", "A fault of the service; it has been noted."),
    "format_cannot_hold": Kind(409, "Format cannot hold this", "This format has no way to tell this hand; JSON has."),
    "not_for_you": Kind(403, "Not for you", "Only who was dealt in may see these cards, or who holds the seal key."),
    "in_progress": Kind(409, "In progress", "The hand is still being played: nobody may see its hidden cards."),
    "reason_required": Kind(422, "Reason required", "Say why (`reason`): who looks at hidden cards is logged."),
    "not_unsealed": Kind(409, "Not unsealed", "The seal key of the chores does not open this hand's seed."),
    "not_logged": Kind(503, "Not logged", "The audit log cannot be written now, so nothing was read."),
    "backlog": Kind(503, "Backlog", "Too many commands wait to be decided. Nothing was sent: repeat it later."),
    "crowded": Kind(503, "Crowded", "Too many wait for news here at once, or you alone for too much. Ask again later, "
                    "or without `wait`."),
    "outcome_unknown": Kind(503, "Outcome unknown", "It is not known whether the command arrived. Repeat it under the "
                            "same Idempotency-Key: it takes effect once."),
    "durability_degraded": Kind(503, "Durability degraded", "The store takes no writes that it could keep."),
    "unavailable": Kind(503, "Unavailable", "The store or the archive does not answer. Repeat it later."),
}  # fmt: skip


RULES = {
    "already_blocked", "already_connected", "already_disconnected", "already_leaving", "already_seated",
    "already_sitting_out", "bet_too_large", "bet_too_small", "bring_in_amount", "buy_in_too_large",
    "card_already_seen", "card_gone", "card_not_eligible", "card_not_seen", "exb_too_late",
    "fold_not_facing_bet", "hand_running", "illegal_action", "insufficient_chips", "limit_of_extra_cards",
    "merge_not_allowed", "must_buy", "no_hand", "no_such_table",
    "not_enough_players", "not_in_a_tournament", "not_sitting_out", "not_your_turn", "nothing_owed",
    "post_not_allowed_here", "purchase_not_available", "raise_capped", "raise_not_answerable",
    "raise_not_reopened", "sale_not_allowed", "seat_taken", "stack_below_minimum", "stale_level",
    "street_already_dealt", "table_closed", "table_exists", "table_not_paused", "table_not_running",
    "table_paused", "too_early", "tournament_started",
}  # fmt: skip
"""Refusals of the rules (rule book 1.13) and of the table: 409."""


def kind_of(code: str) -> Kind:
    """What a code means; a refusal of the rules is named after its code."""
    title = code.replace("_", " ").capitalize()
    return KINDS.get(code) or Kind(409, title, "The rules of the table do not allow this now. Nothing was changed.")


class Problem(Exception):
    """Ends a request. `facts` go into the document: public facts, and a token of whoever asks; never what he sent as a
    secret.
    """

    def __init__(self, code: str, detail: str = "", *, status: int | None = None, **facts: Any) -> None:
        super().__init__(code)
        self.code = code
        self.detail = detail
        self.status = status or kind_of(code).status
        self.facts = facts

    def document(self) -> dict[str, Any]:
        kind = kind_of(self.code)
        told = {"detail": self.detail} if self.detail else {}
        head = {"type": f"/problems/{self.code}", "title": kind.title, "status": self.status, "code": self.code}
        return {**self.facts, **head, **told}

    def response(self) -> Response:
        body = json.dumps(self.document(), separators=(",", ":"), ensure_ascii=False)
        response = Response(body, self.status, content_type=CONTENT_TYPE)
        if self.status in (429, 503):
            response.headers["Retry-After"] = str(self.facts.get("retry_after", RETRY_AFTER_S))
        if self.status == 401:
            response.headers["WWW-Authenticate"] = 'Bearer realm="croupier"'
        return response


def refusal(outcome: Outcome, command: str, view: Mapping[str, Any] | None = None) -> Problem:
    """The problem of a refused command, with what would be legal now for whom `view` was made."""
    facts = {name: value for name, value in outcome.detail.items() if name != "legal"}
    facts["command"] = command
    legal = outcome.detail.get("legal")
    if view is not None:
        facts.setdefault("turn", view["turn"])
        legal = legal_for(view) if legal is None else legal
    if legal is not None:
        facts["legal_actions"] = legal
    return Problem(outcome.code, **facts)


def legal_for(view: Mapping[str, Any]) -> dict[str, Any]:
    """Verb → least and most for the viewer's seats; empty when it is not their turn."""
    hand, you = view["hand"], view.get("you")
    own = [seat["seat"] for seat in (you, *you.get("also", ()))] if you else []
    mine = hand and any(seat in own for seat in (hand["actor"], *hand["awaited"]))
    return dict(hand["legal"]) if mine else {}


# What werkzeug itself raises, by status.
HTTP_CODES = {400: "malformed", 404: "not_found", 405: "method_not_allowed", 413: "body_too_large",
              415: "unsupported_media_type"}  # fmt: skip


def http_problem(error: HTTPException) -> Response:
    """A problem document for what the framework refuses; redirects pass."""
    status = error.code or 500
    if status < 400 or error.response is not None:
        return Response(error.get_body(), status, error.get_headers())
    response = Problem(
        HTTP_CODES.get(status, "internal_error" if status >= 500 else "malformed"), status=status
    ).response()
    if status == 405 and (allow := dict(error.get_headers()).get("Allow")):
        response.headers["Allow"] = allow
    return response


def register(app: Flask) -> None:
    """Answer with problem documents everywhere; a fault is logged without its text, which might show a secret."""
    app.register_error_handler(Problem, lambda problem: problem.response())
    app.register_error_handler(HTTPException, http_problem)
