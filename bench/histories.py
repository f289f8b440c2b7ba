"""Histories in and out: hands that `croupier check` reads, plays and compares, and hands that are exported, a core."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from bench.audit import segments
from bench.measure import Row, Subject, rate
from services.check import check
from services.exports import FORMATS
from services.exports.story import story_of
from services.formats import open_history
from services.segment import Segment

REAL = Path(__file__).parents[1] / "seeds" / "real" / "hands.jsonl"
EXPORTED = 40

CHECKED = Row("real hands checked/s", "real hands checked", None, must=100, aim=400, unit="")
ROWS = (CHECKED, *(Row(f"hands exported/s, {name}", name, None, must=200, aim=1000, unit="") for name in FORMATS))


def corpus() -> Path:
    """The big corpus where there is one, else the hands of the project."""
    big = Path(os.environ.get("CROUPIER_CORPUS", REAL.parents[3] / "shared" / "data")) / "hands.jsonl"
    return big if big.is_file() else REAL


def check_all(file: Path) -> None:
    assert not any(report.skipped for report in (check(sheet, {}) for sheet in open_history(file)))


def export_all(name: str, hands: list[Segment]) -> None:
    for hand in hands:
        FORMATS[name].write(story_of(hand))


@contextmanager
def subject() -> Iterator[Subject]:
    """Omaha-8, which every format can hold, called down and so shown to the end."""
    file, hands = corpus(), list(segments("omaha8", "calldown"))[:EXPORTED]
    count = sum(1 for _ in open_history(file))
    candidates: dict[str, Callable[[], float]] = {CHECKED.ours: partial(rate, count, partial(check_all, file))}
    candidates |= {name: partial(rate, EXPORTED, partial(export_all, name, hands)) for name in FORMATS}
    yield Subject(candidates, ROWS, lambda: [f"{count} real hands, {EXPORTED} exported ones"])
