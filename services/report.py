"""What a check found: per hand its differences, why it was skipped, and what explains it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from services.formats.record import BrokenHistory
from services.formats.sheet import lines_of


@dataclass(frozen=True, slots=True)
class Difference:
    """`what` disagrees: the record says `expected`, the engine `got`. Both are plain values."""

    what: str
    expected: Any
    got: Any

    def to_json(self) -> dict[str, Any]:
        return {"what": self.what, "expected": self.expected, "got": self.got}

    def __str__(self) -> str:
        return f"{self.what}: expected {self.expected}, got {self.got}"


@dataclass(frozen=True, slots=True)
class Known:
    """An explained difference: the rule of the book that decides it, and one sentence."""

    rule: str
    why: str


@dataclass(slots=True)
class HandReport:
    """What became of one hand. `skipped`: why it was not played; `known`: what explains its differences."""

    id: str
    file: str
    differences: list[Difference] = field(default_factory=list)
    skipped: str | None = None
    known: Known | None = None

    @property
    def ok(self) -> bool:
        return not self.differences

    def differ(self, what: str, expected: Any, got: Any) -> None:
        """Note a difference, if it is one."""
        if expected != got:
            self.differences.append(Difference(what, expected, got))

    def to_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "file": self.file,
            "ok": self.ok,
            "differences": [difference.to_json() for difference in self.differences],
            "skipped": self.skipped,
            "explained": {"rule": self.known.rule, "why": self.known.why} if self.known else None,
        }


def read_known(path: Path) -> dict[str, Known]:
    """Explained differences: hand id, rule id and a sentence, separated by tabs; `#` begins a comment line.

    Raises `BrokenHistory` for a line of another shape.
    """
    found: dict[str, Known] = {}
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise BrokenHistory(str(path), 1, "not UTF-8 text") from None
    for number, line in enumerate(lines_of(text), 1):
        if not line.strip() or line.startswith("#"):
            continue
        parts = [part.strip() for part in line.split("\t")]
        if len(parts) != 3 or not all(parts):
            raise BrokenHistory(str(path), number, "not: hand id, rule id, sentence, separated by tabs")
        found[parts[0]] = Known(parts[1], parts[2])
    return found
