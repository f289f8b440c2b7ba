"""What can be played."""

from __future__ import annotations

from flask import Response

from api.house import answer
from api.operations import operation
from api.schemas import array, fields, json_of, ref
from engine.game import games
from services.cli.games import describe


@operation(
    "GET", "/games", "Games and their options", {200: json_of("All games", fields({"games": array(ref("Game"))}))}
)
def list_games() -> Response:
    return answer({"games": [describe(game) for game in games().values()]})
