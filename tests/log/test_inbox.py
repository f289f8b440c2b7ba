"""Commands come in once and in order; what happens to their copies."""

import socket
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from services.inbox import Arrival, Backlog, Claim, ClaimLost, Inbox
from services.keys import partition_keys, table_keys
from services.log import Durability, Lease, Log, StaleCursor
from services.reader import OutReader, Reader
from services.receipts import KeyReused, Superseded, answered
from services.server import Server
from services.store import Client, OutcomeUnknown, connect, now_ms
from services.wire import Envelope, Notice, Receipt, TooLong, decode_envelope, pack
from tests.log.story import PARTITION, Story


def fold(reader: Reader, log: Log, lease: Lease, story: Story, arrivals: list[Arrival]) -> None:
    """The least a worker does: each new command gives one event."""
    for arrival in arrivals:
        envelope = decode_envelope(arrival.data)
        if answered(reader.receipt(story.id, envelope.actor), envelope) is None:
            commit = story.commit(
                envelope.command, actor=envelope.actor, k=envelope.k, body=envelope.body, result=b"done"
            )
        else:
            commit = story.commit(actor=envelope.actor, k=envelope.k, result=b"done", keep=False)
        log.commit(lease, [commit], arrival.id)


def test_commands_are_read_in_the_order_of_their_arrival(inbox: Inbox, client: Client) -> None:
    """P144: ids and times are the server's, whoever sends."""
    before = now_ms(client)
    sent = [Envelope("017-ann", "ann", k, b"call") for k in range(1, 6)]
    ids = [inbox.append(envelope) for envelope in sent]
    [(partition, arrivals)] = inbox.read({16: "0-0", PARTITION: "0-0"}, 100, 10)
    assert partition == PARTITION
    assert [arrival.id for arrival in arrivals] == ids
    assert [decode_envelope(arrival.data) for arrival in arrivals] == sent
    assert before <= arrivals[0].at_ms <= now_ms(client)
    [(_, rest)] = inbox.read({PARTITION: ids[2]}, 1, 10)
    assert [arrival.id for arrival in rest] == ids[3:4]


def test_a_key_that_is_no_stream_keeps_no_other_from_being_read(real_client: Client) -> None:
    """P145, P152: neither commands nor results; the fake has no such error."""
    inbox, results = Inbox(real_client), OutReader(real_client, [16, PARTITION])
    mine, bad = partition_keys(PARTITION), partition_keys(16)
    for key in (bad.inbox, bad.out):
        real_client.set(key, "not ours")
    inbox.append(Envelope("017-ann", "ann", 1, b"call"))
    real_client.xadd(mine.out, {"p": pack([Notice("017-ann", 0, 1, b"", "ann", 1, b"")])})
    assert [partition for partition, _ in inbox.read({16: "0-0", PARTITION: "0-0"}, 10, 10)] == [PARTITION]
    assert [notice.table for notice in results.read(10)] == ["017-ann"]
    assert inbox.read({16: "0-0"}, 10, 10) == []


@pytest.mark.parametrize("data", [b"", b"\xc1", pack(7), pack([7]), pack([("017-ann", 0)]), pack([(0,) * 8])])
def test_results_that_nobody_of_ours_has_told_are_passed_over(client: Client, data: bytes) -> None:
    """P147: the one reader of a process must not end by them."""
    results, out = OutReader(client, [PARTITION]), partition_keys(PARTITION).out
    client.xadd(out, {"p": data} if data else {"x": "y"})
    client.xadd(out, {"p": pack([Notice("017-ann", 0, 1, b"", "ann", 1, b"")])})
    assert [notice.table for notice in results.read(10)] == ["017-ann"]


def test_nothing_new_is_an_empty_answer(inbox: Inbox) -> None:
    """P152: on the fake as on the server."""
    assert inbox.read({PARTITION: "0-0"}, 10, 20) == []
    assert inbox.read({PARTITION: "0-0"}, 10, 0) == []


def test_what_arrived_before_a_deadline_can_be_drained_first(inbox: Inbox) -> None:
    first, second = (inbox.append(Envelope("017-ann", "ann", k, b"call")) for k in (1, 2))
    at_ms = Arrival(second, b"").at_ms
    assert [arrival.id for arrival in inbox.drain(PARTITION, first, at_ms)] == [second]
    assert inbox.drain(PARTITION, first, Arrival(first, b"").at_ms - 1) == []


def test_a_full_partition_refuses_commands_and_loses_none(client: Client) -> None:
    """P140: back-pressure instead of trimming."""
    inbox = Inbox(client, backlog=3)
    for k in range(1, 4):
        Inbox(client).append(Envelope("017-ann", "ann", k, b"call"))
    with pytest.raises(Backlog):
        inbox.append(Envelope("017-ann", "ann", 4, b"call"))
    [(_, arrivals)] = inbox.read({PARTITION: "0-0"}, 500, 1)
    assert len(arrivals) == 3


def test_a_command_is_let_in_only_while_its_claim_holds(inbox: Inbox, client: Client) -> None:
    """Whose seat it is may change while a command is on its way: what was believed is looked at again at the door."""
    key = table_keys("017-ann").start + ":held"
    client.hset(key, "3", b"ann")
    inbox.append(Envelope("017-ann", "ann", 1, b"call"), Claim(key, "3", b"ann"))
    client.hset(key, "3", b"bob")
    with pytest.raises(ClaimLost):
        inbox.append(Envelope("017-ann", "ann", 2, b"call"), Claim(key, "3", b"ann"))
    with pytest.raises(ClaimLost):
        inbox.append(Envelope("017-ann", "ann", 2, b"call"), Claim(key, "4", b"ann"))
    assert len(inbox.read({PARTITION: "0-0"}, 10, 1)[0][1]) == 1


def test_an_endless_command_is_refused(inbox: Inbox) -> None:
    with pytest.raises(TooLong):
        inbox.append(Envelope("017-ann", "ann", 1, b"x" * 2048))


def test_a_repeated_number_gets_the_stored_answer_another_body_a_refusal() -> None:
    """P134."""
    call = Envelope("017-ann", "ann", 7, b"call")
    last = Receipt(7, call.body, b"called")
    assert answered(None, call) is None
    assert answered(last, call) == b"called"
    assert answered(last, call._replace(k=8)) is None
    with pytest.raises(KeyReused):
        answered(last, call._replace(command=b"raise to 40"))
    with pytest.raises(Superseded):
        answered(last, call._replace(k=6))


def test_a_command_delivered_twice_has_one_effect(
    inbox: Inbox, log: Log, lease: Lease, reader: Reader, table: Story
) -> None:
    """P142."""
    envelope = Envelope(table.id, "ann", 1, b"call")
    inbox.append(envelope)
    inbox.append(envelope)
    [(_, arrivals)] = inbox.read({PARTITION: "0-0"}, 10, 10)
    fold(reader, log, lease, table, arrivals)
    assert [entry.event for entry in reader.load(table.id).entries] == [b"call"]
    assert lease.cursor == arrivals[1].id


@contextmanager
def reply_loser(server: Server, folder: Path) -> Iterator[str]:
    """A way to the server on which every request arrives and no reply to XADD or EVALSHA comes back."""
    path = folder / "lossy.sock"
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(path))
    listener.listen()

    def serve() -> None:
        while True:
            try:
                near, _ = listener.accept()
            except OSError:
                return
            far = socket.socket(socket.AF_UNIX)
            far.connect(server.url.removeprefix("unix://"))
            with near, far:
                while request := near.recv(65536):
                    far.sendall(request)
                    reply = far.recv(65536)
                    if b"XADD" in request or b"EVALSHA" in request:
                        break
                    near.sendall(reply)

    thread = threading.Thread(target=serve)
    thread.start()
    yield f"unix://{path}"
    listener.shutdown(socket.SHUT_RDWR)
    listener.close()
    thread.join()


def test_lost_replies_make_one_command_one_event(
    server: Server, real_client: Client, tmp_path: Path, table: Story
) -> None:
    """The client repeats an append, the worker a commit: neither knows that the first one was done."""
    log, reader = Log(real_client, "1", Durability("dev")), Reader(real_client)
    with reply_loser(server, tmp_path) as url, closing(connect(url)) as lossy:
        envelope = Envelope(table.id, "ann", 1, b"call")
        for _ in range(3):
            with pytest.raises(OutcomeUnknown):
                Inbox(lossy).append(envelope)
        lease = log.acquire(PARTITION, "worker", 60_000)
        assert lease is not None
        [(_, arrivals)] = Inbox(real_client).read({PARTITION: lease.cursor}, 10, 10)
        assert len(arrivals) == 3
        real_client.script_load(Log._commit.text)
        commit = table.commit(b"called", actor="ann", k=1, body=envelope.body, result=b"done")
        with pytest.raises(OutcomeUnknown):
            Log(lossy, "1", Durability("dev")).commit(lease, [commit], arrivals[0].id)
    with pytest.raises(StaleCursor):
        log.commit(lease, [commit], arrivals[0].id)
    again = log.acquire(PARTITION, "worker", 60_000)
    assert again is not None
    assert again.cursor == arrivals[0].id
    fold(reader, log, again, table, arrivals[1:])
    assert [entry.event for entry in reader.load(table.id).entries] == [b"called"]
