"""The chores on a real embedded server, with an archive in SQLite or, where a test asks for it, in PostgreSQL."""

from collections.abc import Callable, Iterator
from itertools import chain, count
from pathlib import Path

import pytest

from services.server import Server, start_server
from services.settings import Settings
from services.store import Client, connect
from tests.jobs.house import House
from tests.jobs.postgres import Postgres, running_postgres


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


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    with running_postgres() as postgres:
        yield postgres


@pytest.fixture
def kind() -> str:
    """Of database. Parametrized by those whose tests hold for each kind."""
    return "sqlite"


@pytest.fixture
def database(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> Callable[[], str]:
    """Gives the URL of a new, empty database; in SQLite the first one is where an installation has its own."""
    if kind == "postgresql":
        postgres: Postgres = request.getfixturevalue("postgres")
        return postgres.database
    names = chain(["archive.db"], (f"archive{number}.db" for number in count(2)))
    return lambda: f"sqlite:///{tmp_path / next(names)}"


@pytest.fixture
def house(client: Client, tmp_path: Path, database: Callable[[], str]) -> Iterator[House]:
    house = House(client, tmp_path, archive=database())
    yield house
    house.close()
