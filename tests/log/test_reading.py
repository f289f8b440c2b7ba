"""What is read back is what was written, or the reader says so."""

import pytest

from services.chain import extend, first_hash, next_hash
from services.inbox import Inbox
from services.keys import table_keys
from services.log import Lease, Log, StillNeeded, Unproven
from services.reader import ChainBroken, LogGap, LostTail, OutReader, Reader
from services.store import Client
from services.wire import Envelope, Notice
from tests.log.story import PARTITION, Story

Stored = list[tuple[bytes, dict[bytes, bytes]]]


@pytest.fixture
def played(log: Log, lease: Lease, table: Story) -> Story:
    """A table with events 1…6 and a snapshot at 4."""
    log.commit(lease, [table.commit(b"opened", b"a")], "1-0")
    log.commit(lease, [table.commit(b"b", b"c", seed=(1, b"s"))], "2-0")
    between = (table.version, table.head, b"state at 4")
    log.commit(lease, [table.commit(b"d", b"e", snapshot=between)], "3-0")
    return table


def rewrite(client: Client, table: Story, entries: Stored) -> None:
    """What somebody with the keys to Redis could do."""
    key = table_keys(table.id).events
    client.delete(key)
    for number, (_, fields) in enumerate(entries, 1):
        client.xadd(key, fields, f"{number}-0")


def stored(client: Client, table: Story) -> Stored:
    entries: Stored = client.xrange(table_keys(table.id).events)
    return entries


def test_the_chain_is_the_one_verifiers_know() -> None:
    """events.md: h_0 = SHA-256(0x03 ‖ table id ‖ event), h_n = SHA-256(0x02 ‖ h ‖ length ‖ event)."""
    first = first_hash("017-ann", b"\x93\x01")
    assert first.hex() == "2486c7c71fabfd2c182ea10aae0d2fc380054ca482b2171b4da65a561d533012"
    second = "6ce5eb61ae8666ab62b4a6eeba656352f217f326bd4d666d703610aa98548636"
    assert next_hash(first, b"abc").hex() == second
    assert extend("017-ann", b"", [b"\x93\x01", b"abc"]) == [first, next_hash(first, b"abc")]


def test_state_is_snapshot_plus_later_events(reader: Reader, played: Story) -> None:
    """P132."""
    loaded = reader.load(played.id)
    assert (loaded.snapshot, loaded.snapshot_version) == (b"state at 4", 4)
    assert [entry.version for entry in loaded.entries] == [5, 6]


def test_a_table_that_is_not_there_has_version_0(reader: Reader) -> None:
    loaded = reader.load("017-nowhere")
    assert (loaded.version, loaded.entries, loaded.receipts) == (0, [], {})
    assert reader.view("017-nowhere") is None
    assert reader.receipt("017-nowhere", "ann") is None


@pytest.mark.parametrize("from_snapshot", [True, False])
def test_a_changed_event_is_found(client: Client, reader: Reader, played: Story, from_snapshot: bool) -> None:
    entries = stored(client, played)
    entries[4][1][b"e"] = b"D"
    rewrite(client, played, entries)
    with pytest.raises(ChainBroken, match="version 5"):
        reader.load(played.id, from_snapshot=from_snapshot)


def test_a_changed_event_with_its_hash_made_to_fit_is_found(
    client: Client, reader: Reader, played: Story
) -> None:
    entries = stored(client, played)
    entries[4][1][b"e"] = b"D"
    entries[4][1][b"h"] = next_hash(entries[3][1][b"h"], b"D")
    rewrite(client, played, entries)
    with pytest.raises(ChainBroken, match="version 6"):
        reader.load(played.id)


def test_a_chain_rewritten_to_its_end_misses_the_head(client: Client, reader: Reader, played: Story) -> None:
    entries = stored(client, played)
    entries[5][1][b"e"] = b"E"
    entries[5][1][b"h"] = next_hash(entries[4][1][b"h"], b"E")
    rewrite(client, played, entries)
    with pytest.raises(ChainBroken, match="not the head"):
        reader.load(played.id)


def test_an_inserted_event_is_found(client: Client, reader: Reader, played: Story) -> None:
    entries = stored(client, played)
    rewrite(client, played, [*entries[:3], entries[2], *entries[3:]])
    with pytest.raises(ChainBroken, match="version 4"):
        reader.load(played.id, from_snapshot=False)


def test_a_dropped_event_is_found(client: Client, reader: Reader, played: Story) -> None:
    client.xdel(table_keys(played.id).events, "5-0")
    with pytest.raises(LogGap, match="version 6 where 5 belongs"):
        reader.load(played.id)


def test_a_dropped_last_event_is_found(client: Client, reader: Reader, played: Story) -> None:
    client.xdel(table_keys(played.id).events, "6-0")
    with pytest.raises(LogGap, match="nothing after version 5"):
        reader.load(played.id)


def test_a_follower_sees_a_hole(client: Client, reader: Reader, played: Story) -> None:
    """P136."""
    assert [entry.event for entry in reader.page(played.id, 2, 2)] == [b"b", b"c"]
    assert reader.page(played.id, 6, 10) == []
    client.xdel(table_keys(played.id).events, "3-0")
    with pytest.raises(LogGap):
        reader.page(played.id, 2, 10)


def test_long_logs_are_read_in_pages(log: Log, lease: Lease, reader: Reader, table: Story) -> None:
    log.commit(lease, [table.commit(*(b"%d" % n for n in range(2500)))], "1-0")
    assert [entry.event for entry in reader.load(table.id).entries] == [b"%d" % n for n in range(2500)]


def test_a_lost_tail_is_noticed_by_whoever_saw_more(reader: Reader, played: Story) -> None:
    """P143: a failover took events away that a client, a worker or the archive had seen."""
    reader.require_tail(played.id, 6, played.head)
    reader.require_tail(played.id, 0, b"")
    with pytest.raises(LostTail, match="version 8 was seen"):
        reader.require_tail(played.id, 8, b"h")


def test_other_events_under_old_numbers_are_noticed(client: Client, reader: Reader, played: Story) -> None:
    with pytest.raises(LostTail, match="another one"):
        reader.require_tail(played.id, 6, b"h")
    with pytest.raises(LostTail, match="another one"):
        reader.require_tail(played.id, 5, b"h")
    reader.require_tail(played.id, 5, stored(client, played)[4][1][b"h"])


def test_trimming_needs_the_head_the_archive_proved(
    log: Log, client: Client, reader: Reader, played: Story
) -> None:
    with pytest.raises(Unproven):
        log.trim(played.id, 3, b"another head")
    head = stored(client, played)[2][1][b"h"]
    log.trim(played.id, 3, head, hands=[1])
    log.trim(played.id, 3, head, hands=[1])
    assert [id_ for id_, _ in stored(client, played)] == [b"4-0", b"5-0", b"6-0"]
    assert reader.load(played.id).archived == 3
    assert reader.seed(played.id, 1) is None
    with pytest.raises(LogGap):
        reader.load(played.id, from_snapshot=False)


def test_what_the_snapshot_does_not_cover_is_never_trimmed(log: Log, client: Client, played: Story) -> None:
    with pytest.raises(StillNeeded):
        log.trim(played.id, 5, stored(client, played)[4][1][b"h"])
    assert len(stored(client, played)) == 6


def test_versions_go_on_after_everything_was_trimmed(
    log: Log, lease: Lease, client: Client, reader: Reader, table: Story
) -> None:
    log.commit(lease, [table.commit(b"opened")], "1-0")
    log.commit(lease, [table.commit(b"next", snapshot=(1, table.head, b"s"))], "2-0")
    opened = first_hash(table.id, b"opened")
    log.trim(table.id, 1, opened)
    log.commit(lease, [table.commit(b"last")], "3-0")
    assert [entry.version for entry in reader.load(table.id).entries] == [2, 3]


def test_a_view_that_an_older_program_stored_gets_its_chain_hash_from_the_log(
    log: Log, lease: Lease, client: Client, reader: Reader, table: Story
) -> None:
    log.commit(lease, [table.commit(b"opened", view={"view": b"seen"})], "1-0")
    seen = reader.view(table.id)
    assert seen is not None and seen.head == table.head
    client.hdel(table_keys(table.id).public, "head")
    assert reader.view(table.id) == seen
    log.commit(lease, [table.commit(b"not shown yet")], "2-0")
    assert reader.view(table.id) == seen


def test_results_are_announced_to_those_who_listen(
    log: Log, lease: Lease, client: Client, table: Story
) -> None:
    log.commit(lease, [table.commit(b"before")], "1-0")
    out = OutReader(client, [PARTITION, 18])
    assert out.read(10) == []
    log.commit(
        lease, [table.commit(b"a", b"b", actor="ann", k=4, result=b"r"), table.commit(b"timed out")], "2-0"
    )
    first, second = out.read(1000)
    assert first[:3] == (table.id, 1, 3)
    assert (first.actor, first.k, first.result) == ("ann", 4, b"r")
    assert second == Notice(table.id, 3, 4, table.head, "", 0, b"", b"")
    assert out.read(10) == []


def test_events_are_kept_and_announcements_are_not(
    log: Log, lease: Lease, client: Client, reader: Reader, inbox: Inbox, table: Story
) -> None:
    """P139, P140, P141: no event is trimmed by count; processed inbox entries and old hints go."""
    for number in range(400):
        mark = inbox.append(Envelope(table.id, "ann", number + 1, b"c"))
        log.commit(lease, [table.commit(b"e", actor="ann", k=number + 1)], mark)
    assert len(reader.load(table.id).entries) == 400
    assert client.xlen("{p017}:in") <= 200
    assert inbox.read({PARTITION: lease.cursor}, 10, 1) == []
