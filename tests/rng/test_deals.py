"""The statistics of the deals that were really made: fair ones pass, a fault is suspect once and an alarm twice."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.drbg import HmacDrbg
from services.archive import Archive
from services.archive_tables import hand_segment
from services.audit_log import AuditLog, NotLogged
from services.rng import deals
from services.rng.deals import Deals, latest, reports
from services.rng.shuffles import off_by_one
from services.sealing import SealKey

BATCH, LEAST = 600, 400
TABLE = "017-deals"


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    with Archive(f"sqlite:///{tmp_path / 'archive.db'}") as archive:
        yield archive


@pytest.fixture
def key(tmp_path: Path) -> SealKey:
    return SealKey.load(tmp_path)


@pytest.fixture
def play(archive: Archive, key: SealKey) -> Callable[[int], None]:
    """Archive that many hands; only what the statistics look at."""
    chance, played = HmacDrbg(bytes(range(32)), personalisation=b"deals"), 0

    def more(hands: int) -> None:
        nonlocal played
        numbers = range(played + 1, played + hands + 1)
        rows = [row(number, key.seal(chance.generate(32), TABLE, number)) for number in numbers]
        played += hands
        with archive.engine.begin() as connection:
            connection.execute(hand_segment.insert(), rows)

    return more


def row(number: int, sealed: bytes) -> dict[str, Any]:
    nothing = dict.fromkeys(("prev_head", "head", "before_blob", "events_blob", "commands_blob"), b"")
    texts = dict.fromkeys(("rules", "game", "codec", "summary"), "")
    times = {"started_ms": number, "ended_ms": number, "first_version": number, "last_version": number}
    return {"table_id": TABLE, "hand_no": number, "sealed_seed": sealed, **nothing, **texts, **times}


def report(archive: Archive, key: SealKey) -> dict[str, Any] | None:
    return Deals(archive, key, BATCH, LEAST).report()


def states(found: dict[str, Any] | None) -> dict[str, str]:
    assert found is not None
    return {test["name"]: test["state"] for test in found["tests"]}


def test_fair_deals_pass_batch_by_batch_each_deal_once(
    archive: Archive, key: SealKey, play: Callable[[int], None]
) -> None:
    play(LEAST - 1)
    assert report(archive, key) is None
    play(BATCH)
    first = report(archive, key)
    assert first is not None
    assert (first["state"], first["deals"], first["total"]) == ("ok", BATCH, BATCH)
    assert set(states(first).values()) == {"ok"}
    assert report(archive, key) is None  # what is left is too little
    play(1)
    second = report(archive, key)
    assert second is not None
    assert (second["number"], second["deals"], second["total"]) == (2, LEAST, BATCH + LEAST)
    assert [found["number"] for found in reports(archive.engine, 9)] == [2, 1]
    assert [(entry.what, entry.why) for entry in AuditLog(archive.engine).page(9)] == [
        ("statistics", "400 deals"), ("statistics", "600 deals"),
    ]  # fmt: skip


def test_a_fault_is_suspect_until_fresh_deals_say_so_again(
    archive: Archive, key: SealKey, play: Callable[[int], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two stages: one odd batch alarms nobody, two in a row do, and a right shuffle afterwards is heard."""

    def wrong(seed: bytes, hand: bytes) -> bytes:
        return off_by_one(52, HmacDrbg(seed, hand).below)

    fair = deals.shuffle
    found = []
    for shuffle in (wrong, fair, wrong, wrong, fair):
        monkeypatch.setattr(deals, "shuffle", shuffle)
        play(BATCH)
        found.append(states(report(archive, key))["fixed points"])
    assert found == ["suspect", "ok", "suspect", "alarm", "ok"]
    last = latest(archive.engine)
    assert last is not None
    assert last["state"] == "ok"


def test_a_deck_that_was_dealt_twice_is_an_alarm_at_once(
    archive: Archive, key: SealKey, play: Callable[[int], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    fair = deals.shuffle
    monkeypatch.setattr(deals, "shuffle", lambda seed, hand: fair(seed[:1] * 32, b"the same"))
    play(BATCH)
    found = report(archive, key)
    assert found is not None
    assert (found["state"], states(found)["no deck twice"]) == ("alarm", "alarm")


def test_no_seed_is_opened_for_a_report_that_cannot_be_logged(
    archive: Archive, key: SealKey, play: Callable[[int], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise NotLogged

    play(BATCH)
    monkeypatch.setattr(AuditLog, "write", full)
    with pytest.raises(NotLogged):
        report(archive, key)
    assert reports(archive.engine, 9) == []
