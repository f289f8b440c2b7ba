"""When a table's clock next acts, and whose time it is."""

from __future__ import annotations

from engine.positions import can_deal
from engine.rotation import gap_ms
from engine.state import Table
from engine.tournament import level_ends


def next_deal(table: Table, planned: int, now: int) -> int:
    """When the next hand is dealt (ms): as planned, or after a pause from now; 0 while none is to be dealt."""
    if table.playing or table.status == "paused":
        return planned
    return (planned or now + gap_ms(table)) if can_deal(table) else 0


def due_of(table: Table, planned: int) -> int:
    """The running turn's deadline, or the time of the next deal, or when the level ends (ms); 0: it stands still."""
    hand = table.hand
    if table.status == "paused":
        return 0
    if hand is not None and not hand.over:
        due = hand.deadline
    elif planned and table.status != "closed":
        due = planned
    else:
        return 0
    level = level_ends(table)
    return min(due, level) if level else due


def clock_of(table: Table) -> tuple[int, int, str]:
    """What changes when somebody's time begins to run: the hand, the turn, whether the table stands still."""
    return table.number, table.turn, table.status


def whole_time(table: Table, now: int) -> int:
    """What the running turn lacks (ms) to end, from `now`, after the action time and the rest of the bank (COM-71)."""
    hand = table.hand
    if hand is None or not table.playing or table.status == "paused":
        return 0
    bank_ms = 0 if hand.actor is None or hand.awaited else table.place(hand.actor).bank_ms
    return now + hand.options.number("action_seconds") * 1000 + bank_ms - hand.deadline
