"""The average pot of the lobby costs the archive one look per table every few seconds, and nothing while it is away."""

from __future__ import annotations

from sqlalchemy.exc import OperationalError

from api.pots import FRESH_S, AveragePots


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
