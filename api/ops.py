"""For operators: is it alive, is it ready, what waits where, what stands still."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Flask, Response
from sqlalchemy.exc import SQLAlchemyError

from api import auth
from api.house import answer, house
from api.operations import operation
from api.problems import Problem
from api.schemas import TEXT, WHOLE, fields, json_of, maybe, page_of, ref
from api.tables import ask
from engine.commands import Resume
from services.pulse import frozen, partitions, workers
from services.rng.deals import latest
from services.store import StoreError, typed_errors

PARTITION = fields({"partition": WHOLE, "owner": maybe(TEXT), "lease_ms": WHOLE, "epoch": WHOLE, "lag_ms": WHOLE,
                    "inbox": WHOLE, "clocks": WHOLE, "unarchived": WHOLE, "tables": WHOLE})  # fmt: skip
WORKER = fields({"worker": TEXT, "silent_ms": WHOLE})
FROZEN = fields({"table": TEXT, "error": TEXT, "where": TEXT})


def listed(items: list[dict[str, Any]]) -> Response:
    return answer({"items": items, "next": None})


@operation("GET", "/ops/partitions", "Partitions: owners and lag", {
    200: json_of("All partitions", page_of(PARTITION)),
}, auth="host")  # fmt: skip
def list_partitions() -> Response:
    auth.require_operator()
    return listed(partitions(house().client, house().settings.partitions))


@operation("GET", "/ops/workers", "Table workers", {200: json_of("Workers", page_of(WORKER))}, auth="host")
def list_workers() -> Response:
    auth.require_operator()
    return listed(workers(house().client))


@operation("GET", "/ops/frozen", "Tables stopped by a fault or an audit", {
    200: json_of("Frozen tables", page_of(FROZEN)),
}, auth="host")  # fmt: skip
def list_frozen() -> Response:
    auth.require_operator()
    return listed(frozen(house().tables.reader, house().settings.partitions))


@operation("POST", "/ops/frozen/{table}/retry", "Start a frozen table again, from its log", {
    200: json_of("It runs again", ref("Command")), 202: json_of("Not decided yet", ref("Command")),
}, headers=("Idempotency-Key", "Prefer"), auth="host")  # fmt: skip
def retry_frozen(table: str) -> Response:
    host = auth.require_host()
    if not house().tables.frozen(table):
        raise Problem("not_found", "this table is not frozen")
    return ask(table, host.actor, Resume(host.actor))


@operation("GET", "/me", "Who your token says you are", {
    200: json_of("The credential", fields({"kind": TEXT, "actor": TEXT, "table": maybe(TEXT), "seat": maybe(WHOLE),
                                           "player": maybe(TEXT)})),
}, auth="seat")  # fmt: skip
def show_me() -> Response:
    asking = auth.asking()
    if asking is None:
        raise Problem("unauthenticated")
    seat = asking.seat if asking.seat >= 0 else None
    return answer({"kind": asking.kind, "actor": asking.actor, "table": asking.table or None, "seat": seat,
                   "player": asking.player or None})  # fmt: skip


def known(count: Callable[[], int]) -> float:
    """What the archive says; not a number while it does not answer."""
    try:
        return count()
    except SQLAlchemyError:
        return float("nan")


def deal_alarms() -> int:
    """How many statistics of the newest report on the real deals are in alarm."""
    report = latest(house().archive.engine)
    return sum(test["state"] == "alarm" for test in report["tests"]) if report else 0


def register(app: Flask) -> None:
    """The addresses outside of the API's own."""

    @app.get("/healthz")
    def healthz() -> Response:
        return answer({"status": "alive"})

    @app.get("/readyz")
    def readyz() -> Response:
        """Ready: the store answers and there is a worker to decide what is sent."""
        try:
            with typed_errors():
                house().client.ping()
            alive = len(workers(house().client))
        except StoreError:
            raise Problem("unavailable") from None
        if not alive:
            raise Problem("unavailable", "no table worker is alive")
        return answer({"status": "ready", "workers": alive})

    @app.get("/metrics")
    def metrics() -> Response:
        numbers = house().metrics
        numbers.workers.set(len(workers(house().client)))
        rows = partitions(house().client, house().settings.partitions)
        numbers.inbox.set(sum(row["inbox"] for row in rows))
        numbers.lag.set(max(row["lag_ms"] for row in rows) / 1000)
        numbers.unarchived.set(sum(row["unarchived"] for row in rows))
        numbers.unowned.set(sum(row["owner"] is None for row in rows))
        numbers.frozen.set(len(frozen(house().tables.reader, house().settings.partitions)))
        numbers.differing.set(known(lambda: len(house().archive.failed())))
        numbers.refused.set(known(lambda: int(house().archive.log.refused())))
        numbers.deals.set(known(deal_alarms))
        return Response(numbers.text(), content_type="text/plain; version=0.0.4; charset=utf-8")
