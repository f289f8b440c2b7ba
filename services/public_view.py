"""A table's public view as it is stored: only what events have changed is made and packed again.

A command changes the hand and one or two places; the others, and what was fixed when the hand began, are most of the
bytes. The whole is what `pack(view(table))` gives, as a reader unpacks it.
"""

from __future__ import annotations

from collections.abc import Iterable

from engine.events import Event
from engine.state import Hand, Table
from engine.view import NO_PLACE, ONE_PLACE, View, course_view, place_view, start_view, table_view
from services.wire import pack

SEATS, HAND, NOTHING = pack("seats"), pack("hand"), pack(None)
FIXED_MOST = 15
"""Fields of a map whose header is one byte (MessagePack's fixmap)."""


class PublicView:
    """Of one table. Whoever changes the table says so by `note`, before the next `packed`."""

    def __init__(self) -> None:
        self._places: list[bytes] = []  # b"" where out of date; [] if all of them are
        self._hand: Hand | None = None
        self._start = b""  # of that hand, without its header
        self._fixed = 0  # fields of it

    def note(self, events: Iterable[Event]) -> None:
        """These have been applied to the table."""
        for event in events:
            kind = type(event).__name__
            if kind in NO_PLACE:
                continue
            if kind not in ONE_PLACE:
                self._places = []
            elif self._places:
                self._places[event.seat] = b""  # type: ignore[attr-defined]

    def packed(self, table: Table) -> bytes:
        """MessagePack of the view."""
        top = table_view(table)
        places = b"".join(self._packed_places(table))
        hand = self._packed_hand(table, table.hand) if table.hand else NOTHING
        return b"".join(
            (map_header(len(top) + 2), fields(top), SEATS, array_header(len(table.places)), places, HAND, hand)
        )

    def _packed_places(self, table: Table) -> list[bytes]:
        known = self._places or [b""] * len(table.places)
        for index, place in enumerate(table.places):
            if not known[index]:
                known[index] = pack(place_view(table, index, place))
        self._places = known
        return known

    def _packed_hand(self, table: Table, hand: Hand) -> bytes:
        if hand is not self._hand:
            start = start_view(hand)
            self._hand, self._start, self._fixed = hand, fields(start), len(start)
        course = course_view(table, hand)
        return map_header(self._fixed + len(course)) + self._start + fields(course)


def fields(part: View) -> bytes:
    """MessagePack of a map without its header: pairs that others may be put beside."""
    return pack(part)[1 if len(part) <= FIXED_MOST else 3 :]


def map_header(count: int) -> bytes:
    return b"\xde" + count.to_bytes(2, "big")


def array_header(count: int) -> bytes:
    return b"\xdc" + count.to_bytes(2, "big")
