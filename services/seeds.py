"""A player's side of the public cut: which seed to pledge, and when to reveal it."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any, NamedTuple

from engine.deck import hand_id, pledge_of
from engine.drbg import SEED_BYTES


class Asked(NamedTuple):
    """What to PUT under the player's seat: `pledge` or `seed`."""

    path: str
    body: dict[str, Any]


class Seeds:
    """The seeds of one player at one table, made as the hands come. Nothing here shows one in a repr."""

    def __init__(self) -> None:
        self._seeds: dict[int, bytes] = {}

    def due(self, view: Mapping[str, Any], player: str) -> Asked | None:
        """What this view asks of the player: the seed of the running hand, or a pledge for the next one."""
        hand, number = view["hand"], int(view["number"])
        if hand and player in hand["cut"]["awaited"]:
            seed = self._seeds.pop(number, None)
            return Asked("seed", {"hand": number, "seed": seed.hex()}) if seed else None
        return None if number + 1 in self._seeds else self._pledge(view["table"], number + 1)

    def _pledge(self, table: str, number: int) -> Asked:
        seed = secrets.token_bytes(SEED_BYTES)
        self._seeds = {number: seed}
        return Asked("pledge", {"hand": number, "pledge": pledge_of(seed, hand_id(table, number)).hex()})
