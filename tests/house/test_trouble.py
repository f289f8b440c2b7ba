"""What goes wrong in a running house, and what its clients see of it: a clear answer, and nothing lost."""

from __future__ import annotations

import http.client
import json
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest

from services.chain import extend
from services.client import Answer, Client, Unreachable
from services.keys import partition_keys, partition_of, table_keys
from services.reader import Reader
from services.segment import decisions
from services.wire import pack
from tests.house.houses import Table, Up, signal_to, wait_for, waiting
from tests.house.remote import ANY_STACK, ENDLESS

OPTIONS = {"seats": 3, "hand_gap_seconds": 0, **ENDLESS, **ANY_STACK}


@pytest.fixture
def table(up: Up) -> Iterator[Table]:
    """Two players with 100 chips each; the first hand waits for the host."""
    table = Table(up, "razz", **OPTIONS)
    up.stack(table.id, {"1": {}})
    table.state("paused")
    for seat, player in enumerate(("ann", "bob")):
        table.sit(seat, player, 100)
    yield table
    table.close()


def chips(table: Table, seat: int) -> int:
    return int(table.see()["view"]["seats"][seat]["chips"])


def done(up: Up, table: Table, seat: int) -> list[int]:
    """The numbers of all commands of this seat's player that have had an effect, as the log has them."""
    store = up.store()
    entries = Reader(store).load(table.id, from_snapshot=False).entries
    store.close()
    found = [decision.recorded for decision in decisions(entries)]
    return [recorded.k for recorded in found if recorded.actor == table.actors[seat]]


@contextmanager
def workers_asleep(up: Up) -> Iterator[None]:
    """Whatever is sent waits in the inbox."""
    pids = wait_for(lambda: up.pids("stacked fold"), "the worker runs")
    for pid in pids:
        signal_to(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in pids:
            signal_to(pid, signal.SIGCONT)


@contextmanager
def configured(up: Up, name: str, value: str) -> Iterator[Any]:
    """The store with another setting for a while."""
    store = up.store()
    before = store.config_get(name)[name]
    store.config_set(name, value)
    try:
        yield store
    finally:
        store.config_set(name, before)
        store.close()


def test_the_api_dies_between_append_and_answer(up: Up, table: Table) -> None:
    """P070, P134: the client hears nothing, repeats the same number, gets the one answer, and it counted once."""
    body, heard = {"verb": "add_chips", "amount": 7}, []
    client = Client(up.url, table.seats[0].token)

    def ask() -> None:
        try:
            heard.append(client.ask("POST", f"/tables/{table.id}/commands", body, KEY_2))
        except Unreachable:
            heard.append(None)

    asking = threading.Thread(target=ask)
    store = up.store()
    with workers_asleep(up):
        asking.start()
        wait_for(lambda: waiting(store, partition_of(table.id)), "the command is in the inbox")
        for pid in up.pids("-m api"):
            signal_to(pid, signal.SIGKILL)
        asking.join(60)
    store.close()
    client.close()
    assert heard == [None] and not asking.is_alive()
    wait_for(lambda: ready(up), "the API is back")
    again = [client.command(table.id, 2, body, 10) for _ in range(2)]
    client.close()
    assert [answer.status for answer in again] == [200, 200] and again[0] == again[1]
    assert chips(table, 0) == 107
    assert done(up, table, 0) == [2]


KEY_2 = {"Idempotency-Key": "2", "Prefer": "wait=10"}


def ready(up: Up) -> bool:
    client = up.client()
    try:
        return client.get("/games").ok
    except Unreachable:
        return False
    finally:
        client.close()


@pytest.mark.parametrize(("setting", "value"), [("maxmemory", "1mb"), ("min-replicas-to-write", "1")])
def test_a_store_that_takes_no_writes(up: Up, table: Table, setting: str, value: str) -> None:
    """A full store, or one without its replicas: 503 and why; what was sent before waits; then all goes on."""
    early, late = {"verb": "add_chips", "amount": 5}, {"verb": "add_chips", "amount": 3}
    log = up.errors.stat().st_size
    with ExitStack() as asleep, ExitStack() as full:
        asleep.enter_context(workers_asleep(up))
        assert table.seats[0].command(table.id, 2, early, 0).status == 202
        full.enter_context(configured(up, setting, value))
        refused = table.seats[1].command(table.id, 2, late, 0)
        assert (refused.status, refused.code) == (503, "durability_degraded")
        asleep.close()
        wait_for(lambda: "StoreRefused" in up.errors.read_text()[log:], "the worker tries and is refused")
        assert outcome(table, 0, 2).status == 202 and table.see()["view"]["status"] == "paused"
    decided = wait_for(lambda: known(outcome(table, 0, 2)), "the early command is decided")
    assert decided.body["status"] == "accepted"
    assert table.seats[1].command(table.id, 2, late, 10).ok
    assert (chips(table, 0), chips(table, 1)) == (105, 103)
    assert (done(up, table, 0), done(up, table, 1)) == ([2], [2])


def outcome(table: Table, seat: int, k: int) -> Answer:
    return table.seats[seat].get(f"/tables/{table.id}/commands/{table.actors[seat]}-{k}")


def known(answer: Answer) -> Answer | None:
    return answer if answer.status == 200 else None


def test_a_command_that_breaks_the_engine_stops_its_table_alone(up: Up, table: Table) -> None:
    """P147: the client is told, the host sees where, every other table goes on, and the host lets it run again."""
    other = Table(up, "razz", **OPTIONS)
    other.sit(0, "cyd", 100)
    poison = up.decks / f"poison-{table.id}"
    poison.write_text("SitOut")
    broken = table.command(0, verb="sit_out")
    assert (broken.status, broken.code) == (500, "engine_error")
    assert table.command(0, verb="sit_out").code == table.command(1, verb="sit_out").code == "table_frozen"
    assert other.command(0, verb="sit_out").ok, "another table of the same worker"
    frozen = {row["table"]: row for row in table.host.get("/ops/frozen").body["items"]}
    assert frozen[table.id]["error"] == "EngineBroken" and "breaking" in frozen[table.id]["where"]
    poison.unlink()
    assert table.host.post(f"/ops/frozen/{table.id}/retry", {}).ok
    table.k[table.actors[0]] += 1
    assert table.command(0, verb="sit_out").ok
    assert table.id not in json.dumps(table.host.get("/ops/frozen").body)
    other.close()


def test_a_table_that_was_stopped_in_a_hand_plays_it_to_its_end(up: Up, table: Table) -> None:
    """The hand is folded again from its log, with the deck of its sealed seed, and its clock runs."""
    table.state("running")
    view = table.wait(lambda view: view["hand"] is not None, "the hand begins")
    poison = up.decks / f"poison-{table.id}"
    poison.write_text("Act")
    actor = view["hand"]["actor"]
    assert table.command(actor, verb="bring_in", amount=5, turn=view["turn"]).status == 500
    poison.unlink()
    before = table.see(actor)["view"]["you"]["cards"]
    assert table.host.post(f"/ops/frozen/{table.id}/retry", {}).ok
    assert table.see(actor)["view"]["you"]["cards"] == before and len(before) == 3
    store = up.store()
    assert table.id in {name for name, _ in Reader(store).due(partition_of(table.id), 1 << 52)}, "its clock runs"
    store.close()
    assert table.command(actor, verb="bring_in", amount=5, turn=view["turn"]).ok
    view = table.see()["view"]
    assert table.command(view["hand"]["actor"], verb="fold", turn=view["turn"]).ok
    assert table.see()["view"]["hand"]["over"]


def test_a_log_that_cannot_be_read_stops_its_table_alone(up: Up, table: Table) -> None:
    """An event of a kind nobody knows, well chained: the worker meets it when it loads the table."""
    other = Table(up, "razz", **OPTIONS)
    other.sit(0, "cyd", 100)
    store = up.store()
    version, head = Reader(store).head(table.id)
    event, keys = pack((1, "NeverHeardOf", 7)), table_keys(table.id)
    (hash_,) = extend(table.id, head, [event])
    for pid in wait_for(lambda: up.pids("stacked fold"), "the worker runs"):
        signal_to(pid, signal.SIGKILL)
    store.xadd(keys.events, {"e": event, "h": hash_}, f"{version + 1}-0")
    store.hset(keys.state, mapping={"ver": version + 1, "head": hash_})
    store.close()
    assert table.command(0, verb="sit_out").code == "table_frozen"
    assert other.command(0, verb="sit_out").ok
    frozen = {row["table"]: row["error"] for row in table.host.get("/ops/frozen").body["items"]}
    assert frozen == {table.id: "UnknownName"}
    other.close()


def test_resume_in_the_batch_that_broke_comes_too_early(up: Up, table: Table) -> None:
    """What the batch decided before is not in the log yet; the host's next word is heard. No worker ends over it."""
    (poison := up.decks / f"poison-{table.id}").write_text("SitOut")
    assert (workers := up.pids("stacked fold"))
    with workers_asleep(up):
        assert table.seats[0].command(table.id, 2, {"verb": "add_chips", "amount": 5}, 0).status == 202
        assert table.seats[1].command(table.id, 2, {"verb": "sit_out"}, 0).status == 202
        early = table.host.post(f"/tables/{table.id}/state", {"state": "running"}, Prefer="wait=0")
        assert early.status == 202
    poisoned = wait_for(lambda: known(outcome(table, 1, 2)), "the poison is decided")
    assert poisoned.body["code"] == "engine_error" and outcome(table, 0, 2).body["status"] == "accepted"
    answer = table.host.get(f"/tables/{table.id}/commands/{early.body['command']}")
    assert (answer.body["status"], answer.body["code"]) == ("refused", "table_frozen")
    poison.unlink()
    assert table.state("running").ok and chips(table, 0) == 105
    assert up.pids("stacked fold") == workers


def test_an_inbox_that_somebody_deleted_is_there_again_with_the_next_command(up: Up, table: Table) -> None:
    """P145: no worker ends over it or floods the log."""
    workers, log = up.pids("stacked fold"), up.errors.stat().st_size
    store = up.store()
    store.delete(partition_keys(partition_of(table.id)).inbox)
    store.close()
    assert table.command(0, verb="add_chips", amount=5).ok and chips(table, 0) == 105
    assert (up.pids("stacked fold"), up.errors.stat().st_size) == (workers, log)


UNREADABLE = {
    b"GET * HTTP/1.1\r\n\r\n": 400,
    b"gibberish\r\n\r\n": 400,
    b"GET /?" + b"a" * 9000 + b" HTTP/1.1\r\n\r\n": 414,
    b"GET / HTTP/1.1\r\nAuthorization: Bearer cr_secret" + b"a" * 9000 + b"\r\n\r\n": 431,
    b"GET / HTTP/1.1\r\nAuthorization cr_secret\r\n\r\n": 400,
}


@pytest.mark.parametrize(("sent", "status"), UNREADABLE.items(), ids=range(len(UNREADABLE)))
def test_what_cannot_even_be_read_is_a_problem_like_any_other(up: Up, sent: bytes, status: int) -> None:
    """And nothing of it is in the log: it might be a token."""
    with socket.create_connection(("127.0.0.1", up.port), timeout=60) as connection:
        connection.sendall(sent)
        response = http.client.HTTPResponse(connection)
        response.begin()
        problem = json.loads(response.read())
    assert (response.status, problem["status"]) == (status, status)
    assert (response.headers.get_content_type(), problem["code"]) == ("application/problem+json", "malformed")
    assert "cr_secret" not in up.errors.read_text()


def test_a_name_opens_no_seat_and_a_spectator_does_not_act(up: Up, table: Table) -> None:
    """P120, P121: without a seat's token there is nothing to see and nothing to do; nothing is appended."""
    table.state("running")
    view = table.wait(lambda view: view["hand"] is not None, "the hand begins")
    version, body = table.see()["version"], {"verb": "fold", "turn": view["turn"]}
    stranger = up.client("")
    same_seat = stranger.put(f"/tables/{table.id}/seats/0", {"player": "ann", "chips": 100})
    other_seat = stranger.put(f"/tables/{table.id}/seats/2", {"player": "ann", "chips": 100})
    assert (same_seat.code, other_seat.code) == ("seat_taken", "already_seated")
    assert stranger.command(table.id, 2, body).status == 401
    seated_elsewhere = Table(up, "razz", **OPTIONS)
    seated_elsewhere.sit(0, "cyd", 100)
    assert seated_elsewhere.seats[0].command(table.id, 2, body).status == 403
    seen = table.see()
    assert seen["version"] == version and "you" not in seen["view"]
    seated_elsewhere.close()
    stranger.close()
