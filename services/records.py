"""The last hands of a player's session (COM-64): what he was dealt into, what it cost, what was live at the end.

One record per hand and player. It holds the cards of every hand that was live at a contested showdown, mucked ones
too, and the player's own; so it is sealed like a private view and goes to nobody else.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.cards import NAMES
from engine.state import Hand, Table
from services.sealing import ViewKey
from services.wire import pack


def records(table: Table) -> dict[int, dict[str, Any]]:
    """Seat -> record of the hand that has just ended; needs the deck."""
    hand = table.hand
    assert hand is not None and hand.over
    return dict(zip(hand.order, hand_records(hand, hand.order), strict=True))


def hand_record(hand: Hand, viewer: int) -> dict[str, Any]:
    """The finished hand as the player of seat `viewer`, who was dealt in, may keep it."""
    return hand_records(hand, [viewer])[0]


def hand_records(hand: Hand, viewers: list[int]) -> list[dict[str, Any]]:
    """The same for several players; what they have in common is made once."""
    common = common_record(hand)
    covered = {index: seat_record(hand, index, with_cards=False) for index in hand.order}
    told = {index: seat_record(hand, index, with_cards=True) for index in hand.order}
    return [{**common, **own_record(hand, viewer, covered, told)} for viewer in viewers]


def common_record(hand: Hand) -> dict[str, Any]:
    """What is the same for everybody who was dealt in."""
    return {
        "number": hand.number,
        "game": hand.game.name,
        "started_ms": hand.started_ms,
        "board": [NAMES[card] for at in hand.board if (card := hand.deck[at]) is not None],
        "awards": [list(award) for award in hand.awards],
    }


def own_record(
    hand: Hand, viewer: int, covered: Mapping[int, object], told: Mapping[int, object]
) -> dict[str, Any]:
    """What is the player's of seat `viewer`. `seats`: with cards, of `told`, where he may keep them, else of `covered`.
    `known`: pairs of position and card, for all that he was dealt or paid to see and for what lies face up out of play.
    """
    live = hand.live()
    own = hand.seats_of(viewer)
    visible = {*own, *live} if len(live) > 1 else {*own}
    known = [at for index in own for at in hand.seats[index].cards] + hand.discards
    known += hand.looks.get(hand.seats[viewer].player, [])
    return {
        "seats": [told[index] if index in visible else covered[index] for index in hand.order],
        "own": viewer,
        "known": [[at, NAMES[card]] for at in known if (card := hand.deck[at]) is not None],
    }


def seat_record(hand: Hand, index: int, with_cards: bool) -> dict[str, Any]:
    seat = hand.seats[index]
    return {
        "seat": index,
        "player": seat.player,
        "start": seat.start,
        "end": seat.stack,
        "live": seat.live,
        "mucked": seat.mucked,
        "cards": [NAMES[card] for card in hand.cards_of(index)] if with_cards else [],
    }


def sealed_records(table: Table, key: ViewKey) -> dict[str, bytes]:
    """Player -> seat, number and record of the hand that has just ended, sealed for that seat; {} without the deck."""
    hand = table.hand
    assert hand is not None
    if hand.deal is None:
        return {}
    return {
        hand.seats[seat].player: pack((seat, hand.number, key.seal(pack(record), table.id, seat, hand.number)))
        for seat, record in records(table).items()
    }
