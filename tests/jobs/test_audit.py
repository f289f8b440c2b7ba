"""An audit of a finished hand finds whatever was changed in it, and tells no secret."""

from itertools import chain, repeat

import pytest

from engine import snapshot
from engine.events import earlier_words
from services.again import settled
from services.audit import Verdict, unsealed, verify
from services.chain import extend
from services.reader import Entry
from services.sealing import SealBroken, SealKey
from services.segment import Segment
from services.sweeping import Sweeper
from services.wire import COMMANDS, EVENTS, Recorded, pack, unpack
from tests.jobs.house import TABLE, House

ALL = ["chain", "decode", "fold", "chips", "openings", "cut", "commitment", "decide"]


@pytest.fixture
def segment(house: House) -> Segment:
    house.play(2)
    return house.history.segment(TABLE, 2)


@pytest.fixture
def seed(house: House, segment: Segment) -> bytes:
    found = unsealed(segment, house.seal_key)
    assert found is not None
    return found


def failed(verdict: Verdict) -> list[str]:
    return [check.name for check in verdict.checks if not check.ok]


def test_an_honest_hand_passes_every_check(segment: Segment, seed: bytes) -> None:
    verdict = verify(segment, seed)
    assert verdict.ok
    assert [check.name for check in verdict.checks] == ALL
    assert [check.name for check in verify(segment).checks] == ALL[:6]
    assert verdict.as_json()["checks"][0].keys() == {"name", "ok", "detail"}


def changed(segment: Segment, kind: str, rehash: bool = True, **fields: object) -> Segment:
    """The first event of that kind with other fields, and a chain that fits it again."""
    events = [entry.event for entry in segment.entries]
    at = next(at for at, data in enumerate(events) if type(EVENTS.decode(data)).__name__ == kind)
    events[at] = EVENTS.encode(EVENTS.decode(events[at])._replace(**fields))
    hashes = [entry.hash for entry in segment.entries]
    if rehash:
        hashes = extend(TABLE, segment.prev_head, events)
    rows = zip(segment.entries, events, hashes, strict=True)
    return segment._replace(entries=tuple(entry._replace(event=e, hash=h) for entry, e, h in rows))


def test_a_changed_byte_breaks_the_chain(segment: Segment) -> None:
    assert failed(verify(changed(segment, "Called", rehash=False, amount=1)))[0] == "chain"


def test_chips_that_come_from_nowhere_are_found(segment: Segment) -> None:
    assert "fold" in failed(verify(changed(segment, "HandEnded", stacks=(400, 401, 400))))
    assert "chips" in failed(verify(changed(segment, "Awarded", amount=1)))


def test_another_card_on_the_board_does_not_open(segment: Segment) -> None:
    board = next(event for event in segment.events() if type(event).__name__ == "BoardDealt")
    other = bytes([(board.cards[0] + 1) % 52]) + board.cards[1:]
    assert failed(verify(changed(segment, "BoardDealt", cards=other))) == ["openings"]


def test_another_root_is_not_that_of_the_seed(segment: Segment, seed: bytes) -> None:
    found = failed(verify(changed(segment, "HandStarted", root=bytes(32)), seed))
    assert found == ["openings", "commitment", "decide"]


def test_another_seed_gives_other_bytes(segment: Segment) -> None:
    assert failed(verify(segment, bytes(32))) == ["commitment", "decide"]


def test_a_command_that_was_changed_is_decided_otherwise(segment: Segment, seed: bytes) -> None:
    at = next(at for at, entry in enumerate(segment.entries) if b"Act" in entry.command)
    entries = list(segment.entries)
    kept = Recorded(*unpack(entries[at].command))
    fold = COMMANDS.decode(kept.command)._replace(verb="fold")
    entries[at] = entries[at]._replace(command=pack(kept._replace(command=COMMANDS.encode(fold))))
    assert failed(verify(segment._replace(entries=tuple(entries)), seed)) == ["decide"]


def test_an_event_that_nobody_knows_is_no_half_read_hand(segment: Segment) -> None:
    """P130: unknown is a clear finding, and nothing after it is looked at."""
    events = [pack((1, "Teleported", 3)), *(entry.event for entry in segment.entries[1:])]
    hashes = extend(TABLE, segment.prev_head, events)
    rows = zip(segment.entries, events, hashes, strict=True)
    strange = segment._replace(entries=tuple(entry._replace(event=e, hash=h) for entry, e, h in rows))
    verdict = verify(strange)
    assert failed(verdict) == ["decode"]
    assert "UnknownName" in verdict.checks[-1].detail
    assert len(verdict.checks) == 2


def test_findings_tell_no_seed_and_no_hidden_card(segment: Segment, seed: bytes) -> None:
    wrong = [verify(segment, bytes(32)), verify(changed(segment, "HandEnded", stacks=(1, 2, 3)), seed)]
    texts = " ".join(check.detail for verdict in wrong for check in verdict.checks)
    assert seed.hex() not in texts
    assert repr(seed)[2:-1] not in texts


def test_another_key_does_not_open_the_seed(segment: Segment, tmp_path_factory: pytest.TempPathFactory) -> None:
    with pytest.raises(SealBroken):
        unsealed(segment, SealKey.load(tmp_path_factory.mktemp("other")))


def test_the_sweep_records_verdicts_and_names_the_table_that_differs(house: House) -> None:
    house.play(2)
    first, second = house.history.waiting(TABLE)
    house.archive.insert(first)
    house.archive.insert(changed(second, "HandStarted", root=bytes(32)))
    assert house.archive.unverified(10) == [(TABLE, 1), (TABLE, 2)]
    assert house.sweeper.verify_new() == {TABLE: "openings"}
    assert house.archive.unverified(10) == []
    assert house.archive.failed() == [(TABLE, 2, "openings")]


def test_a_seed_that_is_gone_is_found_by_the_sweep_too(house: House, segment: Segment) -> None:
    first, _ = house.history.waiting(TABLE)
    house.archive.insert(first)
    house.archive.insert(segment._replace(sealed_seed=b""))
    assert house.sweeper.verify_new() == {TABLE: "seal"}


def test_chores_without_the_seal_key_decide_as_far_as_the_cards_are_known(house: House, segment: Segment) -> None:
    """Bob's first call was a fold, says the record; the events say otherwise."""
    first, _ = house.history.waiting(TABLE)
    told = [entry._replace(command=entry.command.replace(b"\xa4call", b"\xa4fold")) for entry in segment.entries]
    house.archive.insert(first)
    house.archive.insert(segment._replace(entries=tuple(told)))
    assert Sweeper(house.log, house.reader, house.archive, None).verify_new() == {TABLE: "decide"}


def in_earlier_words(segment: Segment) -> Segment:
    """The same hand as it was stored then: more events, each command at the first of its own."""
    rows = [
        (pack(words), entry.command if first else b"")
        for entry in segment.entries
        for first, words in zip(chain([True], repeat(False)), earlier_words(EVENTS.decode(entry.event)), strict=False)
    ]
    hashes = extend(TABLE, segment.prev_head, [event for event, _ in rows])
    entries = [
        Entry(segment.first + at, event, hash_, command)
        for at, ((event, command), hash_) in enumerate(zip(rows, hashes, strict=True))
    ]
    return segment._replace(entries=tuple(entries))


def test_a_hand_told_in_earlier_words_stands_the_same_audit(segment: Segment, seed: bytes) -> None:
    """Its bytes are those of then; decided again it gives today's facts, which are told in its words."""
    earlier = in_earlier_words(segment)
    assert len(earlier.entries) > len(segment.entries)
    assert [check.name for check in verify(earlier, seed).checks if check.ok] == ALL
    assert snapshot.take(earlier.end()) == snapshot.take(segment.end())
    assert settled(earlier, seed).outcome == "same"
    assert failed(verify(changed(earlier, "TurnBegan", deadline=1), seed)) == ["decide"]
