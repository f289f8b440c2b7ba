"""`croupier worker`: one table worker, for deployments."""

from __future__ import annotations

import os
import sys

import click


@click.command()
def command() -> None:
    """Own a share of the partitions: decide commands, run clocks, commit. Stops cleanly on SIGTERM."""
    os.execv(sys.executable, [sys.executable, "-m", "workers", "fold"])
