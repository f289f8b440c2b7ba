"""What is asked of a table's owner rather than of the table: the rules know nothing of it.

An order travels through the inbox like a command and is answered like one, but no rule decides it.
"""

from __future__ import annotations

from typing import Any, NamedTuple


class Freeze(NamedTuple):
    """Stop the table as a fault would: nothing moves until the host has looked. `why` holds no card and no seed."""

    actor: str
    why: str


class Void(NamedTuple):
    """Give every stack of a frozen table's running hand back as it was before it (the rules' `VoidHand`), and go on."""

    actor: str
    why: str


class IfVersion(NamedTuple):
    """Decide the encoded command if the table still has that version (`If-Match`), which nobody but its owner knows."""

    version: int
    command: bytes


ORDERS: dict[str, type[Any]] = {order.__name__: order for order in (Freeze, Void, IfVersion)}
RESTORED = "Restored"
"""Why a table stands still that was set forward to what the archive has: until the host lets it go on."""
