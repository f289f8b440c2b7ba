"""`croupier live`: live streams under gunicorn with gevent, for deployments."""

from __future__ import annotations

import os
import sys

import click


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to serve on.")
@click.option("--port", default=8001, show_default=True, type=click.IntRange(1, 65535), help="Port to serve on.")
def command(host: str, port: int) -> None:
    """Serve live streams, and everything else too. Needs CROUPIER_REDIS_URL."""
    os.execv(sys.executable, [sys.executable, "-m", "api", "--host", host, "--port", str(port)])
