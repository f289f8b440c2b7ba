"""Finished hands in the formats of others, and in our own. A new format is one row of `FORMATS`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from services.exports import ohh, own_json, phh, pokerstars
from services.exports.answer import Export
from services.exports.story import Story


@dataclass(frozen=True, slots=True)
class Format:
    """`write` raises CannotHold for a hand that the format cannot hold. `part`: a hand, by number, in a file of
    several. `suffix` is that of one hand's file.
    """

    suffix: str
    media_type: str
    write: Callable[[Story], Export]
    part: Callable[[int, Export], str]


FORMATS: dict[str, Format] = {
    "phh": Format("phh", "application/toml", phh.write, phh.part),
    "pokerstars": Format("txt", "text/plain", pokerstars.write, pokerstars.part),
    "ohh": Format("ohh", "application/json", ohh.write, ohh.part),
    "json": Format("json", "application/json", own_json.write, own_json.part),
}
