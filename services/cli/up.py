"""`croupier up`: everything on one machine."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from services.accounts import ensure_host_token
from services.archive import Archive
from services.cli._local import DATA_DIR
from services.house import House, signals
from services.sealing import SealKey, SigningKey, ViewKey
from services.server import start_server
from services.settings import Settings
from services.store import StoreError, StoreUnfit, connect, require_fit, require_partitions, typed_errors
from services.trouble import require_address


@click.command(short_help="Start everything on one machine.")
@click.option("--demo", is_flag=True, help="One table of every game, with bots playing.")
@DATA_DIR
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to serve on.")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(1, 65535), help="Port to serve on.")
@click.option("--workers", default=1, show_default=True, type=click.IntRange(1, 64), help="Table workers.")
def command(demo: bool, data_dir: Path | None, host: str, port: int, workers: int) -> None:
    """Start server, workers, chores, API and web page; Ctrl-C stops them, the next start goes on."""
    settings = settings_for(demo, data_dir)
    look_first(settings, host, port)
    sys.exit(run(settings, host, port, workers, demo))


def settings_for(demo: bool, data_dir: Path | None) -> Settings:
    """The environment's settings; a demo syncs its log every second unless told otherwise."""
    chosen: dict[str, object] = {}
    if data_dir is not None:
        chosen["data_dir"] = data_dir.resolve()
    if demo and "durability" not in Settings().model_fields_set:
        chosen["durability"] = "dev"
    return Settings(**chosen)  # type: ignore[arg-type]


def look_first(settings: Settings, host: str, port: int) -> None:
    """What would end the processes that are about to be started ends this one, in a line. Raises one of TROUBLE."""
    require_address(host, port)
    settings.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    keys = settings.data_dir / "keys"
    SealKey.load(keys, settings.seal_key_file)
    ViewKey.load(keys, settings.view_key_file)
    SigningKey.load(keys, settings.signing_key_file)
    Archive(settings.archive_url).close()
    if settings.queue_url is not None:
        require_answer(settings.queue_url)


def require_answer(queue: str) -> None:
    """Raises StoreUnfit or a RedisError."""
    client = connect(queue)
    try:
        client.ping()
    finally:
        client.close()


def run(
    settings: Settings, host: str, port: int, workers: int = 1, demo: bool = False, worker_module: str = "workers"
) -> int:
    """Until Ctrl-C. Returns the exit status: 1 when something needed did not come up."""
    with signals() as stopped:
        try:
            server = start_server(settings) if settings.redis_url is None else None
            url = server.url if server else str(settings.redis_url)
            token = welcome(url, settings)
        except StoreUnfit as error:
            click.echo(f"croupier: {error}", err=True)
            return 1
        except StoreError:
            click.echo("croupier: the store named by CROUPIER_REDIS_URL does not answer", err=True)
            return 1
        settings = settings.model_copy(update={"redis_url": url})
        house, keep_store = House(settings, host, port, workers, worker_module), server.keep if server else given
        try:
            house.open()
            if not house.wait_until_ready(keep_store, stopped):
                if stopped():
                    return 0
                click.echo(f"croupier: {house.url} does not answer", err=True)
                return 1
            tell(house, token, server.label if server else "given by CROUPIER_REDIS_URL")
            if demo:
                house.add("bots", [sys.executable, "-m", "services.demo", house.url])
            house.run(stopped, keep_store)
        finally:
            house.close()
            if server is not None:
                server.stop()
    return 0


def welcome(url: str, settings: Settings) -> str:
    """The host's token, once it is sure that this store can keep a log. Raises StoreUnfit or another StoreError."""
    client = connect(url)
    try:
        with typed_errors():
            require_fit(client, settings.durability)
            require_partitions(client, settings.partitions)
        return ensure_host_token(client, settings.data_dir)
    finally:
        client.close()


def given() -> None:
    """A store that somebody else runs is his to keep."""


def tell(house: House, token: str, server: str) -> None:
    """What whoever started it wants to know."""
    click.echo(f"Croupier   {house.url}")
    click.echo(f"host token {token}")
    click.echo(f"data       {house.settings.data_dir}")
    click.echo(f"server     {server}")
    click.echo("Ctrl-C stops; the next start goes on where this one stopped.")
