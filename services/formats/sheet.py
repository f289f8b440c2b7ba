"""A hand found in a file: what is known before the whole of it is read."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from services.formats.record import BrokenHistory, Record

if TYPE_CHECKING:
    from services.formats.own import OwnHand
    from services.formats.rulebook import Scenario

_LINE_END = re.compile(r"\r\n|\r|\n")
UNREADABLE = "?"  # the variant of a hand whose first line says nothing


def lines_of(text: str) -> list[str]:
    """Lines as editors count them: other separators that Unicode has may stand in a name or in talk. The mark at the
    beginning of a file is no text, nor where files were joined.
    """
    return [line.lstrip("\ufeff") for line in _LINE_END.split(text)]


@dataclass(frozen=True, slots=True)
class Sheet:
    """`variant` decides whether the hand is worth reading; `line` is where it begins; `read` raises
    `BrokenHistory`.
    """

    id: str
    variant: str
    file: str
    line: int
    read: Callable[[], Record | Scenario | OwnHand]


def unreadable(broken: BrokenHistory) -> Sheet:
    """What is damaged before its id is known; it is named after its place."""

    def read() -> Record:
        raise broken

    return Sheet(f"{broken.file}:{broken.line}", UNREADABLE, broken.file, broken.line, read)
