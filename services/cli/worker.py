"""`croupier worker`: one table worker, for deployments."""

from __future__ import annotations

import os
import sys

import click


@click.command(short_help="Decide commands: one table worker, for deployments.")
def command() -> None:
    """Own a share of the partitions: decide commands, run clocks, commit. Stops cleanly on SIGTERM."""
    os.execv(sys.executable, [sys.executable, "-m", "workers", "fold"])
