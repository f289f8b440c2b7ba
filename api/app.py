"""The application: what it stands on, its handlers, and what is true of every answer."""

from __future__ import annotations

import time
import traceback
from importlib.metadata import version

import structlog
from flask import Flask, Response, g, request
from sqlalchemy.exc import OperationalError
from werkzeug.middleware.proxy_fix import ProxyFix

from api import (
    audit,
    auth,
    checkpoints,
    commands,
    deals,
    events,
    exports,
    games,
    hands,
    ledger,
    live,
    openapi,
    operations,
    ops,
    pages,
    problems,
    proofs,
    seats,
    seeds,
    shares,
    tables,
    tokens,
)
from api.bodies import BODY_MOST
from api.house import House, house
from api.hub import Hub
from api.limits import Limits, Places
from api.metrics import METHODS, Metrics
from api.pots import AveragePots
from api.presence import Presence
from api.problems import Problem
from engine.refusals import Refused
from services.accounts import Accounts
from services.archive import Archive
from services.audit_log import AuditLog
from services.errands import Errands, open_queue
from services.feed import Feed
from services.history import History
from services.inbox import Backlog, ClaimLost
from services.sealing import ViewKey
from services.settings import Settings
from services.shares import Shares
from services.store import Client, OutcomeUnknown, StoreError, StoreRefused, connect
from services.tables import Tables
from services.wire import TooLong

NOUNS = (
    audit,
    checkpoints,
    commands,
    deals,
    events,
    exports,
    games,
    hands,
    ledger,
    live,
    ops,
    proofs,
    seats,
    seeds,
    shares,
    tables,
    tokens,
)  # importing them enters their operations
CONTENT_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": CONTENT_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=()",
    "Cache-Control": "no-store",
}
WAITING = 1000
log = structlog.get_logger()


def create_app(settings: Settings, waiting: int = WAITING) -> Flask:
    """One process's application, that lets so many clients wait for news at once.

    `settings.redis_url` names the store; nothing is started before the first request.
    """
    app = Flask("api", static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = BODY_MOST + 1  # of a body without a length no more is read: enough to see it
    app.url_map.merge_slashes = False  # an address with one too many is none, and leads nowhere
    app.json.sort_keys = False  # type: ignore[attr-defined]
    app.extensions["croupier"] = open_house(settings, waiting)
    problems.register(app)
    register_faults(app)
    operations.register(app)
    ops.register(app)
    openapi.register(app, version("croupier"))
    app.register_blueprint(pages.pages)
    app.before_request(admit)
    app.after_request(finish)
    if settings.proxies:
        many = settings.proxies
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=many, x_proto=many, x_host=many)  # type: ignore[method-assign]
    return app


def open_house(settings: Settings, waiting: int) -> House:
    assert settings.redis_url is not None, "the API needs a store"
    url = settings.redis_url
    client: Client = connect(url)
    metrics = Metrics()
    feed = Feed(lambda: connect(url, single=True), range(settings.partitions))
    view_key = ViewKey.load(settings.data_dir / "keys", settings.view_key_file)
    known = Tables(client, view_key, settings.partitions, settings.backlog, feed)
    archive = Archive(settings.archive_url)
    hub = Hub(known, metrics)
    feed.follow(hub.hear)
    return House(
        settings, client, Accounts(client), known, feed, archive, History(known.reader, archive),
        AuditLog(archive.engine), Errands(open_queue(settings)), view_key,
        Shares(client, view_key), hub, Presence(known), Limits(settings.rate), Places(waiting), metrics,
        AveragePots(archive),
    )  # fmt: skip


# --- every request ---------------------------------------------------------------------------------------------------


def admit() -> None:
    """Before anything else: who asks, and does he ask too often. Plumbing and pages are open to everybody."""
    g.started = time.perf_counter()
    g.credential = None
    if not request.path.startswith(operations.PREFIX):
        return
    try:
        g.credential = auth.identify((request.view_args or {}).get("table", ""))
    finally:
        house().limits.check()


def finish(response: Response) -> Response:
    """Headers that every answer has, unless its handler has set them; and the count."""
    given = {name.lower() for name, _ in response.headers}
    for name, value in HEADERS.items():
        if name.lower() not in given:  # `setdefault` would go through all the headers for each
            response.headers.add(name, value)
    route = request.url_rule.rule if request.url_rule else "none"
    metrics = house().metrics
    method = request.method if request.method in METHODS else "other"
    metrics.requests.labels(method, route, response.status_code).inc()
    metrics.seconds.labels(route).observe(time.perf_counter() - g.get("started", time.perf_counter()))
    return response


# --- what can go wrong beneath ---------------------------------------------------------------------------------------


def register_faults(app: Flask) -> None:
    """Errors of the layers below as problems."""
    faults: dict[type[Exception], str] = {
        Backlog: "backlog",
        ClaimLost: "not_your_seat",
        StoreRefused: "durability_degraded",
        TooLong: "body_too_large",
    }
    for kind, code in faults.items():
        app.register_error_handler(kind, lambda error, code=code: Problem(code).response())
    app.register_error_handler(OutcomeUnknown, unknown_outcome)
    app.register_error_handler(Refused, lambda refused: Problem(refused.code, **refused.detail).response())
    app.register_error_handler(OperationalError, archive_away)
    app.register_error_handler(StoreError, fault)
    app.register_error_handler(Exception, fault)


def unknown_outcome(error: OutcomeUnknown) -> Response:
    return Problem("unavailable" if request.method in auth.SAFE else "outcome_unknown").response()


def archive_away(error: OperationalError) -> Response:
    """What is in the store alone goes on meanwhile."""
    log.warning("archive cannot be read", error=type(error.orig).__name__)
    return Problem("unavailable", "the archive does not answer").response()


def fault(error: Exception) -> Response:
    """Logged with its place in the program, not with its text: that might show a card or a token."""
    log.error("fault", error=type(error).__name__, where="".join(traceback.format_tb(error.__traceback__))[-4000:])
    return Problem("internal_error").response()
