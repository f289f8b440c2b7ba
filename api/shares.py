"""Links to a step of a replay, for others to see what their maker was entitled to see."""

from __future__ import annotations

import time
from typing import Annotated
from urllib.parse import urlencode

from flask import Response, request
from pydantic import Field

from api import auth
from api.bodies import Body, read_body
from api.hands import own_known, require_hand, viewer_of
from api.house import answer, house
from api.operations import TableConverter, operation
from api.problems import Problem
from api.schemas import TEXT, WHOLE, fields, json_of
from services.replay import Replay
from services.shares import Share

DAY_S = 24 * 3600
SHARED = fields({"share": TEXT, "url": TEXT, "expires_ms": WHOLE})


class ShareBody(Body):
    table: Annotated[str, Field(pattern=f"^{TableConverter.regex}$")]
    hand: Annotated[int, Field(ge=1, le=9_999_999_999)]
    step: Annotated[int, Field(ge=0, le=10_000)] = 0
    view: Annotated[str, Field(pattern=r"^(?:public|seat:(?:0|[1-9][0-9]?))$")] = "public"
    seconds: Annotated[int, Field(ge=60, le=365 * DAY_S)] = 90 * DAY_S


@operation("POST", "/shares", "A link to a step of a finished hand", {
    201: json_of("Whoever has the link sees this view of this hand, and no other", SHARED),
}, body=ShareBody, auth="seat",
   text="`view`: public, or seat:N for the player who held that seat: he shows his own cards.")  # fmt: skip
def make_share() -> Response:
    body = read_body(request, ShareBody)
    auth.require_anybody(body.table)
    name = house().shares.make(shared(body), body.seconds)
    query = urlencode({"step": body.step, "view": body.view, "share": name})
    url = f"/tables/{body.table}/hands/{body.hand}?{query}"
    expires_ms = int((time.time() + body.seconds) * 1000)
    return answer({"share": name, "url": url, "expires_ms": expires_ms}, 201, location=url)


def shared(body: ShareBody) -> Share:
    """What the link shows. Raises Problem."""
    segment = require_hand(body.table, body.hand)
    if body.step > (last := Replay(segment).steps):
        raise Problem("not_found", f"the last step is {last}")
    if body.view == "public":
        return Share(body.table, body.hand, -1, {})
    seat = viewer_of(body.view)
    assert isinstance(seat, int), "the body's pattern takes seats only"
    return Share(body.table, body.hand, seat, own_known(body.table, body.hand, body.view))
