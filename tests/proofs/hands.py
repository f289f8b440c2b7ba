"""Finished hands as an archive holds them, played in this process."""

from __future__ import annotations

from functools import cache
from typing import Any

from services.reader import Entry
from services.sealing import SealKey
from services.segment import Segment
from services.simulate import Played, Setup, simulate

SEAL_KEY = SealKey(bytes(range(32)))


@cache
def played(game: str, hands: int, seed: int = 1, policy: str = "bots", *chosen: tuple[str, Any]) -> tuple[Segment, ...]:
    """Hands of one table, in order; their seeds sealed under SEAL_KEY."""
    found: list[Segment] = []

    def keep(one: Played) -> None:
        first = found[-1].last + 1 if found else 1
        entries = tuple(Entry(version, *row) for version, row in enumerate(one.log, first))
        sealed = SEAL_KEY.seal(one.seed, one.table.id, one.table.number)
        found.append(Segment(one.table.id, one.table.number, one.before, one.prev_head, entries, sealed))

    simulate(Setup(game, hands=hands, seats=3, seed=seed, policy=policy, chosen=dict(chosen), keep=True), keep)
    return tuple(found)
