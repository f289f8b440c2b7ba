"""One house for everything that can share one; what needs its own starts it with `tests.service.houses`."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.service.houses import Up, house


@pytest.fixture(scope="session")
def up(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Up]:
    """A worker with stacked decks. The chores have no seal key: they cannot compare stacked decks with their seeds
    and leave the tables alone.
    """
    folder = tmp_path_factory.mktemp("house")
    environment = {"CROUPIER_DURABILITY": "dev", "CROUPIER_SEAL_KEY_FILE": str(folder / "no.key")}
    with house(folder, environment=environment) as up:
        yield up
