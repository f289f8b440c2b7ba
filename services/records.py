"""The last hands of a player's session (COM-64): what he was dealt into, what it cost, what was live at the end.

One record per hand and player. It holds the cards of every hand that was live at a contested showdown, mucked ones
too, and the player's own; so it is sealed like a private view and goes to nobody else. It is stored as values in order,
a byte for each card; `opened` gives them names again. An older program stored the names too; that is still read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.cards import NAMES
from engine.state import Hand, Table
from services.sealing import ViewKey
from services.wire import pack, unpack

SEAT = ("seat", "player", "start", "end", "live", "mucked", "cards")

Record = dict[str, Any]
Values = tuple[Any, ...]
"""number, game, started_ms, board, awards, seats (each in the order of SEAT), own, known (position, card, …)"""


def records(table: Table) -> dict[int, Record]:
    """Seat -> record of the hand that has just ended; needs the deck."""
    hand = table.hand
    assert hand is not None and hand.over
    return {seat: readable(values) for seat, values in zip(hand.order, hand_values(hand, hand.order), strict=True)}


def hand_record(hand: Hand, viewer: int) -> Record:
    """The finished hand as the player of seat `viewer`, who was dealt in, may keep it."""
    return readable(hand_values(hand, [viewer])[0])


def hand_values(hand: Hand, viewers: Sequence[int]) -> list[Values]:
    """The same for several players, without names; what they have in common is made once."""
    board = known_cards(hand, hand.board)
    common = (hand.number, hand.game.name, hand.started_ms, board, [list(award) for award in hand.awards])
    covered = {index: seat_values(hand, index, b"") for index in hand.order}
    told = {index: seat_values(hand, index, bytes(hand.cards_of(index))) for index in hand.order}
    return [(*common, *own_values(hand, viewer, covered, told)) for viewer in viewers]


def own_values(hand: Hand, viewer: int, covered: Mapping[int, Values], told: Mapping[int, Values]) -> Values:
    """What is the player's of seat `viewer`. The seats are with cards, of `told`, where he may keep them, else of
    `covered`; `known`: all that he was dealt or paid to see, and what lies face up out of play.
    """
    live = hand.live()
    own = hand.seats_of(viewer)
    visible = {*own, *live} if len(live) > 1 else {*own}
    known = [at for index in own for at in hand.seats[index].cards] + hand.discards
    known += hand.looks.get(hand.seats[viewer].player, [])
    pairs = [(at, card) for at in known if (card := hand.deck[at]) is not None]
    seats = [told[index] if index in visible else covered[index] for index in hand.order]
    return seats, viewer, bytes([number for pair in pairs for number in pair])


def seat_values(hand: Hand, index: int, cards: bytes) -> Values:
    seat = hand.seats[index]
    return index, seat.player, seat.start, seat.stack, seat.live, seat.mucked, cards


def known_cards(hand: Hand, at: Sequence[int]) -> bytes:
    """The cards at these positions, as far as this process knows them."""
    return bytes([card for position in at if (card := hand.deck[position]) is not None])


def sealed_records(table: Table, key: ViewKey) -> dict[str, bytes]:
    """Player -> seat, number and record of the hand that has just ended, sealed for that seat; {} without the deck."""
    hand = table.hand
    assert hand is not None
    if hand.deal is None:
        return {}
    return {
        hand.seats[seat].player: pack((seat, hand.number, key.seal(pack(values), table.id, seat, hand.number)))
        for seat, values in zip(hand.order, hand_values(hand, hand.order), strict=True)
    }


def opened(data: bytes) -> Record:
    """A record as people read it, from what was sealed."""
    stored = unpack(data)
    return stored if isinstance(stored, dict) else readable(stored)


def readable(values: Values) -> Record:
    """With names. `seats`: in dealing order, `known`: pairs of position and card."""
    number, game, started_ms, board, awards, seats, own, known = values
    return {
        "number": number,
        "game": game,
        "started_ms": started_ms,
        "board": names(board),
        "awards": awards,
        "seats": [{**dict(zip(SEAT, seat, strict=True)), "cards": names(seat[-1])} for seat in seats],
        "own": own,
        "known": [[at, NAMES[card]] for at, card in zip(known[::2], known[1::2], strict=True)],
    }


def names(cards: bytes) -> list[str]:
    return [NAMES[card] for card in cards]
