"""What commands need that look at this installation itself: its settings, its store, its keys."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn, TypeVar
from urllib.parse import urlsplit

import click

from services.archive import Archive
from services.client import Client, Failed, Unreachable
from services.history import History
from services.keys import partition_of
from services.reader import Reader
from services.server import start_server
from services.settings import Settings
from services.store import connect

T = TypeVar("T")


def reachable(ctx: click.Context, param: click.Parameter, value: str) -> str:
    """An http address with a host; anything else is wrong use."""
    try:
        parts = urlsplit(value)
        good = parts.scheme in ("http", "https") and parts.hostname and (parts.port is None or parts.port > 0)
    except ValueError:
        good = False
    if not good:
        raise click.BadParameter("write http://HOST:PORT")
    return value


def table_id(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """A table's id, if one is given; anything else is wrong use."""
    try:
        partition_of(value or "000-0")
    except ValueError:
        raise click.BadParameter("that is no table's id; `croupier table list` shows them") from None
    return value


DATA_DIR = click.option("--data-dir", type=click.Path(file_okay=False, path_type=Path), help="Log, archive and keys.")
URL = click.option("--url", default="http://127.0.0.1:8000", show_default=True, callback=reachable,
                   help="The running service.")  # fmt: skip


def settings_of(data_dir: Path | None) -> Settings:
    """The environment's settings, for this data folder if one is named."""
    return Settings(data_dir=data_dir.resolve()) if data_dir else Settings()


@contextmanager
def store(settings: Settings) -> Iterator[str]:
    """The URL of this installation's store; an embedded server is started if none runs."""
    if settings.redis_url is not None:
        yield settings.redis_url
        return
    with start_server(settings) as server:
        yield server.url


@contextmanager
def kept(settings: Settings) -> Iterator[tuple[Reader, Archive]]:
    """Store and archive of this installation."""
    with store(settings) as url:
        client = connect(url)
        try:
            with Archive(settings.archive_url) as archive:
                yield Reader(client), archive
        finally:
            client.close()


@contextmanager
def history(settings: Settings) -> Iterator[History]:
    """The past of all tables, from both."""
    with kept(settings) as (reader, archive):
        yield History(reader, archive)


def run_repair(settings: Settings, *words: str) -> NoReturn:
    """A repair in a process of the workers' code, on this installation's store."""
    with store(settings) as url:
        known = {"CROUPIER_REDIS_URL": url, "CROUPIER_DATA_DIR": str(settings.data_dir)}
        done = subprocess.run([sys.executable, "-m", "workers", *words], env=os.environ | known)
    raise SystemExit(done.returncode)


def host_client(url: str, settings: Settings) -> Client:
    """A client with the host's token of this data folder; without one where there is no such file."""
    token = settings.data_dir / "host.token"
    return Client(url, token.read_text(encoding="ascii").strip() if token.exists() else "")


def asked(request: Callable[[], T]) -> T:
    """What the service answers; a refusal or silence ends the command with status 1."""
    try:
        return request()
    except Unreachable:
        fail("the service does not answer; is it running? (croupier up, or --url)")
    except Failed as refused:
        fail(str(refused))


def fail(text: str) -> NoReturn:
    """A check or a request failed: status 1."""
    click.echo(f"croupier: {text}", err=True)
    raise SystemExit(1)
