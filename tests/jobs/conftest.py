"""The chores on a real embedded server."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from services.server import Server, start_server
from services.settings import Settings
from services.store import Client, connect
from tests.jobs.house import House


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = start_server(Settings(data_dir=tmp_path_factory.mktemp("store"), durability="dev"))
    yield server
    server.stop()


@pytest.fixture
def client(server: Server) -> Iterator[Client]:
    client = connect(server.url)
    client.flushall()
    yield client
    client.close()


@pytest.fixture
def house(client: Client, tmp_path: Path) -> Iterator[House]:
    house = House(client, tmp_path)
    yield house
    house.close()
