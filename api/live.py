"""The live stream of a table."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, nullcontext
from functools import partial

from flask import Response, request
from werkzeug.datastructures import MIMEAccept

from api import auth
from api.frames import NDJSON, SSE, Frame, greeting, ping
from api.house import house
from api.operations import Answer, operation
from api.problems import Problem
from api.schemas import TEXT, fields
from api.tables import require_seen
from services.tables import Viewer

LINE = fields({"type": TEXT, "data": {"type": "object"}})


@operation("GET", "/tables/{table}/stream", "Watch live", {
    200: Answer("Frames until somebody goes", {SSE: {"type": "string"}, NDJSON: LINE}),
}, headers=("Last-Event-ID",), auth="anybody",
   text="First `snapshot` (version, head, now, view), then an `event` for each fact and a `state` (as the snapshot) "
        "after those of each command. Ids are versions; with Last-Event-ID exactly what follows is sent, or `resync` "
        "where that is impossible. A comment every 15 seconds. As NDJSON: {\"type\", \"id\", \"data\"}, and empty "
        "lines for comments.")  # fmt: skip
def stream(table: str) -> Response:
    require_seen(table)
    media = media_type(SSE, NDJSON)
    present, bursts = watching(table, auth.viewer(table), last_seen())
    place = ExitStack()
    if request.method == "GET":  # who asks for the head alone is not kept waiting
        place.enter_context(house().places.one())

    def body() -> Iterator[bytes]:
        with present:
            yield greeting(media)
            # Not a loop: its variable would keep the last frames for as long as the client waits for the next.
            yield from map(partial(encoded, media=media), bursts)

    response = Response(body(), content_type=media)
    response.call_on_close(place.close)  # also where the client has gone before the first frame
    response.headers["X-Accel-Buffering"] = "no"
    response.headers["Cache-Control"] = "no-store"
    return response


def watching(
    table: str, viewer: Viewer | None, last: int | None
) -> tuple[AbstractContextManager[None], Iterator[list[Frame]]]:
    """What a client is sent, and the block within which its player is there; neither has begun."""
    house().feed.start()  # a process that only streams never waits for anything else
    bursts, session = house().hub.bursts(table, viewer, last), auth.asking()
    if viewer is None or session is None:
        return nullcontext(), bursts
    seat = table, session.seat, session.player
    return house().presence.of(*seat), house().presence.noticing(*seat, bursts)


def encoded(frames: list[Frame], media: str) -> bytes:
    """In one piece: what goes to the socket at once costs one write, and wakes the client once."""
    return b"".join([frame.encoded(media) for frame in frames]) if frames else ping(media)


def last_seen() -> int | None:
    """The version of Last-Event-ID; None without one. Raises Problem malformed."""
    text = request.headers.get("Last-Event-ID", "")
    if not text:
        return None
    if not re.fullmatch(r"[0-9]{1,15}", text):
        raise Problem("malformed", "Last-Event-ID is a version", status=400)
    return int(text)


def media_type(*offered: str) -> str:
    """The best of the offered types for this client, the first if it does not care. Raises Problem not_acceptable."""
    if not request.headers.get("Accept"):
        return offered[0]
    wanted = MIMEAccept([(media.partition(";")[0].strip(), q) for media, q in request.accept_mimetypes])
    best = wanted.best_match(offered)  # a charset or a version makes no other type of it
    if best is None:
        raise Problem("not_acceptable", offered=list(offered))
    return best
