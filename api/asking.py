"""How every handler that sends a command tells its outcome."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from flask import Response

from api.house import answer, house
from api.operations import PREFIX
from api.problems import refusal
from services.outcomes import Outcome
from services.tables import Shown, Viewer

OUTCOME_S = 5.0
"""How long a host or somebody who sits down waits for the outcome, unless he says otherwise."""


def command_id(actor: str, k: int) -> str:
    return f"{actor}-{k}"


def told(table: str, actor: str, k: int, outcome: Outcome | None, viewer: Viewer | None) -> Response:
    """200 with the events of an accepted command, 202 while nothing is known. Raises the Problem of a refusal."""
    name = command_id(actor, k)
    if outcome is None:
        return pending(table, name)
    require_accepted(table, name, outcome, viewer)
    return answer(accepted(table, name, outcome, viewer))


def pending(table: str, name: str, more: Mapping[str, Any] = MappingProxyType({})) -> Response:
    """Not decided yet: ask again at Location, or send the same again under the same key."""
    address = f"{PREFIX}/tables/{table}/commands/{name}"
    return answer({"command": name, "status": "pending", **more}, 202, location=address)


def require_accepted(table: str, name: str, outcome: Outcome, viewer: Viewer | None) -> None:
    """Raises the Problem of a refusal, with the turn and what would be legal for the viewer now."""
    if outcome.accepted:
        return
    house().metrics.refusals.labels(outcome.code).inc()
    seen = house().tables.see(table, viewer)
    raise refusal(outcome, name, seen.view if seen else None)


def accepted(table: str, name: str, outcome: Outcome, viewer: Viewer | None) -> dict[str, Any]:
    count = outcome.version - outcome.after
    events = house().tables.events(table, outcome.after, count, viewer) if count else []
    return {"command": name, "status": "accepted", "version": outcome.version, "events": visible(events)}


def visible(events: list[Shown]) -> list[dict[str, Any]]:
    """Events as they are sent everywhere, without the kinds that nobody sees."""
    return [event_document(event) for event in events if event.event is not None]


def event_document(event: Shown) -> dict[str, Any]:
    facts: Mapping[str, Any] = event.event or {}
    return {"version": event.version, "head": event.head.hex(), **facts}
