"""Tokens with a scope, issued by the host; who got one and why is in the audit log."""

from __future__ import annotations

import time
from typing import Annotated, Any, Literal

from flask import Response, request
from pydantic import Field

from api import auth
from api.audit import note
from api.bodies import Body, PlayerName, Why, name_of, printable, read_body
from api.house import answer, house
from api.operations import TableConverter, operation
from api.schemas import TEXT, WHOLE, fields, json_of, maybe
from api.tables import require_seen
from services.accounts import Credential, new_actor
from services.audit_log import Read

DAY_S = 24 * 3600
ISSUED = fields({"token": TEXT, "role": TEXT, "name": TEXT, "actor": TEXT, "table": maybe(TEXT), "expires_ms": WHOLE})


class TokenBody(Body):
    role: Literal["auditor", "operator"] = Field(description="auditor: audited reads; operator: reads /ops")
    name: PlayerName
    reason: Why = Field(min_length=1)
    table: Annotated[str, Field(pattern=f"^{TableConverter.regex}$")] | None = Field(None, description="only this one")
    seconds: Annotated[int, Field(ge=60, le=365 * DAY_S)] = 30 * DAY_S


@operation("POST", "/tokens", "Issue a token with a scope", {
    201: json_of("The token, told this once", ISSUED),
}, body=TokenBody, auth="host")  # fmt: skip
def issue_token() -> Response:
    host = auth.require_host()
    body = read_body(request, TokenBody)
    if body.table is not None:
        require_seen(body.table)
    name = name_of(body.name)
    note(Read(auth.who(host), f"token {body.role}", body.table or "", 0, f"for {name}: {printable(body.reason)}"))
    credential = Credential(body.role, new_actor(), body.table or "", -1, name)
    token = house().accounts.issue(credential, seconds=body.seconds)
    return answer(told(credential, token, body.seconds), 201)


def told(credential: Credential, token: str, seconds: int) -> dict[str, Any]:
    return {
        "token": token,
        "role": credential.kind,
        "name": credential.player,
        "actor": credential.actor,
        "table": credential.table or None,
        "expires_ms": int((time.time() + seconds) * 1000),
    }
