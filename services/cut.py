"""The public cut of a hand, told and checked from its events alone: whoever has the public log can do the same."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from engine.cut import PLAYERS, SERVER_ONLY
from engine.deck import pledge_of, public_cut
from engine.events import CutFixed, Dealt, Event, HandStarted, SeedPledged, SeedRevealed, SeedsAwaited, Stood
from engine.state import UNCUT

Named = tuple[tuple[str, bytes], ...]


class Told(NamedTuple):
    """What the events of a hand say: who had pledged, what was revealed in time, and the cut (None: none was fixed)."""

    pledges: Named
    revealed: Named
    used: Named
    cut: bytes | None

    @property
    def label(self) -> str:
        """Whose seeds decided where the cards came from."""
        return PLAYERS if self.used else SERVER_ONLY


def told(events: Iterable[Event]) -> Told:
    pledges: Named = ()
    revealed: list[tuple[str, bytes]] = []
    fixed = CutFixed((), b"")
    for event in events:
        if isinstance(event, SeedsAwaited):
            pledges = tuple(event.pledges)
        elif isinstance(event, SeedRevealed):
            revealed.append((event.player, event.seed))
        elif isinstance(event, CutFixed):
            fixed = event
    return Told(pledges, tuple(revealed), tuple(fixed.seeds), fixed.cut or None)


def document(told: Told) -> dict[str, Any]:
    """For people and programs, bytes in hex: all that is needed to compute the cut again."""
    return {
        "label": told.label,
        "pledges": named(told.pledges),
        "seeds": named(told.used),
        "cut": list(told.cut or UNCUT),
    }


def named(values: Named) -> list[dict[str, str]]:
    return [{"player": player, "bytes": value.hex()} for player, value in values]


class Watch:
    """Follows a hand event by event: who has pledged for it, and in which order its cards leave the deck."""

    def __init__(self, pledges: Mapping[str, bytes]) -> None:
        self.pledges = dict(pledges)  # for the next hand
        self.expected: Named = ()  # of those who were dealt in
        self.order: list[int] = []
        self._dealt = 0
        self._round: list[Dealt] = []

    def see(self, event: Event, dealt: int) -> None:
        """`dealt`: how many cards have left the deck after it."""
        if isinstance(event, SeedPledged):
            self.pledges[event.player] = event.pledge
        elif isinstance(event, Stood):
            self.pledges.pop(event.player, None)
        elif isinstance(event, HandStarted):
            players = dict.fromkeys(player for _, player, _ in event.seats)
            self.expected = tuple((name, self.pledges[name]) for name in players if name in self.pledges)
            self.pledges.clear()
            self.order, self._round = [], []  # a log may go on with the hand after the one that was followed
            dealt = self._dealt = 0
        if dealt > self._dealt:
            self._taken(event)
        self._dealt = dealt

    def _taken(self, event: Any) -> None:
        """In dealing order; where each seat's cards are an event of their own, they left the deck round by round."""
        if not isinstance(event, Dealt) or any(event.seat == other.seat for other in self._round):
            self.close_round()
        if isinstance(event, Dealt):
            self._round.append(event)
        else:
            self.order += getattr(event, "burned", b"") + event.at

    def close_round(self) -> None:
        for places in zip(*(event.at for event in self._round), strict=True):
            self.order += places
        self._round.clear()


def difference(watch: Watch, told: Told, root: bytes, hand: bytes) -> str:
    """What is wrong with the cut; "" if it is what the published seeds and root give, and the cards came by it."""
    watch.close_round()
    pledged = dict(told.pledges)
    if told.pledges != watch.expected:
        return "the pledges that counted are not those made by the players dealt in"
    if any(pledge_of(seed, hand) != pledged.get(player) for player, seed in told.revealed):
        return "a revealed seed is not the pledged one"
    revealed = dict(told.revealed)
    if told.used != tuple((player, revealed[player]) for player in pledged if told.cut and player in revealed):
        return "the seeds used are not those that were revealed"
    if told.cut and (not told.pledges or told.cut != public_cut(revealed.values(), root, hand)):
        return "the cut does not follow from the revealed seeds and the root"
    if watch.order and bool(told.pledges) != bool(told.cut):
        return "cards were dealt without the cut that was pledged"
    for k, (at, expected) in enumerate(zip(watch.order, told.cut or UNCUT, strict=False)):
        if at != expected:
            return f"card {k} came from position {at}, not {expected}"
    return ""
