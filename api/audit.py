"""Audited reads: what an auditor may see of a hand that is over, and the log of who looked."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from flask import Response, request
from pydantic import Field

from api import auth
from api.bodies import Body, Number, printable, read_query
from api.house import answer, house
from api.operations import operation
from api.problems import Problem
from api.schemas import TEXT, WHOLE, fields, json_of, maybe, page_of
from services.accounts import Credential
from services.audit_log import WHY_MOST, Logged, NotLogged, Read
from services.unsealing import CannotUnseal, Unanswered, fetch

Reason = Annotated[str, Field(min_length=1, max_length=WHY_MOST, description="why; needed to see hidden cards")]
ENTRY = fields({"number": WHOLE, "at": TEXT, "who": TEXT, "what": TEXT, "table": maybe(TEXT), "hand": maybe(WHOLE),
                "why": TEXT, "hash": TEXT})  # fmt: skip
REFUSALS = {"no_such_hand": "not_found", "no_seed": "not_unsealed"}


class LogQuery(Body):
    limit: Annotated[int, Field(ge=1, le=200), Number] = 50
    cursor: Annotated[int, Field(ge=1, le=10**12), Number] | None = Field(None, description="entries before this one")
    people: Literal["true"] | None = Field(None, description="only what people did, not the chores")


@operation("GET", "/audit/log", "Who looked at what is hidden, when and why", {
    200: json_of("Entries, newest first, each chained to the one before", page_of(ENTRY)),
}, query=LogQuery, auth="seat", text="For auditors and the host.")  # fmt: skip
def list_audit_log() -> Response:
    auth.require_auditor("", or_host=True)
    query = read_query(request, LogQuery)
    entries = house().audit_log.page(query.limit, query.cursor, people=query.people == "true")
    more = entries and entries[-1].number > 1
    return answer({"items": list(map(row, entries)), "next": str(entries[-1].number) if more else None})


def row(entry: Logged) -> dict[str, Any]:
    at = datetime.fromtimestamp(entry.at_ms / 1000, UTC).isoformat(timespec="milliseconds")
    told = {"table": entry.table or None, "hand": entry.hand or None, "hash": entry.hash.hex()}
    return {"number": entry.number, "at": at, "who": entry.who, "what": entry.what, "why": entry.why, **told}


def note(read: Read) -> None:
    """Raises Problem not_logged: then nothing may be given away."""
    try:
        house().audit_log.write(read)
    except NotLogged:
        raise Problem("not_logged") from None


def seed_for(auditor: Credential, what: str, table: str, hand: int, reason: str | None) -> bytes:
    """The seed of a finished hand, for an auditor who says why. Raises Problem; of a running hand `in_progress`."""
    if reason is None:
        raise Problem("reason_required")
    read = Read(auth.who(auditor), what, table, hand, printable(reason))
    try:
        return fetch(house().errands, house().client, house().view_key, read)
    except CannotUnseal as refused:
        raise Problem(REFUSALS.get(refused.code, refused.code)) from None
    except Unanswered:
        raise Problem("unavailable", "the chores, which hold the seal key, do not answer") from None
