"""Levels, elimination and ranking."""

from __future__ import annotations

from typing import NamedTuple

from engine.events.registry import event
from engine.state import Table


@event
class LevelStarted(NamedTuple):
    """Blinds and antes of this level hold for the hands that start from now on; levels count from 1 (HAS-C44)."""

    level: int
    at: int

    def apply(self, table: Table) -> None:
        table.level, table.level_ms = self


@event
class LevelExtended(NamedTuple):
    """A pause does not count: the level ends `by` ms later."""

    by: int

    def apply(self, table: Table) -> None:
        (by,) = self
        table.level_ms += by


@event
class SeatEliminated(NamedTuple):
    """The seat has lost its chips, for good (HAS-C46)."""

    seat: int

    def apply(self, table: Table) -> None:
        (index,) = self
        table.place(index).eliminated = True


@event
class PlayerRanked(NamedTuple):
    """The player is out, or has won (rank 1); players who went out together with equal chips share a rank."""

    player: str
    rank: int

    def apply(self, table: Table) -> None:
        player, rank = self
        table.ranks[player] = rank
