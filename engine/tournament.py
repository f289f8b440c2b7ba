"""Tournaments: one stack for everybody, levels by the clock, the last player with chips wins (HAS-C44..C46).

Nobody sits out and nobody buys chips; who leaves is dealt in and times out until he is eliminated (HAS-C45).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from engine.commands import NextLevel
from engine.draft import Draft
from engine.events import LevelStarted, PlayerRanked, SeatEliminated
from engine.game import Options
from engine.refusals import Refused
from engine.state import Stakes, Table


@dataclass(frozen=True)
class Tournament:
    """`levels`: their stakes, in order; `level_ms`: how long each lasts; `stack`: what a seat starts with."""

    levels: Callable[[Options], tuple[Stakes, ...]]
    level_ms: Callable[[Options], int]
    stack: Callable[[Options], int]


def level_ends(table: Table) -> int:
    """When the running level is over (ms); 0 before the first deal, on the last level and when all is over."""
    if table.game is None or table.options is None or table.game.tournament is None:
        return 0
    tournament = table.game.tournament
    if not 0 < table.level < len(tournament.levels(table.options)) or decided(table):
        return 0
    return table.level_ms + tournament.level_ms(table.options)


def decided(table: Table) -> bool:
    """Somebody has won."""
    return 1 in table.ranks.values()


def first_level(draft: Draft) -> None:
    """The clock starts with the first deal (HAS-C44)."""
    table = draft.table
    if table.game is not None and table.game.tournament and table.level == 0:
        draft.emit(LevelStarted(1, draft.now))


def next_level(draft: Draft, command: NextLevel) -> None:
    """For the hands that start from now on. Raises Refused `stale_level`, `table_paused` or `too_early`."""
    table = draft.table
    ends = level_ends(table)
    if not ends or command.level != table.level + 1:
        raise Refused("stale_level", level=table.level)
    if table.status == "paused":
        raise Refused("table_paused")
    if draft.now < ends:
        raise Refused("too_early")
    draft.emit(LevelStarted(command.level, draft.now))


def joinable(table: Table) -> bool:
    """Players join during the first level, until the first of them is out."""
    return table.level <= 1 and not table.ranks


def require_joinable(table: Table) -> None:
    """Raises Refused `tournament_started`."""
    if not joinable(table):
        raise Refused("tournament_started")


def next_stakes(table: Table) -> Stakes | None:
    """Of the level after the running one; None on the last level."""
    assert table.game is not None and table.options is not None and table.game.tournament is not None
    levels = table.game.tournament.levels(table.options)
    return next(iter(levels[max(table.level, 1) :]), None)


def eliminate(draft: Draft) -> None:
    """After a hand: seats without chips are out; a player without seats gets his rank, the last one wins (HAS-C46)."""
    table = draft.table
    for index, place in enumerate(table.places):
        if place and place.chips == 0 and not place.eliminated:
            draft.emit(SeatEliminated(index))
    chips: dict[str, int] = {}
    for place in table.places:
        if place:
            chips[place.player] = chips.get(place.player, 0) + place.chips
    left = [player for player in chips if chips[player]]
    out = {player: started_with(table, player) for player in chips if not chips[player] and player not in table.ranks}
    for player in sorted(out, key=lambda player: -out[player]):
        draft.emit(PlayerRanked(player, len(left) + 1 + sum(out[other] > out[player] for other in out)))
    if len(left) == 1 and not decided(table):
        draft.emit(PlayerRanked(left[0], 1))


def started_with(table: Table, player: str) -> int:
    """The player's chips at the start of the last hand: of several who go out in it, more rank higher."""
    assert table.hand is not None
    return sum(seat.start for seat in table.hand.seats.values() if seat.player == player)
