"""What an export gives: the text, and what the format could not say of this hand. Nothing is guessed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Unsaid(NamedTuple):
    """`code` is stable; `text` says what is missing and where it may be found."""

    code: str
    text: str


SHORT = Unsaid("short_price", "that a call is of the whole blind or bring-in where a short stack paid less (COM-34)")
EARLY = Unsaid("face_up", "hands turned up before the last card; they are shown at the showdown")


class Export(NamedTuple):
    """One hand in one format."""

    text: str
    unsaid: tuple[Unsaid, ...]


class CannotHold(Exception):
    """The format has no way to hold this hand at all; `str` says why. Its code everywhere is `format_cannot_hold`."""


CANNOT_HOLD = "format_cannot_hold"


def all_of(*found: Iterable[Unsaid]) -> tuple[Unsaid, ...]:
    """Each once, in order."""
    return tuple(dict.fromkeys(item for group in found for item in group))
