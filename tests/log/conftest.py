"""One suite for the log, run on a fake and on a real server. What only a real one has takes `real_client`."""

from collections.abc import Iterator

import fakeredis
import pytest

from services.inbox import Inbox
from services.log import Durability, Lease, Log
from services.reader import Reader
from services.server import Server, start_server
from services.settings import Settings
from services.store import Client, connect
from tests.log.story import PARTITION, Story


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with start_server(Settings(data_dir=tmp_path_factory.mktemp("store"), durability="dev")) as server:
        yield server


@pytest.fixture
def real_client(server: Server) -> Iterator[Client]:
    client = connect(server.url, single=True)
    client.flushall()
    yield client
    client.close()


@pytest.fixture(params=["fake", "real"])
def client(request: pytest.FixtureRequest) -> Client:
    if request.param == "real":
        return request.getfixturevalue("real_client")
    return fakeredis.FakeRedis(server=fakeredis.FakeServer(server_type="redis", version=(7, 0)))


@pytest.fixture
def log(client: Client) -> Log:
    return Log(client, "1", Durability("dev"))


@pytest.fixture
def reader(client: Client) -> Reader:
    return Reader(client)


@pytest.fixture
def inbox(client: Client) -> Inbox:
    return Inbox(client)


@pytest.fixture
def lease(log: Log) -> Lease:
    lease = log.acquire(PARTITION, "worker one", 60_000)
    assert lease is not None
    return lease


@pytest.fixture
def table() -> Story:
    return Story()
