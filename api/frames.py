"""What goes out on a live stream: the same frame as server-sent event or as a line of JSON."""

from __future__ import annotations

import random
from functools import cached_property
from typing import Any, Literal

from api.house import packed

Kind = Literal["snapshot", "event", "state", "resync"]
SSE = "text/event-stream"
NDJSON = "application/x-ndjson"


class Frame:
    """Encoded once, whoever gets it, and not at all for nobody.

    `id`: the version after which a client may resume; None tells none.
    """

    def __init__(self, kind: Kind, id_: int | None, document: Any) -> None:
        self.kind = kind
        self.id = id_
        self._document = document

    def tells(self, event: str, seat: int) -> bool:
        """Whether it is such an event, of that seat."""
        told = self._document
        return self.kind == "event" and told["event"] == event and told.get("seat") == seat

    @cached_property
    def data(self) -> bytes:
        """The document as JSON."""
        return packed(self._document)

    @cached_property
    def sse(self) -> bytes:
        """As HTML's event streams have it."""
        id_ = b"" if self.id is None else b"id: %d\n" % self.id
        return b"%sevent: %s\ndata: %s\n\n" % (id_, self.kind.encode(), self.data)

    @cached_property
    def line(self) -> bytes:
        """`{"type": kind, "id": version, "data": {…}}`"""
        id_ = b"null" if self.id is None else b"%d" % self.id
        return b'{"type":"%s","id":%s,"data":%s}\n' % (self.kind.encode(), id_, self.data)

    def encoded(self, media: str) -> bytes:
        return self.sse if media == SSE else self.line


def greeting(media: str) -> bytes:
    """How long to wait before reconnecting: not the same for all, or a restart is followed by a stampede."""
    return b"retry: %d\n\n" % random.randint(1000, 4000) if media == SSE else b""


def ping(media: str) -> bytes:
    """Keeps proxies patient, and finds out that a client has gone."""
    return b": ping\n\n" if media == SSE else b"\n"
