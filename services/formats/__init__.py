"""Hand histories of other makers, read into neutral records. A file's kind is recognised by its content."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from services.formats import fulltilt, neutral, ohh, own, phh, rulebook, stars
from services.formats.record import BrokenHistory
from services.formats.sheet import Sheet, lines_of
from services.formats.text import sheets

Reader = Callable[[str, str], Iterator[Sheet]]

_PHH = re.compile(r"^\s*variant\s*=", re.MULTILINE)
ROOMS = (stars.ROOM, fulltilt.ROOM)
_ARRAY = re.compile(r"\s*\[\s*\{")


def open_history(path: Path) -> Iterator[Sheet]:
    """The hands of a file, unread. Raises `BrokenHistory` if it is none, or is damaged as a whole."""
    text = _text(path)
    reader = recognise(text)
    if reader is None:
        raise BrokenHistory(str(path), 1, "not a hand history of a known kind")
    return reader(str(path), text)


def is_history(path: Path) -> bool:
    """Whether the content looks like a hand history; other files of a folder are passed over."""
    try:
        return recognise(_text(path)) is not None
    except BrokenHistory:
        return False


def recognise(text: str) -> Reader | None:
    """The reader for this content, None for anything else."""
    if _ARRAY.match(text):
        return rulebook.read if '"events"' in text and '"deck"' in text else None
    if own.is_own(text):
        return own.read
    if ohh.is_ohh(text):
        return ohh.read
    if text.lstrip().startswith("{"):
        return neutral.read if _is_neutral(text) else None
    lines = lines_of(text)
    if any(begins_hand(line.strip()) for line in lines):
        return read_texts
    return phh.read if _PHH.search(text) else None


def begins_hand(line: str) -> bool:
    """Whether it is the first line of a hand of one of the rooms."""
    return any(room.head.match(line) for room in ROOMS)


def read_texts(file: str, text: str) -> Iterator[Sheet]:
    """The hands of a text, of whichever rooms they are."""
    return sheets(ROOMS, file, text)


def _is_neutral(text: str) -> bool:
    """The first line is an object with a hand's players and events (the results beside it have no events)."""
    first = text.lstrip().partition("\n")[0]
    try:
        data = json.loads(first)
    except (ValueError, RecursionError):
        return '"events"' in first
    return isinstance(data, dict) and "events" in data and "players" in data


def _text(path: Path) -> str:
    """UTF-8, with or without its mark, or UTF-16 with it; any other encoding would be a guess."""
    data = path.read_bytes()
    encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8"
    try:
        return data.decode(encoding).removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise BrokenHistory(str(path), line, f"not {encoding.upper()} text") from None
