"""How fair the real deals are: the chores' reports, for everybody. They hold counts and deviations, never a card."""

from __future__ import annotations

from typing import Annotated

from flask import Response, request
from pydantic import Field

from api.bodies import Body, Number, read_query
from api.house import answer, house
from api.operations import operation
from api.schemas import TEXT, WHOLE, array, fields, json_of, maybe, page_of
from services.rng.deals import reports

STATE = {"enum": ["ok", "suspect", "alarm"]}
TEST = fields({"name": TEXT, "z": maybe({"type": "number"}), "detail": TEXT, "state": STATE})
REPORT = fields({"number": WHOLE, "made_ms": WHOLE, "deals": WHOLE, "total": WHOLE, "state": STATE,
                 "tests": array(TEST)})  # fmt: skip


class ReportsQuery(Body):
    limit: Annotated[int, Field(ge=1, le=100), Number] = 20
    cursor: Annotated[int, Field(ge=1, le=10**10), Number] | None = Field(None, description="reports before this one")


@operation("GET", "/ops/deals", "Statistics of the real deals", {
    200: json_of("Reports, newest first", page_of(REPORT)),
}, query=ReportsQuery, text="A test is suspect once, and an alarm if the next deals say so again.")  # fmt: skip
def list_deal_reports() -> Response:
    query = read_query(request, ReportsQuery)
    items = reports(house().archive.engine, query.limit, query.cursor)
    more = items and items[-1]["number"] > 1
    return answer({"items": items, "next": str(items[-1]["number"]) if more else None})
