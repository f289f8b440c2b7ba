"""`croupier table`: open tables and look at them, over HTTP."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from engine.game import find_game
from services.cli._felt import felt
from services.cli._local import DATA_DIR, URL, asked, host_client, settings_of, table_id
from services.cli._text import GAME, chosen_options, rows
from services.cli.bot import play
from services.client import Client, good
from services.sitting_down import lobby

NAMES = ("Ada", "Blaise", "Carl", "Daphne", "Emmy", "Felix", "Grace", "Henri", "Ida", "Jules")


@click.group
def command() -> None:
    """Open a table, list them, look at one."""


@command.command
@click.argument("game", type=GAME, metavar="GAME")
@click.option("--set", "chosen", multiple=True, metavar="KEY=VALUE", help="An option; repeatable.")
@click.option("--bots", default=0, type=click.IntRange(0, len(NAMES)), help="Bots that play until Ctrl-C.")
@URL
@DATA_DIR
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def create(game: str, chosen: tuple[str, ...], bots: int, url: str, data_dir: Path | None, as_json: bool) -> None:
    """Open a table for GAME as the host of this installation."""
    client = host_client(url, settings_of(data_dir))
    options = chosen_options(game, chosen)
    require_chairs(game, options, bots)
    opened = asked(lambda: good(client.post("/tables", {"game": game, "options": options})))
    click.echo(json.dumps(opened) if as_json else f"{url}/tables/{opened['table']}")
    if bots:
        play(url, opened["table"], NAMES[:bots])


@command.command(name="list")
@click.option("--game", type=GAME, help="Only tables of this game.")
@URL
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def list_(game: str | None, url: str, as_json: bool) -> None:
    """All tables."""
    found = asked(lambda: list(lobby(Client(url), f"&game={game}" if game else "")))
    heads = ("table", "name", "game", "structure", "players", "seats", "hands", "status")
    lines = [[row.get(head, "") for head in heads] for row in found]
    click.echo(json.dumps({"items": found, "next": None}, indent=2) if as_json else rows(heads, lines))


@command.command
@click.argument("table", callback=table_id)
@URL
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def show(table: str, url: str, as_json: bool) -> None:
    """One TABLE as everybody sees it."""
    seen = asked(lambda: good(Client(url).get(f"/tables/{table}")))
    click.echo(json.dumps(seen, indent=2) if as_json else felt(seen["view"]))


def require_chairs(game: str, options: dict[str, Any], bots: int) -> None:
    """As many chairs as bots, where it is plain how many there will be."""
    known = find_game(game)
    chairs = known.opening(options).get("seats") or known.seats[-1]
    if isinstance(chairs, int) and bots * known.seats_each > chairs:
        raise click.UsageError(f"--bots {bots}: the table has room for {chairs // known.seats_each} players")
