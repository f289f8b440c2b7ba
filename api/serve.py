"""The API as a process: under gunicorn with gevent (thousands of live streams), or under granian (requests only).

Importing this module patches nothing; `serve` is called from `api/__main__.py`, which has done it before.
"""

from __future__ import annotations

from contextlib import suppress
from socket import socket
from typing import Any

import structlog
from flask import Flask
from granian import Granian
from granian.constants import Interfaces
from gunicorn.app.base import BaseApplication
from gunicorn.http.errors import ExpectationFailed, LimitRequestHeaders, LimitRequestLine, ParseException
from gunicorn.workers.ggevent import GeventWorker

from api.app import HEADERS, create_app
from api.problems import Problem
from api.processors import stay_together
from services.logs import set_up_logs
from services.readiness import get_ready
from services.settings import Settings

CONNECTIONS_MOST = 10_000
THREADS = 64
GRACE_S = 2
"""After SIGTERM running requests have this long; live streams come back by themselves."""
UNREAD = {LimitRequestLine: 414, LimitRequestHeaders: 431, ExpectationFailed: 417, ParseException: 400}
log = structlog.get_logger()


class Application(BaseApplication):  # type: ignore[misc]
    """gunicorn without its command line."""

    def __init__(self, settings: Settings, options: dict[str, Any]) -> None:
        self.settings = settings
        self._options = options
        super().__init__()

    def load_config(self) -> None:
        for name, value in self._options.items():
            self.cfg.set(name, value)

    def load(self) -> Flask:
        return ready_application(self.settings, CONNECTIONS_MOST * 9 // 10)


class Worker(GeventWorker):  # type: ignore[misc]
    """Waits for no client for ever, and refuses what it cannot even read with a problem document, as all else.

    gunicorn would send a page and log the line that it could not read, which may hold a token.
    """

    def handle_request(self, listener_name: object, req: object, sock: socket, addr: object) -> object:
        """A client that has stalled in the middle of a body, or of what it is sent, is cut off."""
        sock.settimeout(self.app.settings.stall_seconds)
        try:
            return super().handle_request(listener_name, req, sock, addr)
        except TimeoutError:
            raise StopIteration from None  # how gunicorn is told to close the connection
        finally:
            sock.settimeout(None)  # how long it waits for the next request is gunicorn's own

    def handle_error(self, req: object, client: socket, addr: object, exc: Exception) -> None:
        if not isinstance(exc, ParseException):
            log.error("fault", error=type(exc).__name__)
        with suppress(OSError):
            client.sendall(unread(exc))


def unread(error: Exception) -> bytes:
    """The whole answer to a request that broke before the application had it."""
    status = next((status for kind, status in UNREAD.items() if isinstance(error, kind)), 500)
    code = "internal_error" if status == 500 else "malformed"
    response = Problem(code, status=status).response()
    response.headers.update({**HEADERS, "Connection": "close"})
    return f"HTTP/1.1 {response.status}\r\n{response.headers}".encode("latin-1") + response.get_data()


def serve(settings: Settings, host: str, port: int) -> None:
    """Everything in one worker process, a greenlet for each connection, until SIGTERM. No access log."""
    options = {
        "bind": [f"{host}:{port}"],
        "workers": 1,
        "worker_class": Worker,
        "worker_connections": CONNECTIONS_MOST,
        "graceful_timeout": GRACE_S,
        "keepalive": 30,
        "accesslog": None,
        "loglevel": "warning",
        "control_socket_disable": True,
    }
    Application(settings, options).run()


def serve_requests(host: str, port: int) -> None:
    """Under granian, one thread a request: for deployments that keep live streams apart. Settings are read anew."""
    Granian(
        "api.serve:together",
        address=host,
        port=port,
        interface=Interfaces.WSGI,
        factory=True,
        blocking_threads=THREADS,
        log_access=False,
    ).serve()


def application() -> Flask:
    """For a server that imports its application by name; half of its threads at most wait for news."""
    return ready_application(Settings(), THREADS // 2)


def together() -> Flask:
    """The same for granian, whose many threads keep to one processor."""
    stay_together()
    return application()


def ready_application(settings: Settings, waiting: int) -> Flask:
    set_up_logs(settings.log_level)
    app = create_app(settings, waiting)
    get_ready()
    return app
