"""What happened beside the play, and what this viewer does not know: formats that have no place for it name it."""

from __future__ import annotations

from collections.abc import Collection

from services.exports.answer import Unsaid
from services.exports.story import Story
from services.formats.figures import UNKNOWN
from services.formats.record import Record

HIDDEN = Unsaid("hidden_cards", "cards that this viewer never saw")
TIMEOUTS = Unsaid("timeouts", "that the clock decided for somebody; the action it chose is there")
BESIDE = Unsaid("table_events", "who sat out, lost the line, came, left or brought chips meanwhile; pauses")
_BESIDE = frozenset({
    "SatOut", "SatIn", "LeaveAsked", "TopUpAsked", "Disconnected", "Connected", "Paused", "Resumed", "Closed",
    "ClockExtended", "Sat", "Stood", "ChipsAdded", "PostAsked",
})  # fmt: skip


def table_talk(story: Story, said: Collection[str] = ()) -> list[Unsaid]:
    """Clocks, comings and goings during the hand, but for the events that the format has a word for."""
    names = {type(event).__name__ for event in story.events}.difference(said)
    return [what for what, met in ((TIMEOUTS, "TimedOut" in names), (BESIDE, bool(names & _BESIDE))) if met]


def hidden_cards(record: Record) -> list[Unsaid]:
    """Whether a card of the hand is unknown to the viewer."""
    unknown = any(UNKNOWN in (*entry.down, *entry.up) for entry in record.entries)
    return [HIDDEN] if unknown else []
