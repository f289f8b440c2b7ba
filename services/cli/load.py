"""`croupier load`: players over HTTP against a running service."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from engine.game import games
from services.cli._local import DATA_DIR, URL, asked, host_client, settings_of
from services.cli._text import Number, facts
from services.load import run


@click.command(short_help="Measure a running service with players over HTTP.")
@URL
@click.option("--tables", default=8, type=click.IntRange(1, 500), show_default=True, help="Opened, closed again.")
@click.option("--seconds", default=15.0, type=Number(1, 86_400), show_default=True, help="How long.")
@click.option("--rate", type=Number(0.1, 100_000), help="Commands a second.  [default: as fast as it goes]")
@DATA_DIR
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(url: str, tables: int, seconds: float, rate: float | None, data_dir: Path | None, as_json: bool) -> None:
    """Commands a second, latency until everybody sees the effect, and the proof that each counted once.

    Status 1 if a command was lost or counted twice.
    """
    host = host_client(url, settings_of(data_dir))
    quiet = not sys.stderr.isatty()
    with click.progressbar(length=int(seconds), file=sys.stderr, hidden=quiet) as bar:
        found = asked(
            lambda: run(url, host, list(games()), tables, seconds, rate, lambda at: bar.update(int(at) - bar.pos))
        )
    report = found._asdict()
    click.echo(json.dumps(report, indent=2) if as_json else facts(report))
    raise SystemExit(bool(found.lost or found.doubled))
