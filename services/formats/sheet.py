"""A hand found in a file: what is known before the whole of it is read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from services.formats.record import Record

UNREADABLE = "?"  # the variant of a hand whose first line says nothing


@dataclass(frozen=True, slots=True)
class Sheet:
    """`variant` decides whether the hand is worth reading; `line` is where it begins; `read` raises
    `BrokenHistory`.
    """

    id: str
    variant: str
    file: str
    line: int
    read: Callable[[], Record]
