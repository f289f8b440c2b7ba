"""`croupier games`: what can be played, and how it can be set up."""

from __future__ import annotations

import json
from dataclasses import replace
from textwrap import shorten
from typing import Any

import click

from engine.game import Game, Option, games
from services.cli._text import GAME, rows, show


@click.command(short_help="List the games, with their options, defaults and ranges.")
@click.argument("game", type=GAME, metavar="[GAME]", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(game: str | None, as_json: bool) -> None:
    """List the games, or one GAME, with their options, defaults and ranges."""
    listed = [known for known in games().values() if game in (None, known.name)]
    if as_json:
        click.echo(json.dumps({"games": [describe(known) for known in listed]}, indent=2))
        return
    for known in listed:
        click.echo(f"{known.name}: {known.title}, {known.seats[0]} to {known.seats[-1]} seats")
        click.echo(rows(HEADS, [line(option) for option in of_a_new_table(known)]) + "\n")


HEADS = ("  option", "default", "allowed", "what it is")


def describe(game: Game) -> dict[str, Any]:
    """A game as JSON."""
    return {
        "name": game.name,
        "title": game.title,
        "rules": game.rules,
        "seats": {"least": game.seats[0], "most": game.seats[-1]},
        "options": [describe_option(option) for option in of_a_new_table(game)],
    }


def of_a_new_table(game: Game) -> list[Option]:
    """The game's options; the chairs are as many as a table gets that is opened without saying."""
    return [chairs(game, option) if option.key == "seats" else option for option in game.all_options()]


def chairs(game: Game, option: Option) -> Option:
    least, most = game.seats[0], game.seats[-1]
    return replace(option, default=game.chairs or most, least=least, most=most)


def describe_option(option: Option) -> dict[str, Any]:
    limits = {"longest": option.most or 40} if is_text(option) else option.range()
    about = {"default": option.default, "help": option.help, "optional": option.optional}
    return {"key": option.key, **about, **limits}


def is_text(option: Option) -> bool:
    """Any text goes, up to a length."""
    return isinstance(option.default, str) and not option.choices


def line(option: Option) -> tuple[str, str, str, str]:
    """An option as a row."""
    return f"  {option.key}", shorten(show(option.default), 30, placeholder=" …"), allowed(option), option.help


def allowed(option: Option) -> str:
    """The range in a few characters."""
    if is_text(option):
        return f"text, {option.most or 40} at most"
    least_most = option.range()
    if option.choices:
        return " | ".join(map(show, option.choices))
    return f"{least_most['least']} … {least_most['most']}" + (" | none" if option.optional else "")
