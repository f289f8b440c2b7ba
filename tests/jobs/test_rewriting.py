"""Whoever can write the store or the archive rewrites a hand: what is exported then is found out, and where."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from services.archive import ArchiveDamaged, packed
from services.archive_tables import hand_segment
from services.bundle import read, write
from services.keys import table_keys
from services.reader import ChainBroken, LogGap
from services.sealing import SigningKey
from services.segment import Segment
from services.signing import LogRewritten, Signer
from services.verifying import Verifier
from tests.jobs.house import TABLE, House
from tests.proofs.tampering import changed, changes, dropped, inserted, pairs, rebuilt, swapped


@pytest.fixture
def signer(house: House, tmp_path: Path) -> Signer:
    return Signer(house.archive, SigningKey(bytes(32)), tmp_path / "signing.last")


@pytest.mark.parametrize("what", ["change", "drop", "swap"])
def test_every_event_of_the_store(house: House, what: str) -> None:
    """A hand that waits for the archive: what was done to an event is named before anything is exported or archived."""
    house.play(1)
    key = table_keys(TABLE).events
    stored = house.client.xrange(key)
    for at in range(1, len(stored) - 1):
        rows = list(stored)
        (id_, fields), (next_id, following) = rows[at], rows[at + 1]
        if what == "change":
            rows[at] = id_, {**fields, b"e": fields[b"e"][:-1] + bytes([fields[b"e"][-1] ^ 1])}
        elif what == "drop":
            del rows[at]
        else:
            rows[at : at + 2] = [(id_, following), (next_id, fields)]
        rewrite(house, key, rows)
        with pytest.raises((ChainBroken, LogGap), match=rf"\b{at + 1}\b"):
            house.history.segment(TABLE, 1)
    rewrite(house, key, stored)
    assert house.history.segment(TABLE, 1).hand == 1


def rewrite(house: House, key: str, rows: Any) -> None:
    house.client.delete(key)
    for id_, fields in rows:
        house.client.xadd(key, fields, id=id_)


@given(data=st.data())
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_event_of_an_archived_hand(house: House, signer: Signer, data: st.DataObject) -> None:
    """With the row's head and all hashes computed anew: the bundle that comes of it names hand and place."""
    if house.archive.tail(TABLE).hand < 3:
        house.play(3)
        house.sweep()
        signer.sign(house.now)
    segment = house.archive.segment(TABLE, data.draw(st.integers(1, 3)))
    assert segment is not None
    whole, at = pairs(segment), data.draw(st.integers(1, len(segment.entries) - 2))
    other = data.draw(st.sampled_from([other for _, other in changes(whole[at][0])]))
    forgeries = [dropped(whole, at), inserted(whole, at, other), swapped(whole, at), changed(whole, at, other)]
    forged = rebuilt(segment, data.draw(st.sampled_from(forgeries)))
    if pairs(forged) == whole:
        return
    archive(house, segment, forged)
    try:
        wrong = differences(house)
        assert any(segment.hand == hand and re.search(r"version \d|hand \d", detail) for hand, _, detail in wrong)
        assert (segment.hand, "log") in [(hand, name) for hand, name, _ in wrong]
    finally:
        archive(house, forged, segment)


def archive(house: House, old: Segment, new: Segment) -> None:
    """Put the row of one in place of the other's."""
    row = {
        "last_version": new.last,
        "head": new.head,
        "events_blob": packed([entry.event for entry in new.entries]),
        "commands_blob": packed([entry.command for entry in new.entries]),
    }
    found = (hand_segment.c.table_id == old.table) & (hand_segment.c.hand_no == old.hand)
    with house.archive.engine.begin() as connection:
        connection.execute(sa.update(hand_segment).where(found).values(**row))


def differences(house: House) -> list[tuple[int, str, str]]:
    """(hand, check, what) of the whole table, as it is exported."""
    segments = house.archive.segments(TABLE)
    bundle = read(b"".join(write(segments, house.archive.log)))
    found = zip(bundle.hands, Verifier().bundle(bundle), strict=True)
    return [(hand.segment.hand, c.name, c.detail) for hand, (_, checks) in found for c in checks if not c.ok]


def test_hands_of_the_archive_dropped_and_swapped(house: House, signer: Signer) -> None:
    house.play(4)
    house.sweep()
    signer.sign(house.now)
    assert differences(house) == []
    two, three = house.archive.segment(TABLE, 2), house.archive.segment(TABLE, 3)
    assert two is not None and three is not None
    archive(house, two, three)  # the row of hand 2 tells hand 3: its bytes do not follow from what it says came before
    with pytest.raises(ArchiveDamaged, match="hand 2"):
        house.archive.segment(TABLE, 2)
    archive(house, two, two)
    with house.archive.engine.begin() as connection:
        connection.execute(sa.delete(hand_segment).where(hand_segment.c.hand_no == 2))
    assert [(hand, name) for hand, name, _ in differences(house)] == [(3, "order")]


def test_a_hand_that_vanishes_before_it_was_signed_stops_the_signer(house: House, signer: Signer) -> None:
    house.play(2)
    house.sweep()
    with house.archive.engine.begin() as connection:
        connection.execute(sa.delete(hand_segment).where(hand_segment.c.hand_no == 2))
    with pytest.raises(LogRewritten, match="leaf 1 is not what the archive holds"):
        signer.sign(house.now)
