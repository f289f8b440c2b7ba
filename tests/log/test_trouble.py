"""What the log does when the store is full, broken, weak, gone or a cluster; needs a real server."""

import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
import redis

from services.inbox import Inbox
from services.log import Durability, DurabilityDegraded, Lease, Log
from services.reader import OutReader, Reader
from services.server import find_binary, start_server
from services.settings import Settings
from services.store import (
    Client,
    OutcomeUnknown,
    StoreRefused,
    StoreUnfit,
    connect,
    is_cluster,
    require_fit,
    unfit,
)
from services.wire import Envelope
from tests.house.houses import free_port
from tests.log.story import PARTITION, Story


def wait_for(condition: Callable[[], bool], seconds: float = 60) -> None:
    give_up = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < give_up, "waited in vain"
        time.sleep(0.02)


@pytest.fixture
def real_log(real_client: Client) -> Log:
    return Log(real_client, "1", Durability("dev"))


@pytest.fixture
def real_lease(real_log: Log) -> Lease:
    lease = real_log.acquire(PARTITION, "worker", 60_000)
    assert lease is not None
    return lease


@contextmanager
def configured(client: Client, name: str, value: str) -> Iterator[None]:
    before = client.config_get(name)[name]
    client.config_set(name, value)
    try:
        yield
    finally:
        client.config_set(name, before)


@pytest.mark.parametrize("limit", ["maxmemory", "min-replicas-to-write"])
def test_a_full_or_lonely_store_refuses_and_nothing_is_written(
    real_client: Client, real_log: Log, real_lease: Lease, table: Story, limit: str
) -> None:
    """P140: no eviction, a refusal; and of a batch that is refused not even the first write is done."""
    real_log.commit(real_lease, [table.commit(b"opened")], "1-0")
    head = (table.version, table.head)
    with configured(real_client, limit, "1"):
        with pytest.raises(StoreRefused):
            real_log.commit(real_lease, [table.commit(b"sat", b"sat", view={"view": b"v"})], "2-0")
        with pytest.raises(StoreRefused):
            Inbox(real_client).append(Envelope(table.id, "ann", 1, b"call"))
    assert Reader(real_client).head(table.id) == head
    assert Reader(real_client).view(table.id) is None
    real_log.commit(real_lease, [Story(table.id, *head).commit(b"sat")], "2-0")


def test_a_store_that_runs_somebody_elses_script_refuses(
    real_client: Client, real_log: Log, real_lease: Lease, table: Story
) -> None:
    """Until it is done with it, or somebody kills it."""
    loop = "while true do redis.call('PING') end"
    with configured(real_client, "busy-reply-threshold", "1"), closing(connect_to(real_client)) as other:
        other.connection.send_command("EVAL", loop, 0)
        wait_for(lambda: is_busy(real_client))
        with pytest.raises(StoreRefused):
            real_log.commit(real_lease, [table.commit(b"opened")], "1-0")
        real_client.script_kill()
        wait_for(lambda: not is_busy(real_client))
    assert Reader(real_client).head(table.id) == (0, b"")


def connect_to(client: Client) -> Client:
    """Another connection to the same server."""
    path = client.connection_pool.connection_kwargs["path"]
    return connect(f"unix://{path}", single=True)


def is_busy(client: Client) -> bool:
    try:
        return not client.ping()
    except redis.ResponseError:
        return True


def test_a_store_that_cannot_save_refuses(tmp_path: Path, table: Story) -> None:
    """MISCONF: the same error as of a full disk."""
    settings = Settings(data_dir=tmp_path, durability="dev")
    with start_server(settings) as server, closing(connect(server.url)) as client:
        (tmp_path / "redis" / "dump.rdb" / "in the way").mkdir(parents=True)
        with configured(client, "save", "3600 1"):
            client.bgsave()
            wait_for(lambda: client.info("persistence")["rdb_last_bgsave_status"] == "err")
            with pytest.raises(StoreRefused, match="MISCONF"):
                Inbox(client).append(Envelope(table.id, "ann", 1, b"call"))
            with pytest.raises(StoreRefused):
                Log(client, "1", Durability("dev")).acquire(PARTITION, "worker", 1000)


def test_a_killed_server_leaves_the_outcome_unknown_and_keeps_what_was_acknowledged(
    tmp_path: Path, table: Story
) -> None:
    """Durability standard: synced before it is acknowledged. After a restart no script is known any more."""
    settings = Settings(data_dir=tmp_path, durability="standard")
    server = start_server(settings)
    assert server.process is not None
    client = connect(server.url, single=True)
    log = Log(client, "1", Durability("standard"))
    lease = log.acquire(PARTITION, "worker", 60_000)
    assert lease is not None
    log.commit(lease, [table.commit(b"opened")], "1-0")
    server.process.kill()
    head = (table.version, table.head)
    with pytest.raises(OutcomeUnknown):
        log.commit(lease, [table.commit(b"sat")], "2-0")
    server.stop()

    server = start_server(settings)
    lease = log.acquire(PARTITION, "worker", 60_000)
    assert lease is not None
    assert lease.cursor == "1-0"
    assert 0 < lease.idle_ms < 60_000
    assert Reader(client).head(table.id) == head
    log.commit(lease, [Story(table.id, *head).commit(b"sat")], "2-0")
    client.close()
    server.stop()


def test_an_unwritable_or_forgetful_store_is_not_started_on(real_client: Client) -> None:
    require_fit(real_client, "dev")
    for name, value, why in (
        ("maxmemory-policy", "allkeys-lru", "evict"),
        ("appendonly", "no", "forget the log"),
        ("appendfsync", "no", "weaker"),
    ):
        with configured(real_client, name, value), pytest.raises(StoreUnfit, match=why):
            require_fit(real_client, "dev")
    with pytest.raises(StoreUnfit, match="weaker than durability standard"):
        require_fit(real_client, "standard")
    with pytest.raises(StoreUnfit, match="replica"):
        require_fit(real_client, "strict")


class OldStore:
    """A server of long ago, as far as it is asked."""

    def info(self) -> dict[str, object]:
        return {"redis_version": "6.2.14", "maxmemory_policy": "noeviction", "aof_enabled": 1}

    def config_get(self, name: str) -> dict[str, str]:
        raise redis.exceptions.NoPermissionError(name)


def test_a_too_old_or_secretive_store_is_not_started_on() -> None:
    old, secretive = unfit(OldStore(), "dev")
    assert "6.2.14" in old
    assert "config|get" in secretive


@contextmanager
def bare_server(folder: Path, *words: str) -> Iterator[str]:
    """A server on a port, as replicas and clusters need one."""
    folder.mkdir()
    port = free_port()
    command = [str(find_binary(None).path), "--port", str(port), "--dir", str(folder), "--save", "", *words]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    client = connect(f"redis://127.0.0.1:{port}")

    def answers() -> bool:
        try:
            return bool(client.ping())
        except redis.ConnectionError:
            return False

    try:
        wait_for(answers)
        yield f"127.0.0.1:{port}"
    finally:
        client.close()
        process.terminate()
        process.wait()


def test_strict_tells_results_only_after_a_replica_has_them(tmp_path: Path, table: Story) -> None:
    """A failover to a replica that lags loses acknowledged writes (eventlog.md 1.2)."""
    with bare_server(tmp_path / "primary", "--repl-diskless-sync-delay", "0") as primary:
        client = connect(f"redis://{primary}", single=True)
        log = Log(client, "1", Durability("strict", timeout_ms=100))
        lease = log.acquire(PARTITION, "worker", 60_000)
        assert lease is not None
        with pytest.raises(DurabilityDegraded):
            log.commit(lease, [table.commit(b"opened")], "1-0")
        host, port = primary.split(":")
        with bare_server(tmp_path / "replica", "--replicaof", host, port):
            wait_for(lambda: client.execute_command("WAIT", 1, 100) == 1)
            log = Log(client, "1", Durability("strict", timeout_ms=4000))
            lease = log.acquire(PARTITION, "worker", 60_000)
            assert lease is not None
            assert lease.cursor == "1-0"
            log.commit(lease, [table.commit(b"sat")], "2-0")
        client.close()


def test_the_same_code_runs_on_a_cluster(tmp_path: Path, table: Story) -> None:
    """All keys of a partition share a tag, so every script stays within one slot."""
    bus = str(free_port())
    with bare_server(tmp_path / "node", "--cluster-enabled", "yes", "--cluster-port", bus) as node:
        plain = connect(f"redis://{node}")
        plain.execute_command("CLUSTER", "ADDSLOTSRANGE", 0, 16383)
        wait_for(lambda: b"cluster_state:ok" in plain.execute_command("CLUSTER", "INFO"))
        client = connect(f"redis+cluster://{node}")
        assert is_cluster(client)
        log, reader, inbox = Log(client, "1", Durability("dev")), Reader(client), Inbox(client)
        out = OutReader(client, [PARTITION, 40])
        marks = [inbox.append(Envelope(name, "ann", 1, b"call")) for name in (table.id, "040-bob")]
        found = dict(inbox.read({PARTITION: "0-0", 40: "0-0"}, 10, 100))
        assert [arrival.id for arrivals in found.values() for arrival in arrivals] == marks
        for partition, story in ((PARTITION, table), (40, Story("040-bob"))):
            lease = log.acquire(partition, "worker", 60_000)
            assert lease is not None
            commit = story.commit(b"opened", view={"view": b"v"}, seats={0: b"s"}, lobby=b"r", deadline=5, actor="ann")
            log.commit(lease, [commit], found[partition][0].id)
            assert reader.load(story.id).version == 1
        assert {notice.table for notice in out.read(100)} == {table.id, "040-bob"}
        plain.close()
        client.close()
