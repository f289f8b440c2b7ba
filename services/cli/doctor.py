"""`croupier doctor`: what is wrong with this installation."""

from __future__ import annotations

import json
from pathlib import Path

import click

from services.cli._local import DATA_DIR, settings_of
from services.cli._text import rows
from services.doctor import examine


@click.command(short_help="Say what is wrong with this installation.")
@DATA_DIR
@click.option("--port", default=8000, show_default=True, type=click.IntRange(1, 65535), help="To serve on.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(data_dir: Path | None, port: int, as_json: bool) -> None:
    """Look at Python, packages, keys, store, archive, disk and port; status 1 if something is wrong."""
    findings = examine(settings_of(data_dir), port)
    ok = all(finding.ok for finding in findings)
    if as_json:
        click.echo(json.dumps({"ok": ok, "checks": [finding._asdict() for finding in findings]}, indent=2))
    else:
        click.echo(rows(("", "", ""), [("ok" if f.ok else "WRONG", f.name, f.detail) for f in findings]).lstrip())
    raise SystemExit(not ok)
