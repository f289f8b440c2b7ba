"""Links that show one view of one finished hand to whoever has them: what its player chose to publish.

A link's name is the only way to it: the store keeps its SHA-256, and the cards sealed under the view key for this link.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from hashlib import sha256
from typing import NamedTuple

from services.sealing import ViewKey
from services.store import Client, typed_errors
from services.wire import pack, unpack

NAME_BYTES = 16


class Share(NamedTuple):
    """`known`: position → card of all that the player of `seat` knows of the hand; -1 and none: everybody's view."""

    table: str
    hand: int
    seat: int
    known: Mapping[int, str]


class Shares:
    """Makes links and finds what they show."""

    def __init__(self, client: Client, key: ViewKey) -> None:
        self._client = client
        self._key = key

    def make(self, share: Share, seconds: int) -> str:
        """The name of a new link that lives so long."""
        name = secrets.token_urlsafe(NAME_BYTES)
        told = pack((1, share.table, share.hand, share.seat, list(share.known.items())))
        with typed_errors():
            self._client.set(share_key(name), self._key.seal_share(told, name), ex=seconds)
        return name

    def find(self, name: str) -> Share | None:
        """What a link shows; None: there is none of that name (any more)."""
        with typed_errors():
            sealed: bytes | None = self._client.get(share_key(name))
        if sealed is None:
            return None
        _, table, hand, seat, known = unpack(self._key.open_share(sealed, name))
        return Share(table, hand, seat, dict(known))


def share_key(name: str) -> str:
    return f"share:{sha256(name.encode()).hexdigest()}"
