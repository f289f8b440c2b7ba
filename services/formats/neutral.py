"""Neutral records: `hands.jsonl`, one hand a line, with the right results in `expected.jsonl` beside it.

`expected.jsonl` has one object per hand under the same `id`: `payoff_no_rake` and `collected` (player →
chips), `rake`, `pots` (`amount`, `shares`). A hand without such a line is read without a result. The
shape of a hand is described in `services/formats/record.py`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from services.formats.figures import Nonsense
from services.formats.record import BrokenHistory, Outcome, Pot, Record
from services.formats.sheet import Sheet, lines_of, unreadable

RESULTS = "expected.jsonl"


def read(file: str, text: str) -> Iterator[Sheet]:
    """The hands of a `hands.jsonl`; a line that is none is a hand that cannot be read."""
    results = _results(Path(file).parent / RESULTS)
    for number, line in enumerate(lines_of(text), 1):
        if line.strip():
            yield _sheet(file, number, line, results)


def _object(file: str, number: int, line: str) -> dict[str, Any]:
    try:
        data = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise BrokenHistory(file, number, f"not JSON: {error}") from None
    if not isinstance(data, dict):
        raise BrokenHistory(file, number, "not an object")
    return data


def _results(path: Path) -> dict[str, tuple[int, str]]:
    """id → (line number, line) of the results; a line is parsed again when its hand is read."""
    if not path.is_file():
        return {}
    found: dict[str, tuple[int, str]] = {}
    for number, line in enumerate(lines_of(path.read_text(encoding="utf-8")), 1):
        if line.strip():
            found[str(_object(str(path), number, line).get("id"))] = (number, line)
    return found


def _sheet(file: str, number: int, line: str, results: Mapping[str, tuple[int, str]]) -> Sheet:
    try:
        data = _object(file, number, line)
    except BrokenHistory as broken:
        return unreadable(broken)
    name, variant = str(data.get("id")), str(data.get("variant"))
    return Sheet(name, variant, file, number, lambda: _read(file, number, data, results.get(name)))


def _read(file: str, number: int, data: dict[str, Any], result: tuple[int, str] | None) -> Record:
    try:
        record = Record.from_json(data)
    except Nonsense as why:
        raise BrokenHistory(file, number, str(why)) from None
    if result is None:
        return record
    beside = str(Path(file).parent / RESULTS)
    try:
        return Record.from_json(data, _outcome(record, _object(beside, *result)))
    except Nonsense as why:
        raise BrokenHistory(beside, result[0], str(why)) from None


def _outcome(record: Record, data: Mapping[str, Any]) -> Outcome:
    seats = {player.name: player.seat for player in record.players}
    pots = data.get("pots")
    if not isinstance(pots, list):
        raise Nonsense("pots is not a list")
    rake = data.get("rake")
    if not isinstance(rake, int):
        raise Nonsense("rake is not a number")
    return Outcome(
        payoff=_by_seat(seats, data.get("payoff_no_rake")),
        collected=_by_seat(seats, data.get("collected")),
        rake=rake,
        pots=tuple(_pot(seats, pot) for pot in pots),
    )


def _pot(seats: Mapping[str, int], data: object) -> Pot:
    if not isinstance(data, dict) or not isinstance(data.get("amount"), int):
        raise Nonsense("a pot without an amount")
    return Pot(data["amount"], _by_seat(seats, data.get("shares")))


def _by_seat(seats: Mapping[str, int], data: object) -> dict[int, int]:
    """player → chips, by seat."""
    if not isinstance(data, dict) or not all(isinstance(chips, int) for chips in data.values()):
        raise Nonsense("not an object of chips by player")
    if unknown := [name for name in data if name not in seats]:
        raise Nonsense(f"chips of somebody who does not play: {unknown[0]!r}")
    return {seats[name]: chips for name, chips in data.items()}
