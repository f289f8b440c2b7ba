"""Whose seat it is, and whether its player is on the line."""

from __future__ import annotations

from engine.commands import Connect, Disconnect
from engine.draft import Draft
from engine.events import ClockExtended, Connected, Disconnected, GraceGiven
from engine.refusals import Refused
from engine.state import Place, Table


def own_place(table: Table, index: object, player: str) -> Place:
    """The place at `index` if `player` sits there. Raises Refused `not_your_seat`."""
    if type(index) is int and 0 <= index < len(table.places):
        place = table.places[index]
        if place is not None and place.player == player:
            return place
    raise Refused("not_your_seat")


def connect(draft: Draft, command: Connect) -> None:
    if own_place(draft.table, command.seat, command.player).connected:
        raise Refused("already_connected")
    for index in draft.table.seats_of(command.player):
        draft.emit(Connected(index))


def disconnect(draft: Draft, command: Disconnect) -> None:
    """The grace of this hand goes to the running turn, or to the next one (COM-72)."""
    table = draft.table
    if not own_place(table, command.seat, command.player).connected:
        raise Refused("already_disconnected")
    own = table.seats_of(command.player)
    for index in own:
        draft.emit(Disconnected(index))
    if not table.playing or draft.hand.awaited or draft.hand.actor not in own:
        return
    actor = draft.hand.actor
    if draft.grace_ms and not draft.hand.seats[actor].graced:
        draft.emit(ClockExtended(draft.grace_ms, "disconnected"))
        draft.emit(GraceGiven(actor))
