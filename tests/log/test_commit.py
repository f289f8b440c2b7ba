"""A batch is committed by the partition's one owner, exactly once, all of it or nothing."""

import threading
from contextlib import nullcontext
from typing import Any

import pytest

from services.batch import Commit
from services.keys import partition_keys, table_keys
from services.log import Conflict, Durability, Fenced, Lease, Log, StaleCursor
from services.reader import Reader
from services.store import Client, WrongType, now_ms
from services.wire import Receipt
from tests.log.story import PARTITION, Story


def everything(client: Client) -> dict[bytes, Any]:
    """All that is stored, to see that nothing changed."""
    return {key: client.dump(key) for key in client.scan_iter()}


def test_a_command_leaves_events_views_clock_and_receipt(
    log: Log, lease: Lease, reader: Reader, table: Story, client: Client
) -> None:
    """P135: the cursor moves in the same write."""
    commit = table.commit(
        b"opened", b"sat", actor="ann", k=1, body=b"b", result=b"done", command=b"open", deadline=1234,
        view={"m": b"public", "view": b"2"}, seats={0: b"sealed 0", 3: b"sealed 3"}, lobby=b"row",
        seed=(1, b"sealed seed"),
    )  # fmt: skip
    log.commit(lease, [commit], "5-0")

    loaded = reader.load(table.id)
    assert (loaded.version, loaded.head, loaded.frozen) == (2, table.head, b"")
    assert [(entry.version, entry.event, entry.command) for entry in loaded.entries] == [
        (1, b"opened", b"open"),
        (2, b"sat", b""),
    ]
    assert loaded.receipts == {"ann": Receipt(1, b"b", b"done")}
    assert reader.view(table.id) == (2, table.head, {b"m": b"public", b"view": b"2"})
    assert reader.seat_view(table.id, 3) == (2, b"sealed 3")
    assert reader.seat_view(table.id, 1) is None
    assert reader.seed(table.id, 1) == b"sealed seed"
    assert reader.lobby(PARTITION) == {table.id: b"row"}
    assert reader.due(PARTITION, 1234) == [(table.id, 1234)]
    assert reader.due(PARTITION, 1233) == []
    assert lease.cursor == "5-0"
    assert client.xinfo_stream(table_keys(table.id).events)["last-generated-id"] == b"2-0"


def test_many_commands_over_many_tables_are_one_batch(log: Log, lease: Lease, reader: Reader) -> None:
    ann, bob = Story("017-ann"), Story("017-bob")
    log.commit(
        lease,
        [
            ann.commit(b"a1", view={"m": b"old", "view": b"2", "1": b"1"}, deadline=10),
            bob.commit(b"b1", b"b2", view={"m": b"bob"}, deadline=20),
            ann.commit(b"a2", view={"m": b"new"}, deadline=0),
            ann.commit(actor="eve", k=7, result=b"refused"),
        ],
        "9-0",
    )
    assert [entry.event for entry in reader.load(ann.id).entries] == [b"a1", b"a2"]
    assert reader.view(ann.id) == (2, ann.head, {b"m": b"new", b"view": b"2", b"1": b"1"})
    assert reader.head(bob.id) == (2, bob.head)
    assert reader.due(PARTITION, 99) == [(bob.id, 20)]
    assert reader.next_deadline(PARTITION) == 20
    assert reader.receipt(ann.id, "eve") == Receipt(7, b"", b"refused")


def test_commits_of_a_batch_must_follow_each_other(log: Log, lease: Lease) -> None:
    with pytest.raises(ValueError, match="follow each other"):
        log.commit(lease, [Commit("017-ann", 0, [b"e"], [b"h"]), Commit("017-ann", 2, [b"e"], [b"h"])], "1-0")
    with pytest.raises(ValueError, match="another partition"):
        log.commit(lease, [Commit("018-ann", 0, [b"e"], [b"h"])], "1-0")


def test_a_refusal_moves_the_cursor_and_leaves_a_receipt_but_no_event(
    log: Log, lease: Lease, reader: Reader, table: Story
) -> None:
    log.commit(lease, [table.commit(b"opened")], "1-0")
    log.commit(lease, [table.commit(actor="ann", k=1, body=b"b", result=b"not_your_turn")], "2-0")
    assert reader.head(table.id) == (1, table.head)
    assert reader.receipt(table.id, "ann") == Receipt(1, b"b", b"not_your_turn")
    assert lease.cursor == "2-0"


def test_a_command_for_no_table_is_answered_and_leaves_no_table(
    log: Log, lease: Lease, reader: Reader, client: Client
) -> None:
    log.commit(lease, [Commit("017-nowhere", 0, actor="ann", k=1, result=b"no_table", keep=False)], "1-0")
    assert reader.load("017-nowhere").version == 0
    assert [key for key in client.scan_iter() if b"nowhere" in key] == []


def test_internal_commands_leave_the_cursor(log: Log, lease: Lease, reader: Reader, table: Story) -> None:
    log.commit(lease, [table.commit(b"opened")], "1-0")
    log.commit(lease, [table.commit(b"timed out")])
    assert reader.head(table.id)[0] == 2
    assert lease.cursor == "1-0"


def test_hand_boundary_keeps_snapshot_records_and_work_for_the_archive(
    log: Log, lease: Lease, reader: Reader, table: Story
) -> None:
    log.commit(lease, [table.commit(b"opened", b"hand")], "1-0")
    log.commit(lease, [table.commit(b"ended", ended=1, records={"ann": b"hand 1"})], "2-0")
    between = (table.version, table.head, b"state")
    log.commit(lease, [table.commit(b"next hand", snapshot=between)], "3-0")
    loaded = reader.load(table.id)
    assert (loaded.snapshot, loaded.snapshot_version, loaded.engine) == (b"state", 3, "1")
    assert [entry.event for entry in loaded.entries] == [b"next hand"]
    assert len(reader.load(table.id, from_snapshot=False).entries) == 4
    assert reader.finished(PARTITION) == [(table.id, 1, 3)]
    log.archived(table.id, [1])
    assert reader.finished(PARTITION) == []


def test_a_deadline_is_a_time(client: Client, reader: Reader) -> None:
    """P147: one that somebody else has made none would end whoever takes the partition."""
    client.zadd(partition_keys(PARTITION).due, {"017-ann": 5, "017-bob": "-inf", "017-cat": "inf"})
    assert reader.due(PARTITION, 1 << 52) == [("017-ann", 5)]


def test_a_cursor_is_an_inbox_id(log: Log, client: Client) -> None:
    """P147: with another one nothing could be read; once it is set right the partition is taken."""
    own = partition_keys(PARTITION).own
    for cursor, taken in (("abc", False), ("5-0", True)):
        client.hset(own, mapping={"cur": cursor, "until": 0})
        with nullcontext() if taken else pytest.raises(WrongType):
            assert log.acquire(PARTITION, "worker", 60_000)


def test_what_waits_for_the_archive_is_a_hand_or_nothing(
    log: Log, lease: Lease, client: Client, reader: Reader, table: Story
) -> None:
    """P147: one entry of somebody else's would keep every hand from being archived."""
    log.commit(lease, [table.commit(b"opened", b"ended", ended=1)], "1-0")
    client.zadd(partition_keys(PARTITION).seal, {"no hand": 1, "a|b|1": 2, f"{table.id}|x": 3})
    assert reader.finished(PARTITION) == [(table.id, 1, 2)]


def test_the_last_fifty_hands_of_a_session_are_kept_newest_first(
    log: Log, lease: Lease, reader: Reader, table: Story
) -> None:
    """COM-64."""
    log.commit(lease, [table.commit(b"e", records={"ann": b"%d" % hand}) for hand in range(60)], "1-0")
    assert reader.records(table.id, "ann") == [b"%d" % hand for hand in range(59, 9, -1)]
    log.commit(lease, [table.commit(b"stood", forget=["ann"])], "2-0")
    assert reader.records(table.id, "ann") == []


def test_a_poison_command_freezes_its_table_and_is_kept(
    log: Log, lease: Lease, reader: Reader, table: Story
) -> None:
    log.commit(lease, [table.commit(b"opened", deadline=5)], "1-0")
    log.commit(lease, [table.commit(frozen=b"engine_error", parked=b"command, traceback", deadline=0)], "2-0")
    assert reader.load(table.id).frozen == b"engine_error"
    assert reader.parked(PARTITION) == {table.id: b"command, traceback"}
    assert reader.due(PARTITION, 99) == []
    log.commit(lease, [table.commit(frozen=b"", parked=b"")])
    assert reader.load(table.id).frozen == b""
    assert reader.parked(PARTITION) == {}


def test_many_leases_are_renewed_at_once_and_lost_ones_are_named(log: Log, client: Client) -> None:
    mine = [lease for partition in (3, 4, 5) if (lease := log.acquire(partition, "w1", 60_000))]
    client.hset(partition_keys(4).own, "until", 0)
    assert log.acquire(4, "w2", 60_000)
    client.script_flush()
    assert log.renew_all(mine, 90_000) == [4]
    assert all(int(client.hget(partition_keys(at).own, "until")) > now_ms(client) + 60_000 for at in (3, 5))


def test_a_second_worker_waits_for_the_lease(log: Log, lease: Lease) -> None:
    assert log.acquire(PARTITION, "worker two", 60_000) is None
    log.release(lease)
    taken = log.acquire(PARTITION, "worker two", 60_000)
    assert taken is not None
    assert taken.epoch == str(int(lease.epoch) + 1)
    with pytest.raises(Fenced):
        log.renew(lease, 60_000)


def test_a_lease_from_before_the_clock_was_set_back_is_none(log: Log, lease: Lease, client: Client) -> None:
    """P149: its owner may be dead, and by the clock it would not end for an hour."""
    hour, own = 3_600_000, partition_keys(PARTITION).own
    client.hset(own, mapping={"seen": now_ms(client) + hour, "until": now_ms(client) + hour + 3000})
    heir = log.acquire(PARTITION, "worker two", 60_000)
    assert heir is not None
    with pytest.raises(Fenced):
        log.renew(lease, 60_000)
    assert log.acquire(PARTITION, lease.owner, 60_000) is None


def test_the_same_worker_gets_a_fresh_epoch_and_his_cursor(log: Log, lease: Lease, table: Story) -> None:
    log.commit(lease, [table.commit(b"opened")], "1-5")
    again = log.acquire(PARTITION, lease.owner, 60_000)
    assert again is not None
    assert (again.epoch, again.cursor) == (str(int(lease.epoch) + 1), "1-5")
    log.renew(again, 60_000)


@pytest.mark.parametrize("why", ["fenced", "stale cursor", "conflict"])
def test_a_refused_batch_writes_nothing_at_all(
    log: Log, lease: Lease, client: Client, table: Story, why: str
) -> None:
    """Lua is not rolled back: every check comes before the first write of any commit of the batch."""
    other = Story("017-bob")
    log.commit(lease, [table.commit(b"opened"), other.commit(b"opened")], "1-0")
    before = everything(client)
    good = other.commit(b"sat", view={"view": b"v"}, deadline=9, actor="bob", k=1, lobby=b"row")
    match why:
        case "fenced":
            lease.epoch = "0"
            expected, bad = Fenced, table.commit(b"sat")
        case "stale cursor":
            lease.cursor = "0-1"
            expected, bad = StaleCursor, table.commit(b"sat")
        case _:
            expected, bad = Conflict, Commit(table.id, 7, [b"sat"], [b"h"])
    with pytest.raises(expected):
        log.commit(lease, [good, bad], "2-0")
    assert everything(client) == before


@pytest.mark.parametrize(
    "name", ["in", "out", "due", "seal", "tables", "t:017-ann:ev", "t:017-ann:st", "t:017-ann:pub", "t:017-ann:act",
             "t:017-ann:seat:3", "t:017-ann:sec", "t:017-ann:last:ann"],
)  # fmt: skip
def test_a_key_that_somebody_else_has_overwritten_refuses_the_batch(
    log: Log, lease: Lease, client: Client, table: Story, name: str
) -> None:
    """P133: a write that fails in the middle would do the same command again and again."""
    log.commit(lease, [Story("017-bob").commit(b"opened")], "1-0")
    client.set(f"{{p017}}:{name}", "not ours")
    before = everything(client)
    full = table.commit(
        b"sat", view={"view": b"v"}, seats={3: b"s"}, deadline=9, actor="ann", k=1, lobby=b"row", seed=(1, b"s"),
        ended=1, records={"ann": b"r"},
    )  # fmt: skip
    with pytest.raises(WrongType):
        log.commit(lease, [Story("017-cat").commit(b"opened"), full], "2-0")
    assert everything(client) == before


def test_an_event_that_nobody_committed_refuses_the_batch(
    log: Log, lease: Lease, client: Client, table: Story
) -> None:
    """P144: ids only grow, so an append behind somebody else's would fail in the middle."""
    other = Story("017-bob")
    log.commit(lease, [table.commit(b"opened"), other.commit(b"opened")], "1-0")
    client.xadd(table_keys(table.id).events, {"e": b"x", "h": b"y"}, id="900-0")
    before = everything(client)
    with pytest.raises(Conflict):
        log.commit(lease, [other.commit(b"sat"), table.commit(b"sat")], "2-0")
    assert everything(client) == before


def test_a_zombie_is_fenced_after_its_lease_ran_out(log: Log, table: Story) -> None:
    zombie = log.acquire(PARTITION, "worker one", 0)
    heir = log.acquire(PARTITION, "worker two", 60_000)
    assert zombie is not None
    assert heir is not None
    log.commit(heir, [table.commit(b"opened")], "1-0")
    with pytest.raises(Fenced):
        log.commit(zombie, [Commit(table.id, 1, [b"e"], [b"h"])], "1-0")


def test_a_batch_cannot_be_committed_twice(log: Log, lease: Lease, reader: Reader, table: Story) -> None:
    """The redo after a lost reply: the outcome was unknown, the cursor tells it."""
    batch = [table.commit(b"opened")]
    before = Lease(**{name: getattr(lease, name) for name in Lease.__slots__})
    log.commit(lease, batch, "1-0")
    with pytest.raises(StaleCursor):
        log.commit(before, batch, "1-0")
    assert len(reader.load(table.id).entries) == 1


def test_the_server_forgets_scripts_and_the_next_commit_loads_them(
    log: Log, lease: Lease, reader: Reader, client: Client, table: Story
) -> None:
    client.script_flush()
    log.commit(lease, [table.commit(b"opened")], "1-0")
    assert reader.head(table.id)[0] == 1


def test_a_forgotten_script_within_a_pipeline_skips_no_command(
    log: Log, lease: Lease, reader: Reader, client: Client, table: Story
) -> None:
    """NOSCRIPT hits one call and the ones behind it still run: they must find the wrong cursor."""
    first = log.arguments(lease, [table.commit(b"first")], "1-0")
    after = Lease(lease.partition, lease.owner, lease.epoch, "1-0")
    second = log.arguments(after, [table.commit(b"second")], "2-0")
    script = Log._commit
    client.script_flush()
    pipeline = client.pipeline(transaction=False)
    pipeline.execute_command("EVALSHA", script.sha, len(first[0]), *first[0], *first[1])
    pipeline.execute_command("SCRIPT LOAD", script.text)
    pipeline.execute_command("EVALSHA", script.sha, len(second[0]), *second[0], *second[1])
    answers = pipeline.execute(raise_on_error=False)
    assert "NOSCRIPT" in str(answers[0]) or "No matching script" in str(answers[0])
    assert answers[2][0] == b"STALE_CURSOR"
    assert reader.head(table.id)[0] == 0
    assert client.hget(partition_keys(PARTITION).own, "cur") is None


def test_two_racing_writers_leave_a_log_without_gap_or_double(client: Client, table: Story) -> None:
    """P133: a thousand events by two writers who steal the partition from each other all the time."""
    target, start = 1000, threading.Barrier(2)

    def write(owner: str) -> None:
        log, reader = Log(client, "1", Durability("dev")), Reader(client)
        start.wait()
        while (at := reader.head(table.id))[0] < target:
            story = Story(table.id, *at)
            try:
                if lease := log.acquire(PARTITION, owner, 0):
                    for _ in range(3):
                        mark = f"{int(lease.cursor.split('-')[0]) + 1}-0"
                        log.commit(lease, [story.commit(owner.encode(), lobby=b"row")], mark)
            except (Fenced, StaleCursor, Conflict):
                continue

    writers = [threading.Thread(target=write, args=(owner,)) for owner in ("one", "two")]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    loaded = Reader(client).load(table.id)
    assert [entry.version for entry in loaded.entries] == list(range(1, loaded.version + 1))
    assert client.hget(partition_keys(PARTITION).own, "cur") == b"%d-0" % loaded.version
    assert {entry.event for entry in loaded.entries} == {b"one", b"two"}


