"""Players' seeds: pledged before a hand, revealed after its root is public, used for the public cut."""

from __future__ import annotations

from typing import NamedTuple

from engine.events.registry import event, running_hand
from engine.state import Table


@event
class SeedPledged(NamedTuple):
    """For the next hand. `pledge`: SHA-256 of the seed, 32 bytes (`engine.deck.pledge_of`)."""

    player: str
    pledge: bytes

    def apply(self, table: Table) -> None:
        player, pledge = self
        table.pledges[player] = pledge


@event
class SeedsAwaited(NamedTuple):
    """The root is public: until `deadline` these players may reveal; (player, pledge) in dealing order."""

    pledges: tuple[tuple[str, bytes], ...]
    deadline: int

    def apply(self, table: Table) -> None:
        hand = running_hand(table)
        pledges, hand.deadline = self
        hand.pledges = dict(pledges)


@event
class SeedRevealed(NamedTuple):
    player: str
    seed: bytes

    def apply(self, table: Table) -> None:
        player, seed = self
        running_hand(table).seeds[player] = seed


@event
class CutFixed(NamedTuple):
    """All are revealed, or the time is over: (player, seed) of those that count, and the cut that follows from them."""

    seeds: tuple[tuple[str, bytes], ...]
    cut: bytes

    def apply(self, table: Table) -> None:
        _, running_hand(table).cut = self
