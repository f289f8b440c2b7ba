"""`croupier table`: open tables and look at them, over HTTP."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from engine.game import games
from services.bots import TableBots
from services.cli._felt import felt
from services.cli._local import DATA_DIR, URL, asked, host_client, settings_of, table_id
from services.cli._text import chosen_options, rows
from services.client import Client

NAMES = ("Ada", "Blaise", "Carl", "Daphne", "Emmy", "Felix", "Grace", "Henri", "Ida", "Jules")


@click.group
def command() -> None:
    """Open a table, list them, look at one."""


@command.command
@click.argument("game", type=click.Choice(list(games())))
@click.option("--set", "chosen", multiple=True, metavar="KEY=VALUE", help="An option; repeatable.")
@click.option("--bots", default=0, type=click.IntRange(0, len(NAMES)), help="Bots that play until Ctrl-C.")
@URL
@DATA_DIR
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def create(game: str, chosen: tuple[str, ...], bots: int, url: str, data_dir: Path | None, as_json: bool) -> None:
    """Open a table for GAME as the host of this installation."""
    client = host_client(url, settings_of(data_dir))
    body = {"game": game, "options": chosen_options(game, chosen)}
    opened = asked(lambda: client.post("/tables", body))
    click.echo(json.dumps(opened) if as_json else f"{url}/tables/{opened['table']}")
    if bots:
        TableBots(url, opened["table"], list(NAMES[:bots]), buy_in(client, opened["table"])).run()


@command.command(name="list")
@click.option("--game", type=click.Choice(list(games())))
@URL
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def list_(game: str | None, url: str, as_json: bool) -> None:
    """All tables."""
    found = list(lobby(Client(url), f"&game={game}" if game else ""))
    heads = ("table", "name", "game", "structure", "players", "seats", "hands", "status")
    lines = [[row.get(head, "") for head in heads] for row in found]
    click.echo(json.dumps({"items": found, "next": None}, indent=2) if as_json else rows(heads, lines))


@command.command
@click.argument("table", callback=table_id)
@URL
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def show(table: str, url: str, as_json: bool) -> None:
    """One TABLE as everybody sees it."""
    seen = asked(lambda: Client(url).get(f"/tables/{table}"))
    click.echo(json.dumps(seen, indent=2) if as_json else felt(seen["view"]))


def lobby(client: Client, filters: str = "") -> Iterator[dict[str, Any]]:
    """Every row, page by page."""
    cursor = ""
    while True:
        page = asked(lambda cursor=cursor: client.get(f"/tables?limit=200{filters}{cursor}"))  # type: ignore[misc]
        yield from page["items"]
        if page["next"] is None:
            return
        cursor = f"&cursor={page['next']}"


def buy_in(client: Client, table: str) -> int:
    """100 big bets."""
    stakes = next(row["stakes"] for row in lobby(client) if row["table"] == table)
    return 100 * (stakes["big_bet"] or stakes["big_blind"] or 1)
