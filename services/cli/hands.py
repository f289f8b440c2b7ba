"""`croupier hands`: the last finished hands of a table."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import click

from services.cli._local import URL, asked, table_id
from services.cli._text import rows
from services.client import Client, good


@click.command(short_help="List the finished hands of TABLE, newest first.")
@click.argument("table", callback=table_id)
@click.option("--last", default=20, type=click.IntRange(1, 200), show_default=True, help="How many.")
@URL
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(table: str, last: int, url: str, as_json: bool) -> None:
    """Finished hands of TABLE, newest first: number, players, pots, winners."""
    page = asked(lambda: good(Client(url).get(f"/tables/{table}/hands?last={last}")))
    lines = [line(hand) for hand in page["items"]]
    text = rows(("hand", "players", "pots", "winners"), lines)
    click.echo(json.dumps(page, indent=2) if as_json else text)


def line(hand: Mapping[str, Any]) -> tuple[object, ...]:
    """A hand as a row."""
    players = " ".join(player["player"] for player in hand["players"])
    pots = " ".join(str(pot["amount"]) for pot in hand["pots"])
    winners = ", ".join(f"{w['player']} {w['amount']}" for pot in hand["pots"] for w in pot["winners"])
    return hand["hand"], players, pots, winners
