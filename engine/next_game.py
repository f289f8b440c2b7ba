"""Which game the next hand is one of: at a plain table its own, at a mixed one the next in turn or the chosen one."""

from __future__ import annotations

from engine.game import Game, find_game
from engine.state import Table


def is_mixed(table: Table) -> bool:
    return len(games_of(table)) > 0


def games_of(table: Table) -> tuple[Game, ...]:
    """The games of a mixed table in their order (MIX-01); none at a plain one."""
    if table.game is None or table.options is None:
        return ()
    return tuple(map(find_game, table.game.deals(table.options)))


def next_game(table: Table) -> Game:
    """What the next hand is a hand of (MIX-01..03, MIX-07)."""
    assert table.game is not None and table.options is not None
    mixed, past = games_of(table), table.rotation
    if not mixed or past is None:
        return mixed[0] if mixed else table.game
    names = [game.name for game in mixed]
    if past.chosen in names:
        return find_game(past.chosen)
    if past.game not in names:
        return mixed[0]
    at = names.index(past.game)
    hands = table.options.number("rotation.hands") or past.players
    over = table.number - past.since + 1 >= hands and not table.options["rotation.choose"]
    return mixed[(at + 1) % len(mixed)] if over else mixed[at]
