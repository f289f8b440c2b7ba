"""The log of a table as its viewer may see it."""

from __future__ import annotations

from itertools import islice
from typing import Annotated, Any

from flask import Response, request
from pydantic import Field

from api import auth
from api.asking import visible
from api.bodies import Body, Number, read_query
from api.frames import NDJSON
from api.house import answer, house, packed
from api.live import media_type
from api.operations import Answer, operation
from api.schemas import TEXT, WHOLE, array, fields, json_of, maybe, ref
from api.tables import require_seen
from services.reader import LogGap
from services.tables import Shown, Viewer, shown
from services.wire import pack

JSON = "application/json"
MSGPACK = "application/vnd.msgpack"
PAGE_MOST = 1000
EVENTS = fields({"items": array(ref("Event")), "next": maybe(WHOLE)})


class EventsQuery(Body):
    after: Annotated[int, Field(ge=0, le=10**15), Number] = 0
    limit: Annotated[int, Field(ge=1, le=PAGE_MOST), Number] = 500


@operation("GET", "/tables/{table}/events", "The log", {
    200: Answer("Events after a version; `next` is the `after` of the next page, null when you have all",
                {JSON: EVENTS, NDJSON: ref("Event"), MSGPACK: {"type": "string"}}),
}, query=EventsQuery, auth="anybody", text="Hidden cards are positions; your own cards of the running hand are filled "
   "in. As NDJSON a line per event, as MessagePack the same document.")  # fmt: skip
def list_events(table: str) -> Response:
    query = read_query(request, EventsQuery)
    media = media_type(JSON, NDJSON, MSGPACK)
    viewer = auth.viewer(table)
    version = require_seen(table).version
    events = some_events(table, query.after, query.limit, viewer)
    last = events[-1].version if events else version
    return encoded(visible(events), last if last < version else None, media)


def some_events(table: str, after: int, limit: int, viewer: Viewer | None) -> list[Shown]:
    """From the store, or from the archive what has gone there: finished hands, without anybody's own cards."""
    try:
        return house().tables.events(table, after, limit, viewer)
    except LogGap:
        return [shown(entry) for entry in islice(house().history.events(table, after), limit)]


def encoded(items: list[dict[str, Any]], following: int | None, media: str) -> Response:
    if media == NDJSON:
        return Response(b"".join(packed(item) + b"\n" for item in items), content_type=NDJSON)
    document = {"items": items, "next": following}
    return Response(pack(document), content_type=MSGPACK) if media == MSGPACK else answer(document)


@operation("GET", "/tables/{table}/chain", "The head of the hash chain", {
    200: json_of("Version and chain hash of the last event", fields({"version": WHOLE, "head": TEXT})),
})  # fmt: skip
def show_chain(table: str) -> Response:
    seen = require_seen(table)
    return answer({"version": seen.version, "head": seen.head.hex()})
