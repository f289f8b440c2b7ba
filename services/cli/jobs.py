"""`croupier jobs`: the process that runs the chores."""

import os
import sys

import click


@click.command(short_help="Archive and verify finished hands, every ten seconds.")
def command() -> None:
    """Archive and verify finished hands, every ten seconds (RQ). Needs CROUPIER_REDIS_URL."""
    os.execv(sys.executable, [sys.executable, "-m", "workers", "jobs"])
