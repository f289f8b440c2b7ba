"""One house for everything that can share one; what needs its own starts it with `tests.house.houses`."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.house.houses import Up, house


@pytest.fixture(scope="session")
def up(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Up]:
    """A worker with stacked decks, and chores that leave stacked tables alone."""
    with house(tmp_path_factory.mktemp("house"), environment={"CROUPIER_DURABILITY": "dev"}) as up:
        yield up
