"""The average pot of the lobby costs the archive one look per table every few seconds, and nothing while it is away.

What is only there is asked for in vain meanwhile.
"""

from __future__ import annotations

import pytest
from sqlalchemy.exc import OperationalError

from api.pots import FRESH_S, AveragePots
from tests.api.conftest import Service
from tests.api.story import Story


class Archive:
    """Answers with a pot that grows; `away`: not at all."""

    def __init__(self) -> None:
        self.looks = 0
        self.away = False

    def average_pot(self, table: str, last: int) -> int | None:
        self.looks += 1
        if self.away:
            raise OperationalError("select", {}, OSError())
        return 10 * self.looks


def test_a_pot_is_looked_up_again_after_a_while() -> None:
    archive, now = Archive(), [100.0]
    pots = AveragePots(archive, lambda: now[0])
    assert [pots.of("a"), pots.of("a"), pots.of("b"), archive.looks] == [10, 10, 20, 2]
    now[0] += FRESH_S
    assert pots.of("a") == 30


def test_the_lobby_goes_on_without_the_archive() -> None:
    archive, now = Archive(), [100.0]
    pots = AveragePots(archive, lambda: now[0])
    assert pots.of("a") == 10
    archive.away = True
    now[0] += FRESH_S
    assert (pots.of("a"), pots.of("b"), pots.of("b"), archive.looks) == (10, None, None, 3)


@pytest.mark.parametrize("path", ["hands", "hands/1", "hands/1/bundle"])
def test_what_is_in_the_archive_is_not_there_without_it(
    story: Story, service: Service, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    """It may be back at any moment: 503, and no fault of ours."""

    def away(*words: object) -> None:
        raise OperationalError("select", {}, Exception("away"))

    monkeypatch.setattr(service.house.archive, "hands", away)
    monkeypatch.setattr(service.house.archive, "segment", away)
    response = story.client.get(f"{story.path}/{path}")
    assert (response.status_code, response.get_json()["code"]) == (503, "unavailable")
    assert response.headers["Retry-After"] == "1"
    assert story.client.get(story.path).status_code == 200
