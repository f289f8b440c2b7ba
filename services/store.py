"""The way to Redis: clients, what may go wrong there, and what a store must be to hold the log.

Errors are typed by what the caller may conclude. `StoreRefused` says that nothing was written;
`OutcomeUnknown` says that nobody knows: look again (cursor, version), never assume, never undo.
"""

import select
import socket
import time
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from typing import Any, TypeAlias

import hiredis
import redis
from gevent.monkey import get_original
from redis.backoff import NoBackoff
from redis.cluster import RedisCluster
from redis.retry import Retry

from services.keys import PARTITIONS_MOST, partition_keys
from services.settings import DurabilityLevel

Client: TypeAlias = Any
"""`redis.Redis`, `redis.RedisCluster` or a fake of them. Replies are bytes."""
Entries: TypeAlias = list[tuple[bytes, dict[bytes, Any]]]
"""Of one stream: id and fields."""

ONE_BY_ONE_MS = 50
"""Longest sleep between two looks at streams that cannot be waited for together."""
POLL_S = 0.005
"""How often the streams of a cluster are looked at."""
LEAST_VERSION = (7, 0)
FSYNC = {"dev": ("everysec", "always"), "standard": ("always",), "strict": ("always",)}


class StoreError(Exception):
    """Something about the store. Texts hold keys and numbers, never values."""


class StoreRefused(StoreError):
    """The store takes no writes now (memory, disk, replicas). Nothing was written."""


class WrongType(StoreRefused):
    """A key holds something else than we put there: somebody else writes to this store. Nothing was written, for
    scripts look at what they find before they write.
    """


class OutcomeUnknown(StoreError):
    """The connection broke or the cluster moved: the write may or may not have happened."""


class StoreUnfit(StoreError):
    """This store would lose or change the log: Croupier does not start on it."""


UNKNOWN = (
    redis.ConnectionError,
    redis.TimeoutError,
    redis.exceptions.ClusterError,
    redis.exceptions.RedisClusterException,
    redis.exceptions.AskError,
    redis.exceptions.TryAgainError,
)
NOT_OURS = ("WRONGTYPE", "attempt to ", "Invalid stream ID")  # the second one: of a script, with what it found
REFUSALS = ("MISCONF", "OOM", "NOREPLICAS", "READONLY", "MASTERDOWN", "BUSY ")


class TypedErrors:
    """Around every round trip, so no generator: entered and left in a tenth of the time."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if error is not None:
            raise_typed(error)


TYPED_ERRORS = TypedErrors()


def typed_errors() -> TypedErrors:
    """A `with` that translates what redis-py raises."""
    return TYPED_ERRORS


def raise_typed(error: BaseException) -> None:
    """Refusals inside a script come as its error: the text decides. Anything else is left to be raised as it is."""
    if isinstance(error, (redis.OutOfMemoryError, redis.ReadOnlyError)):
        raise StoreRefused(str(error)) from error
    if isinstance(error, UNKNOWN):
        raise OutcomeUnknown(type(error).__name__) from error
    if isinstance(error, redis.ResponseError) and any(word in str(error) for word in NOT_OURS):
        raise WrongType("a key of another type") from error
    if isinstance(error, redis.ResponseError) and any(word in str(error) for word in REFUSALS):
        raise StoreRefused(str(error)) from error


class Parser(redis.connection.DefaultParser):  # type: ignore[misc, valid-type]
    """A pool asks every connection whether it has been closed. Under gevent that question goes through the event loop
    and costs half a round trip; the kernel's own poll answers at once.
    """

    def can_read(self, timeout: float = 0) -> bool:
        if not timeout and self._reader and not self._reader.has_data() and is_quiet(self._sock):
            return False
        return bool(super().can_read(timeout))


def is_quiet(connection: socket.socket) -> bool:
    """Nothing has come, not even its end. Never said of an encrypted connection, which keeps bytes of its own."""
    if hasattr(connection, "pending"):
        return False
    poller = get_original("select", "poll")()
    poller.register(connection.fileno(), select.POLLIN)
    return not poller.poll(0)


class Packer:
    """redis-py's own packer looks at every word in Python before C packs it; a commit has thousands."""

    def pack(self, *words: Any) -> list[bytes]:
        """Words are str, bytes or numbers; the first may be two, as in `CONFIG GET`."""
        return [hiredis.pack_command((*name_of(words[0]), *words[1:]))]


@cache
def name_of(command: str) -> list[bytes]:
    """Its words."""
    return command.encode().split()


def connect(url: str, *, timeout: float = 5.0, single: bool = False) -> Client:
    """A client that never repeats a command by itself: a repeated append would be a second entry.

    `url`: redis://, rediss://, unix:///path, redis+unix:///path, or redis+cluster://host for a cluster.
    `single`: one connection for one thread. What waits for replicas needs it: a server counts the writes of the
    connection that asks. Without it any number of threads share a few connections and wait for one to be free.
    Raises StoreUnfit for any other text; for a cluster, and with `single`, OutcomeUnknown if nobody answers.
    """
    try:
        with typed_errors():
            return _client(url, timeout, single)
    except (ValueError, TypeError):
        raise StoreUnfit("the store's address is no redis://, rediss://, unix:// or redis+cluster:// URL") from None


def _client(url: str, timeout: float, single: bool) -> Client:
    retry = Retry(NoBackoff(), 0)
    # Nobody needs to know what library asks; a user of few rights may not even say it (deploy/users.acl).
    options: dict[str, Any] = {"retry": retry, "socket_timeout": timeout, "driver_info": None}
    if url.startswith("redis+cluster://"):
        url = url.replace("redis+cluster", "redis", 1)
        return RedisCluster.from_url(url, **options)
    url = url.replace("redis+unix://", "unix://", 1)
    options["command_packer"] = Packer()
    if single:
        return redis.Redis.from_url(url, single_connection_client=True, **options)
    pool = redis.BlockingConnectionPool.from_url(url, timeout=timeout, parser_class=Parser, **options)
    pool.connection_class(**pool.connection_kwargs)  # not opened: an option that there is not is found here
    return redis.Redis.from_pool(pool)


def now_ms(client: Client) -> int:
    """The store's clock, the only one that counts."""
    with typed_errors():
        seconds, micros = client.time()
    return int(seconds) * 1000 + int(micros) // 1000


def is_cluster(client: Client) -> bool:
    """Whether multi-key reads must stay within one partition."""
    return RedisCluster in type(client).__mro__  # redis-py's classes are protocols, of which `isinstance` asks too much


def read_streams(
    client: Client, cursors: Mapping[str, str], count: int, block_ms: int
) -> list[tuple[str, Entries]]:
    """Entries after each stream's cursor, at most `count` of each; [] after `block_ms` of none.

    A key that somebody has made into something else keeps none of the others from being read.
    """
    try:
        return read_together(client, cursors, count, block_ms)
    except WrongType:
        return read_one_by_one(client, cursors, count, block_ms)


def read_one_by_one(
    client: Client, cursors: Mapping[str, str], count: int, block_ms: int
) -> list[tuple[str, Entries]]:
    """Of those that are streams, what is there already."""
    found: list[tuple[str, Entries]] = []
    for key, cursor in cursors.items():
        with suppress(WrongType):
            found += read_together(client, {key: cursor}, count, 0)
    if not found:
        time.sleep(min(block_ms, ONE_BY_ONE_MS) / 1000)
    return found


def read_together(
    client: Client, cursors: Mapping[str, str], count: int, block_ms: int
) -> list[tuple[str, Entries]]:
    """All in one round trip. Raises WrongType if one of them is no stream.

    A cluster takes one XREAD for the streams of one partition only, so there none may block: they are polled.
    """
    with typed_errors():
        if is_cluster(client):
            return poll_streams(client, cursors, count, block_ms)
        block = ("BLOCK", block_ms) if block_ms else ()
        words = ("XREAD", *block, "COUNT", count, "STREAMS", *cursors, *cursors.values())
        if own_connection(client) is None:
            return [(key.decode(), entries) for key, entries in client.execute_command(*words)]
        found = dict(ask(client, *words) or ())  # pairs, or nothing
        return [(key.decode(), list(map(paired, entries))) for key, entries in found.items()]


def paired(entry: list[Any]) -> tuple[bytes, dict[bytes, Any]]:
    """An entry as the server sends it: its id, and one list of fields and values in turns."""
    id_, words = entry
    return id_, dict(zip(words[::2], words[1::2], strict=True))


def own_connection(client: Client) -> Any | None:
    """That of a client made for one thread."""
    return getattr(client, "connection", None)


def ask(client: Client, *words: Any) -> Any:
    """A command's answer; over one's own connection just as the server gives it. redis-py has a longer way there and
    back, of which an idle worker finds nothing in the caches: an eighth of what it does between command and commit.
    """
    connection = own_connection(client)
    if connection is None:
        return client.execute_command(*words)
    with client.single_connection_lock:
        connection.send_command(*words)
        return connection.read_response()


def poll_streams(
    client: Client, cursors: Mapping[str, str], count: int, block_ms: int
) -> list[tuple[str, Entries]]:
    """The same, looking again every few milliseconds."""
    give_up = time.monotonic() + block_ms / 1000
    while True:
        batches = [(key, client.xrange(key, f"({cursor}", "+", count)) for key, cursor in cursors.items()]
        filled = [(key, entries) for key, entries in batches if entries]
        if filled or time.monotonic() >= give_up:
            return filled
        time.sleep(POLL_S)


def require_fit(client: Client, durability: DurabilityLevel) -> None:
    """Refuse to run on a store that is too old, evicts, forgets, or syncs more weakly than promised.

    Raises StoreUnfit with everything that is wrong and how to set it right.
    """
    nodes = client.get_primaries() if is_cluster(client) else [None]
    wrong = [text for node in nodes for text in unfit(client, durability, node)]
    if wrong:
        raise StoreUnfit("; ".join(wrong))


def require_partitions(client: Client, partitions: int) -> None:
    """A store keeps the number of partitions it began with, or more: tables beyond would be nobody's, and stand still.

    Raises StoreUnfit.
    """
    beyond = range(partitions, PARTITIONS_MOST)
    with typed_errors(), client.pipeline(transaction=False) as pipeline:
        for partition in beyond:
            pipeline.hlen(partition_keys(partition).tables)
        last = max((at for at, many in zip(beyond, pipeline.execute(), strict=True) if many), default=0)
    if last:
        raise StoreUnfit(f"the store has tables in partition {last}: set CROUPIER_PARTITIONS to what it was before")


def unfit(client: Client, durability: DurabilityLevel, node: object = None) -> list[str]:
    """What speaks against this server, one sentence each."""
    where = {} if node is None else {"target_nodes": node}
    info = client.info(**where)
    wrong = []
    version = str(info.get("redis_version"))
    if tuple(map(int, version.split(".")[:2])) < LEAST_VERSION:
        wrong.append(f"server version {version}: Croupier needs Redis 7.0, Valkey 7.2 or newer")
    if info.get("maxmemory_policy") != "noeviction":
        wrong.append("it may evict tables: set maxmemory-policy noeviction")
    if not info.get("aof_enabled"):
        wrong.append("it would forget the log: set appendonly yes")
    if info.get("aof_last_write_status", "ok") != "ok":
        wrong.append("its last write to the append-only file failed: look at its disk")
    if durability == "strict" and not info.get("connected_slaves"):
        wrong.append("durability strict needs a connected replica")
    return wrong + weak_sync(client, durability, where)


def weak_sync(client: Client, durability: DurabilityLevel, where: dict[str, Any]) -> list[str]:
    """`appendfsync` against the promised level."""
    try:
        sync = client.config_get("appendfsync", **where).get("appendfsync")
    except redis.exceptions.NoPermissionError:
        return ["appendfsync cannot be read: grant this user +config|get"]
    if sync in FSYNC[durability]:
        return []
    return [f"appendfsync {sync} is weaker than durability {durability}: set {FSYNC[durability][0]}"]
