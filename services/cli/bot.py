"""`croupier bot`: a player over HTTP, like anybody else."""

from __future__ import annotations

import signal
from collections.abc import Sequence
from types import FrameType
from typing import Any, NoReturn

import click

from services.bots import TableBots
from services.cli._local import URL, asked, fail, table_id
from services.cli._text import Number
from services.client import Client
from services.policies import POLICIES
from services.sitting_down import usual_buy_in


@click.command(short_help="Sit down as NAME and play, over HTTP.")
@click.argument("name")
@click.option("--table", callback=table_id, required=True, help="Where to sit down.")
@click.option("--chips", type=click.IntRange(1), help="Buy-in.  [default: 100 big bets, or what the table takes]")
@click.option("--policy", type=click.Choice(list(POLICIES)), default="bots", show_default=True, help="How it plays.")
@click.option("--think", default=1.0, type=Number(0, 60), show_default=True, help="Seconds a decision.")
@click.option("--seed", default=1, show_default=True, help="Of its decisions.")
@click.option("--pledge", is_flag=True, help="Pledge a random seed for the public cut of each hand.")
@URL
def command(
    name: str, table: str, chips: int | None, policy: str, think: float, seed: int, pledge: bool, url: str
) -> None:
    """Sit down as NAME and play until Ctrl-C, then leave: acts, buys in again, comes back after a timeout."""
    play(url, table, [name], chips, seed=seed, think_s=think, policy=POLICIES[policy], pledge=pledge)


def play(url: str, table: str, names: Sequence[str], chips: int | None = None, **habits: Any) -> None:
    """Bots at a table until Ctrl-C, or until its tournament is won; then they leave. Who cannot sit ends it."""
    wanted = chips or asked(lambda: usual_buy_in(Client(url), table))
    crew = TableBots(url, table, list(names), wanted, **habits)
    crew.refused = lambda name, why: fail(f"{name} cannot sit down: {why}")
    signal.signal(signal.SIGTERM, end_once)
    click.echo("Ctrl-C ends it", err=True)
    try:
        crew.run()
    except KeyboardInterrupt:
        pass
    finally:
        crew.leave()


def end_once(number: int, frame: FrameType | None) -> NoReturn:
    """As Ctrl-C. Who is told twice, as by `timeout`, which also tells the group, leaves all the same."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise KeyboardInterrupt
