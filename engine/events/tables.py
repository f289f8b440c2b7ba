"""What happens to the table itself."""

from __future__ import annotations

from typing import Any, NamedTuple

from engine.events.registry import event
from engine.game import find_game
from engine.state import Table


@event
class TableOpened(NamedTuple):
    game: str
    options: dict[str, Any]
    rules: str
    chairs: int
    opened_ms: int

    def apply(self, table: Table) -> None:
        game, options, table.rules, chairs, _ = self
        table.game = find_game(game)
        table.options = table.game.resolve(options)
        table.places = [None] * chairs
        table.status = "running"


@event
class OptionsChanged(NamedTuple):
    actor: str
    options: dict[str, Any]

    def apply(self, table: Table) -> None:
        assert table.game is not None
        _, options = self
        table.options = table.game.resolve(options)


@event
class Paused(NamedTuple):
    actor: str
    why: str
    at: int

    def apply(self, table: Table) -> None:
        table.status = "paused"
        _, _, table.paused_ms = self


@event
class Resumed(NamedTuple):
    actor: str

    def apply(self, table: Table) -> None:
        table.status = "running"


@event
class GameChosen(NamedTuple):
    """What is dealt next at a dealer's choice table; `default`: `seat` let the time pass (MIX-07, MIX-08)."""

    seat: int
    game: str
    default: bool

    def apply(self, table: Table) -> None:
        assert table.rotation is not None
        table.rotation.chooser, table.rotation.chosen, _ = self


@event
class Closed(NamedTuple):
    actor: str
    why: str

    def apply(self, table: Table) -> None:
        table.status = "closed"
