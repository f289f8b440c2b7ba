"""What the handlers of one application share, and how they answer."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from flask import Response, current_app

from services.accounts import Accounts
from services.archive import Archive
from services.audit_log import AuditLog
from services.errands import Errands
from services.feed import Feed
from services.history import History
from services.sealing import ViewKey
from services.settings import Settings
from services.shares import Shares
from services.store import Client
from services.tables import Seen, Tables

JSON = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False, check_circular=False)

if TYPE_CHECKING:
    from api.hub import Hub
    from api.limits import Limits, Places
    from api.metrics import Metrics
    from api.pots import AveragePots
    from api.presence import Presence


@dataclass(frozen=True)
class House:
    settings: Settings
    client: Client
    accounts: Accounts
    tables: Tables
    feed: Feed
    archive: Archive
    history: History
    audit_log: AuditLog
    errands: Errands
    view_key: ViewKey
    shares: Shares
    hub: Hub
    presence: Presence
    limits: Limits
    places: Places
    metrics: Metrics
    pots: AveragePots


def house() -> House:
    """Of the application that serves this request."""
    return cast(House, current_app.extensions["croupier"])


def packed(document: Any) -> bytes:
    """JSON without blanks."""
    return JSON.encode(document).encode()


def answer(document: Any, status: int = 200, **headers: str) -> Response:
    """A JSON answer; `etag` and the like become headers."""
    response = Response(packed(document), status, content_type="application/json")
    for name, value in headers.items():
        response.headers[name.replace("_", "-").title()] = value
    return response


def seen_document(seen: Seen) -> dict[str, Any]:
    """A table as it is sent everywhere: over HTTP, as a snapshot and as a state of the stream.

    `now` is the time in ms by which deadlines are, for whoever shows a clock.
    """
    return {"version": seen.version, "head": seen.head.hex(), "now": seen.now, "view": seen.view}
