"""`croupier api`: the HTTP interface under granian, for deployments."""

from __future__ import annotations

import os
import sys

import click


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to serve on.")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(1, 65535), help="Port to serve on.")
def command(host: str, port: int) -> None:
    """Serve requests; live streams belong to `croupier live`. Needs CROUPIER_REDIS_URL."""
    os.execv(sys.executable, [sys.executable, "-m", "api", "--host", host, "--port", str(port), "--requests"])
