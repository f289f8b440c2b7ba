"""Whoever is killed when: nothing acknowledged is lost and nothing is done twice (eventlog 3.3)."""

from __future__ import annotations

from pathlib import Path

from tests.house.storms import ROUND, weather

ROUNDS = 3
ACKS = 5000


def test_a_storm_of_kills(tmp_path: Path) -> None:
    """P124, P127, P133, P142, P146, P149: 21 kills and stops of workers, API and store, 5,000 promises compared."""
    outcome = weather(tmp_path, ROUNDS, ACKS)
    assert outcome.wrong == []
    assert outcome.blows.total() == ROUNDS * len(ROUND) == 21
    assert len(outcome.acks) >= ACKS
    assert outcome.troubles > 0, "no client has noticed anything: that was no storm"
