"""A table between hands as plain values, and back. A shortcut for loading: always deletable, never the truth.

Shape: (format version, game, options, rules, status, paused_ms, number, turn, button, small, big, places, rotation,
bank, level, level_ms, ranks, pledges), each place None or its fields in order, rotation as well. A format this program
does not know is no error: the log is folded from its start. Format 1 ends with the places, or with a mixed table's
rotation, format 2 with the ranks.
"""

from __future__ import annotations

from operator import attrgetter
from typing import Any

from engine.game import find_game
from engine.state import Place, Rotation, Table

FORMAT = 3
READABLE = (1, 2, FORMAT)
PLACE_FIELDS = ("player", "chips", "bank_ms", "sitting_out", "owes_small", "owes_big", "posting", "leaving", "top_up",
                "connected", "missed_orbits", "eliminated")  # fmt: skip
fields_of_place, fields_of_rotation = attrgetter(*PLACE_FIELDS), attrgetter(*Rotation.__slots__)
LAST_FIELDS = ("rotation", "bank", "level", "level_ms", "ranks", "pledges")


def take(table: Table) -> tuple[Any, ...]:
    """The table's state; it must not be in the middle of a hand."""
    assert table.game is not None and table.options is not None and not table.playing
    places = tuple([place and fields_of_place(place) for place in table.places])
    rotation = table.rotation and fields_of_rotation(table.rotation)
    return (
        FORMAT, table.game.name, dict(sorted(table.options.items())), table.rules, table.status, table.paused_ms,
        table.number, table.turn, table.button, table.small, table.big, places, rotation, table.bank, table.level,
        table.level_ms, dict(table.ranks), dict(table.pledges),
    )  # fmt: skip


def restore(table_id: str, taken: tuple[Any, ...]) -> Table | None:
    """The table as it was, without the hand that was over; None if the snapshot is of another format."""
    if not taken or taken[0] not in READABLE:
        return None
    _, game_name, options, rules, status, paused_ms, number, turn, button, small, big, places, *rest = taken
    game = find_game(game_name)
    restored = [Place(*place) if place else None for place in places]
    more = dict(zip(LAST_FIELDS, rest, strict=False))
    past = more.get("rotation")
    copied = {name: dict(more.get(name, {})) for name in ("ranks", "pledges")}
    return Table(
        table_id, game, game.resolve(options), rules, status, paused_ms, restored, number, turn, button, small, big,
        **{**more, "rotation": Rotation(*past) if past else None, **copied},
    )  # fmt: skip
