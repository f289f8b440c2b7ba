"""Money per player."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

from flask import Response

from api.house import answer, house
from api.live import media_type
from api.operations import Answer, operation
from api.schemas import CHIPS, FLAG, SEAT, TEXT, WHOLE, array, fields, maybe
from api.tables import require_seen
from services.ledger import Ledger

JSON, CSV = "application/json", "text/csv"
AT_ONCE = 100
"""Events that are folded before whoever else waits has his turn: some milliseconds."""
T = TypeVar("T")
SESSION = fields({"player": TEXT, "seat": SEAT, "began": TEXT, "ended": maybe(TEXT), "buy_in": CHIPS, "buy_out": CHIPS,
                  "stack": CHIPS, "net": WHOLE})  # fmt: skip
LEDGER = fields({"items": array(SESSION), "next": {"type": "null"}, "rake": CHIPS, "balanced": FLAG})


@operation("GET", "/tables/{table}/ledger", "Money per player", {
    200: Answer("Every session: bought in, taken out, still on the table", {JSON: LEDGER, CSV: {"type": "string"}}),
}, text="`balanced`: nets and rake add up to nothing. Chips of a running hand count as not yet played.")  # fmt: skip
def show_ledger(table: str) -> Response:
    require_seen(table)
    media = media_type(JSON, CSV)
    ledger = Ledger(table).fold(unhurried(house().history.events(table, 0)))
    if media == CSV:
        return Response(ledger.as_csv(), content_type=f"{CSV}; charset=utf-8")
    items = [session.as_json() for session in ledger.sessions]
    return answer({"items": items, "next": None, "rake": ledger.rake, "balanced": ledger.balanced})


def unhurried(entries: Iterable[T]) -> Iterator[T]:
    """The same. A table's whole log may take many seconds, in which this thread would serve nobody else."""
    for number, entry in enumerate(entries):
        if number % AT_ONCE == 0:
            time.sleep(0)  # other greenlets of the process go first
        yield entry
