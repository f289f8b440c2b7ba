"""A table's public view as it is stored: in parts, of which a commit writes those that its events have changed.

A part is a field of the view's HASH: `view` says how the parts are to be read and how many places there are, `t` is the
table, `h` what was fixed when the hand began, `c` its course, `m` the moment (whose turn it is, what for), and a number
is the place with that number. Values come in the order of the names in `engine/view.py`, without them.
An older program stored the view as a whole, in the field `view`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from engine.events import REGISTRY, Event, HandStarted
from engine.middle import middle_of
from engine.state import Table
from engine.view import (
    BETTORS,
    ITS_PLACES,
    NEW_COURSE,
    NO_PLACE,
    ONE_PLACE,
    PLACE,
    View,
    course_values,
    hand_of_parts,
    moment_values,
    named,
    place_values,
    start_view,
    table_view,
)
from services.wire import Unreadable, pack, unpack

PARTS = ("view", "t", "h", "c", "m")
LAYOUT = b"view"
FORMAT = 2

# Kind of event -> whose places it changes, and whether the course. Any other kind may change everything.
CHANGES = {
    REGISTRY[kind]: (kinds, kind in NEW_COURSE)
    for kinds in (NO_PLACE, ONE_PLACE, ITS_PLACES, BETTORS)
    for kind in kinds
}


class PublicView:
    """Of one table. Whoever changes the table says so by `note`, before the next `changed`."""

    def __init__(self) -> None:
        self._stored: dict[str, bytes] = {}  # part -> as it was last given out
        self._places: set[int] = set()  # those that play has changed
        self._bettors: set[int] = set()  # those whose bet is seen now
        self._course = False
        self._moment = False
        self.only_play = False
        """since the last `changed` nobody came or went, no hand began or ended, and nothing was changed by the host"""

    def note(self, events: Iterable[Event]) -> None:
        """These have been applied to the table."""
        for event in events:
            changes = CHANGES.get(type(event))
            if changes is not None:
                self._moment = True
                self._note_play(event, *changes)
                continue
            self.only_play = False
            if isinstance(event, HandStarted):
                self._stored.clear()  # whatever has become of them, with a new hand all are written again

    def _note_play(self, event: Any, whose: tuple[str, ...], course: bool) -> None:
        if course:
            self._course = True
        if whose is ONE_PLACE:
            self._places.add(event.seat)
        elif whose is ITS_PLACES:
            self._places.update(event.seats)
        elif whose is BETTORS:
            self._places |= self._bettors

    def changed(self, table: Table) -> dict[str, bytes]:
        """Part -> MessagePack of it, of those that are not as they were given out before; {} if nothing happened.

        The moment is among them after every event: with it the version that the view shows moves on.
        """
        if self.only_play:
            found = self._after_play(table)
        else:
            stored = self._stored
            found = {name: part for name, part in whole(table).items() if name == "m" or stored.get(name) != part}
        self._stored |= found
        self._places.clear()
        self._course = self._moment = False
        self.only_play = True
        self._bettors = {index for index, seat in table.hand.seats.items() if seat.bet} if table.hand else set()
        return found

    def _after_play(self, table: Table) -> dict[str, bytes]:
        found = {"m": pack(moment(table))} if self._moment else {}
        if self._course:
            found["c"] = pack(course(table))
        for index in sorted(self._places):
            part = pack(place_values(table, index, table.places[index]))
            if self._stored.get(str(index)) != part:
                found[str(index)] = part
        return found


def whole(table: Table) -> dict[str, bytes]:
    """All parts of a table's view."""
    start = table.hand and start_view(table.hand)
    values = (FORMAT, len(table.places)), table_view(table), start, course(table), moment(table)
    found = {name: pack(value) for name, value in zip(PARTS, values, strict=True)}
    return found | {str(index): pack(place_values(table, index, place)) for index, place in enumerate(table.places)}


def course(table: Table) -> tuple[Any, ...] | None:
    return course_values(table.hand) if table.hand else None


def moment(table: Table) -> tuple[Any, ...]:
    return (table.turn, *moment_values(table, table.hand)) if table.hand else (table.turn,)


def joined(parts: Mapping[bytes, bytes]) -> View:
    """The view that was stored, as `engine.view.view` gives it but for tuples among its lists. Raises Unreadable."""
    match unpack(parts.get(LAYOUT, b"")):
        case dict(whole):
            return whole
        case (2, int(chairs)):
            try:
                return put_together([parts[name.encode()] for name in (*PARTS, *map(str, range(chairs)))])
            except LookupError:
                pass
    raise Unreadable("no view")


def put_together(parts: list[bytes]) -> View:
    _, seen, start, course, (turn, *moment), *places = unpack(array_header(len(parts)) + b"".join(parts))
    view = {**seen, "turn": turn, "seats": tuple([named(PLACE, place) for place in places]), "hand": None}
    if start:
        *moment, numbers, of_game = moment
        view["hand"] = hand_of_parts(start, course, moment, middle_of(start["order"], numbers), of_game)
    return view


def array_header(count: int) -> bytes:
    return b"\xdc" + count.to_bytes(2, "big")
