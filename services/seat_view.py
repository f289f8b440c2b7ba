"""A seat's private view as it is sealed and stored: cards and their openings as bytes, half as long as for people.

An older program stored it as people read it; that is still read.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.cards import NAMES
from engine.deck import Deck, split_openings
from engine.state import Table
from engine.view import View, private_view
from services.wire import pack, unpack


def packed(table: Table, index: int) -> bytes:
    """What the player of seat `index` may see of his own, to be sealed."""
    return pack(private_view(table, index, as_bytes))


def as_bytes(deal: Deck, at: list[int]) -> View:
    """Cards as they are stored: a byte each, then all openings."""
    cards = deal.cards
    openings = b"".join([deal.opening(position) for position in at])
    return {"at": bytes(at), "cards": bytes([cards[position] for position in at]), "openings": openings}


def opened(data: bytes) -> View:
    """The view as `engine.view.private_view` gives it, from what was stored."""
    seen: View = readable(unpack(data))
    if "also" in seen:
        seen |= {"also": [readable(other) for other in seen["also"]], "looks": readable(seen["looks"])}
    return seen


def readable(told: Mapping[str, Any]) -> View:
    """With names for the cards, and an opening for each in hex."""
    if not isinstance(told["at"], bytes):
        return dict(told)
    at, openings = told["at"], split_openings(told["at"], told["openings"])
    return {
        **told,
        "at": list(at),
        "cards": [NAMES[card] for card in told["cards"]],
        "openings": [opening.hex() for opening in openings],
    }
