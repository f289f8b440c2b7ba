"""Tables: the lobby, opening one, looking at it, running it."""

from __future__ import annotations

import time
from typing import Annotated, Any, Literal

from flask import Response, request
from pydantic import Field

from api import auth
from api.asking import OUTCOME_S, command_id, told
from api.bodies import DECIMAL, Body, Number, Why, client_key, patience, printable, read_body, read_query
from api.house import answer, house, seen_document
from api.operations import Answer, operation
from api.problems import Problem
from api.schemas import COMMAND, TEXT, WHOLE, fields, json_of, page_of, ref
from engine.commands import ChangeOptions, Close, Pause, Resume
from services.accounts import aside
from services.orders import IfVersion
from services.tables import Seen, Viewer
from services.wire import COMMANDS

WAIT_MOST_S = 25
Value = bool | Annotated[int, Field(ge=0, le=10**9)] | Annotated[str, Field(max_length=60)] | None
Options = Annotated[dict[Annotated[str, Field(max_length=60)], Value], Field(max_length=60)]
Word = Annotated[str, Field(min_length=1, max_length=40, pattern=r"^[a-z0-9_]+$")]


class LobbyQuery(Body):
    game: Word | None = None
    structure: Word | None = None
    status: Literal["running", "paused", "frozen", "closed"] | None = Field(None, description="none: all but closed")
    free: Literal["true", "false"] | None = Field(None, description="true: only tables with an empty seat")
    cursor: Annotated[str, Field(pattern=r"^[0-9]{3}-[0-9a-z]{1,26}$")] | None = None
    limit: Annotated[int, Field(ge=1, le=200), Number] = 50


class NewTable(Body):
    game: Word
    options: Options = Field(default_factory=dict)


class TableChanges(Body):
    options: Annotated[Options, Field(min_length=1)]


class NewState(Body):
    state: Literal["running", "paused", "closed"]
    why: Why = ""


class ViewQuery(Body):
    after: Annotated[int, Field(ge=0, le=10**15), Number] | None = Field(None, description="wait for a later version")
    wait: Annotated[int, Field(ge=0, le=WAIT_MOST_S), Number] = Field(0, description="seconds at most")


def lobby(filters: Any) -> dict[str, Any]:
    """The lobby for these filters: `{"items": [...], "next": cursor | null}`."""
    wanted = filters.model_dump(include={"game", "structure", "status"}, exclude_none=True)
    page = house().tables.lobby({**wanted, "free": filters.free == "true"}, filters.cursor, filters.limit)
    items = [{**row, "average_pot": house().pots.of(row["table"])} for row in page.items]
    return {"items": items, "next": page.next}


@operation("GET", "/tables", "The lobby", {200: json_of("Tables", page_of(ref("Row")))}, query=LobbyQuery)
def list_tables() -> Response:
    return answer(lobby(read_query(request, LobbyQuery)))


OPENED = fields({"table": TEXT, "command": TEXT, "status": COMMAND["properties"]["status"]}, version=WHOLE)


@operation("POST", "/tables", "Open a table", {
    201: json_of("The table is open", OPENED, Location="the table"),
    202: json_of("Not decided yet", OPENED, Location="the table"),
}, body=NewTable, headers=("Idempotency-Key", "Prefer"), auth="host",
   text="With the header Idempotency-Key a repetition finds the table that the first request opened.")  # fmt: skip
def open_table() -> Response:
    host = auth.require_host()
    wanted = read_body(request, NewTable)
    tables = house().tables
    key = client_key(request) if "Idempotency-Key" in request.headers else None
    sender = aside(host.actor)
    table, outcome = tables.open(wanted.game, wanted.options, sender, key, patience(request, OUTCOME_S))
    document = {"table": table, "command": command_id(sender, 1), "status": "pending"}
    if outcome is None:
        return answer(document, 202, location=f"{request.path}/{table}")
    told(table, sender, 1, outcome, None)
    return answer(
        {**document, "status": "accepted", "version": outcome.version}, 201, location=f"{request.path}/{table}"
    )


@operation("GET", "/tables/{table}", "The table as you may see it", {
    200: json_of("The view", ref("Seen"), ETag="the version"), 304: Answer("Still the version of If-None-Match"),
}, query=ViewQuery, headers=("If-None-Match",), auth="anybody",
    text="`after` and `wait` wait for a change (long-poll); when none comes the view is sent as it is.")  # fmt: skip
def show_table(table: str) -> Response:
    query = read_query(request, ViewQuery)
    seen = look(table, auth.viewer(table), query)
    etag = f'"{seen.version}"'
    if request.if_none_match.contains_weak(str(seen.version)):
        response = Response(status=304)
        response.headers["ETag"] = etag
    else:
        response = answer(seen_document(seen), etag=etag)
    response.headers["Cache-Control"] = "private, no-cache"
    response.headers["Vary"] = "Authorization, Cookie"
    return response


def look(table: str, viewer: Viewer | None, query: ViewQuery) -> Seen:
    """The view, once it is newer than wanted or time is up. Raises Problem not_found or crowded."""
    seen = require_seen(table, viewer, lately=not query.wait)
    if not query.wait or query.after is None or seen.version > query.after:
        return seen
    with house().places.one():
        return newer(table, viewer, query.after, time.monotonic() + query.wait)


def newer(table: str, viewer: Viewer | None, after: int, until: float) -> Seen:
    """The view once its version is above `after`, or as it is when the monotonic clock shows `until`."""
    while True:
        with house().feed.change_of(table) as change:
            seen = require_seen(table, viewer)
            left = until - time.monotonic()
            if seen.version > after or left <= 0:
                return seen
            change.wait(left)


def require_seen(table: str, viewer: Viewer | None = None, *, lately: bool = False) -> Seen:
    """The table for the viewer, as `Tables.see`. Raises Problem not_found."""
    seen = house().tables.see(table, viewer, lately=lately)
    if seen is None:
        raise Problem("not_found", "there is no such table")
    return seen


@operation("PATCH", "/tables/{table}", "Change options between hands", {
    200: json_of("Changed", ref("Command")), 202: json_of("Not decided yet", ref("Command")),
}, body=TableChanges, headers=("Idempotency-Key", "If-Match", "Prefer"), auth="host",
   text="With If-Match only if the table still has that version.")  # fmt: skip
def change_options(table: str) -> Response:
    host = auth.require_host()
    changes = read_body(request, TableChanges)
    return ask(table, host.actor, ChangeOptions(host.actor, dict(changes.options)))


@operation("POST", "/tables/{table}/state", "Run, pause or close", {
    200: json_of("Done", ref("Command")), 202: json_of("Not decided yet", ref("Command")),
}, body=NewState, headers=("Idempotency-Key", "If-Match", "Prefer"), auth="host",
   text="`running` also starts a frozen table again, from its log.")  # fmt: skip
def change_state(table: str) -> Response:
    host = auth.require_host()
    wanted = read_body(request, NewState)
    why = printable(wanted.why)
    match wanted.state:
        case "running":
            return ask(table, host.actor, Resume(host.actor))
        case "paused":
            return ask(table, host.actor, Pause(host.actor, why))
        case "closed":
            return ask(table, host.actor, Close(host.actor, why))


def for_version(table: str, command: Any) -> Any:
    """The command, for a version of If-Match if there is one. Raises Problem not_found or version_conflict."""
    version = require_seen(table).version
    if "If-Match" not in request.headers or request.if_match.star_tag:
        return command
    wanted = [int(tag) for tag in request.if_match.as_set() if DECIMAL.fullmatch(tag)]
    plain = isinstance(command, Resume)  # a frozen table hears nothing else
    if version not in wanted:
        if plain or not wanted or "Idempotency-Key" not in request.headers:
            raise Problem("version_conflict", version=version)
        version = max(wanted)  # the table's owner knows whether this key has changed it already
    return command if plain else IfVersion(version, COMMANDS.encode(command))


def ask(table: str, actor: str, command: Any) -> Response:
    """Send a host's command under his own key, or aside from his own."""
    command, wait = for_version(table, command), patience(request, OUTCOME_S)
    if "Idempotency-Key" in request.headers:
        k = client_key(request)
        outcome = house().tables.submit(table, actor, k, command, wait)
    else:
        actor = aside(actor)
        k, outcome = house().tables.submit_next(table, actor, command, wait)
    return told(table, actor, k, outcome, None)
