"""What a verifier looks at besides chain, fold and openings: rules, payoffs, and what lies between two hands."""

from __future__ import annotations

from collections import Counter

from engine import snapshot
from engine.events import Awarded, HandEnded, HandVoided, Raked
from engine.game import find_game
from engine.pots import pots
from engine.state import Hand, Table
from engine.table import evolve
from services.audit import Case, Differs, start_of
from services.segment import Segment


def rules(case: Case) -> str:
    """The hand was dealt under rules that this program plays."""
    started = start_of(case.segment, case.events)
    known = find_game(started.game).rules
    if started.rules != known:
        raise Differs(f"dealt under {started.rules[:40]}, this program plays {known}")
    return f"dealt under {known}, which this program plays"


def payoffs(case: Case) -> str:
    """Every pot is paid in full, and what the players win and lose comes to nothing but the rake."""
    table = case.segment.start()
    contested: list[int] = []
    paid: Counter[int] = Counter()
    for version, event in enumerate(case.events, case.segment.first):
        if isinstance(event, Awarded):
            contested = contested or amounts(table)
            paid[event.pot] += event.amount
        evolve(table, event)
        if isinstance(event, HandEnded) and [paid[pot] for pot in range(len(contested))] != contested:
            raise Differs(f"version {version}: {sum(paid.values())} chips were paid from pots of {sum(contested)}")
        if isinstance(event, HandVoided):
            require_all_back(version, event, table)
    return told(case, len(contested))


def amounts(table: Table) -> list[int]:
    """Of the pots about to be paid; the whole middle where one seat is left."""
    hand = table.hand
    assert hand is not None
    return [hand.in_middle()] if len(hand.live()) == 1 else [pot.amount for pot in pots(hand)]


def require_all_back(version: int, event: HandVoided, table: Table) -> None:
    """Raises Differs."""
    assert isinstance(table.hand, Hand)
    if tuple(event.stacks) != tuple(seat.start for seat in table.hand.seats.values()):
        raise Differs(f"version {version}: not everybody got back what he began with")


def told(case: Case, count: int) -> str:
    if not count:
        return "the hand was voided, everybody has what he began with"
    rake = sum(event.amount for event in case.events if isinstance(event, Raked))
    return f"{count} pots paid in full, rake {rake}"


def follows(before: Segment, segment: Segment) -> str:
    """A hand begins where the one before ended: number, version, chain head, and the table itself. Raises Differs."""
    place = f"hand {segment.hand}"
    if (segment.table, segment.hand) != (before.table, before.hand + 1):
        raise Differs(f"{place} does not follow hand {before.hand}")
    if (segment.first, segment.prev_head) != (before.last + 1, before.head):
        raise Differs(f"{place} begins with version {segment.first}, not where hand {before.hand} ended")
    if snapshot.take(segment.start()) != snapshot.take(before.end()):
        raise Differs(f"{place} begins with another table than hand {before.hand} left")
    return f"hands {before.hand} and {segment.hand} join"


def begins(segment: Segment) -> str:
    """The first hand of a file begins at the table's beginning, or after another hand. Raises Differs."""
    opening = (segment.hand, segment.first, segment.prev_head, segment.before) == (1, 1, b"", None)
    if not opening and (len(segment.prev_head) != 32 or segment.first == 1 or segment.before is None):
        raise Differs("the first hand begins neither at the table's beginning nor after another hand")
    return "begins with the table's first event" if opening else f"begins after hand {segment.hand - 1}"

