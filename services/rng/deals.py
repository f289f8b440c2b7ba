"""The battery's statistics on the deals that were really made, batch by batch, for a report that anybody may read.

Two stages, as for the shuffle itself: a statistic that lies too far out is suspect until the next batch, which is fresh
data; only twice in a row is it an alarm. A report holds counts and deviations, never a card.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import sqlalchemy as sa

from engine.deck import hand_id, shuffle
from services.archive import Archive
from services.archive_tables import deal_report, hand_segment
from services.audit_log import CHORES, AuditLog, Read
from services.rng.battery import STATISTICS, Z_MOST, no_deck_twice
from services.sealing import SealBroken, SealKey

BATCH = 20_000
"""Deals of one report."""
LEAST = 2_600
"""With fewer a cell of the 52 by 52 table expects less than 50 cards, and nothing is said yet."""


class Dealt(NamedTuple):
    """A hand whose seed is kept, and where it stands in the order of reports."""

    ended_ms: int
    table: str
    hand: int
    sealed: bytes


class Deals:
    """Reports of an archive. `key` opens the seeds, after an entry in the audit log."""

    def __init__(self, archive: Archive, key: SealKey, batch: int = BATCH, least: int = LEAST) -> None:
        self._engine = archive.engine
        self._log = AuditLog(archive.engine)
        self._key = key
        self._batch = batch
        self._least = least

    def report(self) -> dict[str, Any] | None:
        """The next batch's report, kept; None while there are too few new deals. Raises NotLogged."""
        last = latest(self._engine)
        batch = list(self._after(last["until"] if last else [0, "", 0]))
        if len(batch) < self._least:
            return None
        self._log.write(Read(CHORES, "statistics", "", 0, f"{len(batch)} deals"))
        made = judged(list(self._decks(batch)), last)
        made["until"] = list(batch[-1][:3])
        with self._engine.begin() as connection:
            connection.execute(deal_report.insert().values(number=made["number"], report=json.dumps(made)))
        return made

    def _after(self, until: list[Any]) -> Iterator[Dealt]:
        """Finished hands in the order of their end."""
        c = hand_segment.c
        order = (c.ended_ms, c.table_id, c.hand_no)
        query = sa.select(*order, c.sealed_seed).where(sa.tuple_(*order) > sa.tuple_(*map(sa.literal, until)))
        with self._engine.connect() as connection:
            rows = connection.execute(query.where(c.sealed_seed != b"").order_by(*order).limit(self._batch))
            yield from (Dealt(*row) for row in rows)

    def _decks(self, batch: Iterable[Dealt]) -> Iterator[bytes]:
        """As they were committed to; what does not open is the audit's to find."""
        for dealt in batch:
            try:
                seed = self._key.open(dealt.sealed, dealt.table, dealt.hand)
            except SealBroken:
                continue
            yield shuffle(seed, hand_id(dealt.table, dealt.hand))


def judged(decks: list[bytes], last: dict[str, Any] | None) -> dict[str, Any]:
    """A report: `{"number", "made_ms", "deals", "total", "state", "tests": [{"name", "z", "detail", "state"}]}`.

    A state is ok, suspect (once too far out) or alarm (twice running).
    """
    before = {test["name"]: test["state"] for test in last["tests"]} if last else {}
    tests = []
    for name, statistic in STATISTICS.items():
        z = statistic(decks)
        tests.append(row(name, abs(z) <= Z_MOST, before.get(name, "ok"), f"z = {z:.2f}", round(z, 2)))
    twice = no_deck_twice(decks)
    tests.append({**row(twice.name, twice.ok, "suspect", twice.detail, None)})  # exact: once is enough
    states = [test["state"] for test in tests]
    return {
        "number": last["number"] + 1 if last else 1,
        "made_ms": int(time.time() * 1000),
        "deals": len(decks),
        "total": len(decks) + (last["total"] if last else 0),
        "state": next((state for state in ("alarm", "suspect") if state in states), "ok"),
        "tests": tests,
    }


def row(name: str, good: bool, before: str, detail: str, z: float | None) -> dict[str, Any]:
    """One test; `before` is its state in the report before."""
    state = "ok" if good else "suspect" if before == "ok" else "alarm"
    return {"name": name, "z": z, "detail": detail, "state": state}


def latest(engine: sa.Engine) -> dict[str, Any] | None:
    """The newest report."""
    found = reports(engine, 1)
    return found[0] if found else None


def reports(engine: sa.Engine, many: int, below: int | None = None) -> list[dict[str, Any]]:
    """Reports, newest first."""
    query = sa.select(deal_report.c.report).order_by(deal_report.c.number.desc()).limit(many)
    if below is not None:
        query = query.where(deal_report.c.number < below)
    with engine.connect() as connection:
        return [json.loads(text) for text in connection.execute(query).scalars()]
