"""A table's view by GET: the same Flask application in process, under granian and under gunicorn's threads.

Answers are counted for each CPU second of the serving process: that is what limits it, and on a busy machine the wall
would measure the neighbours.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial

from flask import Flask
from werkzeug.test import create_environ

from api.app import create_app
from bench.caller import Caller
from bench.http_load import requests_a_second
from bench.measure import Row, Subject, rate
from bench.processes import cpu_seconds, free_port, running, store, wait_for

CALLS = 1000
SECONDS = 2.0
PATH = "/api/v1/tables/000-web"
ROWS = (
    Row("Flask GET under granian : in process", "granian", "in process", must=0.6, aim=0.8),
    Row("Flask GET under granian : gunicorn gthread", "granian", "gunicorn gthread", must=2, aim=3),
)


def gunicorn(port: int) -> list[str]:
    """The application under threads: what it would be without granian."""
    options = ["--no-control-socket", "--log-level", "error", "--bind", f"127.0.0.1:{port}"]
    return ["-m", "gunicorn", "-k", "gthread", "--threads", "4", *options, "api.serve:application()"]


def served(server: subprocess.Popen[bytes], port: int) -> float:
    """Answers for each CPU second of the server, to sixteen clients that do nothing but ask."""
    before = cpu_seconds(server.pid)
    count = SECONDS * requests_a_second(port, PATH, SECONDS)
    return count / (cpu_seconds(server.pid) - before)


def in_process(app: Flask) -> float:
    """Calls a CPU second of the application itself, body read, no server and no socket."""

    def start_response(status: str, headers: object, error: object = None) -> Callable[[bytes], object]:
        assert status == "200 OK", status
        return sys.stdout.buffer.write

    def call() -> None:
        body: Iterable[bytes] = app(create_environ(PATH), start_response)
        assert b"".join(body)
        body.close()  # type: ignore[attr-defined]

    def work() -> None:
        for _ in range(CALLS):
            call()

    return rate(CALLS, work)


@contextmanager
def subject() -> Iterator[Subject]:
    """One open table with a player; each server one process."""
    ports = {"granian": free_port(), "gunicorn gthread": free_port()}
    with ExitStack() as stack:
        settings = stack.enter_context(store())
        stack.enter_context(running(settings, "-m", "workers", "fold"))
        Caller(settings).sit_down("000-web")
        app = create_app(settings)
        stack.callback(app.extensions["croupier"].feed.stop)
        commands = {
            "granian": ["-m", "api", "--requests", "--port", str(ports["granian"])],
            "gunicorn gthread": gunicorn(ports["gunicorn gthread"]),
        }
        servers = {name: stack.enter_context(running(settings, *command)) for name, command in commands.items()}
        for port in ports.values():
            wait_for(port, PATH)
        candidates: dict[str, Callable[[], float]] = {"in process": lambda: in_process(app)}
        for name, port in ports.items():
            candidates[name] = partial(served, servers[name], port)
        yield Subject(candidates, ROWS)
