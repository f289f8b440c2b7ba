"""The row that the lobby shows of a table."""

from __future__ import annotations

from typing import Any

from engine.game import Game, Options
from engine.next_game import games_of
from engine.state import Table
from engine.table import buy_in_bounds


def seated(table: Table) -> int:
    """How many players are at the table."""
    return len({place.player for place in table.places if place})


def lobby_row(table: Table) -> dict[str, Any]:
    """What the lobby shows of a table; `seats` says how many players it takes."""
    assert table.game is not None and table.options is not None
    return {
        "name": table.options["name"],
        "game": table.game.name,
        "structure": structure_of(table),
        "stakes": table.stakes()._asdict(),
        "status": table.status,
        "seats": len(table.places) // table.game.seats_each,
        "players": seated(table),
        "hands": table.number,
        "buy_in": buy_in_bounds(table),
    }


def structure_of(table: Table) -> str:
    """The betting structure of the table's game; `mixed` where its games have several."""
    assert table.game is not None and table.options is not None
    structures = {game_structure(game, table.options) for game in games_of(table) or (table.game,)}
    return structures.pop() if len(structures) == 1 else "mixed"


def game_structure(game: Game, options: Options) -> str:
    """By the game's own key, where it has one."""
    keys = (option.key for option in game.options if option.key.endswith(".structure"))
    return next((str(options[key]) for key in keys), game.structure)
