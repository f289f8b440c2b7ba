"""What commands need that look at this installation itself: its settings, its store, its keys."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn, TypeVar
from urllib.parse import urlsplit

import click

from services.archive import Archive
from services.audit_log import WHY_MOST
from services.client import Client, Failed, Foreign, Unreachable
from services.history import History
from services.keys import partition_of
from services.reader import Reader
from services.server import start_server
from services.settings import Settings
from services.store import connect
from services.trouble import Unusable

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


def printable(ctx: click.Context, param: click.Parameter, text: str | None) -> str | None:
    """1 to 200 printable characters."""
    if text is not None and not (0 < len(text) <= WHY_MOST and text.isprintable()):
        raise click.BadParameter(f"1 to {WHY_MOST} printable characters")
    return text


class Folder(click.Path):
    """A folder, that need not be there. A shell's variable that was never set names none."""

    def __init__(self) -> None:
        super().__init__(file_okay=False, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not str(value).strip():
            self.fail("it is empty; name a folder", param, ctx)
        return super().convert(value, param, ctx)


DATA_DIR = click.option("--data-dir", type=Folder(), help="Log, archive and keys.")
URL = click.option("--url", default="http://127.0.0.1:8000", show_default=True, callback=reachable,
                   help="The running service.")  # fmt: skip


def settings_of(data_dir: Path | None) -> Settings:
    """The environment's settings, for this data folder if one is named."""
    return Settings(data_dir=data_dir.resolve()) if data_dir else Settings()


def require_installation(settings: Settings) -> None:
    """Who only looks makes nothing: a folder with a typing error is not a sound installation. Raises Unusable."""
    traces = (settings.data_dir / name for name in ("redis", "archive.db"))
    if settings.redis_url is None and settings.database_url is None and not any(map(Path.exists, traces)):
        raise Unusable(f"{settings.data_dir} holds no installation; name its --data-dir (`croupier up` makes one)")


@contextmanager
def store(settings: Settings, may_be_new: bool = False) -> Iterator[str]:
    """The URL of this installation's store; an embedded server is started if none runs. Raises Unusable."""
    if not may_be_new:
        require_installation(settings)
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
    """A client with the host's token of this data folder. Raises Unusable where there is none."""
    file = settings.data_dir / "host.token"
    if not file.exists():
        raise Unusable(f"{file} is not there: name the house's --data-dir, where its host's token is")
    token = file.read_text(encoding="ascii", errors="replace").strip()
    if not token.isascii() or not token.isprintable():
        raise Unusable(f"{file} holds no token")
    return Client(url, token)


def asked(request: Callable[[], T]) -> T:
    """What the service answers; a refusal or silence ends the command with status 1."""
    try:
        return request()
    except Foreign:
        fail("what answers there is no Croupier; name its address with --url")
    except Unreachable:
        fail("the service does not answer; is it running? (croupier up, or --url)")
    except Failed as refused:
        fail(str(refused))


def fail(text: str) -> NoReturn:
    """A check or a request failed: status 1."""
    click.echo(f"croupier: {text}", err=True)
    raise SystemExit(1)
