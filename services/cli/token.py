"""`croupier token`: the host's token of this installation."""

from __future__ import annotations

from pathlib import Path

import click

from services.accounts import ensure_host_token
from services.cli._local import DATA_DIR, settings_of, store
from services.store import connect


@click.command(short_help="Print the host's token.")
@DATA_DIR
def command(data_dir: Path | None) -> None:
    """Print the host's token; the first time it is made and kept in the data folder.

    It opens tables and runs them. `croupier up` makes it by itself; where processes run apart, this does.
    """
    settings = settings_of(data_dir)
    with store(settings, may_be_new=True) as url:
        client = connect(url)
        try:
            click.echo(ensure_host_token(client, settings.data_dir))
        finally:
            client.close()
