"""`croupier rebuild`: views again from the log."""

from __future__ import annotations

from pathlib import Path

import click

from services.cli._local import DATA_DIR, run_repair, settings_of, table_id


@click.command(short_help="Make views, the lobby and the clocks again from the log.")
@click.option("--table", callback=table_id, help="Only this table.  [default: all of the store]")
@DATA_DIR
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(table: str | None, data_dir: Path | None, as_json: bool) -> None:
    """Make public views, private views, players' last hands, the lobby and the clocks again from the log.

    Views hold nothing that the log does not say. It may run beside a running service.
    """
    run_repair(settings_of(data_dir), "rebuild", *(["--table", table] if table else []), *(["--json"] * as_json))
