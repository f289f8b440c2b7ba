"""`croupier bot`: a player over HTTP, like anybody else."""

from __future__ import annotations

import signal

import click

from services.bots import TableBots
from services.cli._local import URL, table_id
from services.cli.table import buy_in
from services.client import Client
from services.policies import POLICIES


@click.command
@click.argument("name")
@click.option("--table", callback=table_id, required=True, help="Where to sit down.")
@click.option("--chips", type=click.IntRange(1), help="Buy-in.  [default: 100 big bets]")
@click.option("--policy", type=click.Choice(list(POLICIES)), default="bots", show_default=True)
@click.option("--think", default=1.0, type=click.FloatRange(0, 60), show_default=True, help="Seconds a decision.")
@click.option("--seed", default=1, show_default=True, help="Of its decisions.")
@click.option("--pledge", is_flag=True, help="Pledge a random seed for the public cut of each hand.")
@URL
def command(
    name: str, table: str, chips: int | None, policy: str, think: float, seed: int, pledge: bool, url: str
) -> None:
    """Sit down as NAME and play until Ctrl-C: acts, buys in again, comes back after a timeout."""
    stack = chips or buy_in(Client(url), table)
    bot = TableBots(url, table, [name], stack, seed, think, POLICIES[policy], pledge)
    signal.signal(signal.SIGINT, lambda signum, frame: bot.stop.set())
    signal.signal(signal.SIGTERM, lambda signum, frame: bot.stop.set())
    bot.run()
