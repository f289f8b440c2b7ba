"""The public cut: seeds that players pledge before a hand, and reveal once its root is public, move its cards.

The deck is fixed before anybody knows the cut, and the seeds before anybody knows the deck (docs/dealing.md). Only
players who are dealt in count. Without a pledge of theirs the cards come as they lie, and nobody waits.
"""

from __future__ import annotations

from engine.commands import PledgeSeed, RevealSeed
from engine.deck import hand_id, pledge_of, public_cut
from engine.draft import Draft
from engine.drbg import SEED_BYTES
from engine.events import CutFixed, SeedPledged, SeedRevealed, SeedsAwaited
from engine.refusals import Refused
from engine.state import Hand, Table

REVEAL_MS = 3000  # how long a hand waits for the seeds pledged for it
SERVER_ONLY, PENDING, PLAYERS = "server-only", "pending", "players"  # the label of a hand: whose seeds made the cut


def pledge(draft: Draft, command: PledgeSeed) -> None:
    """For the next hand, once. Raises Refused."""
    table = draft.table
    if not table.seats_of(command.player):
        raise Refused("not_your_seat")
    if command.hand != table.number + 1:
        raise Refused("stale_hand", hand=table.number + 1)
    check_length(command.pledge)
    if command.player in table.pledges:
        raise Refused("already_pledged")
    draft.emit(SeedPledged(command.player, command.pledge))


def check_length(value: bytes) -> None:
    """Seeds and pledges alike."""
    if len(value) != SEED_BYTES:
        raise Refused("malformed_seed")


def pledged(table: Table, order: tuple[int, ...]) -> tuple[tuple[str, bytes], ...]:
    """(player, pledge) of those among the seats of `order` who have pledged for the hand they are dealt."""
    if not table.pledges:
        return ()
    players = dict.fromkeys(table.place(index).player for index in order)
    return tuple((player, table.pledges[player]) for player in players if player in table.pledges)


def await_seeds(draft: Draft, pledges: tuple[tuple[str, bytes], ...]) -> None:
    """The root is fixed: who has pledged may reveal now."""
    if pledges:
        draft.emit(SeedsAwaited(pledges, draft.now + REVEAL_MS))


def reveal(draft: Draft, command: RevealSeed) -> None:
    """The pledged seed. Raises Refused; a seed that comes too late, or that is another one, is left out."""
    table = draft.table
    hand = awaiting(table, command.hand)
    check_length(command.seed)
    if command.player not in hand.pledges:
        raise Refused("no_pledge")
    if command.player in hand.seeds:
        raise Refused("already_revealed")
    if pledge_of(command.seed, hand_id(table.id, hand.number)) != hand.pledges[command.player]:
        raise Refused("seed_mismatch")
    draft.emit(SeedRevealed(command.player, command.seed))
    if len(hand.seeds) == len(hand.pledges):
        fix_cut(draft)


def awaiting(table: Table, number: object) -> Hand:
    """The hand of that number, if seeds may be revealed for it now."""
    hand = table.hand
    if number == table.number + 1:
        raise Refused("seed_too_early")
    if hand is None or number != hand.number or not hand.revealing:
        raise Refused("seed_too_late")
    if table.status == "paused":
        raise Refused("table_paused")
    return hand


def fix_cut(draft: Draft) -> None:
    """From the seeds that are there now; what comes later is left out."""
    hand = draft.hand
    seeds = tuple((player, hand.seeds[player]) for player in hand.pledges if player in hand.seeds)
    cut = public_cut((seed for _, seed in seeds), hand.root, hand_id(draft.table.id, hand.number))
    draft.emit(CutFixed(seeds, cut))


def label(hand: Hand) -> str:
    """Whose seeds decide where the cards come from."""
    if hand.revealing:
        return PENDING
    return PLAYERS if hand.seeds and hand.cut else SERVER_ONLY
